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

    typealias Handler = @Sendable (RequestContext) async throws -> Response

    let access: Access
    let handler: Handler

    init(_ access: Access, _ handler: @escaping Handler) {
        self.access = access
        self.handler = handler
    }
}

/// A route as `Router` takes it.
typealias RouteEntry = (method: Method, pattern: String, endpoint: Endpoint)
