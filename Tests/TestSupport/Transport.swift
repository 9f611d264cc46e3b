/// A way to a server's byte stream, so that the same tests run over plain TCP and over an encrypted connection.
public protocol Transport: Sendable {
    /// Opens a connection to a server on the loopback address.
    func connect(port: UInt16) throws -> any ByteStream
}

/// Plain TCP.
public struct PlainTransport: Transport {
    /// The one there is.
    public init() {}

    /// Opens a connection to a server on the loopback address.
    public func connect(port: UInt16) throws -> any ByteStream { try RawSocket(port: port, limitMs: 60000) }
}

/// TLS over TCP. Each `send` is a record of its own.
public struct EncryptedTransport: Transport {
    private let limitMs: Int

    /// Each call of a connection may take as long.
    public init(limitMs: Int = 60000) { self.limitMs = limitMs }

    /// Opens a connection to a server on the loopback address and shakes hands.
    public func connect(port: UInt16) throws -> any ByteStream { try TLSSocket(port: port, limitMs: limitMs) }
}
