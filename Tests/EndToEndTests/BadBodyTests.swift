import Foundation
import TestSupport
import Testing

@Suite("Bodies that are not what they should be")
struct BadBodyTests {
    /// A body, how it is declared, and the answer.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        var type: String? = "application/json"
        var body: [UInt8]?
        var fields: [String] = []
        var endsSending = false
        let verdict: String

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ verdict: String, type: String? = "application/json") {
            self.name = name
            self.body = Array(text.utf8)
            self.verdict = verdict
            self.type = type
        }
    }

    private static let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)

    private static let text: [Fault] = [
        Fault("empty", "", "400 invalid-json"), Fault("white space", " \r\n\t", "400 invalid-json"),
        Fault("half an object", #"{"configuration":{"#, "400 invalid-json"),
        Fault("no JSON", "name=Sunset", "400 invalid-json"), Fault("two values", "{} {}", "400 invalid-json"),
        Fault("a trailing comma", #"{"a":1,}"#, "400 invalid-json"),
        Fault("a byte order mark", "\u{FEFF}{}", "400 invalid-json"),
        Fault("65 levels", deep, "400 invalid-json"),
        Fault("65 levels in an unknown member", #"{"x":\#(deep.dropFirst().dropLast())}"#, "400 invalid-json"),
        Fault("16,000 levels", String(repeating: "[", count: 16_000), "400 invalid-json"),
        Fault("a name twice", #"{"email":"a@b","email":"c@d"}"#, "400 invalid-json"),
        Fault("a name twice, escaped", #"{"email":"a@b","\u0065mail":"c@d"}"#, "400 invalid-json"),
        Fault("a lone surrogate", #"{"email":"\ud800"}"#, "400 invalid-json"),
        Fault("U+0000", #"{"email":"a\u0000b"}"#, "400 invalid-json"),
        Fault("NaN", #"{"x":NaN}"#, "400 invalid-json"),
        Fault("an array", "[]", "422 invalid-document"), Fault("null", "null", "422 invalid-document"),
        Fault("a string", #""{}""#, "422 invalid-document"), Fault("an empty object", "{}", "422 invalid-document"),
        Fault("wrong types", #"{"email":1,"password":[],"configuration":"x"}"#, "422 invalid-document"),
        Fault("text", "{}", "415 unsupported-media-type", type: "text/plain"),
        Fault("a form", "{}", "415 unsupported-media-type", type: "application/x-www-form-urlencoded"),
        Fault("no type", "{}", "415 unsupported-media-type", type: nil),
        Fault("nearly JSON", "{}", "415 unsupported-media-type", type: "application/jsonp"),
        Fault("an empty type", "{}", "415 unsupported-media-type", type: ""),
    ]

    private static let framed: [Fault] = {
        var noBody = Fault("no body", "", "400 invalid-json")
        noBody.body = nil
        var latin = Fault("Latin-1", "", "400 invalid-json")
        latin.body = Array(#"{"email":"a"#.utf8) + [0xe9] + Array(#""}"#.utf8)
        var truncated = Fault("truncated", "{", "400 bad-request")
        truncated.fields = ["Content-Length: 100"]
        truncated.endsSending = true
        var cutChunk = Fault("a chunk cut off", "10\r\n{", "400 bad-request")
        cutChunk.fields = ["Transfer-Encoding: chunked"]
        cutChunk.endsSending = true
        var tooLarge = Fault("too large", "", "413 body-too-large")
        tooLarge.body = Array(repeating: 32, count: (1 << 20) + 1)
        var declared = Fault("declared too large", "{", "413 body-too-large")
        declared.fields = ["Content-Length: 99999999999"]
        var chunked = Fault("too large in chunks", "", "413 body-too-large")
        chunked.fields = ["Transfer-Encoding: chunked"]
        let chunk = Array("10000\r\n".utf8) + Array(repeating: 32, count: 65536) + [13, 10]
        chunked.body = Array(repeatElement(chunk, count: 17).joined()) + Array("0\r\n\r\n".utf8)
        var expecting = Fault("too large, and waits for 100", "", "413 body-too-large")
        expecting.fields = ["Content-Length: 2000000", "Expect: 100-continue"]
        return [noBody, latin, truncated, cutChunk, tooLarge, declared, chunked, expecting] + badFraming
    }()

    /// Messages whose length two readers could see differently.
    private static let badFraming: [Fault] = {
        func fault(_ name: String, _ fields: [String], _ body: String = "{}", _ verdict: String = "400 bad-request")
            -> Fault
        {
            var fault = Fault(name, body, verdict)
            fault.fields = fields
            return fault
        }
        let chunked = "Transfer-Encoding: chunked"
        return [
            fault("a chunk size that is none", [chunked], "zz\r\n{}\r\n0\r\n\r\n"),
            fault("a chunk longer than it says", [chunked], "1\r\n{}\r\n0\r\n\r\n"),
            fault("a chunk size beyond all bounds", [chunked], "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
            fault("a negative chunk size", [chunked], "-2\r\n{}\r\n0\r\n\r\n"),
            fault("length and chunks", [chunked, "Content-Length: 2"]),
            fault("two lengths", ["Content-Length: 2", "Content-Length: 3"]),
            fault("a negative length", ["Content-Length: -2"]), fault("a length in words", ["Content-Length: two"]),
            fault("a length with a sign", ["Content-Length: +2"]),
            fault("an unknown coding", ["Transfer-Encoding: gzip"], "{}", "501 coding-not-implemented"),
            fault(
                "an unknown coding below chunks",
                ["Transfer-Encoding: gzip, chunked"],
                "{}",
                "501 coding-not-implemented"
            ),
            fault("an unknown expectation", ["Content-Length: 2", "Expect: tea"], "{}", "417 expectation-failed"),
        ]
    }()

    private func request(_ operation: Operation, _ fault: Fault, _ device: Device) -> [UInt8] {
        var head = "\(operation.method) \(operation.target(id: Operation.item.id)) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if operation.needsToken { head += "Authorization: Bearer \(device.token)\r\n" }
        if let type = fault.type { head += "Content-Type: \(type)\r\n" }
        for field in fault.fields { head += field + "\r\n" }
        if fault.fields.isEmpty, let body = fault.body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (fault.body ?? [])
    }

    @Test("Every operation that reads a body refuses it", arguments: Operation.withBody, text + framed)
    func refused(operation: Operation, fault: Fault) throws {
        let device = try Shared.device()
        let bytes = request(operation, fault, device)
        if fault.verdict.hasPrefix("501") {
            let connection = try HTTPConnection(port: device.client.port)
            try connection.send(bytes)
            #expect(try connection.receive()?.verdict == fault.verdict)
            #expect(try connection.isClosed())
            return
        }
        try Problems.exchange(device.client, bytes, endsSending: fault.endsSending, [fault.verdict])
    }

    @Test(
        "An operation that reads no body takes no harm from one",
        arguments: Operation.withoutBody,
        text + framed
    )
    func ignored(operation: Operation, fault: Fault) throws {
        var device = try Shared.device()
        // Others use the session.
        if operation.path.hasSuffix("logout") { device.token = "x" }
        let connection = try HTTPConnection(port: device.client.port)
        try? connection.send(request(operation, fault, device))
        if fault.endsSending { connection.endSending() }
        let answer = try #require(try connection.receive())
        #expect(answer.status < 500 || answer.verdict == "501 coding-not-implemented")
        if answer.status >= 400 { #expect(!answer.problem.isEmpty) }
        if answer.field("connection") == "close" || fault.endsSending {
            #expect(try connection.isClosed())
        } else {
            try connection.send(APIClient.request("GET", "/healthz", host: "127.0.0.1"))
            #expect(try connection.receive()?.text.contains("\"ok\"") == true)
        }
    }

    @Test("JSON in any spelling of its media type is taken")
    func mediaTypes() throws {
        let device = try Shared.device()
        for type in [
            "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        ] {
            #expect(try device.post(Preset().json, [("Content-Type", type)]).status == 201)
        }
    }

    @Test("Numbers of any spelling and size are compared exactly and quickly")
    func numbers() throws {
        let device = try Shared.device()
        func verdict(_ frameRate: String, _ more: String = "") throws -> String {
            let preset = Preset(more: more)
            let json = preset.json.replacing(#""frame_rate":60"#, with: #""frame_rate":\#(frameRate)"#)
            let answer = try device.post(json)
            if answer.status == 201 { #expect(try device.get(preset.id).text == json) }
            return answer.verdict
        }
        for good in ["6e1", "60.0", "600e-1", "0.24E+3", "1.00000000000000000000000000000"] {
            #expect(try verdict(good) == "201", "\(good)")
        }
        for bad in [
            "1e999999999", "1e-999999999", "-1e999999999", "240.00000000000000000000000001", "1e99999999999999999999",
        ] {
            #expect(try verdict(bad).hasPrefix("4"), "\(bad)")
        }
        let begin = ContinuousClock.now
        for huge in ["1e999999999", "-1e-999999999", String(repeating: "9", count: 100_000)] {
            let verdict = try verdict("60", #","x":\#(huge)"#)
            #expect(verdict == "201" || verdict == "400 invalid-json", "\(huge.prefix(20)) \(verdict)")
        }
        #expect(ContinuousClock.now - begin < .seconds(2))
    }

    @Test("A body of exactly the greatest size, and of 64 levels, is taken")
    func atTheBounds() throws {
        let device = try Shared.device()
        var preset = Preset()
        let levels = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        preset.more = #","x":\#(levels)"#
        #expect(try device.post(preset.json).status == 201)
        preset = Preset()
        let size = #"{"configuration":\#(preset.json)}"#.utf8.count
        preset.more = #","x":"\#(String(repeating: "y", count: (1 << 20) - size - 7))""#
        #expect(#"{"configuration":\#(preset.json)}"#.utf8.count == 1 << 20)
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.get(preset.id).text == preset.json)
        #expect(try device.delete(preset.id).status == 200)
    }
}
