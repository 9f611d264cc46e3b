import HTTP
import JSON
import OpenAPI

/// What the server tells about itself.
struct ServiceRoutes: Sendable {
    let version: String
    let publicURL: String
    let document: ServedDocument

    /// Where tools that watch servers look. The document has `/v2/healthz` alone: generated clients know one base URL.
    static let healthAlias = "/healthz"

    var routes: [RouteEntry] {
        [
            (.get, Self.healthAlias, Endpoint(.anybody, health)),
            (.get, "/v2/healthz", Endpoint(.anybody, health)),
            (.get, "/v2/version", Endpoint(.anybody, version)),
            (.get, "/v2/openapi.json", Endpoint(.anybody, openAPI)),
            (.get, "/v2/schemas/{name}", Endpoint(.anybody, schema)),
            (.get, "/v2/problems", Endpoint(.anybody, problems)),
            (.get, "/v2/problems/{code}", Endpoint(.anybody, problem)),
        ]
    }

    /// The process answers; nothing is said about the database.
    private func health(_ context: RequestContext) async throws -> Response {
        .json(.ok) { $0.member("status", string: "ok") }
    }

    private func version(_ context: RequestContext) async throws -> Response {
        .json(.ok) { writer in
            writer.member("name", string: "neuroviews-server")
            writer.member("version", string: version)
        }
    }

    private func openAPI(_ context: RequestContext) async throws -> Response { .json(.ok, document.text) }

    private func schema(_ context: RequestContext) async throws -> Response {
        let name = context.parameters["name"] ?? ""
        guard let text = OpenAPIDocument.schemas[name] else { throw Problem(.notFound) }
        return Response(.ok, fields: [("Content-Type", "application/schema+json")], content: .bytes(text))
    }

    private func problems(_ context: RequestContext) async throws -> Response {
        .json(.ok, reservingBytes: 8192) { writer in
            writer.member("problems")
            writer.beginArray()
            for type in ProblemType.allCases { write(type, to: &writer) }
            writer.endArray()
        }
    }

    private func problem(_ context: RequestContext) async throws -> Response {
        guard let type = ProblemType(rawValue: context.parameters["code"] ?? "") else { throw Problem(.notFound) }
        var writer = JSONWriter()
        write(type, to: &writer)
        return .json(.ok, writer.bytes)
    }

    private func write(_ type: ProblemType, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", string: "\(publicURL)/problems/\(type.rawValue)")
        writer.member("title", string: type.title)
        writer.member("status", integer: Int64(type.status.code))
        writer.member("advice", string: type.advice)
        writer.endObject()
    }
}
