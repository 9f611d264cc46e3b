/// The router without its endpoints. It is not generic, so that other modules run specialised code.
@usableFromInline
struct RouteTable: Sendable {
    @usableFromInline
    enum Match {
        case found(route: Int, PathParameters)
        case options(allow: [Method])
        case methodNotAllowed(allow: [Method])
        case notFound
        case badPath
    }

    private var routes: [(method: Method, pattern: RoutePattern)] = []
    private var tree = RouteTree()

    mutating func insert(_ method: Method, _ pattern: RoutePattern) throws(RouterError) {
        for other in routes where other.method == method && other.pattern.overlaps(pattern) {
            throw .ambiguous(method: method, first: other.pattern.description, second: pattern.description)
        }
        tree.insert(pattern, method: method, route: routes.count)
        routes.append((method, pattern))
    }

    @usableFromInline
    func match(_ method: Method, path: ArraySlice<UInt8>) -> Match {
        let bytes = path.span
        guard !bytes.isEmpty, bytes[0] == .slash else { return matchAsterisk(method, path) }
        // The whole path is checked: a path that can't be decoded is bad, with or without a route.
        guard PercentDecoding.isPlain(bytes) || (try? PercentDecoding.decode(path)) != nil else { return .badPath }
        if let index = tree.route(method, bytes) ?? (method == .head ? tree.route(.get, bytes) : nil) {
            guard let parameters = parameters(ofRoute: index, in: path) else { return .badPath }
            return .found(route: index, parameters)
        }
        let methods = tree.methods(bytes)
        guard !methods.isEmpty else { return .notFound }
        return method == .options ? .options(allow: allowed(methods)) : .methodNotAllowed(allow: allowed(methods))
    }

    private func matchAsterisk(_ method: Method, _ path: ArraySlice<UInt8>) -> Match {
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

    private func parameters(ofRoute index: Int, in path: ArraySlice<UInt8>) -> PathParameters? {
        let pattern = routes[index].pattern
        var values: [String] = []
        guard !pattern.parameterNames.isEmpty else { return PathParameters(names: [], values: []) }
        values.reserveCapacity(pattern.parameterNames.count)
        let base = path.startIndex
        var start = 1
        for segment in pattern.segments {
            let end = path.span.endOfSegment(from: start)
            if segment == .parameter {
                guard let value = try? PercentDecoding.decode(path[(base + start)..<(base + end)]) else { return nil }
                values.append(value)
            }
            start = end + 1
        }
        return PathParameters(names: pattern.parameterNames, values: values)
    }
}
