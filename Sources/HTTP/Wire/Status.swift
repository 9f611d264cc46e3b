/// A response status (RFC 9110, section 15): a three-digit code and the phrase written after it.
public struct Status: Sendable, Hashable {
    /// 100 to 999.
    public let code: Int
    /// The phrase of the status line; clients ignore it.
    public let reason: String

    /// A code outside 100...999 cannot be written on the wire and becomes 500.
    public init(code: Int, reason: String) {
        let isWritable = (100...999).contains(code)
        self.code = isWritable ? code : 500
        self.reason = isWritable ? reason : "Internal Server Error"
    }

    /// True if a response with this status never has content (RFC 9110, section 6.4.1): 1xx, 204 and 304.
    public var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }
}

extension Status {
    /// 100, an interim response: the client should send the content.
    public static var `continue`: Status { Status(code: 100, reason: "Continue") }
    /// 101, the connection changes its protocol.
    public static var switchingProtocols: Status { Status(code: 101, reason: "Switching Protocols") }
    /// 104, an interim response: the upload can be resumed (draft-ietf-httpbis-resumable-upload).
    public static var uploadResumptionSupported: Status { Status(code: 104, reason: "Upload Resumption Supported") }
    /// 200
    public static var ok: Status { Status(code: 200, reason: "OK") }
    /// 201
    public static var created: Status { Status(code: 201, reason: "Created") }
    /// 202
    public static var accepted: Status { Status(code: 202, reason: "Accepted") }
    /// 204, never with content.
    public static var noContent: Status { Status(code: 204, reason: "No Content") }
    /// 206, a range.
    public static var partialContent: Status { Status(code: 206, reason: "Partial Content") }
    /// 304, never with content.
    public static var notModified: Status { Status(code: 304, reason: "Not Modified") }
    /// 307
    public static var temporaryRedirect: Status { Status(code: 307, reason: "Temporary Redirect") }
}

extension Status {
    /// 400
    public static var badRequest: Status { Status(code: 400, reason: "Bad Request") }
    /// 401
    public static var unauthorized: Status { Status(code: 401, reason: "Unauthorized") }
    /// 403
    public static var forbidden: Status { Status(code: 403, reason: "Forbidden") }
    /// 404
    public static var notFound: Status { Status(code: 404, reason: "Not Found") }
    /// 405, sent with `Allow`.
    public static var methodNotAllowed: Status { Status(code: 405, reason: "Method Not Allowed") }
    /// 408
    public static var requestTimeout: Status { Status(code: 408, reason: "Request Timeout") }
    /// 409
    public static var conflict: Status { Status(code: 409, reason: "Conflict") }
    /// 410
    public static var gone: Status { Status(code: 410, reason: "Gone") }
    /// 412
    public static var preconditionFailed: Status { Status(code: 412, reason: "Precondition Failed") }
    /// 413
    public static var contentTooLarge: Status { Status(code: 413, reason: "Content Too Large") }
    /// 414
    public static var uriTooLong: Status { Status(code: 414, reason: "URI Too Long") }
    /// 415
    public static var unsupportedMediaType: Status { Status(code: 415, reason: "Unsupported Media Type") }
    /// 416
    public static var rangeNotSatisfiable: Status { Status(code: 416, reason: "Range Not Satisfiable") }
    /// 417
    public static var expectationFailed: Status { Status(code: 417, reason: "Expectation Failed") }
    /// 421
    public static var misdirectedRequest: Status { Status(code: 421, reason: "Misdirected Request") }
    /// 422
    public static var unprocessableContent: Status { Status(code: 422, reason: "Unprocessable Content") }
    /// 426
    public static var upgradeRequired: Status { Status(code: 426, reason: "Upgrade Required") }
    /// 429 (RFC 6585)
    public static var tooManyRequests: Status { Status(code: 429, reason: "Too Many Requests") }
    /// 431 (RFC 6585)
    public static var headerFieldsTooLarge: Status { Status(code: 431, reason: "Request Header Fields Too Large") }
}

extension Status {
    /// 500
    public static var internalServerError: Status { Status(code: 500, reason: "Internal Server Error") }
    /// 501
    public static var notImplemented: Status { Status(code: 501, reason: "Not Implemented") }
    /// 503, sent with `Retry-After`.
    public static var serviceUnavailable: Status { Status(code: 503, reason: "Service Unavailable") }
    /// 505
    public static var versionNotSupported: Status { Status(code: 505, reason: "HTTP Version Not Supported") }
    /// 507 (RFC 4918)
    public static var insufficientStorage: Status { Status(code: 507, reason: "Insufficient Storage") }
}
