import NeuroViewsJSON
import Testing

@testable import NeuroViewsClient

@Suite("JSON values of apps")
struct JSONValueTests {
    private typealias Value = NeuroViewsClient.JSONValue

    @Test("A text that is read and written again keeps its digits, order and names")
    func lossless() throws {
        let text = """
            {"b":4e2,"a":0.020,"n":12345678901234567890.10,"é":1,"e\u{301}":2,"list":[null,true,"x\\n",{}],"":""}
            """
        let value = try #require(Value(text: text))
        #expect(value.text == text)
        #expect(JSON(value).serialized() == Array(text.utf8))
        #expect(value.description == text)
        #expect(Value(JSON(value)).text == text)
        #expect(value.object?.names == ["b", "a", "n", "é", "e\u{301}", "list", ""])
        #expect(value.object?.members.map(\.value.text).prefix(2) == ["4e2", "0.020"])
    }

    @Test("Values are equal if they mean the same")
    func equality() throws {
        #expect(Value(text: #"{"a":1.0,"b":[400]}"#) == ["b": [400], "a": 1])
        #expect(Value(text: "4e2")?.hashValue == Value(integerLiteral: 400).hashValue)
        #expect(Value(text: "9007199254740993") != Value(text: "9007199254740992"))
        #expect(Value.string("é") != Value.string("e\u{301}"))
        #expect(Value(text: "[1,2]") != [2, 1])
    }

    @Test("Literals make values")
    func literals() {
        let value: Value = ["text": "a", "count": 3, "share": 0.25, "isOn": true, "none": .null, "list": [1, "b"]]
        #expect(value.text == #"{"text":"a","count":3,"share":0.25,"isOn":true,"none":null,"list":[1,"b"]}"#)
        #expect(value["count"]?.int64 == 3)
        #expect(value["share"]?.double == 0.25)
        #expect(value["isOn"]?.bool == true)
        #expect(value["text"]?.string == "a")
        #expect(value["list"]?.array?.count == 2)
        #expect(value["missing"] == nil)
    }

    @Test("A member of an object is set in its place, appended and removed")
    func members() {
        var object = Value.Object()
        for (name, number) in [("a", 1), ("b", 2), ("c", 3)] { object[name] = .number(Value.Number(Int64(number))) }
        object["b"] = "two"
        object["a"] = nil
        object["e\u{301}"] = 1
        object["é"] = nil
        #expect(Value.object(object).text == #"{"b":"two","c":3,"é":1}"#)
        #expect(object.count == 3)
    }

    @Test(
        "A text that is no JSON is no value",
        arguments: ["", "{", "nul", "01", "\"\u{1}\"", "1 2", String(repeating: "[", count: 200_000)]
    )
    func junk(_ text: String) { #expect(Value(text: text) == nil) }

    @Test("A text that is nested deeper than 128 is no value")
    func depth() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(Value(text: nested(128)) != nil)
        #expect(Value(text: nested(129)) == nil)
    }

    @Test("A number is the text of a JSON number")
    func numbers() {
        #expect(Value.Number(literal: "-0.50")?.literal == "-0.50")
        for text in ["", "+1", "1.", ".5", "0x1", "nan", "1e", " 1"] { #expect(Value.Number(literal: text) == nil) }
        #expect(Value.Number(0.1)?.literal == "0.1")
        #expect(Value.Number(1e300)?.double == 1e300)
        for double in [Double.nan, .infinity, -.infinity] { #expect(Value.Number(double) == nil) }
        #expect((Value.Number(literal: "1e400")?.double).map { $0.isInfinite } == true)
        #expect(Value.Number(literal: "9223372036854775808")?.int64 == nil)
        #expect((Value.Number(2) < Value.Number(10)) == true)
    }
}
