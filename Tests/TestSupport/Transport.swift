/// A way to a server's byte stream, so that the same tests run over plain TCP and over an encrypted connection.
public protocol Transport: Sendable {
    /// Opens a connection to a server on the loopback address.
    func connect(port: UInt16) throws -> any ByteStream
}

/// One connection of a transport. Every call has a time limit and throws when it passes.
public protocol ByteStream: AnyObject {
    /// Sends all bytes, at once and not together with later ones.
    func send(_ bytes: [UInt8]) throws
    /// What has come; empty at the end of the stream.
    func receive() throws -> [UInt8]
    /// Ends the sending side; what the server sends can still be read.
    func finishSending()
}

extension ByteStream {
    /// Everything up to the end of the stream.
    public func receiveToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let piece = try receive(), !piece.isEmpty { bytes += piece }
        return bytes
    }
}

extension RawSocket: ByteStream {
    /// What has come; empty at the end of the stream.
    public func receive() throws -> [UInt8] { try receive(maxBytes: 65536) }
}

/// Plain TCP.
public struct PlainTransport: Transport {
    private let limitMs: Int

    /// Each call of a connection may take as long.
    public init(limitMs: Int = 30000) { self.limitMs = limitMs }

    /// Opens a connection to a server on the loopback address.
    public func connect(port: UInt16) throws -> any ByteStream { try RawSocket(port: port, limitMs: limitMs) }
}
