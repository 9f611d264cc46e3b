import NeuroViewsCrypto

/// Reads structured fields (RFC 9651, section 4.2). The parser is as strict as the RFC: one wrong byte fails the field.
struct StructuredFieldReader {
    /// The field can't be parsed and counts as absent.
    struct SyntaxError: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// An Item with its parameters, and nothing after it.
    mutating func wholeItem() throws(SyntaxError) -> StructuredItem {
        skip(.space)
        let item = try bareItem()
        try parameters()
        skip(.space)
        guard position == bytes.count else { throw SyntaxError() }
        return item
    }

    /// A Dictionary, which may be empty.
    mutating func dictionary() throws(SyntaxError) -> [String: StructuredItem] {
        var members: [String: StructuredItem] = [:]
        skip(.space)
        while position < bytes.count {
            let key = try key()
            members[key] = try take(.equals) ? memberValue() : .boolean(true)
            try parameters()
            skip(.space, .tab)
            if position == bytes.count { return members }
            guard take(.comma) else { throw SyntaxError() }
            skip(.space, .tab)
            guard position < bytes.count else { throw SyntaxError() }
        }
        return members
    }

    private mutating func memberValue() throws(SyntaxError) -> StructuredItem {
        guard take(.leftParenthesis) else { return try bareItem() }
        while true {
            skip(.space)
            if take(.rightParenthesis) { return .other }
            _ = try bareItem()
            try parameters()
            guard let next, next == .space || next == .rightParenthesis else { throw SyntaxError() }
        }
    }

    private mutating func parameters() throws(SyntaxError) {
        while take(.semicolon) {
            skip(.space)
            _ = try key()
            if take(.equals) { _ = try bareItem() }
        }
    }

    private mutating func key() throws(SyntaxError) -> String {
        guard let next, next.isLowercase || next == .asterisk else { throw SyntaxError() }
        return String(decoding: takeAll { $0.isLowercase || $0.isDigit || "_-.*".utf8.contains($0) }, as: UTF8.self)
    }

    private mutating func bareItem() throws(SyntaxError) -> StructuredItem {
        switch next {
        case .some(.minus), .some(0x30...0x39): return try number()
        case .some(.questionMark): return try boolean()
        case .some(.colon): return try byteSequence()
        case .some(.quote): try string()
        case .some(.percent): try displayString()
        case .some(.at): try date()
        case .some(let byte) where byte.isLetter || byte == .asterisk:
            _ = takeAll { $0.isToken || $0 == .colon || $0 == .slash }
        default: throw SyntaxError()
        }
        return .other
    }

    /// At most 15 digits, or 12 before and 3 after the point of a decimal.
    private mutating func number() throws(SyntaxError) -> StructuredItem {
        let isNegative = take(.minus)
        let digits = takeAll(where: \.isDigit)
        guard (1...15).contains(digits.count) else { throw SyntaxError() }
        if take(.point) {
            let fraction = takeAll(where: \.isDigit)
            guard digits.count <= 12, (1...3).contains(fraction.count) else { throw SyntaxError() }
            return .other
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return .integer(isNegative ? -value : value)
    }

    private mutating func boolean() throws(SyntaxError) -> StructuredItem {
        position += 1
        if take(0x31) { return .boolean(true) }
        if take(0x30) { return .boolean(false) }
        throw SyntaxError()
    }

    private mutating func byteSequence() throws(SyntaxError) -> StructuredItem {
        position += 1
        let text = takeAll { $0 != .colon }
        // Missing padding is no error (RFC 9651, section 4.2.7).
        guard take(.colon), let content = Base64.padded.decode(Array(text)) ?? Base64.unpadded.decode(Array(text))
        else { throw SyntaxError() }
        return .bytes(content)
    }

    private mutating func string() throws(SyntaxError) {
        position += 1
        while let byte = next {
            position += 1
            switch byte {
            case .quote: return
            case .backslash:
                guard take(.quote) || take(.backslash) else { throw SyntaxError() }
            case 0x20...0x7E: continue
            default: throw SyntaxError()
            }
        }
        throw SyntaxError()
    }

    private mutating func displayString() throws(SyntaxError) {
        position += 1
        guard take(.quote) else { throw SyntaxError() }
        while let byte = next, byte != .quote {
            position += 1
            guard (0x20...0x7E).contains(byte) else { throw SyntaxError() }
            if byte == .percent { try escapedByte() }
        }
        guard take(.quote) else { throw SyntaxError() }
    }

    private mutating func escapedByte() throws(SyntaxError) {
        for _ in 0..<2 {
            guard let next, next.isDigit || (0x61...0x66).contains(next) else { throw SyntaxError() }
            position += 1
        }
    }

    private mutating func date() throws(SyntaxError) {
        position += 1
        guard case .integer = try number() else { throw SyntaxError() }
    }
}

extension StructuredFieldReader {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ skipped: UInt8...) {
        while let next, skipped.contains(next) { position += 1 }
    }

    private mutating func takeAll(where belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let next, belongs(next) { position += 1 }
        return bytes[start..<position]
    }
}

extension UInt8 {
    fileprivate static var tab: UInt8 { 0x09 }
    fileprivate static var space: UInt8 { 0x20 }
    fileprivate static var quote: UInt8 { 0x22 }
    fileprivate static var percent: UInt8 { 0x25 }
    fileprivate static var leftParenthesis: UInt8 { 0x28 }
    fileprivate static var rightParenthesis: UInt8 { 0x29 }
    fileprivate static var asterisk: UInt8 { 0x2A }
    fileprivate static var comma: UInt8 { 0x2C }
    fileprivate static var minus: UInt8 { 0x2D }
    fileprivate static var point: UInt8 { 0x2E }
    fileprivate static var slash: UInt8 { 0x2F }
    fileprivate static var colon: UInt8 { 0x3A }
    fileprivate static var semicolon: UInt8 { 0x3B }
    fileprivate static var equals: UInt8 { 0x3D }
    fileprivate static var questionMark: UInt8 { 0x3F }
    fileprivate static var at: UInt8 { 0x40 }
    fileprivate static var backslash: UInt8 { 0x5C }

    fileprivate var isDigit: Bool { self &- 0x30 < 10 }
    fileprivate var isLowercase: Bool { self &- 0x61 < 26 }
    fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    fileprivate var isToken: Bool { isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
