import CloudSync
import HTTP

/// A route's handler and policy. A class, so that a match passes one reference.
package final class Endpoint: Sendable {
    typealias Handler = @Sendable (RequestContext) async throws -> Response

    let policy: EndpointPolicy
    let handler: Handler
    /// Its number among the application's route labels.
    let label: Int
    /// The query parameters that it knows; nil: it takes any.
    let queryNames: QueryNames?

    init(_ policy: EndpointPolicy, label: Int = 0, queryNames: QueryNames? = nil, _ handler: @escaping Handler) {
        self.policy = policy
        self.handler = handler
        self.label = label
        self.queryNames = queryNames
    }

    /// Returns a document. Throws a problem for an unknown name.
    convenience init(publicDocument: @escaping @Sendable (PathParameters) throws -> PublicDocument) {
        self.init(EndpointPolicy(.anybody, caching: .publicDocument)) { try publicDocument($0.parameters).response }
    }

    /// The same with its label.
    func labelled(_ label: Int) -> Endpoint { Endpoint(policy, label: label, queryNames: queryNames, handler) }

    /// The same with the names of its query parameters.
    func taking(_ names: QueryNames?) -> Endpoint { Endpoint(policy, label: label, queryNames: names, handler) }
}

/// A route for `Router`.
typealias RouteEntry = (method: Method, pattern: String, endpoint: Endpoint)
