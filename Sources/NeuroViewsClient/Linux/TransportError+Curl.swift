import CNeuroViewsCurl

extension TransportError {
    /// The meaning of a CURLcode. `reason` is libcurl's text, `chainVerdict` an X509_V_ERR.
    init(_ code: CURLcode, _ reason: String, chainVerdict: Int, stallS: Int) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unknownHost(reason)
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: self = .notConnected(reason)
        case CURLE_OPERATION_TIMEDOUT: self = .stalled(seconds: stallS)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND:
            self = .cut(reason)
        case CURLE_SSL_CONNECT_ERROR: self = Self.handshake(reason)
        case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted(Self.problem(chainVerdict, reason))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .untrusted(.otherKey)
        case CURLE_SSL_CACERT_BADFILE: self = .untrusted(.noAuthorities)
        case CURLE_URL_MALFORMAT: self = .badRequest(reason)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: self = .notHTTP(reason)
        default: self = .other(reason)
        }
    }

    /// A peer of another protocol says so in words of OpenSSL; all else is a connection that broke.
    private static func handshake(_ reason: String) -> TransportError {
        func has(_ words: String...) -> Bool { words.contains { reason.contains($0) } }
        if has("protocol version", "unsupported protocol") { return .untrusted(.oldTLS) }
        if has("wrong version number", "packet length too long", "http request") { return .untrusted(.noTLS) }
        return .notConnected(reason)
    }

    /// The X509_V_ERR values of OpenSSL's x509_vfy.h, which are part of its interface.
    private static func problem(_ chainVerdict: Int, _ reason: String) -> TrustProblem {
        switch chainVerdict {
        // libcurl compares the name itself, and has no code for it.
        case _ where reason.contains("target host name"): .otherHost
        case 9: .notYetValid
        case 10: .expired
        case 2, 18, 19, 20, 21, 27: .unknownAuthority
        default: .other(reason)
        }
    }
}
