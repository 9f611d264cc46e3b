/// Finds the end of a line, across any number of reads, without looking at a byte twice. What it passes over is
/// checked on the way: no control character but the tab, no CR or LF but the pair that ends the line.
struct LineScanner: Sendable {
    enum Outcome {
        /// All bytes so far are in order, the end is not among them.
        case incomplete
        /// The line has more than the allowed bytes.
        case tooLong
        /// The line ends before this offset, where its CRLF stands.
        case line(end: Int)
    }

    private var position = 0

    /// `start` is the offset of the line; `bytes` holds, from one call to the next, the same bytes and more.
    mutating func scan(_ bytes: borrowing Span<UInt8>, from start: Int, maxBytes: Int) throws(WireError) -> Outcome {
        var index = max(position, start)
        let stop = min(bytes.count, start + maxBytes + 1)
        while index < stop, bytes[index].isFieldContent { index += 1 }
        position = index
        if index - start > maxBytes { return .tooLong }
        if index == bytes.count { return .incomplete }
        guard bytes[index] == .carriageReturn else {
            throw bytes[index] == .lineFeed ? .bareLineFeed : .controlCharacter
        }
        guard index + 1 < bytes.count else { return .incomplete }
        guard bytes[index + 1] == .lineFeed else { throw .bareCarriageReturn }
        return .line(end: index)
    }
}
