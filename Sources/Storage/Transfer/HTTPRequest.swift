import CNeuroViewsCurl

/// A request to an HTTP server.
struct HTTPRequest: Sendable {
    var method: String
    var url: String
    var fields: [SignableRequest.Field] = []
    var body: [UInt8] = []
    /// The limit for the response's head to be complete, in milliseconds.
    var headLimitMs = 30_000
}

/// The status and the needed fields of a response.
struct HTTPHead: Sendable, Equatable {
    private(set) var status = 0
    private(set) var contentLength: Int?
    private(set) var contentRange: String?
    private(set) var cacheControl: String?
    /// What a page may do with the response (Fetch, 3.3).
    private(set) var allowedOrigin: String?
    private(set) var allowedMethods: String?
    private(set) var allowedFields: String?
    /// `Date`, in Unix seconds.
    private(set) var dateS: Int?
    private(set) var isComplete = false

    /// Reads one line of the head, with its line end. Another head follows that of an interim response.
    mutating func take(_ line: String) {
        let line = line.trimmingEnd()
        if line.hasPrefix("HTTP/") {
            self = HTTPHead()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if line.isEmpty {
            isComplete = status >= 200
        } else if let colon = line.firstIndex(of: ":") {
            takeField(line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    private mutating func takeField(_ name: String, _ value: String) {
        switch name {
        case "content-length": contentLength = Int(value)
        case "content-range": contentRange = value
        case "cache-control": cacheControl = value
        case "access-control-allow-origin": allowedOrigin = value
        case "access-control-allow-methods": allowedMethods = value
        case "access-control-allow-headers": allowedFields = value
        case "date":
            let seconds = curl_getdate(value, nil)
            dateS = seconds < 0 ? nil : seconds
        default: break
        }
    }
}

extension String {
    fileprivate func trimmingEnd() -> Substring {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
