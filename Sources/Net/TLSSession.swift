import CNeuroViewsOpenSSL

/// The TLS of one connection. It never waits: a blocked call is repeated when the socket is ready for reading or
/// writing. A read may have to write first, and a write to read.
///
/// Used only on its socket's loop. The SSL refers to the socket, which owns this object.
final class TLSSession {
    /// The outcome of a call.
    enum Outcome {
        /// The number of content bytes.
        case moved(Int)
        /// The peer sends no more (close_notify).
        case ended
        /// The socket must be readable first.
        case needsRead
        /// The socket must be writable first.
        case needsWrite
        case failed(SocketFailure)
    }

    /// The deadline of the handshake; `.max` after it.
    private(set) var deadlineMs: UInt64
    /// True after a failure: nothing more may be sent, not even close_notify.
    var isBroken: Bool { brokenBy != nil }
    /// The first failure. Every later call fails with it.
    private var brokenBy: SocketFailure?
    /// Notes of the socket while OpenSSL used it.
    var transport = TransportState()
    /// True while close_notify waits for space in the send buffer.
    private(set) var isFinishing = false
    private var hasFinished = false
    /// True after a read that found no whole record.
    private var needsMore = false
    private let ssl: OpaquePointer
    private let context: TLSContext

    /// The transport's notes since the start of the session.
    struct TransportState {
        var hasReceived = false
        /// The first bytes were plain HTTP.
        var isPlainText = false
        var hasEnded = false
        private(set) var failure: SystemError?

        mutating func note(_ code: Int32, _ call: String) { failure = SystemError(call: call, code: code) }
    }

    /// Nil if memory is exhausted.
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

    /// True after the handshake.
    var isEstablished: Bool { deadlineMs == .max }
    /// True if received data has not been read yet. The part of a record is none: the peer may never send the rest.
    var hasPending: Bool { !needsMore && SSL_has_pending(ssl) == 1 }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if let brokenBy { return .failed(brokenBy) }
        OpenSSLError.clear()
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        let outcome = outcome(result, count)
        if case .needsRead = outcome { needsMore = true } else { needsMore = false }
        return outcome
    }

    /// Writes at most one record of the bytes after `start`. A call without `.moved` must be repeated with the same
    /// bytes.
    func write(_ bytes: [UInt8], from start: Int) -> Outcome {
        if let brokenBy { return .failed(brokenBy) }
        OpenSSLError.clear()
        var count = 0
        let result = bytes.withUnsafeBytes { raw in
            SSL_write_ex(ssl, raw.baseAddress?.advanced(by: start), raw.count - start, &count)
        }
        return outcome(result, count)
    }

    /// Sends close_notify. Returns true if it was sent or can no longer be sent.
    func finish() -> Bool {
        guard isEstablished, !isBroken, !hasFinished else { return true }
        OpenSSLError.clear()
        let result = SSL_shutdown(ssl)
        isFinishing = result < 0 && SSL_get_error(ssl, result) == SSL_ERROR_WANT_WRITE
        hasFinished = !isFinishing
        return hasFinished
    }

    /// Aborts the session before its end.
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
