import CloudSync
import HTTP

/// A route's handler with who may call it. A class, so that a match hands it on as one reference.
public final class Endpoint: Sendable {
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
    let bodyLimit: BodyLimit
    /// Whether the answer is the same for everybody, and says itself how long it may be kept.
    let isPublicDocument: Bool
    /// Its number among the application's route labels.
    let label: Int

    init(
        _ access: Access,
        body bodyLimit: BodyLimit = .usual,
        isPublicDocument: Bool = false,
        label: Int = 0,
        _ handler: @escaping Handler
    ) {
        self.access = access
        self.bodyLimit = bodyLimit
        self.handler = handler
        self.isPublicDocument = isPublicDocument
        self.label = label
    }

    /// Gives out a document. Throws a problem when there is none of that name.
    convenience init(publicDocument: @escaping @Sendable (PathParameters) throws -> PublicDocument) {
        self.init(.anybody, isPublicDocument: true) { try publicDocument($0.parameters).answer() }
    }

    /// The same with its label.
    func labelled(_ label: Int) -> Endpoint {
        Endpoint(access, body: bodyLimit, isPublicDocument: isPublicDocument, label: label, handler)
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
