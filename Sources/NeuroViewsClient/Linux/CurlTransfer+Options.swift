import CNeuroViewsCurl

extension CurlTransfer {
    private static let bufferBytes = 128 << 10
    private static let uploadBufferBytes = 512 << 10

    func setConnection(_ trust: Trust) {
        let connection = CurlConnection(easy, to: exchange.origin)
        connection.set(connectS: limits.stallS, message)
        connection.setTrust(trust)
        nv_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nv_curl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
        nv_curl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferBytes)
        nv_curl_set_number(easy, CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes)
        nv_curl_set_number(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        nv_curl_set_number(easy, CURLOPT_LOW_SPEED_TIME, limits.stallS)
        nv_curl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    func setRequest() {
        let request = exchange.request
        nv_curl_set_text(easy, CURLOPT_URL, request.url)
        setLines(request.fields)
        switch (request.method, request.body) {
        case ("HEAD", _): nv_curl_set_number(easy, CURLOPT_NOBODY, 1)
        case (let method, .file(let region)):
            // Whoever sends a file asks first how much of it has arrived: libcurl would send all of it again.
            nv_curl_set_upload(easy, curl_off_t(region.length), fillBody, this)
            nv_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
        case (let method, .bytes(let bytes)):
            nv_curl_set_body(easy, bytes, bytes.count)
            nv_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
        case ("GET", .none), ("DELETE", .none): nv_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        case (let method, .none):
            // With Content-Length: 0, which these methods need (RFC 9110, 8.6).
            nv_curl_set_body(easy, [] as [UInt8], 0)
            nv_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func setLines(_ requested: [TransferRequest.Field]) {
        // An empty line takes a field away that libcurl would add. A proxy that compressed might leave the length out.
        let defaults = [("Accept-Encoding", " identity"), ("Expect", ""), ("Content-Type", "")]
        let names = Set(requested.map { $0.name.lowercased() })
        var lines = defaults.filter { !names.contains($0.0.lowercased()) }.map { "\($0.0):\($0.1)" }
        for (name, value) in requested where !["host", "content-length"].contains(name.lowercased()) {
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        for line in lines { fields = curl_slist_append(fields, line) }
        nv_curl_set_fields(easy, fields)
    }

    func setCallbacks() { nv_curl_set_receivers(easy, receiveBody, receiveField, this) }

    /// The context of the callbacks, which libcurl calls only while `CurlLoop` has this object.
    private var this: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

private func transfer(_ this: UnsafeMutableRawPointer?) -> CurlTransfer? {
    this.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ this: UnsafeMutableRawPointer?)
    -> Int
{
    // A number other than `count` ends the transfer.
    transfer(this)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) == true ? count : -1
}

private func receiveField(_ bytes: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ this: UnsafeMutableRawPointer?)
    -> Int
{
    transfer(this)?.takeLine(UnsafeRawBufferPointer(start: bytes, count: count)) == true ? count : -1
}

private func fillBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ n: Int, _ this: UnsafeMutableRawPointer?)
    -> Int
{
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * n)
    return transfer(this)?.giveBody(buffer) ?? Int(nv_curl_abort)
}
