/// One route of the table. A class, so that a match passes one reference.
public final class Route<Endpoint: Sendable>: Sendable {
    /// The method. A GET route also serves HEAD unless another route does.
    public let method: Method
    /// The paths of the route.
    public let pattern: RoutePattern
    /// The server's code for the route.
    public let endpoint: Endpoint

    init(method: Method, pattern: RoutePattern, endpoint: Endpoint) {
        self.method = method
        self.pattern = pattern
        self.endpoint = endpoint
    }
}

/// The result of matching a method and a path.
public enum RouteMatch<Endpoint: Sendable>: Sendable {
    /// This route, with the decoded segments.
    case found(Route<Endpoint>, PathParameters)
    /// OPTIONS on a path that has routes but none for OPTIONS; also OPTIONS on `*`, with every supported method.
    case options(allow: [Method])
    /// The path has routes, but none with this method: 405 with `Allow`.
    case methodNotAllowed(allow: [Method])
    /// No route has this path.
    case notFound
    /// The path cannot be decoded: 400.
    case badPath
}
