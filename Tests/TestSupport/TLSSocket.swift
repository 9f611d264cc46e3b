import CNeuroViewsOpenSSL
import Glibc

/// A blocking TLS client for tests; it accepts every certificate. With `seal` and `raw`, a test can send the records in
/// any way.
///
/// `@unchecked Sendable`: the test uses it from one thread at a time.
package final class TLSSocket: ByteStream, @unchecked Sendable {
    /// The client's TLS options.
    package struct Options: Sendable {
        /// The ALPN protocols, in order.
        package var protocols: [String] = []
        /// True for TLS 1.2 only.
        package var isOld = false
        /// A ticket to resume an earlier session.
        package var ticket: TLSTicket?

        /// The defaults: up to version 1.3, no ALPN, a new session.
        package init() {}
    }

    /// The underlying TCP connection.
    package let raw: RawSocket
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// Connects to the loopback address and shakes hands. Throws `TLSSocketError` with OpenSSL's reason.
    package convenience init(port: UInt16, _ options: Options = Options(), limitMs: Int = Patience.ms(30000)) throws {
        try self.init(RawSocket(port: port, limitMs: limitMs), options)
        try shakeHands()
    }

    /// Uses an existing connection, without a handshake (see `shakeHands`).
    package init(_ raw: RawSocket, _ options: Options = Options()) throws {
        let context = SSL_CTX_new(TLS_client_method())
        defer { SSL_CTX_free(context) }
        _ = nv_ssl_ctx_set_protocols(context, TLS1_2_VERSION, options.isOld ? TLS1_2_VERSION : TLS1_3_VERSION)
        let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) }
        guard let ssl = SSL_new(context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            throw TLSSocketError(reason: "no memory")
        }
        self.raw = raw
        (self.ssl, self.input, self.output) = (ssl, input, output)
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        // A copy, because a connection that ends without close_notify invalidates its session.
        if let session = options.ticket.flatMap({ SSL_SESSION_dup($0.session) }) {
            SSL_set_session(ssl, session)
            SSL_SESSION_free(session)
        }
    }

    deinit { SSL_free(ssl) }

    /// Completes the handshake.
    package func shakeHands() throws { try shakeHands(pieceBytes: .max) }

    /// Sends all bytes, in records of up to 16 KiB.
    package func send(_ bytes: [UInt8]) throws { try raw.send(seal(bytes)) }

    /// True if bytes of a record or the end of the stream can be read.
    package var hasInput: Bool { raw.hasInput }

    /// The encrypted records of `bytes`, to send through `raw`.
    package func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        if !bytes.isEmpty {
            let result = SSL_write(ssl, bytes, Int32(bytes.count))
            guard result == bytes.count else { throw TLSSocketError(reason: failure(result) ?? "nothing written") }
        }
        return sealed()
    }

    /// The record of a key update, to send through `raw`.
    package func sealKeyUpdate() throws -> [UInt8] {
        guard SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1, SSL_do_handshake(ssl) == 1 else {
            throw TLSSocketError(reason: "no key update")
        }
        return sealed()
    }

    /// Receives bytes; empty after the server's close_notify. Throws `TLSSocketError`, with "truncated" if the stream
    /// ends without a close_notify.
    package func receive(maxBytes: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maxBytes)
        while true {
            let count = SSL_read(ssl, &bytes, Int32(maxBytes))
            if count > 0 { return Array(bytes[..<Int(count)]) }
            if SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN { return [] }
            if let reason = failure(count) { throw TLSSocketError(reason: reason) }
            guard try fill() else { throw TLSSocketError(reason: "truncated") }
        }
    }

    /// Sends close_notify and ends the stream.
    package func finishSending() {
        SSL_shutdown(ssl)
        try? flush()
        raw.finishSending()
    }

    /// Closes the connection without a close_notify.
    package func close() { raw.close() }

    /// Closes the connection so that the peer gets a reset.
    package func reset() { raw.reset() }

    /// False at the end of the stream or after a reset.
    private func fill() throws -> Bool {
        do {
            let bytes = try raw.receive()
            return !bytes.isEmpty && BIO_write(input, bytes, Int32(bytes.count)) == bytes.count
        } catch let error as RawSocketError where error.code == ECONNRESET {
            return false
        }
    }

    private func flush() throws {
        let bytes = sealed()
        if !bytes.isEmpty { try raw.send(bytes) }
    }

    private func sealed() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
        if !bytes.isEmpty { BIO_read(output, &bytes, Int32(bytes.count)) }
        return bytes
    }

    /// The reason of a failed call; nil if it succeeded or needs more bytes from the server.
    private func failure(_ result: Int32) -> String? {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_NONE, SSL_ERROR_WANT_READ: return nil
        default:
            let code = ERR_get_error()
            ERR_clear_error()
            return ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason"
        }
    }
}

// MARK: The result of the handshake

extension TLSSocket {
    /// The protocol version, such as `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(ssl)) }
    /// True if the connection resumed an earlier session.
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    /// The protocol chosen by the server; nil without ALPN.
    package var selectedProtocol: String? {
        var (bytes, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(ssl, &bytes, &count)
        return bytes.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }
    /// The server's certificate in PEM.
    package var certificatePEM: String {
        let certificate = SSL_get1_peer_certificate(ssl)
        defer { X509_free(certificate) }
        return PEMText.make { PEM_write_bio_X509($0, certificate) }
    }
    /// A ticket to resume this session. The server sends it after the handshake, so read some bytes first.
    package var ticket: TLSTicket? { SSL_get_session(ssl).flatMap { SSL_SESSION_dup($0) }.map { TLSTicket($0) } }
}

/// A server's session ticket.
///
/// `@unchecked Sendable`: the session does not change, and OpenSSL counts its references atomically.
package final class TLSTicket: @unchecked Sendable {
    let session: OpaquePointer

    init(_ session: OpaquePointer) { self.session = session }

    deinit { SSL_SESSION_free(session) }

    /// The maximum early data that the server accepts.
    package var earlyDataMaxBytes: Int { Int(SSL_SESSION_get_max_early_data(session)) }
    /// The ticket's bytes. The client sends them in the clear to resume the session.
    package var bytes: [UInt8] {
        var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        SSL_SESSION_get0_ticket(session, &bytes, &count)
        return bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    }
    /// The ticket's lifetime hint from the server, in seconds.
    package var lifetimeS: Int { Int(SSL_SESSION_get_ticket_lifetime_hint(session)) }
}

/// A failed call of `TLSSocket`.
package struct TLSSocketError: Error, Equatable, CustomStringConvertible {
    /// OpenSSL's reason, such as "tlsv1 alert protocol version", or "truncated" for an end without close_notify.
    package let reason: String

    /// Creates an error with a reason.
    package init(reason: String) { self.reason = reason }

    /// The reason.
    package var description: String { reason }
}

// MARK: The handshake, piece by piece

extension TLSSocket {
    /// The client's first bytes.
    package func firstFlight() -> [UInt8] {
        SSL_do_handshake(ssl)
        ERR_clear_error()
        return sealed()
    }

    /// Completes the handshake. Sends at most `pieceBytes` at a time.
    package func shakeHands(pieceBytes: Int) throws {
        while true {
            let result = SSL_do_handshake(ssl)
            let reason = failure(result)
            var flight = sealed()[...]
            while !flight.isEmpty {
                try raw.send(Array(flight.prefix(pieceBytes)))
                flight = flight.dropFirst(pieceBytes)
            }
            if result == 1 { return }
            if let reason { throw TLSSocketError(reason: reason) }
            guard try fill() else { throw TLSSocketError(reason: "truncated") }
        }
    }
}
