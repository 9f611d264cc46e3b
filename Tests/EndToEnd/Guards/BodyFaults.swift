import NeuroViewsJSON
import TestSupport

extension Fault {
    private static func body(_ name: String, _ bytes: [UInt8], _ verdict: String) -> Fault {
        Fault(name: name, verdict: verdict) { $0.body = bytes }
    }

    private static let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)

    /// Texts that the server does not accept as JSON.
    static let ofText: [Fault] = notJSON + strict(verdict: "400 invalid-json")

    /// The same for an operation. A batch of events is judged event by event, so any JSON is read; here it is no batch.
    static func unreadable(by operation: Operation) -> [Fault] {
        let faults = operation.name == "recordEvents" ? notJSON + strict(verdict: "422 invalid-document") : ofText
        return operation.needsBody ? faults : faults.filter { !["an empty body", "no body"].contains($0.name) }
    }

    /// JSON that breaks the rules of strict readers.
    private static func strict(verdict: String) -> [Fault] {
        [
            ("65 levels", deep), ("65 levels in an unknown member", #"{"x":\#(deep.dropFirst().dropLast())}"#),
            ("a name twice", #"{"email":"a@b","email":"c@d"}"#),
            ("a name twice, escaped", #"{"email":"a@b","\u0065mail":"c@d"}"#),
            ("a lone surrogate", #"{"email":"\ud800"}"#), ("U+0000", #"{"email":"a\u0000b"}"#),
        ].map { body($0, Array($1.utf8), verdict) }
    }

    private static let notJSON: [Fault] =
        [
            ("an empty body", ""), ("white space", " \r\n\t"), ("half an object", #"{"configuration":{"#),
            ("no JSON", "name=Sunset"), ("two values", "{} {}"), ("a trailing comma", #"{"a":1,}"#),
            ("a byte order mark", "\u{FEFF}{}"), ("16,000 levels", String(repeating: "[", count: 16_000)),
            ("NaN", #"{"x":NaN}"#),
        ].map { body($0, Array($1.utf8), "400 invalid-json") }
        + [
            body("Latin-1", Array(#"{"email":"a"#.utf8) + [0xe9] + Array(#""}"#.utf8), "400 invalid-json"),
            body("a zero byte", Array(#"{"email":"a"#.utf8) + [0] + Array(#""}"#.utf8), "400 invalid-json"),
            Fault(name: "no body", verdict: "400 invalid-json") { $0.body = nil },
        ]

    /// JSON bodies that break the operation's schema: values of another type, and the example with one part wrong. A
    /// wrong event is refused by itself, and its batch is taken.
    static func ofDocument(_ body: Operation.Body) -> [Fault] {
        let others: [JSONValue] = [.null, .bool(true), .number(JSONNumber(1)), .string("x"), .array([])]
        let all = others.map { ("the body is \($0.text)", $0) } + [("an empty object", .object(JSONObject()))]
        return (all + body.example.spoiled()).filter { body.refuses($0.1) }.map { name, value in
            self.body(name, value.serialized(), "422 invalid-document")
        }
    }

    /// Bodies with another declared type. JSON needs none, unless a web page sends it.
    static func ofMediaType(_ body: Operation.Body) -> [Fault] {
        let types = ["text/plain", "application/jsonp", "application/octet-stream", ""]
        let known = ["application/json", "application/merge-patch+json"].filter { $0 != body.mediaType }
        let wrong = (types + known).map { type in
            Fault(name: "Content-Type: \(type)", verdict: "415 unsupported-media-type") { $0.set("Content-Type", type) }
        }
        let isJSON = body.mediaType == "application/json"
        let form = Fault(name: "a form", verdict: "415 unsupported-media-type") { draft in
            draft.set("Content-Type", "application/x-www-form-urlencoded")
            if isJSON { draft.set("Origin", "https://page.example") }
        }
        let none = Fault(name: "no Content-Type", verdict: "415 unsupported-media-type") { draft in
            draft.set("Content-Type")
            if isJSON { draft.set("Origin", "https://page.example") }
        }
        return wrong + [form, none]
    }
}

extension Operation.Body {
    fileprivate func refuses(_ value: JSONValue) -> Bool {
        !schema.violations(of: value).allSatisfy { $0.pointer.hasPrefix("/events/") }
    }
}

extension JSONValue {
    /// Copies of this value with one part left out or replaced by another type, each with its name.
    fileprivate func spoiled() -> [(String, JSONValue)] {
        var found: [(String, JSONValue)] = []
        for member in object?.members ?? [] {
            let rest = (object?.members ?? []).filter { $0.name != member.name }
            found.append(("no \(member.name)", .object(JSONObject(rest))))
            for (name, value) in member.value.replacements() {
                let changed = JSONObject(rest + [.init(name: member.name, value: value)])
                found.append(("\(member.name): \(name)", .object(changed)))
            }
        }
        for (index, item) in (array ?? []).enumerated() {
            for (name, value) in item.replacements() {
                var changed = array ?? []
                changed[index] = value
                found.append(("[\(index)] \(name)", .array(changed)))
            }
        }
        return found
    }

    private func replacements() -> [(String, JSONValue)] {
        let others: [JSONValue] = [
            .null, .bool(true), .number(JSONNumber(-1)), .string(""), .array([]), .object(JSONObject()),
        ]
        return others.map { ($0.text, $0) } + spoiled()
    }
}
