import NeuroViewsJSON
import Testing

private func canonical(_ text: String) throws -> String {
    let value = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
    return String(decoding: value.canonical(), as: UTF8.self)
}

@Suite("Canonical JSON")
struct CanonicalTests {
    @Test(
        "Canonical numbers have RFC 8785's layout with all their digits",
        arguments: [
            ("1", "1"), ("1.0", "1"), ("10e-1", "1"), ("-0", "0"), ("0.0e9", "0"), ("100", "100"), ("1e2", "100"),
            ("-1.50", "-1.5"), ("0.000125", "0.000125"), ("1e-6", "0.000001"), ("1e-7", "1e-7"), ("12e-8", "1.2e-7"),
            ("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("123456789012345678901", "123456789012345678901"),
            ("1234567890123456789012", "1.234567890123456789012e+21"), ("9007199254740992", "9007199254740992"),
            ("9007199254740993", "9007199254740993"), ("333333333.33333329", "333333333.33333329"),
            ("4.50", "4.5"), ("2e-3", "0.002"), ("1e400000000", "1e+400000000"), ("-1e-400000000", "-1e-400000000"),
            ("120", "120"), ("12.034", "12.034"), ("0.000000000000000000000000001", "1e-27"), ("1e30", "1e+30"),
        ]
    )
    func numbers(_ literal: String, _ expected: String) throws {
        #expect(try canonical(literal) == expected)
    }

    @Test("Canonical objects sort members by UTF-16 and drop spaces; arrays keep their order")
    func members() throws {
        // The example of RFC 8785, section 3.2.3.
        let text = """
            { "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
              "\\u00f6": "Latin Small Letter O With Diaeresis" }
            """
        let value = try JSONParser.parse(Array(text.utf8), policy: .requestBody)
        let sorted = try JSONParser.parse(value.canonical(), policy: .requestBody)
        #expect(
            sorted.object?.members.map(\.name) == [
                "\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}",
            ]
        )
        #expect(try canonical("{\"b\":[3, 1,2],\"ab\":{},\"a\":null}") == "{\"a\":null,\"ab\":{},\"b\":[3,1,2]}")
    }

    @Test("Canonical strings have as few escapes as possible")
    func strings() throws {
        #expect(try canonical(#""\u0041\/\u000F\u0008\n\"\\\u20ac\u007f""#) == "\"A/\\u000f\\b\\n\\\"\\\\€\u{7F}\"")
    }

    @Test("Equal JSON values have one canonical form, and different values have different ones")
    func distinguishes() throws {
        #expect(try canonical("{\"a\":1,\"b\":[1.0]}") == canonical("{ \"b\" : [10e-1], \"\\u0061\": 1.00 }"))
        #expect(try canonical("[9007199254740992]") != canonical("[9007199254740993]"))
        #expect(try !canonical("[\"\u{E9}\"]").hasSameBytes(as: canonical("[\"e\u{301}\"]")))
        #expect(try canonical("[1]") != canonical("[\"1\"]"))
    }
}
