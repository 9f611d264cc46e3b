/// Routes by the segments of their paths. Literals and parameters of different methods may stand side by side, so a
/// search goes down both; the depth is that of the deepest pattern.
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

    /// The route of this method whose pattern fits the path; there is one at most. The path begins with a slash.
    func route(_ method: Method, _ path: borrowing Span<UInt8>) -> Int? {
        var found: Int?
        visit(path) { routes in
            for entry in routes where entry.method == method { found = entry.route }
            return found == nil
        }
        return found
    }

    /// The methods of all routes whose patterns fit the path.
    func methods(_ path: borrowing Span<UInt8>) -> [Method] {
        var methods: [Method] = []
        visit(path) { routes in
            methods.append(contentsOf: routes.map(\.method))
            return true
        }
        return methods
    }

    private func visit(_ path: borrowing Span<UInt8>, _ body: ([(method: Method, route: Int)]) -> Bool) {
        _ = visit(0, path, at: 0, body)
    }

    /// `offset` is that of the slash in front of the next segment, or the end. False once the search shall stop.
    private func visit(
        _ node: Int,
        _ path: borrowing Span<UInt8>,
        at offset: Int,
        _ body: ([(method: Method, route: Int)]) -> Bool
    ) -> Bool {
        guard offset < path.count else {
            return nodes[node].routes.isEmpty || body(nodes[node].routes)
        }
        let start = offset + 1
        let end = path.endOfSegment(from: start)
        for (bytes, child) in nodes[node].literals where path.has(bytes, at: start..<end) {
            guard visit(child, path, at: end, body) else { return false }
        }
        guard start < end, let child = nodes[node].parameter else { return true }
        return visit(child, path, at: end, body)
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
