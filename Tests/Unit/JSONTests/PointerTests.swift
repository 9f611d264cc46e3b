import NeuroViewsJSON
import Testing

@Suite("JSON Pointer")
struct PointerTests {
    private static let document = """
        {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8,
         "nested":{"~1":[[],[9]]}}
        """

    @Test(
        "A JSON Pointer finds the values of RFC 6901, section 5, and prints as it was read",
        arguments: [
            ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"),
            ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/nested/~01/1/0", "9"),
            ("/foo", "[\"bar\",\"baz\"]"),
        ]
    )
    func evaluates(_ text: String, _ expected: String) throws {
        let document = try JSONParser.parse(Array(Self.document.utf8), policy: .requestBody)
        let pointer = try #require(JSONPointer(text))
        let found = try #require(pointer.evaluate(in: document))
        #expect(String(decoding: found.serialized(), as: UTF8.self) == expected)
        #expect(pointer.description == text)
    }

    @Test(
        "A JSON Pointer to a missing value finds nothing",
        arguments: ["/bar", "/foo/2", "/foo/01", "/foo/-", "/foo/+1", "/foo/", "/foo/0/x", "/foo/99999999999999999999"]
    )
    func nothing(_ text: String) throws {
        let document = try JSONParser.parse(Array(Self.document.utf8), policy: .requestBody)
        #expect(try #require(JSONPointer(text)).evaluate(in: document) == nil)
    }

    @Test("Text that is no JSON Pointer is refused", arguments: ["foo", "/~", "/~2", "/a~", "#/a"])
    func refuses(_ text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test("A JSON Pointer is built step by step, with escapes")
    func builds() {
        let pointer = JSONPointer().appending(member: "a/b").appending(index: 3).appending(member: "~")
        #expect(pointer.description == "/a~1b/3/~0")
        #expect(JSONPointer("/a~1b/3/~0") == pointer)
        #expect(JSONPointer().description == "")
        #expect(JSONPointer("")?.isRoot == true)
        #expect(pointer.bounded(maxBytes: 9).description == "/a~1b/3")
        #expect(pointer.bounded(maxBytes: 10) == pointer)
    }
}
