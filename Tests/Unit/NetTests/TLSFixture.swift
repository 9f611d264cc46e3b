import Net
import TestSupport

/// A clock that the test sets.
final class TestClock: Sendable {
    private let time = Locked<UInt64>(1_000_000)

    @Sendable func nowMs() -> UInt64 { time.withLock { $0 } }
    func advance(ms: UInt64) { time.withLock { $0 += ms } }
}

extension TestCertificate {
    /// The certificate in the form that the server uses.
    func served() throws -> TLSCertificate {
        try TLSCertificate(certificatePEM: Array(certificate.utf8), keyPEM: Array(key.utf8), nowS: WallClock.nowS())
    }

    func endpoint(
        handshakeTimeoutMs: UInt64 = 30000,
        nowMs: @escaping @Sendable () -> UInt64 = Monotonic.nowMs
    ) throws -> TLSEndpoint {
        try TLSEndpoint(served(), handshakeTimeoutMs: handshakeTimeoutMs, nowMs: nowMs)
    }
}

/// `withListener`, over TLS.
@discardableResult
func withTLS<T: Sendable>(
    _ endpoint: TLSEndpoint? = nil,
    loops: Int = 1,
    serve: @escaping @Sendable (Socket) async throws -> Void = echo,
    client: @escaping @Sendable (UInt16) throws -> T
) async throws -> T {
    let endpoint = try endpoint ?? TestCertificate().endpoint()
    return try await withListener(loops: loops) { socket in
        try socket.startTLS(endpoint)
        try await serve(socket)
    } client: { port in
        try client(port)
    }
}

/// Sends all received bytes back. The way in which the client ends does not matter.
@Sendable func echoUntilFailure(_ socket: Socket) async {
    try? await echo(socket)
}
