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

/// TLS, with a record for each thing that is sent.
public struct EncryptedTransport: Transport {
    /// The one there is.
    public init() {}

    /// Opens a connection to a server on the loopback address.
    public func connect(port: UInt16) throws -> any ByteStream { try TLSSocket(port: port, limitMs: 60000) }
}
