import CloudSync
import HTTP
import JSONSchema
import NeuroViewsJSON
import OpenAPI
import TestSupport
import Testing

@testable import API

@Suite("Answers of the service routes")
struct ServiceAnswerTests {
    private static let base = "http://127.0.0.1:8080/v2"

    /// Calls the handler behind a path, as the application would.
    private static func answer(_ target: String) async throws -> Response {
        let routes = ServiceRoutes(
            version: "0.1.0",
            features: .init(),
            publicURL: base,
            document: ServedDocument(try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259), publicURL: base),
            readiness: ServiceReadiness { nil }
        ).routes
        let router = try Router(routes)
        var parser = RequestParser()
        parser.input = Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        guard case .head(let head) = try parser.next(),
            case .found(let route, let parameters) = router.match(.get, path: head.pathBytes)
        else { throw Problem(.notFound) }
        let context = RequestContext(
            head: head,
            parameters: parameters,
            query: try QueryParameters(head.queryBytes),
            body: [],
            identity: nil,
            addresses: PublicAddresses(published: base, exclusive: nil),
            work: try LargeWork(threads: 0)
        )
        return try await route.endpoint.handler(context)
    }

    private static func bytes(_ response: Response) throws -> [UInt8] {
        guard case .bytes(let bytes) = response.content else { throw Problem(.internalError) }
        return bytes
    }

    @Test(
        "Answers of the service routes have the documented media type and form",
        arguments: [
            ("/v2/healthz", "/healthz"), ("/healthz", "/healthz"), ("/v2/readyz", "/readyz"),
            ("/v2/version", "/version"), ("/v2/openapi.json", "/openapi.json"),
            ("/v2/problems", "/problems"), ("/v2/problems/edited-later", "/problems/{code}"),
            ("/v2/schemas/login.json", "/schemas/{name}"),
        ]
    )
    func form(target: String, path: String) async throws {
        let document = try InterfaceDocument()
        let operation = try #require(document.operations.first { $0.path == path })
        let documented = try document.resolved(try #require(operation.value["responses"]?["200"]))
        let media = try #require(documented["content"]?.object?.members.first)
        let response = try await Self.answer(target)
        #expect(response.fields.list.first { $0.name == "Content-Type" }?.value == media.name)
        let schema = try Schema(compiling: document.inlined(try #require(media.value["schema"])))
        let value = try JSONParser.parse(Self.bytes(response), policy: .requestBody)
        #expect(schema.violations(of: value).isEmpty)
    }

    @Test("The examples of health, version and a problem's page equal the server's answers")
    func examples() async throws {
        let document = try InterfaceDocument()
        for (target, path) in [
            ("/v2/healthz", "/healthz"), ("/v2/readyz", "/readyz"), ("/v2/version", "/version"),
            ("/v2/problems/edited-later", "/problems/{code}"),
        ] {
            let operation = try #require(document.operations.first { $0.path == path })
            let content = operation.value["responses"]?["200"]?["content"]?["application/json"]
            let example = try #require(content?["examples"]?.object?.members.first?.value["value"])
            let answer = try await Self.bytes(Self.answer(target))
            #expect(try JSONParser.parse(answer, policy: .requestBody) == example, "\(target)")
        }
    }

    @Test("Schemas are served at the addresses of their references")
    func addresses() async throws {
        for (name, text) in OpenAPIDocument.schemas {
            #expect(try await Self.bytes(Self.answer("/v2/schemas/\(name)")) == text, "\(name)")
        }
        let listed = try InterfaceDocument().operations.first { $0.path == "/schemas/{name}" }?.value["parameters"]?
            .array
        let names = listed?.first?["schema"]?["enum"]?.array?.compactMap(\.string)
        #expect(names?.sorted() == OpenAPIDocument.schemas.keys.sorted())
    }

    @Test("The served document has the public address")
    func served() async throws {
        let text = try await Self.bytes(Self.answer("/v2/openapi.json"))
        let document = try JSONParser.parse(text, policy: .rfc8259)
        #expect(document["servers"]?.array?.first?["url"]?.string == Self.base)
        let file = try #require(OpenAPIDocument.schemas["camera-configuration.json"])
        let schema = try JSONParser.parse(file, policy: .rfc8259)
        #expect(document["components"]?["schemas"]?["CameraConfiguration"] == schema)
    }
}
