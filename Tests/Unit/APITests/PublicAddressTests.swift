import HTTP
import Net
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import API

@Suite("Hosts of requests", .timeLimit(.minutes(Patience.minutes(1))))
struct PublicAddressTests {
    private static let routes: [RouteEntry] =
        ["/v2/page", "/healthz", "/v2/healthz", "/v2/readyz"].map {
            (.get, $0, Endpoint(.anybody) { _ in Response(.ok) })
        } + [
            (.put, "/v2/page", Endpoint(.session) { _ in Response(.ok) }),
            (.get, "/v2/base", Endpoint(.anybody) { Response(.ok, fields: [("Location", $0.publicURL)]) }),
        ]
    private static let urls = ["https://a.example.org/v2", "http://b.example.org:8080/v2", "https://[2001:db8::1]/v2"]

    private static func ask(
        _ port: UInt16,
        _ host: String?,
        _ target: String,
        _ more: String = "",
        method: String = "GET"
    ) throws -> RawResponse {
        let client = try RawHTTP(port: port, limitMs: Patience.ms(30000))
        let version = host == nil ? "1.0" : "1.1"
        try client.send(
            Array("\(method) \(target) HTTP/\(version)\r\n\(host.map { "Host: \($0)\r\n" } ?? "")\(more)\r\n".utf8)
        )
        return try client.readResponse()
    }

    @Test("The hosts of the public URLs are accepted, with the scheme's port or without; others get 421")
    func hosts() async throws {
        try await PolicyServer.run(Self.routes, exclusiveURLs: Self.urls) { server throws in
            for host in [
                "a.example.org", "A.Example.ORG", "a.example.org:443", "b.example.org:8080", "[2001:db8::1]",
                "[2001:DB8::1]:443", "[2001:db8:0:0:0::1]", "[2001:0DB8::0001]:443",
            ] {
                #expect(try Self.ask(server.port, host, "/v2/page").status == 200, "\(host)")
            }
            for host in [
                "evil.example", "a.example.org:80", "a.example.org.", "b.example.org", "b.example.org:80",
                "127.0.0.1:\(server.port)",
                "[2001:db8::2]", "a.example.org.evil.example",
            ] {
                let answer = try Self.ask(server.port, host, "/v2/page")
                #expect(answer.status == 421 && answer.problem == "misdirected-request", "\(host)")
                #expect(answer.text.contains("https://a.example.org/v2"))
            }
            // An absolute target names the host, regardless of the Host field (RFC 9112, 3.2.2).
            #expect(try Self.ask(server.port, "a.example.org", "http://evil.example/v2/page").status == 421)
            #expect(try Self.ask(server.port, "evil.example", "http://b.example.org:8080/v2/page").status == 200)
        }
    }

    @Test("Health checks are answered for any host, and HTTP/1.0 needs none")
    func health() async throws {
        try await PolicyServer.run(Self.routes, exclusiveURLs: Self.urls) { server throws in
            for target in ["/healthz", "/v2/healthz", "/v2/readyz"] {
                #expect(try Self.ask(server.port, "127.0.0.1:\(server.port)", target).status == 200)
            }
            #expect(try Self.ask(server.port, nil, "/v2/page").status == 200)
        }
    }

    @Test("A trusted proxy may send any host, and forwarded fields of others are ignored")
    func proxies() async throws {
        let forwarded = "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Host: c.example.org\r\n"
        try await PolicyServer.run(Self.routes, exclusiveURLs: Self.urls) { server throws in
            let liar = forwarded.replacing("c.example.org", with: "a.example.org")
            #expect(try Self.ask(server.port, "evil.example", "/v2/page", liar).status == 421)
        }
        var limits = ServerLimits()
        limits.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
        try await PolicyServer.run(Self.routes, limits: limits, exclusiveURLs: Self.urls) { server throws in
            #expect(try Self.ask(server.port, "backend", "/v2/page", forwarded).status == 200)
        }
    }

