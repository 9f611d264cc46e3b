/// A range of a message head, in 32 bits each so that a field takes 16 bytes.
struct ByteRange: Sendable, Hashable {
    var start: UInt32
    var end: UInt32

    init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    @inline(__always) var lower: Int { Int(start) }
    @inline(__always) var upper: Int { Int(end) }
    @inline(__always) var count: Int { Int(end &- start) }
    @inline(__always) var range: Range<Int> { lower..<upper }
}

extension Span<UInt8> {
    /// Returns true if the bytes of the range equal these, with ASCII letters in either case.
    func equals(_ other: borrowing Span<UInt8>, ignoringCaseIn range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for index in other.indices {
            let (mine, theirs) = (self[range.lowerBound + index], other[index])
            guard mine == theirs || mine.lowercased == theirs.lowercased else { return false }
        }
        return true
    }

    func equals(_ text: String, ignoringCaseIn range: Range<Int>) -> Bool {
        equals(text.utf8.span, ignoringCaseIn: range)
    }

    /// The range without the spaces and tabs at its two ends.
    func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, self[lower].isBlank { lower += 1 }
        while upper > lower, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }
}

extension String {
    /// The text of these bytes; invalid UTF-8 becomes U+FFFD.
    init(bytes: borrowing Span<UInt8>) {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        self.init(decoding: copy, as: UTF8.self)
    }
}
