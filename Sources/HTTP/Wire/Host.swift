/// `uri-host [ ":" port ]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2), the host not empty.
enum Host {
    static func isValid(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        let isLiteral = bytes[range.lowerBound] == 0x5B
        guard let end = isLiteral ? endOfAddress(bytes, range) : endOfName(bytes, range) else { return false }
        return end == range.upperBound || isPort(bytes, end..<range.upperBound)
    }

    /// An IPv6 address in brackets; only its characters are checked.
    private static func endOfAddress(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound + 1
        while index < range.upperBound, isAddress(bytes[index]) { index += 1 }
        guard index > range.lowerBound + 2, index < range.upperBound, bytes[index] == 0x5D else { return nil }
        return index + 1
    }

    private static func isAddress(_ byte: UInt8) -> Bool {
        byte.hexadecimalValue != nil || byte == .colon || byte == 0x2E
    }

    private static func endOfName(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index].isHostName {
                index += 1
            } else if bytes[index] == .percent, bytes.percentDecoded(at: index, end: range.upperBound) != nil {
                index += 3
            } else {
                break
            }
        }
        return index > range.lowerBound ? index : nil
    }

    private static func isPort(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard bytes[range.lowerBound] == .colon, range.count <= 6 else { return false }
        var index = range.lowerBound + 1
        while index < range.upperBound, bytes[index].isDigit { index += 1 }
        return index == range.upperBound
    }
}
