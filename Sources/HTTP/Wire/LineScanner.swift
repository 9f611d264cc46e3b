/// Finds the end of a line, across any number of reads, without reading a byte twice. It checks the bytes on the way:
/// no control character but the tab, no CR or LF but the pair that ends the line.
struct LineScanner: Sendable {
    enum Outcome {
        /// All bytes so far are valid, but the end is not among them.
        case incomplete
        /// The line has more than the allowed bytes.
        case tooLong
        /// The line ends before this offset, at its CRLF.
        case line(end: Int)
    }

    private var position = 0

    /// `start` is the offset of the line. From one call to the next, `bytes` has the same bytes and more.
    mutating func scan(_ bytes: borrowing Span<UInt8>, from start: Int, maxBytes: Int) throws(WireError) -> Outcome {
        var index = max(position, start)
        let stop = min(bytes.count, start + maxBytes + 1)
        while true {
            index = bytes.endOfPlainText(from: index, to: stop)
            guard index < stop, bytes[index] == .tab else { break }
            index += 1
        }
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

extension Span<UInt8> {
    /// The offset of the first control character (the tab is one here), eight bytes at a step where possible.
    func endOfPlainText(from start: Int, to end: Int) -> Int {
        var index = start
        while index + 8 <= end {
            // Any bits are a valid UInt64, and the load checks its bounds.
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            let controls = word.controlCharacters
            if controls != 0 { return index + controls.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end, self[index] >= 0x20, self[index] != 0x7F { index += 1 }
        return index
    }
}

extension UInt64 {
    /// The top bit of each of the eight bytes that is below 0x20 or is 0x7F. No sum carries into the next byte, because
    /// the top bits are cleared before.
    fileprivate var controlCharacters: UInt64 {
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let isPrintable = low &+ 0x6060_6060_6060_6060
        let isDelete = low &+ 0x0101_0101_0101_0101
        return (~isPrintable | isDelete) & ~self & 0x8080_8080_8080_8080
    }
}
