/// One line of the table of routes. A class, so that a match hands it on as one reference.
public final class Route<Endpoint: Sendable>: Sendable {
    /// The method it answers; GET also answers HEAD where no route does.
    public let method: Method
    /// The paths it answers.
    public let pattern: RoutePattern
    /// What the server's code runs.
    public let endpoint: Endpoint

    init(method: Method, pattern: RoutePattern, endpoint: Endpoint) {
        self.method = method
        self.pattern = pattern
        self.endpoint = endpoint
    }
}

/// What the router says about a method and a path.
public enum RouteMatch<Endpoint: Sendable>: Sendable {
    /// This route, with the decoded segments.
    case found(Route<Endpoint>, PathParameters)
    /// OPTIONS on a path that has routes but none for OPTIONS; and on `*`, with every method there is.
    case options(allow: [Method])
    /// The path has routes, none with this method: 405 with `Allow`.
    case methodNotAllowed(allow: [Method])
    /// No route has this path.
    case notFound
    /// The path cannot be decoded: 400.
    case badPath
}
