/// Routes by the segments of their paths. At each place a literal precedes a parameter: a path that matches routes
/// under the literal uses only these, with any method.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: Int?
        var routes: [(method: Method, route: Int)] = []
    }

    private var nodes = [Node()]

    mutating func insert(_ pattern: RoutePattern, method: Method, route: Int) {
        var node = 0
        for segment in pattern.segments {
            if let child = child(of: node, segment) {
                node = child
            } else {
                nodes.append(Node())
                switch segment {
                case .literal(let bytes): nodes[node].literals.append((bytes, nodes.count - 1))
                case .parameter: nodes[node].parameter = nodes.count - 1
                }
                node = nodes.count - 1
            }
        }
        nodes[node].routes.append((method, route))
    }

    private func child(of node: Int, _ segment: RoutePattern.Segment) -> Int? {
        switch segment {
        case .literal(let bytes): nodes[node].literals.first { $0.bytes == bytes }?.node
        case .parameter: nodes[node].parameter
        }
    }

    /// The route of this method that matches the path; there is one at most. The path begins with a slash.
    func route(_ method: Method, _ path: borrowing Span<UInt8>) -> Int? {
        route(method, path, under: 0, at: 0)
    }

    /// The methods of all routes that match the path.
    func methods(_ path: borrowing Span<UInt8>) -> [Method] {
        methods(path, under: 0, at: 0)
    }

    /// `offset` is the offset of the slash before the next segment, or the end of the path.
    private func route(_ method: Method, _ path: borrowing Span<UInt8>, under node: Int, at offset: Int) -> Int? {
        guard offset < path.count else {
            for index in nodes[node].routes.indices where nodes[node].routes[index].method == method {
                return nodes[node].routes[index].route
            }
            return nil
        }
        let end = path.endOfSegment(from: offset + 1)
        if let child = literal(of: node, path, (offset + 1)..<end) {
            if let found = route(method, path, under: child, at: end) { return found }
            if !methods(path, under: child, at: end).isEmpty { return nil }
        }
        guard offset + 1 < end, let child = nodes[node].parameter else { return nil }
        return route(method, path, under: child, at: end)
    }

    private func methods(_ path: borrowing Span<UInt8>, under node: Int, at offset: Int) -> [Method] {
        guard offset < path.count else { return nodes[node].routes.map(\.method) }
        let end = path.endOfSegment(from: offset + 1)
        if let child = literal(of: node, path, (offset + 1)..<end) {
            let found = methods(path, under: child, at: end)
            if !found.isEmpty { return found }
        }
        guard offset + 1 < end, let child = nodes[node].parameter else { return [] }
        return methods(path, under: child, at: end)
    }

    private func literal(of node: Int, _ path: borrowing Span<UInt8>, _ segment: Range<Int>) -> Int? {
        for index in nodes[node].literals.indices where path.has(nodes[node].literals[index].bytes, at: segment) {
            return nodes[node].literals[index].node
        }
        return nil
    }
}

extension Span<UInt8> {
    /// The offset of the next slash, or the end.
    func endOfSegment(from start: Int) -> Int {
        var end = start
        while end < count, self[end] != .slash { end += 1 }
        return end
    }

    fileprivate func has(_ bytes: [UInt8], at range: Range<Int>) -> Bool {
        guard bytes.count == range.count else { return false }
        for index in bytes.indices where bytes[index] != self[range.lowerBound + index] { return false }
        return true
    }
}
