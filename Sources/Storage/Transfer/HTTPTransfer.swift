import CNeuroViewsCurl
import Net

/// One request and its response, which the caller reads in pieces. libcurl works only during a call. So a slow reader
/// slows the peer down, and a transfer needs the memory of two pieces. Every function blocks.
///
/// `@unchecked Sendable`: one thread uses it at a time, because callers wait for the end of each call.
final class HTTPTransfer: PieceSource, @unchecked Sendable {
    private static let pieceBytes = 256 << 10
    /// The peer must send a piece within this time: the minimum rate is 16 KiB/s. Time between calls does not count.
    var pieceLimitMs = 16_000

    /// The interval between checks of `isStopped`.
    private static let tickMs: UInt64 = 250

    private let isStopped: @Sendable () -> Bool
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var isAttached = false
    private var isPaused = false
    private var received: [UInt8] = []
    /// Complete after `start`.
    private(set) var head = HTTPHead()
    /// True after the whole response has arrived.
    private(set) var isFinished = false

    /// `isStopped` ends a wait. Throws `StorageError` if memory is exhausted.
    init(isStopped: @escaping @Sendable () -> Bool = { false }) throws(StorageError) {
        self.isStopped = isStopped
        guard let easy = curl_easy_init() else { throw .unavailable("libcurl could not be initialised") }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            throw .unavailable("libcurl could not be initialised")
        }
        self.easy = easy
        self.multi = multi
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        detach()
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        message.deallocate()
    }

    /// Sends a request and returns after the response's head. Throws `StorageError.unavailable`.
    func start(_ request: HTTPRequest, caFile: String?) throws {
        detach()
        received = []
        (head, isFinished, isPaused) = (HTTPHead(), false, false)
        curl_easy_reset(easy)
        setConnection(caFile)
        setMessage(request)
        let this = Unmanaged.passUnretained(self).toOpaque()
        nv_curl_set_receivers(easy, receiveBody, receiveField, this)
        curl_multi_add_handle(multi, easy)
        isAttached = true
        try perform(limitMs: request.headLimitMs) { $0.head.isComplete }
    }

    /// Returns the next piece of the body, nil at its end. Throws `StorageError.unavailable`.
    func piece() throws -> [UInt8]? {
        if isPaused {
            isPaused = false
            curl_easy_pause(easy, CURLPAUSE_CONT)
        }
        try perform(limitMs: pieceLimitMs) { $0.isPaused }
        defer { received = [] }
        return received.isEmpty ? nil : received
    }

    /// Runs the transfer until `isEnough` or the end of the response.
    private func perform(limitMs: Int, until isEnough: (HTTPTransfer) -> Bool) throws {
        let deadlineMs = Monotonic.nowMs() + UInt64(limitMs)
        while !isFinished, !isEnough(self) {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            let outcome = nv_curl_outcome(multi)
            if outcome >= 0 { return try finish(outcome) }
            if isEnough(self) { return }
            let nowMs = Monotonic.nowMs()
            guard nowMs < deadlineMs else {
                throw StorageError.unavailable("too slow: it took more than \(limitMs) ms")
            }
            if isStopped() { throw StorageError.unavailable("the server is stopping") }
            curl_multi_poll(multi, nil, 0, Int32(min(deadlineMs - nowMs, Self.tickMs)), nil)
        }
    }

    private func finish(_ outcome: Int32) throws {
        detach()
        guard outcome == Int32(CURLE_OK.rawValue) else {
            let detail = String(cString: message)
            let name = String(cString: curl_easy_strerror(CURLcode(rawValue: UInt32(outcome))))
            throw StorageError.unavailable(detail.isEmpty ? name : detail)
        }
        isFinished = true
    }

    /// An unfinished transfer loses its connection.
    private func detach() {
        if isAttached { curl_multi_remove_handle(multi, easy) }
        isAttached = false
        curl_slist_free_all(fields)
        fields = nil
    }

    private func setConnection(_ caFile: String?) {
        nv_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        nv_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        nv_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        nv_curl_set_number(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nv_curl_set_number(easy, CURLOPT_BUFFERSIZE, 128 << 10)
        nv_curl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
        nv_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // Ignore the proxy of the environment.
        nv_curl_set_text(easy, CURLOPT_PROXY, "")
        if let caFile {
            nv_curl_set_text(easy, CURLOPT_CAINFO, caFile)
            // Debian's libcurl would also trust a folder of the system's authorities.
            nv_curl_set_text(easy, CURLOPT_CAPATH, nil)
        }
        message[0] = 0
        nv_curl_set_error_buffer(easy, message)
    }

    private func setMessage(_ request: HTTPRequest) {
        nv_curl_set_text(easy, CURLOPT_URL, request.url)
        if request.method == "HEAD" {
            nv_curl_set_number(easy, CURLOPT_NOBODY, 1)
        } else if request.method != "GET" {
            nv_curl_set_body(easy, request.body, request.body.count)
            nv_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
        // Without "identity", proxies such as Cloudflare's may compress a body and leave its length out, even of HEAD. The
        // field is not signed: some services change it. Without the empty lines, libcurl would add these fields.
        var lines = ["Accept-Encoding: identity", "Expect:"]
        if !request.fields.contains(where: { $0.name == "content-type" }) { lines.append("Content-Type:") }
        // libcurl writes these two itself.
        let own: Set = ["host", "content-length"]
        lines += request.fields.filter { !own.contains($0.name) }.map { "\($0.name): \($0.value)" }
        for line in lines { fields = curl_slist_append(fields, line) }
        nv_curl_set_fields(easy, fields)
    }

    /// Returns false if the piece is full; libcurl then pauses.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard received.isEmpty || received.count + bytes.count <= Self.pieceBytes else {
            isPaused = true
            return false
        }
        received.append(contentsOf: bytes)
        return true
    }

    fileprivate func takeLine(_ bytes: UnsafeRawBufferPointer) {
        head.take(String(decoding: bytes, as: UTF8.self))
    }
}

private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ this: UnsafeMutableRawPointer?)
    -> Int
{
    guard let this else { return 0 }
    let transfer = Unmanaged<HTTPTransfer>.fromOpaque(this).takeUnretainedValue()
    return transfer.take(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : Int(nv_curl_pause)
}

private func receiveField(_ bytes: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ this: UnsafeMutableRawPointer?)
    -> Int
{
    guard let this else { return 0 }
    Unmanaged<HTTPTransfer>.fromOpaque(this).takeUnretainedValue().takeLine(
        UnsafeRawBufferPointer(start: bytes, count: count)
    )
    return count
}
