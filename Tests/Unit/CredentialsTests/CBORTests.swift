import Credentials
import TestSupport
import Testing

@Suite("CBOR")
struct CBORTests {
    /// The examples of RFC 8949, appendix A, that this parser supports.
    @Test(
        "The CBOR examples of RFC 8949 are read",
        arguments: [
            ("00", CBORValue.integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("1903e8", .integer(1000)),
            ("1a000f4240", .integer(1_000_000)), ("1b000000e8d4a51000", .integer(1_000_000_000_000)),
            ("20", .integer(-1)),
            ("3903e7", .integer(-1000)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
            ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("ü")),
            ("83010203", .array([.integer(1), .integer(2), .integer(3)])), ("a0", .map([])),
            ("1b7fffffffffffffff", .integer(.max)), ("3b7fffffffffffffff", .integer(.min)),
        ]
    )
    func examples(digits: String, value: CBORValue) throws {
        #expect(try CBORReader.value(of: hex(digits)) == value)
    }

    @Test("A CBOR map gives its values by their keys")
    func maps() throws {
        let value = try CBORReader.value(of: hex("a301020326616101"))
        #expect(value[.integer(3)]?.integer == -7)
        #expect(value["a"]?.integer == 1)
        #expect(value["b"] == nil)
    }

    @Test(
        "CBOR that authenticators do not write is refused",
        arguments: [
            ("", CBORError.truncated), ("18", .truncated), ("4401", .truncated), ("8101ff", .trailingBytes),
            ("0000", .trailingBytes),
            ("5f42010243030405ff", .unsupported), ("9fff", .unsupported), ("bfff", .unsupported),
            ("f93c00", .unsupported),
            ("c074", .unsupported), ("f7", .unsupported), ("1817", .number), ("190017", .number),
            ("1a0000ffff", .number),
            ("1b00000000ffffffff", .number), ("1bffffffffffffffff", .number),
            ("5817" + String(repeating: "00", count: 23), .number),
            ("61ff", .text), ("a201020103", .duplicateKey), ("a2616101616102", .duplicateKey), ("a14001", .key),
            ("a1f501", .key),
            ("9b7fffffffffffffff", .tooLarge), ("bb7fffffffffffffff", .tooLarge), ("5b7fffffffffffffff", .truncated),
            ("81818181818181818100", .tooLarge), ("990200" + String(repeating: "00", count: 512), .tooLarge),
        ]
    )
    func refused(digits: String, error: CBORError) throws {
        let bytes = try hex(digits)
        #expect(throws: error) { try CBORReader.value(of: bytes) }
    }
}
