/// A request method (RFC 9110, section 9). Methods are case-sensitive; an unknown one is `other`.
public enum Method: Sendable, Hashable {
    /// Reads; the router also uses its routes for HEAD.
    case get
    /// GET without the content.
    case head
    /// Creates or processes.
    case post
    /// Replaces.
    case put
    /// Changes in part (RFC 5789).
    case patch
    /// Removes.
    case delete
    /// Requests the available methods.
    case options
    /// Any other token, CONNECT and TRACE among them.
    case other(String)

    /// The method as it is sent.
    public var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }

    /// True if it may change something: all methods but GET, HEAD and OPTIONS.
    public var changesSomething: Bool {
        switch self {
        case .get, .head, .options: false
        case .post, .put, .patch, .delete, .other: true
        }
    }

    /// The method with this name, byte for byte.
    public init(name: String) {
        self.init(token: name.utf8.span)
    }

    /// Up to seven bytes are packed into a number after a 1, which keeps the length. So a common
    /// method costs one comparison and no String.
    init(token: Span<UInt8>) {
        var packed: UInt64 = 1
        if token.count <= 7 {
            for index in token.indices { packed = packed << 8 | UInt64(token[index]) }
        }
        switch packed {
        case 0x147_4554: self = .get
        case 0x1_4845_4144: self = .head
        case 0x1_504F_5354: self = .post
        case 0x150_5554: self = .put
        case 0x150_4154_4348: self = .patch
        case 0x1_4445_4C45_5445: self = .delete
        case 0x14F_5054_494F_4E53: self = .options
        default: self = .other(String(bytes: token))
        }
    }
}
