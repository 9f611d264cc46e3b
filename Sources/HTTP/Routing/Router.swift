/// The table of routes. A path is never changed to find a route. With a trailing slash, an empty segment, `..` or an
/// encoded letter in a literal, it is another path.
public struct Router<Endpoint: Sendable>: Sendable {
    /// All routes in the order given, for comparison with the API's description.
    public let routes: [Route<Endpoint>]
    @usableFromInline let table: RouteTable

    /// Rejects malformed patterns, and two patterns of one method that match the same path.
    public init(_ routes: [(method: Method, pattern: String, endpoint: Endpoint)]) throws(RouterError) {
        var accepted: [Route<Endpoint>] = []
        var table = RouteTable()
        for (method, text, endpoint) in routes {
            let pattern = try RoutePattern(text)
            try table.insert(method, pattern)
            accepted.append(Route(method: method, pattern: pattern, endpoint: endpoint))
        }
        self.routes = accepted
        self.table = table
    }

    /// Finds the route for an undecoded path, `RequestHead.pathBytes`. HEAD falls back to GET's route. Inlinable, so
    /// that a module runs it specialised for its endpoints: generic, it took three times as long.
    @inlinable
    public func match(_ method: Method, path: ArraySlice<UInt8>) -> RouteMatch<Endpoint> {
        switch table.match(method, path: path) {
        case .found(let index, let parameters): .found(routes[index], parameters)
        case .options(let allow): .options(allow: allow)
        case .methodNotAllowed(let allow): .methodNotAllowed(allow: allow)
        case .notFound: .notFound
        case .badPath: .badPath
        }
    }

    /// Finds the route for an undecoded path.
    public func match(_ method: Method, path: String) -> RouteMatch<Endpoint> {
        match(method, path: Array(path.utf8)[...])
    }
}
