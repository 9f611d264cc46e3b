import HTTP

/// The admin listener: for operators and their monitoring, not for clients.
package struct AdminApplication: Sendable {
    private let router: Router<@Sendable () async -> Response>
    private let hosts: AdminHosts
    /// The paths for balancers, which know the address in their own way.
    private static let probePaths = ["/healthz", "/readyz"]

    /// Other requests than probes must be for one of `hosts`. `isReady` returns the reason why requests can't be served,
    /// or nil. `metrics` returns the counters in Prometheus' text format.
    package init(
        hosts: AdminHosts,
        isReady: @escaping @Sendable () async -> String?,
        metrics: @escaping @Sendable () async throws -> String
    ) throws {
        self.hosts = hosts
        router = try Router([
            (.get, "/healthz", { .json(.ok) { $0.member("status", string: "ok") } }),
            (.get, "/readyz", { await Self.readiness(isReady()) }),
            (.get, "/metrics", { await Self.exposition(metrics) }),
        ])
    }

    /// The fields of every response.
    package var fixedFields: FieldBlock {
        var fields = SecurityFields.all
        fields.append("Cache-Control", "no-store")
        return fields
    }

    /// Returns the response to a request.
    @Sendable
    package func respond(to request: Request) async -> Response {
        let path = request.head.pathBytes
        guard hosts.accept(request) || Self.probePaths.contains(where: { path.elementsEqual($0.utf8) }) else {
            return Self.misdirected
        }
        return switch router.match(request.head.method, path: path) {
        case .found(let route, _): await route.endpoint()
        case .options(let allow): Response(.noContent, fields: [("Allow", allow.map(\.name).joined(separator: ", "))])
        case .methodNotAllowed(let allow):
            Response(.methodNotAllowed, fields: [("Allow", allow.map(\.name).joined(separator: ", "))])
        case .notFound: Response(.notFound)
        case .badPath: Response(.badRequest)
        }
    }

    /// Returns the response to a refused connection or request.
    @Sendable
    package func refuse(_ reason: Server.RefusalReason, _ request: Request?) -> Response {
        switch reason {
        case .malformed(let error): Response(error.status)
        case .timedOut: Response(.requestTimeout)
        case .tooManyConnectionsOfAddress: Response(.tooManyRequests, fields: [RetryAfter.field(10)])
        case .tooManyConnections, .unanswered, .overloaded:
            Response(.serviceUnavailable, fields: [RetryAfter.field(2)])
        case .notTLS: Response(.badRequest)
        }
    }

    private static var misdirected: Response {
        .json(Status(code: 421)) { writer in
            writer.member("status", string: "misdirected")
            writer.member("reason", string: "Use an address, localhost, this machine's name or a host of public_url.")
        }
    }

    private static func exposition(_ metrics: () async throws -> String) async -> Response {
        // Fails only if too many collectors wait: figures that the database does not give are left out.
        guard let text = try? await metrics() else {
            return Response(.serviceUnavailable, fields: [RetryAfter.field(2)])
        }
        return Response(
            .ok,
            fields: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            content: .bytes(Array(text.utf8))
        )
    }

    private static func readiness(_ missing: String?) -> Response {
        guard let missing else { return .json(.ok) { $0.member("status", string: "ready") } }
        return .json(.serviceUnavailable, fields: [RetryAfter.field(2)]) { writer in
            writer.member("status", string: "not ready")
            writer.member("reason", string: missing)
        }
    }
}
