import COpenSSL

/// The TLS of one connection. It never waits: what can't be done now is tried again when the socket is ready, whichever
/// way: a read may have to write first, and the other way round.
///
/// Touched on its socket's loop only. The SSL refers to the socket, which owns this object.
final class TLSSession {
    /// What became of a call.
    enum Outcome {
        /// So many bytes of content.
        case moved(Int)
        /// The peer has said that it sends no more (close_notify).
        case ended
        /// Something must come first.
        case needsRead
        /// There must be room to send first.
        case needsWrite
        case failed(SocketFailure)
    }

    /// Until when the handshake must be over; `.max` once it is.
    private(set) var deadlineMs: UInt64
    /// After a failure nothing more may be sent, not even the end.
    var isBroken: Bool { brokenBy != nil }
    /// The first failure. Every later call has the same one.
    private var brokenBy: SocketFailure?
    /// What the socket said while OpenSSL used it.
    var transport = TransportState()
    /// The end is to be sent as soon as there is room for it.
    private(set) var isFinishing = false
    private var hasFinished = false
    private let ssl: OpaquePointer
    private let context: TLSContext

    /// What the transport found out since the session began.
    struct TransportState {
        var hasReceived = false
        /// The first bytes were those of plain HTTP.
        var isPlainText = false
        var hasEnded = false
        private(set) var failure: SystemError?

        mutating func note(_ code: Int32, _ call: String) { failure = SystemError(call: call, code: code) }
    }

    /// Nil without memory.
    init?(_ context: TLSContext, _ socket: Socket, deadlineMs: UInt64) {
        guard let ssl = context.makeSession() else { return nil }
        guard let bio = TLSTransport.make(socket) else {
            SSL_free(ssl)
            return nil
        }
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
        self.ssl = ssl
        self.context = context
        self.deadlineMs = deadlineMs
    }

    deinit { SSL_free(ssl) }

    /// Whether the handshake is over.
    var isEstablished: Bool { deadlineMs == .max }
    /// Whether something that was received has not been read yet.
    var hasPending: Bool { SSL_has_pending(ssl) == 1 }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if let brokenBy { return .failed(brokenBy) }
        OpenSSLError.clear()
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        return outcome(result, count)
    }

    /// Writes at most one record of what is left after `start`. What was not `.moved` is repeated with the same bytes.
    func write(_ bytes: [UInt8], from start: Int) -> Outcome {
        if let brokenBy { return .failed(brokenBy) }
        OpenSSLError.clear()
        var count = 0
        let result = bytes.withUnsafeBytes { raw in
            SSL_write_ex(ssl, raw.baseAddress?.advanced(by: start), raw.count - start, &count)
        }
        return outcome(result, count)
    }

    /// Tells the peer that nothing more comes. True when that is on its way, or can't be said any more.
    func finish() -> Bool {
        guard isEstablished, !isBroken, !hasFinished else { return true }
        OpenSSLError.clear()
        let result = SSL_shutdown(ssl)
        isFinishing = result < 0 && SSL_get_error(ssl, result) == SSL_ERROR_WANT_WRITE
        hasFinished = !isFinishing
        return hasFinished
    }

    /// Gives the session up in the middle of something.
    func abandon() { brokenBy = brokenBy ?? .closed }
}

extension TLSSession {
    private func outcome(_ result: Int32, _ count: Int) -> Outcome {
        if !isEstablished, SSL_is_init_finished(ssl) == 1 { deadlineMs = .max }
        if result == 1 { return .moved(count) }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsRead
        case SSL_ERROR_WANT_WRITE: return .needsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            let failure = failure()
            brokenBy = failure
            return .failed(failure)
        }
    }

    private func failure() -> SocketFailure {
        let reason = OpenSSLError.takeReason()
        if transport.isPlainText { return .plainText }
        if let failure = transport.failure { return .system(failure) }
        return transport.hasEnded ? .truncated : .insecure(reason)
    }
}
