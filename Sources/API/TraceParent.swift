import HTTP

/// The trace of a request (W3C Trace Context, `traceparent`). It is only logged.
package struct TraceParent: Sendable {
    private static let lengthBytes = 55
    private let field: ArraySlice<UInt8>

    /// 32 hexadecimal digits in lower case.
    package var traceID: ArraySlice<UInt8> { part(3, 32) }
    /// The caller's span, 16 hexadecimal digits in lower case.
    package var parentID: ArraySlice<UInt8> { part(36, 16) }

    /// The request's trace; nil if the field is absent, malformed or repeated.
    init?(_ headers: Headers) {
        guard let field = headers.bytes(of: "traceparent"), headers.count(of: "traceparent") == 1 else { return nil }
        self.init(field)
    }

    /// `00-` trace `-` parent `-` flags. A later version may have more after another hyphen.
    init?(_ field: ArraySlice<UInt8>) {
        self.field = field
        guard field.count >= Self.lengthBytes else { return nil }
        let version = part(0, 2)
        let isKnown = version.elementsEqual("00".utf8)
        let endsWell = field.count == Self.lengthBytes || (!isKnown && at(Self.lengthBytes) == Self.hyphen)
        guard endsWell, !version.elementsEqual("ff".utf8), at(2) == Self.hyphen, at(35) == Self.hyphen,
            at(52) == Self.hyphen
        else { return nil }
        for digits in [version, traceID, parentID, part(53, 2)] where !digits.allSatisfy(Self.isDigit) { return nil }
        guard traceID.contains(where: { $0 != Self.zero }), parentID.contains(where: { $0 != Self.zero }) else {
            return nil
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")

    private func at(_ offset: Int) -> UInt8 { field[field.startIndex + offset] }

    private func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        field[(field.startIndex + offset)..<(field.startIndex + offset + count)]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
