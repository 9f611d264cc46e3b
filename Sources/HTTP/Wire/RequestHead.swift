/// A request line and its header fields (RFC 9112, sections 3 and 5), with their meaning for the connection. Texts are
/// made from the received bytes on demand.
public struct RequestHead: Sendable {
    /// The method.
    public let method: Method
    /// 0 or 1; a later HTTP/1.x is read as 1.
    public let minorVersion: Int
    /// The header fields.
    public let headers: Headers
    /// How the content that follows is delimited.
    public let bodyLength: BodyLength
    /// True if the connection may serve another request after this one (RFC 9112, section 9.3).
    public let keepsAlive: Bool
    /// True if the client waits for 100 Continue before it sends the content (RFC 9110, section 10.1.1).
    public let expectsContinue: Bool
    let parts: TargetParts

    /// The request target as received: a path with an optional query, an absolute URL, or `*`.
    public var target: String { text(parts.target) }

    /// The path, not decoded. It begins with `/`, or is `*` for the whole server.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The bytes of `path`, for the router.
    public var pathBytes: ArraySlice<UInt8> {
        parts.isWholeServer ? [.asterisk] : headers.bytes[parts.path.range]
    }

    /// True if the target is an https URL.
    public var isForHTTPS: Bool { parts.isHTTPS }

    /// The part after the first `?`, not decoded; nil without one.
    public var query: String? { parts.query.map(text) }

    /// The bytes of `query`; empty without one.
    public var queryBytes: ArraySlice<UInt8> { parts.query.map { headers.bytes[$0.range] } ?? [] }

    /// Host and port, from an absolute target or else from Host (RFC 9112, section 3.2.2); nil only in HTTP/1.0.
    public var host: String? { hostBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of `host`.
    public var hostBytes: ArraySlice<UInt8>? {
        parts.authority.map { headers.bytes[$0.range] } ?? headers.bytes(of: "host")
    }

    /// True if content follows, even an empty one.
    public var hasBody: Bool { if case .none = bodyLength { false } else { true } }

    private func text(_ range: ByteRange) -> String {
        String(decoding: headers.bytes[range.range], as: UTF8.self)
    }
}
