import NeuroViewsJSON
import Testing

private func number(_ literal: String) throws -> JSONNumber {
    try #require(JSONNumber(literal), "\(literal)")
}

@Suite("JSON numbers")
struct NumberTests {
    @Test(
        "JSON numbers with the same value are equal and hash alike",
        arguments: [
            ("1", "1.0"), ("1", "10e-1"), ("-0", "0"), ("0.0", "0e5"), ("100", "1e2"), ("1E+2", "1e2"),
            ("0.000125", "125e-6"), ("12300e-2", "123"), ("1e400000000", "10e399999999"), ("-1.50", "-15e-1"),
            ("1e0000000000000000000000002", "100"),
        ]
    )
    func equal(_ left: String, _ right: String) throws {
        #expect(try number(left) == number(right))
        #expect(try number(left).hashValue == number(right).hashValue)
        #expect(try !(number(left) < number(right)))
        #expect(try !(number(right) < number(left)))
    }

    @Test("JSON numbers are ordered exactly, far beyond a double")
    func ordered() throws {
        let ascending = try [
            "-1e999999999999999999", "-9007199254740993", "-9007199254740992", "-10", "-9.5", "-1e-400", "0", "1e-400",
            "0.09", "0.1", "0.11", "9", "10", "9007199254740992", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "123456789012345678901234567890.1", "1e400000000", "1.1e400000000",
        ].map(number)
        for (index, left) in ascending.enumerated() {
            for (other, right) in ascending.enumerated() {
                #expect((left < right) == (index < other), "\(left.literal) < \(right.literal)")
                #expect((left == right) == (index == other), "\(left.literal) == \(right.literal)")
            }
        }
    }

    @Test(
        "A JSON number without a fraction is an integer, and an Int64 if it fits",
        arguments: [
            ("1", true, 1), ("1.0", true, 1), ("10e-1", true, 1), ("1.5", false, nil), ("1e2", true, 100),
            ("-0", true, 0), ("-0.0", true, 0), ("9223372036854775807", true, Int64.max),
            ("9223372036854775808", true, nil), ("-9223372036854775808", true, Int64.min),
            ("-9223372036854775808.0", true, Int64.min), ("-9223372036854775809", true, nil),
            ("922337203685477580.7e1", true, Int64.max), ("1e18", true, 1_000_000_000_000_000_000), ("1e19", true, nil),
            ("1e400000000", true, nil), ("1e-1", false, nil), ("9007199254740993", true, 9_007_199_254_740_993),
        ] as [(String, Bool, Int64?)]
    )
    func integers(_ literal: String, _ isInteger: Bool, _ int64: Int64?) throws {
        #expect(try number(literal).isInteger == isInteger)
        #expect(try number(literal).int64 == int64)
    }

    @Test(
        "Multiples of a JSON number are recognised exactly",
        arguments: [
            ("0.0075", "0.0001", true), ("0.00751", "0.0001", false), ("4.5", "1.5", true), ("35", "1.5", false),
            ("0", "7", true), ("-9", "3", true), ("10", "4", false), ("100", "4", true), ("1e400000000", "1024", true),
            ("1e400000000", "3", false), ("12391239123", "1e-8", true), ("1e3", "1e4", false), ("5", "0", false),
            ("340282366920938463463374607431768211456", "18446744073709551616", true),
            ("340282366920938463463374607431768211457", "18446744073709551616", false),
            ("9007199254740993", "2", false),
        ]
    )
    func multiples(_ value: String, _ divisor: String, _ expected: Bool) throws {
        #expect(try number(value).isMultiple(of: number(divisor)) == expected)
    }

    @Test("A JSON number keeps its literal, and its double is the nearest one")
    func literals() throws {
        let text = "[1.0,1E+2,-0,9007199254740993,0.10,1e400]"
        let value = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
        #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
        #expect(value.array?.map { $0.number?.double } == [1, 100, 0, 9_007_199_254_740_992, 0.1, .infinity])
    }

    @Test(
        "Text that is no JSON number is refused",
        arguments: ["", "-", "+1", "01", "1.", ".5", "1e", "1x", " 1", "NaN"]
    )
    func refused(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
