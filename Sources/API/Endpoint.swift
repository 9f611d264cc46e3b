import CloudSync
import HTTP

/// A route's handler with who may call it.
public struct Endpoint: Sendable {
    /// Who may call a route.
    enum Access: Sendable {
        /// Everybody; never signed.
        case anybody
        /// A session with a valid token.
        case session
        /// A session whose token may have expired.
        case refreshableSession
    }

    /// Which of the settings bounds the body.
    enum BodyLimit: Sendable {
        /// That of most requests.
        case usual
        /// That of several documents at once.
        case batch
    }

    typealias Handler = @Sendable (RequestContext) async throws -> Response

    /// Bodies of those who have not shown a token; they would fill the memory for nothing.
    private static let anybodyMaxBytes = 16 << 10

    let access: Access
    let handler: Handler
    var bodyLimit = BodyLimit.usual
    /// Whether the answer is the same for everybody, and says itself how long it may be kept.
    var isPublicDocument = false
    /// Its number among the application's route labels.
    var label = 0

    init(_ access: Access, body bodyLimit: BodyLimit = .usual, _ handler: @escaping Handler) {
        self.access = access
        self.bodyLimit = bodyLimit
        self.handler = handler
    }

    /// Gives out a document. Throws a problem when there is none of that name.
    init(publicDocument: @escaping @Sendable (PathParameters) throws -> PublicDocument) {
        self.init(.anybody) { try publicDocument($0.parameters).answer() }
        isPublicDocument = true
    }

    /// Whether a token is asked for.
    var isForSessions: Bool { if case .anybody = access { false } else { true } }

    /// The largest body that the endpoint takes by these settings.
    func bodyMaxBytes(_ settings: Application.Settings) -> Int {
        if case .anybody = access { return min(settings.bodyMaxBytes, Self.anybodyMaxBytes) }
        return bodyLimit == .batch ? settings.batchBodyMaxBytes : settings.bodyMaxBytes
    }
}

/// A route as `Router` takes it.
typealias RouteEntry = (method: Method, pattern: String, endpoint: Endpoint)
