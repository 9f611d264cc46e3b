import CloudSync
import HTTP
import Net
import NeuroViewsJSON
import OpenAPI
import Storage
import Tracing

/// The public API: its routes, and the handling of each request before its handler.
package struct Application: Sendable {
    let settings: Settings
    let router: Router<Endpoint>
    let authentication: RequestAuthentication
    let work: LargeWork
    let writeRates: WriteRates
    private let identifiers = RequestIdentifier()
    private let labels: RouteLabels
    private let nearestPath: NearestPath
    private let crossOrigin: CrossOrigin
    private let strictTransport: FieldBlock

    /// Collects the routes. Throws when two of them are ambiguous, or the document or a schema is wrong.
    package init(_ services: Services, _ settings: Settings) throws {
        let document = try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259)
        let queries = DocumentedQueries(document)
        // Commands of sockets are writes, too.
        let rates = WriteRates(perHour: settings.writesPerHourMax)
        let routes = try Self.routes(services, settings, document, rates).map { queries.applied(to: $0) }
        try self.init(routes, authenticator: services.authenticator, services.work, settings, rates)
    }

    init(
        _ routes: [RouteEntry],
        authenticator: Authenticator,
        _ work: LargeWork,
        _ settings: Settings,
        _ rates: WriteRates? = nil
    ) throws {
        self.settings = settings
        self.work = work
        writeRates = rates ?? WriteRates(perHour: settings.writesPerHourMax)
        strictTransport = settings.strictTransportMaxAgeS.map { [("Strict-Transport-Security", "max-age=\($0)")] } ?? []
        var routes = routes
        labels = RouteLabels(numbering: &routes)
        router = try Router(routes)
        nearestPath = NearestPath(routes.map(\.pattern))
        crossOrigin = CrossOrigin(settings.corsOrigins)
        authentication = RequestAuthentication(
            authenticator: authenticator,
            policy: settings.signatures,
            addresses: PublicAddresses(published: settings.publicURL, exclusive: settings.exclusiveURLs)
        )
    }

    /// Uploads to S3 don't pass through this server.
    private static func routes(
        _ services: Services,
        _ settings: Settings,
        _ document: JSONValue,
        _ rates: WriteRates
    ) throws -> [RouteEntry] {
        let schemas = try Schemas()
        let desk = UploadDesk()
        return try accountRoutes(services, schemas)
            + accountDataRoutes(services, settings, desk, schemas)
            + ConfigurationRoutes(
                configurations: services.configurations,
                schemas: schemas,
                publicURL: settings.publicURL,
                documentMaxBytes: settings.documentMaxBytes
            ).routes
            + recordingRoutes(services, settings, desk, schemas)
            + uploadRoutes(services, settings, desk)
            + AppleAppSite.routes(settings.appleAppIDs)
            + ConsoleRoutes.routes(isOn: settings.hasConsole)
            + UsageRoutes(usage: services.usage).routes
            + DeviceRoutes(devices: services.devices, schemas: schemas).routes
            + ConsentRoutes(consents: services.consents, schemas: schemas).routes
            + EventRoutes(events: services.events, schemas: schemas).routes
            + RealtimeRoutes.all(services.realtime, schemas, rates)
            + ServiceRoutes(
                version: settings.version,
                features: settings.features,
                publicURL: settings.publicURL,
                document: ServedDocument(document, publicURL: settings.publicURL),
                readiness: services.readiness
            ).routes
    }

    private static func accountRoutes(_ services: Services, _ schemas: Schemas) -> [RouteEntry] {
        AccountRoutes(accounts: services.accounts, schemas: schemas).routes
            + SessionRoutes(accounts: services.accounts, schemas: schemas).routes
            + SecondFactorRoutes(accounts: services.accounts, schemas: schemas).routes
            + PasskeyRoutes(accounts: services.accounts, schemas: schemas).routes
            + OpenIDRoutes(accounts: services.accounts, schemas: schemas).routes
            + AddressRoutes(accounts: services.accounts, schemas: schemas).routes
            + QuotaRoutes(quotas: services.quotas).routes
    }

    private static func accountDataRoutes(
        _ services: Services,
        _ settings: Settings,
        _ desk: UploadDesk,
        _ schemas: Schemas
    ) -> [RouteEntry] {
        AccountDataRoutes(
            accounts: services.accounts,
            exports: services.exports,
            erasure: services.erasure,
            links: FileLinks(
                downloads: services.downloads,
                storage: services.storage,
                lifetimeSeconds: DownloadLink.exportLifetimeSeconds
            ),
            desk: desk,
            schemas: schemas
        ).routes
    }

    private static func recordingRoutes(
        _ services: Services,
        _ settings: Settings,
        _ desk: UploadDesk,
        _ schemas: Schemas
    ) -> [RouteEntry] {
        RecordingRoutes(
            recordings: services.recordings,
            downloads: services.downloads,
            store: services.store,
            directUploads: services.directUploads,
            desk: desk,
            schemas: schemas,
            links: FileLinks(
                downloads: services.downloads,
                storage: services.storage,
                lifetimeSeconds: DownloadLink.lifetimeSeconds
            )
        ).routes
            + DownloadRoutes(
                downloads: services.downloads,
                recordings: services.recordings,
                storage: services.storage,
                store: services.store
            ).routes
    }

    private static func uploadRoutes(_ services: Services, _ settings: Settings, _ desk: UploadDesk) -> [RouteEntry] {
        guard case .disk(let disk) = services.storage else { return [] }
        return UploadRoutes(
            uploads: services.uploads,
            storage: disk,
            store: services.store,
            desk: desk,
            settings: settings.uploads,
            publicURL: settings.publicURL
        ).routes
    }

    /// The fields of every response but pages.
    package var fixedFields: FieldBlock { SecurityFields.all }

    /// The fields of the console's files.
    package var pageFields: FieldBlock { SecurityFields.page(store: settings.storeOrigin) }

    /// The labels of requests in the metrics, by `RequestRecord.label`.
    package var routeLabels: [RouteLabel] { labels.all }

    /// Returns the response to a request. Never throws: every failure is a problem.
    @Sendable
    package func respond(to request: Request) async -> Response {
        let record = request.record
        record.id = identifiers.id(of: request.head)
        record.label = labels.unmatched(request.head.method)
        var response: Response
        var traits = Traits()
        do {
            response = try await routed(request, &traits)
            response.noteFailures(in: record)
        } catch {
            traits.isPublic = false
            response = refusal(error, record)
        }
        record.answer()
        finish(&response, request.head, record, traits)
        return response
    }

    @inline(never)
    private func refusal(_ error: any Error, _ record: RequestRecord) -> Response {
        Problem(error, record).response(base: settings.publicURL, instance: record.id)
    }

    /// Properties of an endpoint's responses.
    private struct Traits {
        /// True if Server-Timing lists the parts.
        var hasParts = false
        /// True if the response has its own Cache-Control.
        var isPublic = false

        /// For responses of no endpoint.
        init() {}

        init(_ policy: EndpointPolicy) {
            hasParts = policy.isForSessions
            switch policy.caching {
            case .noStore: isPublic = false
            case .publicDocument, .ofResponse: isPublic = true
            }
        }
    }

    /// Must be called when the response was sent.
    @Sendable
    package func complete(_ request: Request, _ response: Response) {
        settings.report(RequestEvent(request, response))
    }

    /// Returns the response when there is no request, or in place of the handler's.
    /// `complete` follows only in the second case.
    @Sendable
    package func refuse(_ reason: Server.RefusalReason, _ request: Request?) -> Response {
        let record = request?.record ?? begunRecord()
        let problem = Problem(reason)
        record.problem = problem.type.code
        var response = problem.response(base: settings.publicURL, instance: record.id)
        record.answer()
        // A response in plain text must not have Strict-Transport-Security (RFC 6797, 7.2).
        finish(&response, request?.head, record, Traits(), isSecure: reason != .notTLS)
        guard request == nil else { return response }
        record.end()
        settings.report(RequestEvent(refusal: response, record))
        return response
    }

    private func begunRecord() -> RequestRecord {
        let record = RequestRecord()
        record.begin()
        record.id = identifiers.next()
        record.label = labels.unmatched(nil)
        return record
    }

    /// Adds the fields of every response that `fixedFields` can't have.
    @inline(never)
    private func finish(
        _ response: inout Response,
        _ head: RequestHead?,
        _ record: RequestRecord,
        _ traits: Traits,
        isSecure: Bool = true
    ) {
        if !traits.isPublic { response.fields.append(Self.notStored) }
        crossOrigin.append(to: &response.fields, head)
        if isSecure { response.fields.append(strictTransport) }
        response.fields.append(Self.requestID, record.id)
        response.fields.append(Self.serverTiming, ServerTiming.value(record.times, hasParts: traits.hasParts))
    }

    private static let notStored: FieldBlock = [("Cache-Control", "no-store")]
    private static let requestID = FieldName("X-Request-Id")
    private static let serverTiming = FieldName("Server-Timing")

    /// Returns the response of the endpoint that the router finds.
    private func routed(_ request: Request, _ traits: inout Traits) async throws -> Response {
        switch try found(request) {
        case .endpoint(let endpoint, let parameters):
            traits = Traits(endpoint.policy)
            var response = try await call(endpoint, parameters, request)
            if request.head.method == .options {
                let methods = response.fields.value("Allow") ?? ""
                response.fields.append(crossOrigin.preflight(request.head, methods: methods))
            }
            return try Preconditions.apply(request.head, to: response)
        case .options(let response): return response
        }
    }

    /// The result of routing.
    private enum Found {
        case endpoint(Endpoint, PathParameters)
        case options(Response)
    }

    // Not inlined, here and in `call`: otherwise a task keeps room for all their locals while the handler works.
    @inline(never)
    private func found(_ request: Request) throws(Problem) -> Found {
        let head = request.head
        try refuse(head, of: request)
        switch router.match(head.method, path: head.pathBytes) {
        case .found(let route, let parameters):
            request.record.label = route.endpoint.label + (head.method == .head && route.method == .get ? 1 : 0)
            return .endpoint(route.endpoint, parameters)
        case .options(let allow):
            let methods = Self.list(allow)
            var fields: FieldBlock = [("Allow", methods)]
            if allow.contains(.patch) { fields.append("Accept-Patch", MediaType.mergePatch.name) }
            fields.append(crossOrigin.preflight(head, methods: methods))
            return .options(Response(.noContent, fields: fields))
        case .methodNotAllowed(let allow):
            var problem = Problem(.methodNotAllowed)
            problem.fields = [("Allow", Self.list(allow))]
            throw problem
        case .notFound: throw Problem(.notFound, nearestPath.detail(for: head.pathBytes))
        case .badPath: throw Problem(.badRequest, "The path contains an invalid percent-encoding.")
        }
    }

    /// Methods of HTTP that no resource here has.
    private static let knownMethods: Set = ["TRACE", "QUERY"]

    /// Throws for requests that no route can serve.
    private func refuse(_ head: RequestHead, of request: Request) throws(Problem) {
        // RFC 9110, section 15.6.2.
        if case .other(let name) = head.method, !Self.knownMethods.contains(name) {
            throw Problem(.methodNotImplemented)
        }
        // RFC 9110, section 7.4: a request for https arrived in plain text.
        if head.isForHTTPS, request.origin.scheme != "https" { throw Problem(.misdirectedRequest) }
        // RFC 9110, section 7.4: the host is not this server's, as in DNS rebinding.
        guard authentication.addresses.accept(request) else {
            throw Problem(
                .misdirectedRequest,
                "The host name is not one of this server: send requests to \(settings.publicURL)."
            )
        }
    }

    private static func list(_ methods: [Method]) -> String { methods.map(\.name).joined(separator: ", ") }
}

extension Problem {
    /// The problem for any thrown error. The record gets the failure for the log.
    init(_ error: any Error, _ record: RequestRecord) {
        switch error {
        case let problem as Problem: self = problem
        case let error as CloudSyncError:
            self.init(error)
            if case .databaseUnavailable(let reason) = error { record.failure = reason }
        case let error as StorageError:
            self.init(error)
            if type != .insufficientStorage { record.failure = "\(error)" }
        default:
            self.init(.internalError)
            record.failure = "\(error)"
        }
        record.problem = type.code
    }
}
