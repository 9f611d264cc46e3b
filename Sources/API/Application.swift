import CloudSync
import HTTP
import Net

/// The public interface: routes, and what happens to every request on the way to its handler.
public struct Application: Sendable {
    /// What the handlers work with.
    public struct Services: Sendable {
        /// Accounts and sessions.
        public var accounts: AccountService
        /// Who sends a request.
        public var authenticator: Authenticator
        /// Camera configurations.
        public var configurations: ConfigurationService

        /// Collects the services.
        public init(accounts: AccountService, authenticator: Authenticator, configurations: ConfigurationService) {
            self.accounts = accounts
            self.authenticator = authenticator
            self.configurations = configurations
        }
    }

    /// What an operator may set.
    public struct Settings: Sendable {
        /// The URL that clients use, ending in `/v2`.
        public var publicURL: String
        /// Whether unsigned requests are refused.
        public var requiresSignatures: Bool
        /// The largest body.
        public var bodyMaxBytes: Int
        /// The server's version.
        public var version: String
        /// The origins whose pages may use the interface, as browsers write them.
        public var corsOrigins: [String]
        /// Told what became of each request, on its loop, when the answer was sent.
        public var report: @Sendable (RequestEvent) -> Void

        /// Takes the values.
        public init(
            publicURL: String,
            requiresSignatures: Bool,
            bodyMaxBytes: Int,
            version: String,
            corsOrigins: [String] = [],
            report: @escaping @Sendable (RequestEvent) -> Void
        ) {
            self.publicURL = publicURL
            self.requiresSignatures = requiresSignatures
            self.bodyMaxBytes = bodyMaxBytes
            self.version = version
            self.corsOrigins = corsOrigins
            self.report = report
        }
    }

    private let settings: Settings
    private let router: Router<Endpoint>
    private let authentication: RequestAuthentication
    private let identifiers = RequestIdentifier()
    private let labels: RouteLabels
    private let crossOrigin: CrossOrigin

    /// Collects the routes. Throws when two of them are ambiguous, or a schema is wrong.
    public init(_ services: Services, _ settings: Settings) throws {
        self.settings = settings
        let schemas = try Schemas()
        var routes =
            AccountRoutes(accounts: services.accounts, schemas: schemas).routes
            + ConfigurationRoutes(
                configurations: services.configurations,
                schemas: schemas,
                publicURL: settings.publicURL
            ).routes
            + ServiceRoutes(
                version: settings.version,
                publicURL: settings.publicURL,
                document: try ServedDocument(settings.publicURL)
            )
            .routes
        labels = RouteLabels(numbering: &routes)
        router = try Router(routes)
        crossOrigin = CrossOrigin(settings.corsOrigins)
        authentication = RequestAuthentication(
            authenticator: services.authenticator,
            requiresSignatures: settings.requiresSignatures,
            publicBase: String(settings.publicURL.dropLast("/v2".count))
        )
    }

    /// Every route as "METHOD pattern", for comparison with the OpenAPI document.
    public var routeNames: [String] { router.routes.map { "\($0.method.name) \($0.pattern)" } }

    /// What requests count for in the metrics, by `RequestRecord.label`.
    public var routeLabels: [RouteLabel] { labels.all }

    /// Answers one request. Never throws: every failure is a problem.
    @Sendable
    public func respond(to request: Request) async -> Response {
        let record = request.record
        record.id = identifiers.id(of: request.head)
        record.label = labels.unmatched(request.head.method)
        var response: Response
        var hasParts = false
        do {
            response = try await answer(request, &hasParts)
        } catch {
            response = Problem(error, record).response(base: settings.publicURL, instance: record.id)
        }
        record.answer()
        finish(&response, request.head, record, hasParts: hasParts)
        return response
    }

    /// To be called when the answer was sent.
    @Sendable
    public func complete(_ request: Request, _ response: Response) {
        settings.report(RequestEvent(request, response))
    }

    /// Answers where there is no request.
    @Sendable
    public func refuse(_ reason: Server.RefusalReason) -> Response {
        let record = RequestRecord()
        record.begin()
        record.id = identifiers.next()
        record.label = labels.unmatched(nil)
        let problem = Problem(reason)
        record.problem = problem.type.rawValue
        var response = problem.response(base: settings.publicURL, instance: record.id)
        record.end()
        finish(&response, nil, record, hasParts: false)
        settings.report(RequestEvent(refusal: response, record))
        return response
    }

