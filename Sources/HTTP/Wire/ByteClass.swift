/// The bytes that each place allows. The sets are bit masks, one word for 0...63 and one for 64...127: no table
/// in memory, and nothing to initialise.
extension UInt8 {
    /// `tchar` (RFC 9110, section 5.6.2).
    @inline(__always) var isToken: Bool { isLetterOrHyphen || isIn(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// The bytes of a URI without a fragment (RFC 3986): unreserved, reserved without `#`, and `%`.
    @inline(__always) var isTarget: Bool { isLetterOrHyphen || isIn(0xAFFF_FFF2_0000_0000, 0x47FF_FFFE_AFFF_FFFF) }

    /// `reg-name` without its percent-encoded part (RFC 3986, section 3.2.2).
    @inline(__always) var isHostName: Bool { isIn(0x2BFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE) }

    /// `pchar` without `%` (RFC 3986, section 3.3).
    @inline(__always) var isPathLiteral: Bool { isIn(0x2FFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFF) }

    /// The bytes of a field value, including white space and obs-text (RFC 9110, section 5.5).
    @inline(__always) var isFieldContent: Bool { !isControl || self == UInt8.tab }

    /// An ASCII control character, tab included.
    @inline(__always) var isControl: Bool { self < 0x20 || self == 0x7F }

    /// Space or tab, the optional white space of the grammar.
    @inline(__always) var isBlank: Bool { self == UInt8.space || self == UInt8.tab }

    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }

    /// 0 to 15, or nil when this is no hexadecimal digit.
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }

    /// Converts ASCII capital letters to lower case; every other byte is unchanged.
    @inline(__always) var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// Most bytes of names and targets, found without a mask.
    @inline(__always) private var isLetterOrHyphen: Bool { (self | 0x20) &- 0x61 < 26 || self == 0x2D }

    @inline(__always) private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        let mask = self < 64 ? low : high
        return self < 128 && mask >> UInt64(self & 63) & 1 == 1
    }
}

extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var percent: UInt8 { 0x25 }
    static var asterisk: UInt8 { 0x2A }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
    static var questionMark: UInt8 { 0x3F }
    static var backslash: UInt8 { 0x5C }
}
