import HTTP

/// The label of a request in the metrics: the pattern of its route, never its path, so that there are few labels.
package struct RouteLabel: Sendable, Equatable {
    /// `/v2/configurations/{id}`, or `unmatched`.
    package let route: String
    /// GET, HEAD, …; for an unmatched request `other` for an unknown method and `none` without a request.
    package let method: String
}

/// The labels of an application's routes, by number.
struct RouteLabels: Sendable {
    private(set) var all: [RouteLabel] = []
    private let unmatchedStart: Int

    private static let unmatchedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other", "none"]

    /// Numbers the routes. A GET has a second number, the next, for HEAD.
    init(numbering routes: inout [RouteEntry]) {
        for index in routes.indices {
            let entry = routes[index]
            routes[index].endpoint = entry.endpoint.labelled(all.count)
            all.append(RouteLabel(route: entry.pattern, method: entry.method.name))
            if entry.method == .get { all.append(RouteLabel(route: entry.pattern, method: Method.head.name)) }
        }
        unmatchedStart = all.count
        for method in Self.unmatchedMethods { all.append(RouteLabel(route: "unmatched", method: method)) }
    }

    /// The label of a request without a route.
    func unmatched(_ method: Method?) -> Int {
        switch method {
        case .get: unmatchedStart
        case .head: unmatchedStart + 1
        case .post: unmatchedStart + 2
        case .put: unmatchedStart + 3
        case .patch: unmatchedStart + 4
        case .delete: unmatchedStart + 5
        case .options: unmatchedStart + 6
        case .other: unmatchedStart + 7
        case nil: unmatchedStart + 8
        }
    }
}
