import TestSupport
import Testing

@Suite("Cross-origin requests", .blocking)
struct CrossOriginTests {
    private static let origin = "https://app.example.org"
    private static let item = "/v2/configurations/11111111-2222-4333-8444-555555555555"

    private func client() throws -> APIClient { try Shared.observedServer.get().client }

    private func list(_ answer: HTTPAnswer, _ name: String) -> Set<String> {
        Set((answer.field(name) ?? "").split(separator: ",").map { $0.trimming(" ").lowercased() })
    }

    @Test("A preflight from a configured origin gets the path's methods and the allowed fields")
    func preflight() throws {
        for origin in [Self.origin, "http://localhost:3000"] {
            let fields = [("Origin", origin), ("Access-Control-Request-Method", "PUT")]
            let answer = try client().send("OPTIONS", Self.item, fields)
            #expect(answer.status == 204)
            #expect(answer.field("access-control-allow-origin") == origin)
            let methods: Set = ["get", "head", "put", "patch", "delete", "options"]
            #expect(list(answer, "access-control-allow-methods") == methods)
            let wanted: Set = [
                "authorization", "content-type", "if-match", "if-none-match", "x-timestamp", "x-nonce", "x-signature",
                "x-signature-version", "x-request-id", "traceparent",
            ]
            #expect(list(answer, "access-control-allow-headers").isSuperset(of: wanted))
            #expect(answer.field("access-control-max-age").flatMap { Int($0) } ?? 0 > 0)
            #expect(list(answer, "vary").contains("origin"))
            #expect(answer.field("access-control-allow-credentials") == nil)
        }
    }

    @Test(
        "A preflight from any other origin gets no allowed methods or fields",
        arguments: [
            "https://evil.example", "https://app.example.org.evil.example", "http://app.example.org", "null",
            "https://app.example.org:8443", "https://APP.example.org", "https://app.example.org/", "*", "",
        ]
    )
    func stranger(origin: String) throws {
        let fields = [("Origin", origin), ("Access-Control-Request-Method", "PUT")]
        for method in ["OPTIONS", "GET"] {
            let answer = try client().send(method, Self.item, fields)
            #expect(!answer.fields.contains { $0.name.hasPrefix("access-control-") }, "\(method)")
            #expect(list(answer, "vary").contains("origin"))
        }
    }

    @Test("A page of a configured origin can read answers and problems with the fields it needs")
    func answers() throws {
        let requests = [
            ("GET", "/v2/version", 200), ("GET", "/v2/configurations", 401), ("GET", "/v2/nothing", 404),
            ("BREW", "/v2/version", 501), ("POST", "/v2/auth/login", 415),
        ]
        for (method, target, status) in requests {
            let answer = try client().send(method, target, [("Origin", Self.origin)])
            #expect(answer.status == status)
            #expect(answer.fields.filter { $0.name == "access-control-allow-origin" }.map(\.value) == [Self.origin])
            let exposed = list(answer, "access-control-expose-headers")
            #expect(
                exposed.isSuperset(of: [
                    "etag", "x-request-id", "retry-after", "server-timing", "location", "ratelimit", "ratelimit-policy",
                ])
            )
            #expect(list(answer, "vary").contains("origin"))
        }
    }

    @Test("Answers vary by Origin only on a server with configured origins")
    func none() throws {
        let plain = try client().send("GET", "/v2/version")
        #expect(list(plain, "vary") == ["origin"])
        #expect(plain.field("access-control-allow-origin") == nil)
        let closed = try Shared.client().send("GET", "/v2/version", [("Origin", Self.origin)])
        #expect(closed.field("access-control-allow-origin") == nil)
        #expect(closed.field("vary") == nil)
    }
}

extension Substring {
    func trimming(_ character: Character) -> Substring {
        var rest = drop { $0 == character }
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