    /// Adds what every answer has.
    private func finish(_ response: inout Response, _ head: RequestHead?, _ record: RequestRecord, hasParts: Bool) {
        var fields = response.fields
        let isCacheable = fields.contains { $0.name == "Cache-Control" }
        fields.reserveCapacity(fields.count + 7 + SecurityFields.all.count)
        fields.append(("X-Request-Id", record.id))
        fields.append(("Server-Timing", ServerTiming.value(record.times, hasParts: hasParts)))
        if !isCacheable { fields.append(("Cache-Control", "no-store")) }
        crossOrigin.append(to: &fields, head)
        fields.append(contentsOf: SecurityFields.all)
        response.fields = fields
    }

    private func answer(_ request: Request, _ hasParts: inout Bool) async throws -> Response {
        let head = request.head
        switch router.match(head.method, path: head.pathBytes) {
        case .found(let route, let parameters):
            request.record.label = route.endpoint.label + (head.method == .head ? 1 : 0)
            hasParts = route.endpoint.isForSessions
            let response = try await call(route.endpoint, parameters, request)
            return try Preconditions.apply(head, to: response)
        case .options(let allow):
            let methods = Self.list(allow)
            return Response(.noContent, fields: [("Allow", methods)] + crossOrigin.preflight(head, methods: methods))
        case .methodNotAllowed(let allow):
            var problem = Problem(.methodNotAllowed)
            problem.fields = [("Allow", Self.list(allow))]
            throw problem
        case .notFound: throw Problem(.notFound)
        case .badPath: throw Problem(.badRequest, "The path is not well encoded.")
        }
    }

    /// The way of every request to its handler: token, body, signature, handler.
    private func call(_ endpoint: Endpoint, _ parameters: PathParameters, _ request: Request) async throws -> Response {
        let record = request.record
        let identity = try timed(endpoint, record) { () throws in
            try authentication.identify(request.head, endpoint.access)
        }
        let body = try await body(of: request, maxBytes: endpoint.bodyMaxBytes(settings.bodyMaxBytes))
        let nonce = try timed(endpoint, record) { () throws in
            try identity.flatMap { try authentication.verifySignature(request.head, body, by: $0) }
        }
        let context = RequestContext(
            head: request.head,
            parameters: parameters,
            query: try Self.query(request.head),
            body: body,
            identity: identity,
            nonce: nonce,
            record: record
        )
        return try await endpoint.handler(context)
    }

    /// Notes how long a check took, where there is anything to check.
    private func timed<T>(_ endpoint: Endpoint, _ record: RequestRecord, _ check: () throws -> T) throws -> T {
        guard endpoint.isForSessions else { return try check() }
        let startedNs = Monotonic.nowNs()
        defer { record.times.authenticationNs += Monotonic.nowNs() - startedNs }
        return try check()
    }

    private func body(of request: Request, maxBytes: Int) async throws(Problem) -> [UInt8] {
        guard request.head.hasBody else { return [] }
        let startedNs = Monotonic.nowNs()
        defer { request.record.times.bodyNs = Monotonic.nowNs() - startedNs }
        do {
            let body = try await request.body.collect(maxBytes: maxBytes)
            request.record.bodyBytes = body.count
            return body
        } catch {
            throw Problem(error, maxBytes: maxBytes)
        }
    }

    private static func query(_ head: RequestHead) throws(Problem) -> QueryParameters {
        do {
            return try QueryParameters(head.queryBytes)
        } catch {
            throw Problem(.invalidParameter, "\(error)")
        }
    }

    private static func list(_ methods: [Method]) -> String { methods.map(\.name).joined(separator: ", ") }
}

extension Problem {
    /// The problem for whatever was thrown; the record gets what the log should say about it.
    fileprivate init(_ error: any Error, _ record: RequestRecord) {
        switch error {
        case let problem as Problem: self = problem
        case let error as CloudSyncError:
            self.init(error)
            if case .databaseUnavailable(let reason) = error { record.failure = reason }
        default:
            self.init(.internalError)
            record.failure = "\(error)"
        }
        record.problem = type.rawValue
    }
}
