import CNeuroViewsOpenSSL

/// The server's TLS with one certificate: only version 1.3 (RFC 8446), ALPN `http/1.1` (RFC 7301), session tickets, no
/// early data.
///
/// `@unchecked Sendable`: the SSL_CTX does not change after `init`; OpenSSL locks the parts that sessions share.
final class TLSContext: @unchecked Sendable {
    let certificate: TLSCertificate
    fileprivate let pointer: OpaquePointer
    private let tickets: TLSTicketKeys

    /// Throws `.refused` if OpenSSL rejects the certificate.
    init(_ certificate: TLSCertificate, _ tickets: TLSTicketKeys) throws(TLSCertificateError) {
        OpenSSLError.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw .refused(OpenSSLError.takeReason()) }
        self.certificate = certificate
        self.pointer = pointer
        self.tickets = tickets
        guard Self.configure(pointer), Self.use(certificate, in: pointer) else {
            throw .refused(OpenSSLError.takeReason())
        }
        tickets.install(in: pointer)
    }

    deinit { SSL_CTX_free(pointer) }

    /// Makes a session; nil if memory is exhausted.
    func makeSession() -> OpaquePointer? { SSL_new(pointer) }

    private static func configure(_ context: OpaquePointer) -> Bool {
        SSL_CTX_set_max_early_data(context, 0)
        SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
        nv_ssl_ctx_no_session_cache(context)
        let modes = [SSL_MODE_ENABLE_PARTIAL_WRITE, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, SSL_MODE_RELEASE_BUFFERS]
        for mode in modes { nv_ssl_ctx_set_mode(context, Int(mode)) }
        // With this mode, one call would run for as long as a client sends key updates.
        nv_ssl_ctx_clear_mode(context, Int(SSL_MODE_AUTO_RETRY))
        // Reads header and content of a record, and all other available data, in one system call.
        nv_ssl_ctx_read_ahead(context)
        return nv_ssl_ctx_set_protocols(context, TLS1_3_VERSION, TLS1_3_VERSION) == 1
            && nv_ssl_ctx_set_groups(context, "X25519:P-256") == 1
    }

    private static func use(_ certificate: TLSCertificate, in context: OpaquePointer) -> Bool {
        guard SSL_CTX_use_certificate(context, certificate.leaf) == 1,
            SSL_CTX_use_PrivateKey(context, certificate.key) == 1
        else { return false }
        return certificate.chain.allSatisfy { nv_ssl_ctx_add_chain(context, $0) == 1 }
    }
}

/// Selects `http/1.1` from the client's protocols. Each has a length byte before it.
private func selectProtocol(
    _ ssl: OpaquePointer?,
    _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var start = 0
    while start < list.count {
        let end = min(start + 1 + Int(list[start]), list.count)
        if list[(start + 1)..<end].elementsEqual("http/1.1".utf8) {
            selected?.pointee = offered + start + 1
            selectedCount?.pointee = list[start]
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
