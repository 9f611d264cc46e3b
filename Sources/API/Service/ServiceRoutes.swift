import HTTP
import NeuroViewsJSON
import OpenAPI
import Problems

/// Information about the server. All but its health are documents that are made once.
struct ServiceRoutes: Sendable {
    private let version: PublicDocument
    private let openAPI: PublicDocument
    private let schemas: [String: PublicDocument]
    private let problems: PublicDocument
    private let pages: [String: PublicDocument]
    private let readiness: ServiceReadiness

    init(
        version: String,
        features: Application.Settings.Features,
        publicURL: String,
        document: ServedDocument,
        readiness: ServiceReadiness
    ) {
        self.readiness = readiness
        self.version = Self.json { writer in
            writer.member("name", string: "neuroviews-server")
            writer.member("version", string: version)
            features.write(to: &writer)
        }
        openAPI = PublicDocument("application/json", document.text)
        schemas = OpenAPIDocument.schemas.mapValues { PublicDocument("application/schema+json", $0) }
        problems = Self.json { writer in
            writer.list("problems", ProblemType.all) { type, writer in Self.write(type, publicURL, to: &writer) }
        }
        pages = Dictionary(
            uniqueKeysWithValues: ProblemType.all.map { type in
                (type.code, Self.json { Self.write(type, publicURL, to: &$0) })
            }
        )
    }

    /// The path for monitoring tools. The document has `/v2/healthz` alone: generated clients know one base URL.
    static let healthAlias = "/healthz"
    /// The paths of the health check.
    static let healthPaths = [healthAlias, "/v2/healthz"]
    private static let readinessPath = "/v2/readyz"
    /// The paths for balancers and monitoring tools. These may know the server's address only.
    static let probePaths = healthPaths + [readinessPath]

    var routes: [RouteEntry] {
        Self.healthPaths.map { (.get, $0, Endpoint(.anybody, health)) } + [
            (.get, Self.readinessPath, Endpoint(.anybody, ready)),
            (.get, "/v2/version", Endpoint { _ in version }),
            (.get, "/v2/openapi.json", Endpoint { _ in openAPI }),
            (.get, "/v2/schemas/{name}", Endpoint { try Self.find($0["name"], in: schemas) }),
            (.get, "/v2/problems", Endpoint { _ in problems }),
            (.get, "/v2/problems/{code}", Endpoint { try Self.find($0["code"], in: pages) }),
        ]
    }

    /// Reports that the process runs. It does not check the database.
    private func health(_ context: RequestContext) async throws -> Response { Self.healthy }

    /// Reports that the database answers this server.
    private func ready(_ context: RequestContext) async throws -> Response {
        try await readiness.check()
        return Self.serving
    }

    private static let serving: Response = .json(.ok) { $0.member("status", string: "ready") }

    static let healthy: Response = .json(.ok) { $0.member("status", string: "ok") }

    private static func find(_ name: String?, in documents: [String: PublicDocument]) throws -> PublicDocument {
        guard let document = documents[name ?? ""] else { throw Problem(.notFound) }
        return document
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> PublicDocument {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        return PublicDocument("application/json", writer.bytes)
    }

    private static func write(_ type: ProblemType, _ publicURL: String, to writer: inout JSONWriter) {
        writer.member("type", string: type.uri(under: publicURL))
        writer.member("title", string: type.title)
        writer.member("status", integer: Int64(type.status))
        writer.member("advice", string: type.advice)
    }
}