    @Test("Links have the public URL with the host of the request, if possible with its scheme, else the first one")
    func links() async throws {
        let urls = Self.urls + ["http://a.example.org/v2", "https://c.example.org/cameras/v2"]
        let places = [
            ("b.example.org:8080", urls[1]), ("[2001:DB8:0::1]", urls[2]), ("A.example.org", urls[3]),
            ("c.example.org:443", urls[4]),
        ]
        try await PolicyServer.run(Self.routes, exclusiveURLs: urls) { server throws in
            for (host, url) in places { #expect(try Self.ask(server.port, host, "/v2/base")["Location"] == url) }
            #expect(try Self.ask(server.port, nil, "/v2/base")["Location"] == urls[0])
        }
        var limits = ServerLimits()
        limits.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
        try await PolicyServer.run(Self.routes, limits: limits, exclusiveURLs: urls) { server throws in
            for (host, scheme, url) in [
                ("a.example.org", "http", urls[3]), ("a.example.org", "https", urls[0]),
                ("c.example.org", "http", urls[4]),
                ("backend", "https", urls[0]),
            ] {
                let names = [("For", "192.0.2.1"), ("Proto", scheme), ("Host", host)]
                let fields = names.map { "X-Forwarded-\($0): \($1)\r\n" }.joined()
                let answer = try Self.ask(server.port, "backend", "/v2/base", fields)
                #expect(answer["Location"] == url, "\(scheme) \(host)")
            }
        }
    }

    @Test("A signature may spell the host as the request does: an IPv6 address, capitals, the scheme's own port")
    func respelledSignatures() async throws {
        try await PolicyServer.run(Self.routes, exclusiveURLs: Self.urls) { server throws in
            for (host, signed, problem) in [
                ("[2001:db8:0::1]", "https://[2001:db8:0::1]", ""), ("[2001:db8:0::1]", "https://[2001:db8::1]", ""),
                ("a.example.org:443", "https://a.example.org:443", ""), ("A.example.org", "https://A.example.org", ""),
                ("a.example.org", "https://a.example.org:443", ""), ("a.example.org:443", "https://a.example.org", ""),
                ("[2001:db8:0::1]", "https://[2001:db8:0::1]:443", ""),
                ("a.example.org", "https://a.example.org:80", "signature-invalid"),
                ("b.example.org:8080", "http://b.example.org:80", "signature-invalid"),
                ("[2001:db8:0::1]", "http://[2001:db8:0::1]", "signature-invalid"),
                ("a.example.org", "https://A.example.org", "signature-invalid"),
            ] {
                let fields = server.session.fields("PUT", "/v2/page", .one, origin: signed)
                let head = fields.map { "\($0): \($1)\r\n" }.joined() + "Content-Length: 0\r\n"
                let answer = try Self.ask(server.port, host, "/v2/page", head, method: "PUT")
                #expect(answer.problem == problem, "\(host) \(signed)")
            }
        }
    }

    @Test("A server without public URLs accepts any host")
    func anyHost() async throws {
        try await PolicyServer.run(Self.routes) { server throws in
            #expect(try Self.ask(server.port, "whatever.example", "/v2/page").status == 200)
        }
    }

    @Test("A signature over any of the public URLs is accepted, and over no other")
    func signatures() async throws {
        try await PolicyServer.run(Self.routes, exclusiveURLs: Self.urls + ["http://localhost/v2"]) { server throws in
            let client = try server.connect()
            for (origin, problem) in [
                ("https://a.example.org", ""), ("http://b.example.org:8080", ""), ("https://[2001:db8::1]", ""),
                ("http://localhost", ""), ("http://a.example.org", "signature-invalid"),
                ("http://127.0.0.1:\(server.port)", "signature-invalid"), ("https://localhost", "signature-invalid"),
            ] {
                let fields = server.session.fields("PUT", "/v2/page", .one, origin: origin)
                #expect(try client.ask("PUT", "/v2/page", fields: fields).problem == problem, "\(origin)")
            }
            // The request names this host and has no encryption; the public URL has another scheme.
            for (scheme, problem) in [("https", ""), ("http", "signature-invalid")] {
                let fields = server.session.fields("PUT", "/v2/page", .one, origin: scheme + "://a.example.org")
                let head = fields.map { "\($0): \($1)\r\n" }.joined() + "Content-Length: 0\r\n"
                #expect(try Self.ask(server.port, "a.example.org", "/v2/page", head, method: "PUT").problem == problem)
            }
        }
    }
}
