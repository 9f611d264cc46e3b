import Testing

@testable import API

/// W3C Trace Context, section 3.2.
@Suite("The traceparent field")
struct TraceParentTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    private static func parse(_ text: String) -> TraceParent? { TraceParent(Array(text.utf8)[...]) }

    @Test(
        "A traceparent of version 00 or a longer future version gives trace and parent",
        arguments: [
            "00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-ff", "01-\(trace)-\(parent)-00",
            "cc-\(trace)-\(parent)-01-what-comes",
        ]
    )
    func valid(text: String) throws {
        let found = try #require(Self.parse(text))
        #expect(String(decoding: found.traceID, as: UTF8.self) == Self.trace)
        #expect(String(decoding: found.parentID, as: UTF8.self) == Self.parent)
    }

    @Test(
        "A malformed traceparent is ignored",
        arguments: [
            "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-0", "00-\(trace)-\(parent)-001",
            "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01-x", "ff-\(trace)-\(parent)-01",
            "00-\(trace.uppercased())-\(parent)-01", "00-00000000000000000000000000000000-\(parent)-01",
            "00-\(trace)-0000000000000000-01", "0g-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-0g",
            "00_\(trace)-\(parent)-01", "00-\(trace)_\(parent)-01", "00-\(trace)-\(parent)_01",
            "cc-\(trace)-\(parent)-01x",
            " 00-\(trace)-\(parent)-01",
        ]
    )
    func invalid(text: String) { #expect(Self.parse(text) == nil) }

    @Test("A traceparent has only lower-case hexadecimal digits at every place")
    func bytes() {
        let valid = Array("00-\(Self.trace)-\(Self.parent)-01".utf8)
        for place in [0, 1, 3, 34, 36, 51, 53, 54] {
            for byte in UInt8.min ... .max {
                var changed = valid
                changed[place] = byte
                let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                #expect((TraceParent(changed[...]) != nil) == isDigit, "\(byte) at \(place)")
            }
        }
    }
}
