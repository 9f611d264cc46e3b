import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Noted members")
struct MembersTests {
    private func texts(_ members: Members) -> [String: Instant] {
        Dictionary(uniqueKeysWithValues: members.all.map { ($0.pointer.description, $0.time) })
    }

    @Test("A member below a noted one gives that one its time")
    func below() {
        var members = Given.members(["/o": 1])
        members.note(Given.pointer("/o/x"), Given.at(2))
        #expect(texts(members) == ["/o": Given.at(2)])
    }

    @Test("Noting an object takes in the members below it")
    func above() {
        var members = Given.members(["/o/x": 1, "/o/y/z": 2, "/other": 3])
        members.note(Given.pointer("/o"), Given.at(4))
        #expect(texts(members) == ["/o": Given.at(4), "/other": Given.at(3)])
    }

    @Test("Members that meet in one get the later time, in any order")
    func meeting() {
        for order in [[5, 9], [9, 5]] as [[Int64]] {
            var members = Given.members(["/o": 1])
            members.note(order.map { (Given.pointer("/o/m\($0)"), Given.at($0)) })
            #expect(texts(members) == ["/o": Given.at(9)])
        }
    }

    @Test("A name that begins like another one is a member of its own")
    func prefix() {
        let members = Given.members(["/o": 1, "/o2": 2, "/o2x/y": 3])
        #expect(texts(members) == ["/o": Given.at(1), "/o2": Given.at(2), "/o2x/y": Given.at(3)])
    }

    @Test("Names are compared by their bytes, so composed and decomposed é are two members")
    func bytes() {
        var members = Members()
        members.note(JSONPointer().appending(member: "\u{e9}"), Given.at(1))
        members.note(JSONPointer().appending(member: "e\u{301}"), Given.at(2))
        #expect(members.all.count == 2)
    }

    @Test("Stored members are read again, with line feeds, slashes and tildes in their names")
    func stored() throws {
        var members = Given.members(["/a": 1])
        members.note(JSONPointer().appending(member: "x\ny").appending(member: "a/b~c\""), Given.at(2))
        let stored = try JSONParser.parse(members.json.serialized(), policy: .rfc8259)
        #expect(Members(json: stored) == members)
    }

    @Test(
        "Stored members that nobody can have written are rejected",
        arguments: [
            #"[]"#, #"{"a":"2026-11-20T18:00:00Z"}"#, #"{"":"2026-11-20T18:00:00Z"}"#, #"{"/a":"no"}"#, #"{"/a":1}"#,
        ]
    )
    func rejected(text: String) {
        #expect(Members(json: Given.json(text)) == nil)
    }
}

@Suite("Members of documents")
struct DocumentTests {
    private func put(_ value: String?, _ pointer: String, into text: String) -> JSONValue {
        var document = Document(Given.json(text)) ?? Document(JSONObject())
        document.put(value.map { Given.json($0) }, at: Given.pointer(pointer))
        return .object(document.object)
    }

    @Test(
        "A member is set or removed at its place",
        arguments: [
            // document, pointer, value, result
            (#"{"a":1}"#, "/a", "2", #"{"a":2}"#),
            (#"{"a":1}"#, "/a", nil, #"{}"#),
            (#"{"a":1}"#, "/b/c", "2", #"{"a":1,"b":{"c":2}}"#),
            (#"{"o":{"x":1,"y":2}}"#, "/o/x", nil, #"{"o":{"y":2}}"#),
            (#"{"o":{"x":1}}"#, "/o/x", nil, #"{"o":{}}"#),
            (#"{"o":7}"#, "/o/x", "1", #"{"o":{"x":1}}"#),
            (#"{"o":[7]}"#, "/o/0", nil, #"{"o":[7]}"#),
            (#"{"a":1}"#, "/b/c", nil, #"{"a":1}"#),
            (#"{"a~/b":1}"#, "/a~0~1b", "2", #"{"a~/b":2}"#),
        ] as [(String, String, String?, String)]
    )
    func putting(text: String, pointer: String, value: String?, result: String) {
        #expect(put(value, pointer, into: text) == Given.json(result))
    }

    @Test("A removal leaves a member whose name differs by its bytes alone")
    func bytes() {
        var document = Given.document("{\"\u{e9}\":1,\"e\u{301}\":2}")
        document.put(nil, at: JSONPointer().appending(member: "\u{e9}"))
        #expect(document.object["e\u{301}"] == Given.json("2"))
        #expect(document.object["\u{e9}"] == nil)
    }

    @Test(
        "The nearest parent with an object above it is found",
        arguments: [
            ("/a", "/a"), ("/o/x", "/o/x"), ("/o/new", "/o/new"), ("/a/b/c", "/a"), ("/none/b/c", "/none"),
            ("/list/0", "/list"), ("/o/x/y", "/o/x"),
        ]
    )
    func reachable(pointer: String, place: String) {
        let document = Given.document(#"{"a":1,"list":[1],"o":{"x":1}}"#)
        #expect(document.reachable(Given.pointer(pointer)).description == place)
    }

    @Test("Unknown members and the spelling of numbers stay in a stored document")
    func spelling() {
        let text = Array(#"{"z":4e2,"a":12345678901234567890.10,"unknown":{"é":[null]}}"#.utf8)
        #expect(Document(text: text)?.text == text)
    }

    @Test(
        "The difference of two documents is a merge patch, unless a null is to be set",
        arguments: [
            // old, new, patch
            (#"{"a":1,"b":2}"#, #"{"a":1,"c":3}"#, #"{"b":null,"c":3}"#),
            (#"{"o":{"x":1,"y":2}}"#, #"{"o":{"x":1,"y":3}}"#, #"{"o":{"y":3}}"#),
            (#"{"a":4e2}"#, #"{"a":400}"#, #"{}"#),
            (#"{"a":1}"#, #"{"a":{"b":{}}}"#, #"{"a":{"b":{}}}"#),
            (#"{"a":1}"#, #"{"a":null}"#, nil),
            (#"{"a":1}"#, #"{"a":{"b":null}}"#, nil),
            (#"{"a":[null]}"#, #"{"a":[null,null]}"#, #"{"a":[null,null]}"#),
        ] as [(String, String, String?)]
    )
    func patch(old: String, new: String, patch: String?) throws {
        let before = try #require(Document(Given.json(old)))
        let after = try #require(Document(Given.json(new)))
        let found = before.mergePatch(to: after)
        #expect(found == patch.flatMap { Document(Given.json($0)) })
        if let found {
            let patched = JSONValue.object(before.object).applying(mergePatch: .object(found.object))
            #expect(patched == .object(after.object))
        }
    }
}
