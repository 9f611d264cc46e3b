import CNeuroViewsCurl

/// A connection over libcurl, with TLS and its checks, whose bytes are the caller's. One thread uses it.
final class CurlLine {
    private static let pieceBytes = 16 << 10

    private let easy: UnsafeMutableRawPointer
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let incoming = UnsafeMutablePointer<UInt8>.allocate(capacity: CurlLine.pieceBytes)
    /// TLS wants the same bytes at the same place when it is asked again, so they lie here until they are sent.
    private let outgoing = UnsafeMutablePointer<UInt8>.allocate(capacity: CurlLine.pieceBytes)
    private var unsent = 0..<0
    private var waiting: [UInt8] = []
    private let connectS: Int
    private(set) var socket: curl_socket_t = CURL_SOCKET_BAD

    /// Throws `.other` if memory is exhausted.
    init(to url: String, _ origin: Origin, _ trust: Trust, connectS: Int) throws(TransportError) {
        guard let easy = curl_easy_init() else { throw .other("libcurl could not be initialised") }
        self.easy = easy
        self.connectS = connectS
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let connection = CurlConnection(easy, to: origin)
        connection.set(connectS: connectS, message)
        connection.setTrust(trust)
        nv_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nv_curl_set_text(easy, CURLOPT_URL, url)
        nv_curl_set_connect_only(easy)
    }

    deinit {
        curl_easy_cleanup(easy)
        message.deallocate()
        incoming.deallocate()
        outgoing.deallocate()
    }

    /// Connects, and waits for that. Throws if the peer can't be reached, or is not trusted.
    func connect() throws(TransportError) {
        try check(curl_easy_perform(easy))
        socket = nv_curl_socket(easy)
        guard socket != CURL_SOCKET_BAD else { throw .cut("the connection ended at once") }
    }

    /// The bytes that are not sent yet.
    var unsentBytes: Int { unsent.count + waiting.count }

    /// Adds bytes that `flush` sends.
    func add(_ bytes: [UInt8]) { waiting += bytes }

    /// Sends what is possible without waiting. Throws when the connection broke.
    func flush() throws(TransportError) {
        while unsentBytes > 0 {
            if unsent.isEmpty { takeNext() }
            var count = 0
            let code = curl_easy_send(easy, outgoing + unsent.lowerBound, unsent.count, &count)
            if code == CURLE_AGAIN { return }
            try check(code)
            if count == 0 { return }
            unsent = unsent.lowerBound + count..<unsent.upperBound
        }
    }

    private func takeNext() {
        let next = waiting.prefix(Self.pieceBytes)
        for (place, byte) in next.enumerated() { outgoing[place] = byte }
        unsent = 0..<next.count
        waiting.removeFirst(next.count)
    }

    /// The bytes that have come; nil if none have. Throws `.cut` at the end of the stream.
    func read() throws(TransportError) -> [UInt8]? {
        var count = 0
        let code = curl_easy_recv(easy, incoming, Self.pieceBytes, &count)
        if code == CURLE_AGAIN { return nil }
        try check(code)
        guard count > 0 else { throw .cut("the server ended it") }
        return Array(UnsafeBufferPointer(start: incoming, count: count))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code != CURLE_OK else { return }
        let text = String(cString: message)
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        throw TransportError(code, reason, chainVerdict: nv_curl_chain_verdict(easy), stallS: connectS)
    }
}
