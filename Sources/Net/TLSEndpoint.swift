/// What a listener needs to speak TLS: the certificate of the moment, and what all its certificates share.
public final class TLSEndpoint: Sendable {
    /// From the connection to the end of the handshake, in milliseconds.
    public let handshakeTimeoutMs: UInt64
    private let tickets: TLSTicketKeys
    private let context: Locked<TLSContext>

    /// `nowMs` tells when the keys of session tickets are to be replaced. Throws `TLSCertificateError.refused`.
    public init(
        _ certificate: TLSCertificate,
        handshakeTimeoutMs: UInt64,
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs
    ) throws(TLSCertificateError) {
        self.handshakeTimeoutMs = handshakeTimeoutMs
        tickets = TLSTicketKeys(nowMs: nowMs)
        context = Locked(try TLSContext(certificate, tickets))
    }

    /// What new connections are shown.
    public var certificate: TLSCertificate { current.certificate }

    var current: TLSContext { context.withLock { $0 } }

    /// Shows new connections another certificate; those that there are go on. Throws `TLSCertificateError.refused`, with
    /// nothing changed.
    public func use(_ certificate: TLSCertificate) throws(TLSCertificateError) {
        let next = try TLSContext(certificate, tickets)
        context.withLock { $0 = next }
    }
}
