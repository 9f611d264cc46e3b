import NeuroViewsJSON
import Testing

@Suite("JSON writer")
struct WriterTests {
    @Test("The JSON writer puts commas, escapes and raw values in the right places")
    func document() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", string: "a\"b\\c\u{1}\u{1F}\n/é😀\u{7F}")
        writer.member("n", integer: .min)
        writer.member("zero", integer: 0)
        writer.member("more", bool: true)
        writer.member("none")
        writer.null()
        writer.member("configurations")
        writer.beginArray()
        writer.raw(Array("{ \"x\" : 1.0 }".utf8))
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.integer(120)
        writer.bool(false)
        writer.endArray()
        writer.member("tab\t", raw: Array("2".utf8))
        writer.endObject()
        let expected =
            #"{"id":"a\"b\\c\u0001\u001f\n/é😀"# + "\u{7F}"
            + #"","n":-9223372036854775808,"zero":0,"more":true,"none":null,"#
            + #""configurations":[{ "x" : 1.0 },{},[],120,false],"tab\t":2}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test("Optional members are written as null, and a list as objects")
    func members() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("a", optional: "x")
        writer.member("b", optional: Int?.none)
        writer.member("c", optional: 7)
        writer.list("d", [1, 2]) { number, writer in writer.member("n", integer: Int64(number)) }
        writer.list("e", [Int]()) { _, _ in }
        writer.endObject()
        let expected = #"{"a":"x","b":null,"c":7,"d":[{"n":1},{"n":2}],"e":[]}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test("Every written JSON character is parsed back unchanged")
    func everyScalar() throws {
        for range in [UInt32(1)...0xD7FF, 0xE000...0x10FFFF] {
            var string = ""
            for code in range { string.unicodeScalars.append(try #require(Unicode.Scalar(code))) }
            let again = try JSONParser.parse(JSONValue.string(string).serialized(), policy: .requestBody)
            #expect(again.string?.hasSameBytes(as: string) == true)
        }
    }
}
