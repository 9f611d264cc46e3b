/// A blocking connection for tests, plain (`RawSocket`) or encrypted (`TLSSocket`). Every call has a time limit.
package protocol ByteStream: AnyObject, Sendable {
    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws
    /// Receives at most `maxBytes`; empty at the end of the stream.
    func receive(maxBytes: Int) throws -> [UInt8]
    /// True if bytes or the end of the stream can be read.
    var hasInput: Bool { get }
    /// Closes the sending side.
    func finishSending()
    /// Closes the connection.
    func close()
    /// Closes the connection so that the peer gets a reset.
    func reset()
}

extension ByteStream {
    /// Sends a text.
    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Receives at most 64 KiB; empty at the end of the stream.
    package func receive() throws -> [UInt8] { try receive(maxBytes: 65536) }

    /// Receives exactly `count` bytes, or fewer if the stream ends.
    package func receive(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try receive(maxBytes: min(65536, count - bytes.count))
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Receives everything up to the end of the stream.
    package func receiveAll() throws -> [UInt8] { try receive(exactly: .max) }
}
