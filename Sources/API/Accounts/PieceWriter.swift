import CloudSync
import HTTP
import NeuroViewsJSON

/// Writes JSON and sends it in pieces.
struct PieceWriter {
    /// Bytes sent at once, and the most that waits for a slow client.
    private static let pieceBytes = 128 << 10
    /// A piece, and the little that is written between two texts.
    private static let bufferBytes = pieceBytes + 4096
    /// The buffer and the connection's copy of it.
    static let keptBytes = 2 * bufferBytes

    var writer = JSONWriter(reservingBytes: bufferBytes)
    private let stream: ResponseStream

    init(_ stream: ResponseStream) { self.stream = stream }

    /// Counts the memory of a page. Throws when there is no room for it.
    func keep(_ page: ExportPage) async throws {
        try await stream.keep(bytes: Self.keptBytes + page.memoryBytes)
    }

    /// Writes a value that is already JSON. `isOpen` leaves out the closing brace of an
    /// object. A large value fills several pieces.
    mutating func append(_ text: ExportText, isOpen: Bool = false) async throws {
        let count = text.bytes - (isOpen ? 1 : 0)
        var sent = 0
        writer.raw { _ in }
        while sent < count {
            let next = min(count, sent + max(1, Self.pieceBytes - writer.bytes.count))
            writer.append { text.append(sent..<next, to: &$0) }
            sent = next
            if writer.bytes.count >= Self.pieceBytes { try await flush() }
        }
    }

    /// Sends the written bytes.
    mutating func flush() async throws {
        try await stream.write(writer.bytes)
        writer.removeBytes()
    }
}
