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
        /// How long clients are to come over TLS only, in seconds (RFC 6797); nil without TLS.
        public var strictTransportMaxAgeS: Int?
        /// The server's version.
        public var version: String
        /// Told what became of each request.
        public var report: @Sendable (RequestEvent) -> Void

        /// Takes the values.
        public init(
            publicURL: String,
            requiresSignatures: Bool,
            bodyMaxBytes: Int,
            strictTransportMaxAgeS: Int? = nil,
            version: String,
            report: @escaping @Sendable (RequestEvent) -> Void
        ) {
            self.publicURL = publicURL
            self.requiresSignatures = requiresSignatures
            self.bodyMaxBytes = bodyMaxBytes
            self.strictTransportMaxAgeS = strictTransportMaxAgeS
            self.version = version
            self.report = report
        }
    }

    private let settings: Settings
    private let router: Router<Endpoint>
    private let authentication: RequestAuthentication
    private let identifiers = RequestIdentifier()
    private let strictTransport: FieldBlock

    /// Collects the routes. Throws when two of them are ambiguous, or a schema is wrong.
    public init(_ services: Services, _ settings: Settings) throws {
        self.settings = settings
        strictTransport = settings.strictTransportMaxAgeS.map { [("Strict-Transport-Security", "max-age=\($0)")] } ?? []
        let schemas = try Schemas()
        let routes =
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
        router = try Router(routes)
        authentication = RequestAuthentication(
            authenticator: services.authenticator,
            requiresSignatures: settings.requiresSignatures,
            publicBase: String(settings.publicURL.dropLast("/v2".count))
        )
    }

    /// What stands in every answer.
    public var fixedFields: FieldBlock { [("Cache-Control", "no-store")] }

    /// Every route as "METHOD pattern", for comparison with the OpenAPI document.
    public var routeNames: [String] { router.routes.map { "\($0.method.name) \($0.pattern)" } }

    /// Answers one request. Never throws: every failure is a problem.
    @Sendable
    public func respond(to request: Request) async -> Response {
        let startNs = Monotonic.nowNs()
        let id = identifiers.next()
        var failure: String?
        var problem: Problem?
        var response: Response
        do {
            response = try await answer(request)
        } catch {
            let found = Problem(error, failure: &failure)
            problem = found
            response = found.response(base: settings.publicURL, instance: id)
        }
        response = finished(response, id: id)
        report(request, response, id, durationUs: (Monotonic.nowNs() - startNs) / 1000, problem, failure)
        return response
    }

    private func finished(_ response: Response, id: String, isSecure: Bool = true) -> Response {
        var response = response
        if isSecure { response.fields.append(strictTransport) }
        response.fields.append("X-Request-Id", id)
        return response
    }

    /// Answers where there is no request.
    @Sendable
    public func refuse(_ reason: Server.RefusalReason) -> Response {
        let id = identifiers.next()
        let problem = Problem(reason)
        // What comes in plain text must not say it (RFC 6797, 7.2).
        let isSecure = reason != .notTLS
        let response = finished(problem.response(base: settings.publicURL, instance: id), id: id, isSecure: isSecure)
        report(nil, response, id, durationUs: 0, problem, nil)
        return response
    }

    private func answer(_ request: Request) async throws -> Response {
        let head = request.head
        switch router.match(head.method, path: head.pathBytes) {
        case .found(let route, let parameters):
            return try await call(route.endpoint, parameters, request)
        case .options(let allow):
            return Response(.noContent, fields: [("Allow", Self.list(allow))])
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
        let identity = try authentication.identify(request.head, endpoint.access)
        let body = try await body(of: request, maxBytes: endpoint.bodyMaxBytes(settings.bodyMaxBytes))
        let nonce = try identity.flatMap { try authentication.verifySignature(request.head, body, by: $0) }
        let context = RequestContext(
            head: request.head,
            parameters: parameters,
            query: try Self.query(request.head),
            body: body,
            identity: identity,
            nonce: nonce
        )
        return try await endpoint.handler(context)
    }

    private func body(of request: Request, maxBytes: Int) async throws(Problem) -> [UInt8] {
        do {
            return try await request.body.collect(maxBytes: maxBytes)
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

    private func report(
        _ request: Request?,
        _ response: Response,
        _ id: String,
        durationUs: UInt64,
        _ problem: Problem?,
        _ failure: String?
    ) {
        var bytes: Int?
        if case .bytes(let content) = response.content { bytes = content.count }
        settings.report(
            RequestEvent(
                id: id,
                method: request?.head.method.name ?? "-",
                path: request?.head.path ?? "-",
                status: response.status.code,
                bytes: bytes,
                durationUs: durationUs,
                problem: problem?.type.rawValue,
                failure: failure,
                peer: request?.peer
            )
        )
    }
}

extension Problem {
    /// The problem for whatever was thrown, and what the log should say about it.
    fileprivate init(_ error: any Error, failure: inout String?) {
        switch error {
        case let problem as Problem: self = problem
        case let error as CloudSyncError:
            self.init(error)
            if case .databaseUnavailable(let reason) = error { failure = reason }
        default:
            self.init(.internalError)
            failure = "\(error)"
        }
    }
}
