/// A response status (RFC 9110, section 15): a three-digit code and the phrase written after it.
public struct Status: Sendable, Hashable {
    /// 100 to 999.
    public let code: Int

    /// A code outside 100...999 cannot be written on the wire and becomes 500.
    public init(code: Int) { self.code = (100...999).contains(code) ? code : 500 }

    /// The phrase of the status line; clients ignore it. Empty for an unregistered code.
    public var reason: String { Self.phrases[code] ?? "" }

    /// True if a response with this status never has content (RFC 9110, section 6.4.1): 1xx, 204 and 304.
    public var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }

    /// The phrases of IANA's registry; 460 is of tus 1.0.
    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        104: "Upload Resumption Supported", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 460: "Checksum Mismatch",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}

extension Status {
    /// 101, the connection changes its protocol.
    public static var switchingProtocols: Status { Status(code: 101) }
    /// 104, an interim response: the upload can be resumed (draft-ietf-httpbis-resumable-upload).
    public static var uploadResumptionSupported: Status { Status(code: 104) }
    /// 200
    public static var ok: Status { Status(code: 200) }
    /// 201
    public static var created: Status { Status(code: 201) }
    /// 202
    public static var accepted: Status { Status(code: 202) }
    /// 204, never with content.
    public static var noContent: Status { Status(code: 204) }
    /// 206, a range.
    public static var partialContent: Status { Status(code: 206) }
    /// 304, never with content.
    public static var notModified: Status { Status(code: 304) }
    /// 307
    public static var temporaryRedirect: Status { Status(code: 307) }
}

extension Status {
    /// 400
    public static var badRequest: Status { Status(code: 400) }
    /// 401
    public static var unauthorized: Status { Status(code: 401) }
    /// 404
    public static var notFound: Status { Status(code: 404) }
    /// 405, sent with `Allow`.
    public static var methodNotAllowed: Status { Status(code: 405) }
    /// 408
    public static var requestTimeout: Status { Status(code: 408) }
    /// 409
    public static var conflict: Status { Status(code: 409) }
    /// 410
    public static var gone: Status { Status(code: 410) }
    /// 412
    public static var preconditionFailed: Status { Status(code: 412) }
    /// 413
    public static var contentTooLarge: Status { Status(code: 413) }
    /// 414
    public static var uriTooLong: Status { Status(code: 414) }
    /// 415
    public static var unsupportedMediaType: Status { Status(code: 415) }
    /// 417
    public static var expectationFailed: Status { Status(code: 417) }
    /// 429 (RFC 6585)
    public static var tooManyRequests: Status { Status(code: 429) }
    /// 431 (RFC 6585)
    public static var headerFieldsTooLarge: Status { Status(code: 431) }
}

extension Status {
    /// 501
    public static var notImplemented: Status { Status(code: 501) }
    /// 503, sent with `Retry-After`.
    public static var serviceUnavailable: Status { Status(code: 503) }
    /// 505
    public static var versionNotSupported: Status { Status(code: 505) }
}
