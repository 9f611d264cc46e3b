import HTTP
import Net
import Tracing

/// The outcome of one request, for log and metrics. It has no secret: no header fields, no query and no body. It has
/// the path, and thus the ids in the path.
package struct RequestEvent: Sendable {
    /// The most bytes of a path that are logged. No resource has a longer path.
    private static let pathMaxBytes = 256

    /// The method's name; "other" for an unknown one.
    package let method: String
    /// The beginning of the path as it was sent, without the query, and without the
    /// proof that makes a URL a permission.
    package let path: ArraySlice<UInt8>
    /// The length of the path as it was sent.
    package let pathBytes: Int
    /// The response's status code.
    package let status: Int
    /// The response's content length in bytes; nil for a streamed one of unknown length.
    package let bytes: Int?
    /// The request's id, timing, problem and failure. Valid until the event's receiver returns.
    package let record: RequestRecord
    /// The client's address, as reported by trusted proxies. The port is 0 when they did not report it.
    package let peer: SocketAddress?
    /// The trace of the request, as the client sent it.
    package let trace: TraceParent?

    /// The event of a request and its response.
    init(_ request: Request, _ response: Response) {
        method = if case .other = request.head.method { "other" } else { request.head.method.name }
        path = Self.withoutProof(request.head.pathBytes).prefix(Self.pathMaxBytes)
        pathBytes = request.head.pathBytes.count
        status = response.status.code
        bytes = response.content.countBytes
        record = request.record
        peer = request.client
        trace = TraceParent(request.head.headers)
    }

    /// The end of `uploads` and `downloads`; a permission follows in the path. The client
    /// may have misspelled the part before it.
    private static let place = Array("loads".utf8)
    /// The length of an object's name. The rest of the path is the proof, in any encoding.
    private static let objectBytes = 32

    static func withoutProof(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            let before = path[..<index].suffix(place.count)
            // In any case: capitals lack the bit 0x20.
            if before.elementsEqual(place, by: { $0 | 0x20 == $1 }) {
                return path[...index] + path[index...].dropFirst().prefix(objectBytes)
            }
        }
        return path
    }

    /// The event of a refusal without a request.
    init(refusal response: Response, _ record: RequestRecord) {
        method = "-"
        path = [UInt8(ascii: "-")]
        pathBytes = 1
        status = response.status.code
        bytes = response.content.countBytes
        self.record = record
        peer = nil
        trace = nil
    }
}

extension RequestEvent {
    /// True if the server failed. 501 and 505 are no failures: they report an unknown method or version.
    package var isFailure: Bool { status >= 500 && status != 501 && status != 505 || record.isCutOff }

    /// True if an unknown client was refused. It can be anybody and send any number of requests. A token alone does not
    /// identify it: the session may have ended, or the signature may be wrong.
    package var isRefusalOfStranger: Bool {
        status >= 400 && !isFailure && (record.account == nil || status == Status.unauthorized.code)
    }

    /// True if `path` is not the whole path.
    package var isPathCut: Bool { path.count == Self.pathMaxBytes && pathBytes > path.count }
}

extension ResponseContent {
    fileprivate var countBytes: Int? {
        switch self {
        case .empty, .upgrade: 0
        case .bytes(let bytes): bytes.count
        case .stream(_, let length, _): length
        }
    }
}
