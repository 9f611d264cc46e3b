/// The table of routes. No path is changed to find a route: a trailing slash, an empty segment, `..` and an encoded
/// letter in a literal all make another path.
public struct Router<Endpoint: Sendable>: Sendable {
    /// All routes in the order given, for comparison with the API's description.
    public let routes: [Route<Endpoint>]
    private let tree: RouteTree

    /// Refuses malformed patterns, and two patterns of one method that some path fits both.
    public init(_ routes: [(method: Method, pattern: String, endpoint: Endpoint)]) throws(RouterError) {
        var accepted: [Route<Endpoint>] = []
        var tree = RouteTree()
        for (method, text, endpoint) in routes {
            let pattern = try RoutePattern(text)
            for other in accepted where other.method == method && other.pattern.overlaps(pattern) {
                throw .ambiguous(method: method, first: other.pattern.description, second: text)
            }
            tree.insert(pattern, method: method, route: accepted.count)
            accepted.append(Route(method: method, pattern: pattern, endpoint: endpoint))
        }
        self.routes = accepted
        self.tree = tree
    }

    /// Finds the route for an undecoded path, `RequestHead.pathBytes`. HEAD falls back to GET's route.
    public func match(_ method: Method, path: ArraySlice<UInt8>) -> RouteMatch<Endpoint> {
        let bytes = path.span
        guard !bytes.isEmpty, bytes[0] == .slash else { return matchAsterisk(method, path) }
        guard isDecodable(bytes) else { return .badPath }
        if let index = tree.route(method, bytes) ?? (method == .head ? tree.route(.get, bytes) : nil) {
            let route = routes[index]
            guard let parameters = parameters(of: route.pattern, in: bytes) else { return .badPath }
            return .found(route, parameters)
        }
        let methods = tree.methods(bytes)
        guard !methods.isEmpty else { return .notFound }
        let allow = allowed(methods)
        return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    }

    /// Finds the route for an undecoded path.
    public func match(_ method: Method, path: String) -> RouteMatch<Endpoint> {
        match(method, path: Array(path.utf8)[...])
    }

    private func matchAsterisk(_ method: Method, _ path: ArraySlice<UInt8>) -> RouteMatch<Endpoint> {
        guard path.elementsEqual([.asterisk]) else { return .badPath }
        return method == .options ? .options(allow: allowed(routes.map(\.method))) : .notFound
    }

    /// Each method once, in the order of the routes; HEAD wherever GET is, and OPTIONS always.
    private func allowed(_ methods: [Method]) -> [Method] {
        var allowed: [Method] = []
        for method in methods {
            for added in method == .get ? [.get, .head] : [method] where !allowed.contains(added) {
                allowed.append(added)
            }
        }
        return allowed.contains(.options) ? allowed : allowed + [.options]
    }

    /// Looks at the whole path, so that a path that cannot be decoded is bad whatever routes there are.
    private func isDecodable(_ path: borrowing Span<UInt8>) -> Bool {
        for index in path.indices where path[index] == .percent || path[index] >= 0x80 || path[index] == 0 {
            return (try? PercentDecoding.decode(path, path.indices)) != nil
        }
        return true
    }

    private func parameters(of pattern: RoutePattern, in path: borrowing Span<UInt8>) -> PathParameters? {
        var values: [String] = []
        guard !pattern.parameterNames.isEmpty else { return PathParameters(names: [], values: []) }
        values.reserveCapacity(pattern.parameterNames.count)
        var start = 1
        for segment in pattern.segments {
            let end = path.endOfSegment(from: start)
            if case .parameter = segment {
                guard let value = try? PercentDecoding.decode(path, start..<end) else { return nil }
                values.append(value)
            }
            start = end + 1
        }
        return PathParameters(names: pattern.parameterNames, values: values)
    }
}
