/// A transport to a server, so that the same tests run over plain TCP and over TLS.
package protocol Transport: Sendable {
    /// Opens a connection to a server on the loopback address.
    func connect(port: UInt16) throws -> any ByteStream
}

/// Plain TCP.
package struct PlainTransport: Transport {
    /// Creates the transport.
    package init() {}

    /// Opens a connection to a server on the loopback address.
    package func connect(port: UInt16) throws -> any ByteStream { try RawSocket(port: port, limitMs: 60000) }
}

/// TLS over TCP. Each `send` is a separate record.
package struct EncryptedTransport: Transport {
    private let limitMs: Int

    /// `limitMs` is the time limit of each call on a connection.
    package init(limitMs: Int = 60000) { self.limitMs = limitMs }

    /// Opens a connection to a server on the loopback address and completes the handshake.
    package func connect(port: UInt16) throws -> any ByteStream { try TLSSocket(port: port, limitMs: limitMs) }
}
