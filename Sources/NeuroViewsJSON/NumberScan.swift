/// The outcome of reading a number literal (RFC 8259, section 6).
struct NumberScan {
    /// A limit on the exponent keeps arithmetic on it within an `Int64`. Numbers of devices never reach it.
    static let maxExponentDigits = 18

    /// Just after the literal, or the place of the failure.
    var end: Int
    var failure: JSONError.Reason?
    var hasExponent = false

    static func scan(_ text: borrowing Span<UInt8>, from start: Int) -> NumberScan {
        var scan = NumberScan(end: start)
        if scan.peek(text) == Byte.minus { scan.end += 1 }
        scan.integer(text)
        if scan.failure == nil, scan.peek(text) == Byte.point {
            scan.end += 1
            scan.digits(text)
        }
        if scan.failure == nil, let byte = scan.peek(text), byte == Byte.lowerE || byte == Byte.upperE {
            scan.end += 1
            scan.hasExponent = true
            scan.exponent(text)
        }
        return scan
    }

    private func peek(_ text: borrowing Span<UInt8>) -> UInt8? {
        end < text.count ? text[end] : nil
    }

    private mutating func integer(_ text: borrowing Span<UInt8>) {
        guard peek(text) == Byte.zero else { return digits(text) }
        end += 1
        if let next = peek(text), Byte.isDigit(next) { failure = .leadingZero }
    }

    private mutating func digits(_ text: borrowing Span<UInt8>) {
        let start = end
        while end < text.count, Byte.isDigit(text[end]) { end += 1 }
        if end == start { failure = end < text.count ? .invalidNumber : .unexpectedEnd }
    }

    private mutating func exponent(_ text: borrowing Span<UInt8>) {
        if let sign = peek(text), sign == Byte.plus || sign == Byte.minus { end += 1 }
        var first = end
        digits(text)
        while first < end, text[first] == Byte.zero { first += 1 }
        if failure == nil, end - first > Self.maxExponentDigits { failure = .exponentTooLarge }
    }
}
