/// The answer to the request of an upgrade, read as it comes.
struct UpgradeAnswer {
    enum Step {
        case more
        /// 101: its fields, and the bytes behind it.
        case opened(TransferAnswer, rest: [UInt8])
        /// Any other answer, whole.
        case refused(TransferAnswer)
    }

    private static let lineFeed: UInt8 = 10
    private let maxBytes: Int
    private var bytes: [UInt8] = []

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Adds bytes, and reads the answer if it is complete. Throws `.tooLarge` for one that does not end, and `.notHTTP`.
    mutating func take(_ new: [UInt8]) throws(TransportError) -> Step {
        bytes += new
        while let end = headEnd {
            let head = try head(end)
            if head.status == 101 { return .opened(head.answer([]), rest: Array(bytes[end...])) }
            guard head.status < 200 else { return try body(head, from: end) }
            // An interim answer.
            bytes.removeFirst(end)
        }
        guard bytes.count <= maxBytes else { throw .tooLarge(maxBytes: maxBytes) }
        return .more
    }

    /// The place behind the empty line.
    private var headEnd: Int? {
        var lineStart = 0
        for (place, byte) in bytes.enumerated() where byte == Self.lineFeed {
            let line = bytes[lineStart..<place]
            if line.isEmpty || line.elementsEqual([13]) { return place + 1 }
            lineStart = place + 1
        }
        return nil
    }

    private func head(_ end: Int) throws(TransportError) -> AnswerHead {
        var head = AnswerHead()
        for line in bytes[..<end].split(separator: Self.lineFeed) {
            guard head.take(Array(line), maxBytes: maxBytes) else { throw .tooLarge(maxBytes: maxBytes) }
        }
        guard head.status >= 100 else { throw .notHTTP("no status") }
        return head
    }

    /// The server's refusals have a Content-Length. Any other's body does not matter.
    private func body(_ head: AnswerHead, from start: Int) throws(TransportError) -> Step {
        guard let length = head.answer([])["Content-Length"].flatMap({ Int($0) }), length >= 0 else {
            return .refused(head.answer([]))
        }
        guard length <= maxBytes else { throw .tooLarge(maxBytes: maxBytes) }
        guard bytes.count - start >= length else { return .more }
        return .refused(head.answer(Array(bytes[start..<start + length])))
    }
}
