import HTTP
import Net

/// What became of one request, for log and metrics. Holds no secret: neither header fields nor query nor body. The path is
/// there, and with it the ids that stand in it.
public struct RequestEvent: Sendable {
    /// The most bytes that are told of a path; longer ones are no resource's.
    private static let pathMaxBytes = 256

    /// The method's name; "other" of one that is not known.
    public let method: String
    /// The beginning of the path as it was sent, without the query, and without what makes a URL a permission.
    public let path: ArraySlice<UInt8>
    /// Of the path as it was sent.
    public let pathBytes: Int
    /// The answer's status code.
    public let status: Int
    /// The answer's content length in bytes; nil for a streamed one that does not say it.
    public let bytes: Int?
    /// The request's id, where its time went, the problem and the failure. Good until the event's receiver returns.
    public let record: RequestRecord
    /// The client's address, as trusted proxies say. The port is 0 when they did not say it.
    public let peer: SocketAddress?
    /// The trace that the client says the request belongs to.
    public let trace: TraceParent?

    /// Of a request and its answer.
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

    /// The end of `uploads` and `downloads`, behind which a permission stands. What comes before it a client may have written wrongly.
    private static let place = Array("loads".utf8)
    /// An object's name. What comes behind it is the proof, however it is encoded.
    private static let objectBytes = 32

    static func withoutProof(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            let before = path[..<index].suffix(place.count)
            // In any case: 0x20 is what capitals lack.
            if before.elementsEqual(place, by: { $0 | 0x20 == $1 }) {
                return path[...index] + path[index...].dropFirst().prefix(objectBytes)
            }
        }
        return path
    }

    /// Of an answer to what was no request.
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
    /// Whether the server did not do what it should have: not when it says that there is no such method or version.
    public var isFailure: Bool { status >= 500 && status != 501 && status != 505 || record.isCutOff }

    /// Whether somebody unknown was refused, who may be anybody and ask any number of times. A token alone makes nobody known: its session may have
    /// ended, or its signature be wrong.
    public var isRefusalOfStranger: Bool {
        status >= 400 && !isFailure && (record.account == nil || status == Status.unauthorized.code)
    }

    /// Whether not all of the path is told.
    public var isPathCut: Bool { path.count == Self.pathMaxBytes && pathBytes > path.count }
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
