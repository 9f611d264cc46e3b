import CommandWords
import Console
import HTTP
import Machine
import NeuroViewsJSON

/// The operators' page and its requests. It is on the loopback of this machine, and for its own address alone: a web
/// page that gives its name this address (DNS rebinding) gets nothing.
package struct OperatorApplication: Sendable {
    /// What a handler reads.
    struct Call: Sendable {
        let parameters: PathParameters
        let query: QueryParameters
        let body: [UInt8]
    }

    private struct Route: Sendable {
        /// False for the page's files and the login.
        var needsToken = true
        /// True if it changes accounts.
        var changes = false
        let handler: @Sendable (Call) async throws -> Response
    }

    private static let bodyMaxBytes = 4096

    private let gate: ConsoleGate
    private let hosts: [String]
    private let isReadOnly: Bool
    private let router: Router<Route>

    /// Serves at this port. `work` reads and changes accounts.
    package init(gate: ConsoleGate, port: UInt16, isReadOnly: Bool, _ work: OperatorWork) throws {
        self.gate = gate
        self.isReadOnly = isReadOnly
        hosts = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" }
        var routes = Self.pageRoutes()
        routes.append((.post, "/api/session", Self.session(gate, isReadOnly)))
        routes += Self.routes(work)
        router = try Router(routes)
    }

    /// The fields of every response.
    package var fixedFields: FieldBlock { FieldBlock(ConsoleFiles.fields() + [("Cache-Control", "no-store")]) }

    /// Returns the response to a request. Never throws: every failure is a problem.
    @Sendable
    package func respond(to request: Request) async -> Response {
        do {
            return try await answer(request)
        } catch {
            return OperatorProblem(error).response
        }
    }

    /// Returns the response when there is no request, or in place of the handler's.
    @Sendable
    package func refuse(_ reason: Server.RefusalReason, _ request: Request?) -> Response {
        switch reason {
        case .malformed(let error): Response(error.status)
        case .timedOut: Response(Status(code: 408))
        case .notTLS: Response(Status(code: 400))
        case .tooManyConnections, .tooManyConnectionsOfAddress, .unanswered, .overloaded: Response(Status(code: 503))
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let head = request.head
        guard let host = head.host, hosts.contains(host.lowercased()) else {
            throw OperatorProblem(421, "misdirected", "Wrong host", "Open http://\(hosts[0]).")
        }
        switch router.match(head.method, path: head.pathBytes) {
        case .found(let found, let parameters):
            let route = found.endpoint
            if route.needsToken, !gate.accepts(head.headers.first("authorization")) {
                throw OperatorProblem.unauthorized
            }
            if route.changes, isReadOnly { throw OperatorProblem.readOnly }
            return try await route.handler(try await call(request, parameters))
        case .options(let allow): return Response(Status(code: 204), fields: [("Allow", Self.list(allow))])
        case .methodNotAllowed(let allow): return Response(Status(code: 405), fields: [("Allow", Self.list(allow))])
        case .notFound, .badPath: throw OperatorProblem.notFound
        }
    }

    private func call(_ request: Request, _ parameters: PathParameters) async throws -> Call {
        let query: QueryParameters
        do {
            query = try QueryParameters(request.head.queryBytes)
        } catch {
            throw OperatorProblem.badRequest("\(error)")
        }
        var body: [UInt8] = []
        // Browsers send a length of 0 with a POST that has no content.
        if request.head.hasBody, request.head.bodyLength != .length(0) {
            // Other pages can't send this type without asking first, which nobody answers.
            guard request.head.headers.first("content-type")?.lowercased().hasPrefix("application/json") == true else {
                throw OperatorProblem(415, "unsupported-type", "Unsupported type", "Send application/json.")
            }
            do {
                body = try await request.body.collect(maxBytes: Self.bodyMaxBytes)
            } catch {
                throw OperatorProblem.badRequest("The body can't be read: at most \(Self.bodyMaxBytes) bytes are.")
            }
        }
        return Call(parameters: parameters, query: query, body: body)
    }

    private static func list(_ methods: [Method]) -> String { methods.map(\.name).joined(separator: ", ") }
}

// MARK: Routes

extension OperatorApplication {
    private typealias Entry = (method: Method, pattern: String, endpoint: Route)

    private static func pageRoutes() -> [Entry] {
        let files = ConsoleFiles.all(of: .operator)
        return [
            (.get, "/", Route(needsToken: false) { _ in try file(files[ConsoleFiles.index]) }),
            (.get, "/{file}", Route(needsToken: false) { try file(files[$0.parameters["file"] ?? ""]) }),
        ]
    }

    private static func file(_ file: ConsoleFiles.File?) throws(OperatorProblem) -> Response {
        guard let file else { throw .notFound }
        return Response(.ok, fields: [("Content-Type", file.mediaType)], content: .bytes(file.bytes))
    }

    /// The login: the only request that needs no token.
    private static func session(_ gate: ConsoleGate, _ isReadOnly: Bool) -> Route {
        Route(needsToken: false) { call in
            let body = try? JSONParser.parse(call.body, policy: .rfc8259)
            guard let code = body?["code"]?.string else {
                throw OperatorProblem.badRequest("The member code is missing.")
            }
            guard let token = try gate.logIn(code) else { throw OperatorProblem.wrongCode }
            return .object { writer in
                writer.member("token", string: token)
                writer.member("operator", string: OperatorName.current)
                writer.member("read_only", bool: isReadOnly)
                writer.member("version", string: ServerVersion.current)
            }
        }
    }

    private static func routes(_ work: OperatorWork) -> [Entry] {
        [
            (.get, "/api/metrics", Route { _ in await work.metrics() }),
            (.get, "/api/ready", Route { _ in await work.readiness() }),
            (.post, "/api/doctor", Route { _ in try await work.doctor() }),
            (.get, "/api/usage", Route { try await work.usage($0.query) }),
            (.get, "/api/accounts", Route { try await work.accounts($0.query) }),
            (.get, "/api/accounts/{email}", Route { try await work.account($0.parameters["email"] ?? "") }),
            (
                .post, "/api/accounts/{email}/{action}",
                Route(changes: true) { call in
                    try await work.change(call.parameters["email"] ?? "", call.parameters["action"] ?? "")
                }
            ),
            (.get, "/api/trail", Route { _ in try await work.trail() }),
        ]
    }
}
