/// The TLS of a listener: the current certificate, and the state that all its certificates share.
public final class TLSEndpoint: Sendable {
    /// The limit from the connection to the end of the handshake, in milliseconds.
    public let handshakeTimeoutMs: UInt64
    private let tickets: TLSTicketKeys
    private let context: Locked<TLSContext>

    /// `nowMs` is the clock for replacing the keys of session tickets. Throws `TLSCertificateError.refused`.
    public init(
        _ certificate: TLSCertificate,
        handshakeTimeoutMs: UInt64 = 10_000,
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs
    ) throws(TLSCertificateError) {
        self.handshakeTimeoutMs = handshakeTimeoutMs
        tickets = TLSTicketKeys(nowMs: nowMs)
        context = Locked(try TLSContext(certificate, tickets))
    }

    /// The certificate for new connections.
    public var certificate: TLSCertificate { current.certificate }

    var current: TLSContext { context.withLock { $0 } }

    /// Replaces the certificate for new connections; open connections continue. Throws `TLSCertificateError.refused`
    /// and then changes nothing.
    public func use(_ certificate: TLSCertificate) throws(TLSCertificateError) {
        let next = try TLSContext(certificate, tickets)
        context.withLock { $0 = next }
    }
}
