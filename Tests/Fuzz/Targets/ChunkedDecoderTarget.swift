@testable import HTTP

/// Decoding the chunked coding does not depend on the split of the bytes. Encoded content decodes to the same content.
enum ChunkedDecoderTarget {
    private static let tightLimits = WireLimits(
        fieldsMaxCount: 2,
        chunkSizeMaxDigits: 2,
        chunkExtensionsMaxBytes: 8,
        trailersMaxBytes: 16
    )
    private static let singleBytesMax = 1024

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let limits = input.choice() & 1 == 0 ? WireLimits() : tightLimits
        let pieces = input.pieces()
        let whole = try Decoding([input.message], limits)
        try property("split like \(pieces.map(\.count)) it is the same", try Decoding(pieces, limits) == whole)
        if input.message.count <= singleBytesMax {
            let single = try Decoding(input.message.indices.map { input.message[$0...$0] }, limits)
            try property("byte by byte it is the same", single == whole)
        }
        try checkRoundTrip(pieces)
    }

    private static func checkRoundTrip(_ pieces: [ArraySlice<UInt8>]) throws {
        var coded: [UInt8] = []
        for piece in pieces { ChunkedEncoder.appendChunk(piece, to: &coded) }
        ChunkedEncoder.appendLast(to: &coded)
        let decoding = try Decoding([coded[...]], WireLimits())
        try property("what was put on comes off", decoding.content == pieces.flatMap { $0 })
        try property("the end is found at the end", decoding.outcome == .ended(unread: 0))
    }
}

/// A decoder's result for some pieces.
private struct Decoding: Equatable {
    enum Outcome: Equatable {
        /// The number of bytes after the body, including bytes not fed to the decoder yet.
        case ended(unread: Int)
        case waits
        case refused(WireError)
    }

    private(set) var content: [UInt8] = []
    private(set) var outcome = Outcome.waits

    init(_ pieces: [ArraySlice<UInt8>], _ limits: WireLimits) throws {
        var decoder = ChunkedDecoder(limits: limits)
        var waiting: [UInt8] = []
        var unseen = pieces.reduce(0) { $0 + $1.count }
        for piece in pieces {
            unseen -= piece.count
            waiting += piece
            do {
                while try advance(&decoder, &waiting) {}
            } catch let error as WireError {
                outcome = .refused(error)
            }
            guard outcome == .waits else { break }
        }
        if case .ended = outcome { outcome = .ended(unread: waiting.count + unseen) }
    }

    /// True if the decoder can continue with the waiting bytes.
    private mutating func advance(_ decoder: inout ChunkedDecoder, _ waiting: inout [UInt8]) throws -> Bool {
        switch try decoder.advance(waiting.span) {
        case .incomplete(let framing):
            try property("no more is passed over than there is", framing <= waiting.count)
            waiting.removeFirst(framing)
            return false
        case .data(let framing, let count):
            try property("there are data, and they are there", count > 0 && framing + count <= waiting.count)
            content += waiting[framing..<(framing + count)]
            waiting.removeFirst(framing + count)
            return true
        case .end(let framing):
            try property("the end is among the bytes", framing <= waiting.count)
            waiting.removeFirst(framing)
            outcome = .ended(unread: 0)
            return false
        }
    }
}
