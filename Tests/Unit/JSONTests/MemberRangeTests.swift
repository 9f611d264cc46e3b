import NeuroViewsJSON
import Testing

@Suite("Byte ranges of JSON members")
struct MemberRangeTests {
    @Test(
        "The value of an object's direct member is found byte for byte",
        arguments: [
            (#"{ "configuration" : { "a" : [1, 2] } }"#, "configuration", #"{ "a" : [1, 2] }"#),
            (#"{"x":{"id":1},"id":"a\"b"}"#, "id", #""a\"b""#),
            (#"{"\u0069d":7 , "z":8}"#, "id", "7"), (#"{"a":"}{][,:","id":-1.5e3}"#, "id", "-1.5e3"),
            (#"{"a":"\\","id":null}"#, "id", "null"), (#"{"a":[],"b":{},"id":[[],{}]}"#, "id", "[[],{}]"),
            (#"  {"id":true}  "#, "id", "true"), (#"{"id id":1,"i":2,"id":3}"#, "id", "3"), (#"{"":5}"#, "", "5"),
            ("{\"e\u{301}\":1,\"\u{E9}\":2}", "\u{E9}", "2"), (#"{"a":"id","id":4}"#, "id", "4"),
        ]
    )
    func found(_ text: String, _ name: String, _ expected: String) throws {
        let bytes = Array(text.utf8)
        _ = try JSONParser.parse(bytes, policy: .requestBody)
        let range = try #require(JSONText.range(ofMember: name, in: bytes[...]))
        #expect(String(decoding: bytes[range], as: UTF8.self) == expected)
        // In a larger buffer, the range still counts from the buffer's start.
        let shifted = Array("[[\"".utf8) + bytes + Array("\"id\":0}".utf8)
        let slice = shifted[3..<3 + bytes.count]
        #expect(JSONText.range(ofMember: name, in: slice) == range.lowerBound + 3..<range.upperBound + 3)
    }

    @Test(
        "A name that is no direct member is not found",
        arguments: [#"{"x":{"id":1}}"#, "{}", "[]", "[\"id\",1]", "\"id\"", "1", #"{"ID":1}"#, #"{"idx":1}"#, " "]
    )
    func missing(_ text: String) throws {
        #expect(JSONText.range(ofMember: "id", in: Array(text.utf8)[...]) == nil)
    }

    @Test(
        "The elements of an array are found byte for byte",
        arguments: [
            ("[]", []), (" [ ] ", []), ("[1]", ["1"]),
            (#"[ {"a":[1, 2]} ,"x,]\"", null,[[]] ]"#, [#"{"a":[1, 2]}"#, #""x,]\"""#, "null", "[[]]"]),
            ("{}", []), ("7", []), (#""[1]""#, []),
        ]
    )
    func elements(_ text: String, _ expected: [String]) {
        let bytes = Array("[[".utf8) + Array(text.utf8) + Array("]]".utf8)
        let slice = bytes[2..<bytes.count - 2]
        let found = JSONText.ranges(ofElementsIn: slice).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(found == expected)
    }

    @Test("A JSON text cut at any place gives no member range outside it")
    func truncated() {
        let bytes = Array(#"{"a\n":[1,{"b":"\\"}],"\u0069d":"x\"y"}"#.utf8)
        for end in bytes.indices {
            for start in 0...end {
                let range = JSONText.range(ofMember: "id", in: bytes[start..<end])
                #expect(range.map { $0.lowerBound >= start && $0.upperBound <= end } ?? true)
                for range in JSONText.ranges(ofElementsIn: bytes[start..<end]) {
                    #expect(range.lowerBound >= start && range.upperBound <= end)
                }
            }
        }
    }
}
