import HTTP

/// The parser's result does not depend on the split of the message. A parsed request can be written and parsed again.
enum RequestParserTarget {
    /// Limits small enough for a fuzzer to reach each of them.
    private static let tightLimits = WireLimits(
        requestLineMaxBytes: 40,
        headMaxBytes: 120,
        fieldsMaxCount: 4,
        chunkSizeMaxDigits: 3,
        chunkExtensionsMaxBytes: 12,
        trailersMaxBytes: 24
    )
    /// The limit for feeding single bytes, which costs one call a byte.
    private static let singleBytesMax = 1024

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let limits = input.choice() & 1 == 0 ? WireLimits() : tightLimits
        let pieces = input.pieces()
        let whole = try Conversation([input.message], limits: limits)
        let split = try Conversation(pieces, limits: limits)
        try property("split like \(pieces.map(\.count)) it is the same", split == whole)
        if input.message.count <= singleBytesMax {
            let single = try Conversation(input.message.indices.map { input.message[$0...$0] }, limits: limits)
            try property("byte by byte it is the same", single == whole)
        }
        try checkRoundTrip(whole.entries, pieces.count)
    }

    /// Each complete request is the same after writing and parsing it again.
    private static func checkRoundTrip(_ entries: [Conversation.Entry], _ chunks: Int) throws {
        var rest = entries[...]
        while let end = rest.firstIndex(of: .end) {
            let request = rest[rest.startIndex...end]
            rest = rest[(end + 1)...]
            let message = message(request, chunks)
            let again = try Conversation([message[...]], limits: WireLimits())
            try property("a request that was understood can be sent again", again.entries == Array(request))
        }
    }

    private static func message(_ request: ArraySlice<Conversation.Entry>, _ chunks: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var isChunked = false
        for entry in request {
            switch entry {
            case .request(let head):
                bytes += head.message
                isChunked = head.length == .chunked
            case .content(let content) where isChunked:
                let size = content.count / chunks + 1
                for start in stride(from: 0, to: content.count, by: size) {
                    ChunkedEncoder.appendChunk(content[start..<min(content.count, start + size)], to: &bytes)
                }
            case .content(let content): bytes += content
            case .end, .waits, .refused: break
            }
        }
        if isChunked { ChunkedEncoder.appendLast(to: &bytes) }
        return bytes
    }
}
