import CNeuroViewsCurl

/// The options of a connection, the same for requests and for WebSockets.
struct CurlConnection {
    private let easy: UnsafeMutableRawPointer
    private let origin: Origin

    init(_ easy: UnsafeMutableRawPointer, to origin: Origin) { (self.easy, self.origin) = (easy, origin) }

    /// `message` gets libcurl's text when something fails, and is used until the end.
    func set(connectS: Int, _ message: UnsafeMutablePointer<CChar>) {
        nv_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        nv_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        nv_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT, connectS)
        // Without this, the environment may name a proxy.
        if !origin.isEncrypted || origin.isLoopback { nv_curl_set_text(easy, CURLOPT_PROXY, "") }
        nv_curl_set_error_buffer(easy, message)
    }

    func setTrust(_ trust: Trust) {
        nv_curl_set_number(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
        if let authorities = trust.authorities {
            nv_curl_set_text(easy, CURLOPT_CAINFO, authorities)
            // libcurl looks into the system's folder, too, unless there is none.
            if origin == trust.server { nv_curl_set_text(easy, CURLOPT_CAPATH, nil) }
        }
        let pins = trust.pins(of: origin).map { "sha256//" + $0.base64 }
        if !pins.isEmpty { nv_curl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";")) }
    }
}
