import Testing

@testable import Uploads

@Suite("Structured fields")
struct StructuredFieldTests {
    @Test(
        "Integers in structured fields are read by RFC 9651, and any other value counts as absent",
        arguments: [
            ("0", 0), ("007", 7), ("  12  ", 12), ("-3", -3), ("999999999999999", 999_999_999_999_999),
            ("1;a;b=2;c=\"x\\\"y\";d=:AQI=:;e=?1;f=tok/en:x;g=1.5;h=@7;i=%\"f%c3%bc\";*j=*", 1), ("1; a", 1),
            ("", nil), ("1000000000000000", nil), ("1.0", nil), ("1.", nil), ("+1", nil), ("--1", nil), ("-", nil),
            ("0x1", nil),
            ("1 2", nil), ("1, 1", nil), ("1,", nil), ("\t1", nil), ("?1", nil), ("\"1\"", nil), ("1;", nil),
            ("1;A", nil), ("1;a=", nil), ("1;a=\"", nil), ("1;a=\"\\n\"", nil), ("1;a=%\"%C3\"", nil), ("1;a=%x", nil),
            ("1;a=@1.5", nil), ("1;a=:AQI", nil), ("1;a=:A:", nil), ("1 ;a", nil), ("1;a=1234567890123.0", nil),
            ("é", nil),
        ] as [(String, Int?)]
    )
    func integers(value: String, expected: Int?) {
        #expect(StructuredItem.integer(Array(value.utf8)) == expected)
    }

    @Test(
        "Booleans in structured fields have one spelling",
        arguments: [
            ("?1", true), ("?0", false), (" ?1 ", true), ("?1;x", true), ("1", nil), ("true", nil), ("?2", nil),
            ("?", nil),
            ("?10", nil), ("", nil), ("?1, ?1", nil),
        ] as [(String, Bool?)]
    )
    func booleans(value: String, expected: Bool?) {
        #expect(StructuredItem.boolean(Array(value.utf8)) == expected)
    }

    @Test(
        "Dictionaries in structured fields keep the last of equal keys, and an error voids the field",
        arguments: [
            ("a=1, b=:AQI=:,\tc", "a=integer(1) b=bytes([1, 2]) c=boolean(true)"), ("", ""),
            ("a=:AQI:", "a=bytes([1, 2])"),
            ("a=1,a=?0", "a=boolean(false)"), ("a=(1 \"x\";q=1 tok);p=2, sha-256=3", "a=other sha-256=integer(3)"),
            ("*.-_0=()", "*.-_0=other"),
            ("a=1,", nil), (",a", nil), ("a=1 b=2", nil), ("a=", nil), ("A=1", nil), ("a=(1", nil), ("a=(1,2)", nil),
            ("a=(1\"x\")", nil), ("a=:A", nil),
        ] as [(String, String?)]
    )
    func dictionaries(value: String, expected: String?) {
        let members = StructuredItem.dictionary(Array(value.utf8))
        #expect(members.map { $0.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ") } == expected)
    }
}
