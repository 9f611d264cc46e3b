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

    typealias Handler = @Sendable (RequestContext) async throws -> Response

    /// Bodies of those who have not shown a token; they would fill the memory for nothing.
    private static let anybodyMaxBytes = 16 << 10

    let access: Access
    let handler: Handler
    /// Whether the answer is the same for everybody, and says itself how long it may be kept.
    let isPublicDocument: Bool
    /// Its number among the application's route labels.
    let label: Int

    init(_ access: Access, isPublicDocument: Bool = false, label: Int = 0, _ handler: @escaping Handler) {
        self.access = access
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
        Endpoint(access, isPublicDocument: isPublicDocument, label: label, handler)
    }

    /// Whether a token is asked for.
    var isForSessions: Bool { if case .anybody = access { false } else { true } }

    /// The largest body that the endpoint takes, where the setting says `bodyMaxBytes`.
    func bodyMaxBytes(_ bodyMaxBytes: Int) -> Int {
        if case .anybody = access { min(bodyMaxBytes, Self.anybodyMaxBytes) } else { bodyMaxBytes }
    }
}

/// A route as `Router` takes it.
typealias RouteEntry = (method: Method, pattern: String, endpoint: Endpoint)
