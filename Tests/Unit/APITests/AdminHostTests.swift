import HTTP
import Net
import TestSupport
import Testing

@testable import API

@Suite("Hosts of the admin listener", .timeLimit(.minutes(Patience.minutes(1))))
struct AdminHostTests {
    /// Starts an admin listener for these names, and passes its port.
    private static func run(_ names: [String], _ client: @escaping @Sendable (UInt16) throws -> Void) async throws {
        let address = try #require(SocketAddress("127.0.0.1:0"))
        let admin = try AdminApplication(hosts: AdminHosts(names), isReady: { nil }, metrics: { "a 1\n" })
        var limits = ServerLimits()
        limits.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
        try await withLoops { [limits] loops in
            let server = Server(
                try Listener(address),
                loops: loops,
                limits: limits,
                fixedFields: admin.fixedFields,
                refusal: admin.refuse,
                handler: admin.respond
            )
            try await server.start()
            let port = server.address.port
            let result: Result<Void, any Error>
            do { result = .success(try await onThread { try client(port) }) } catch { result = .failure(error) }
            await server.drain(timeoutMs: 3000)
            try result.get()
        }
    }

    private static func status(_ port: UInt16, _ host: String?, _ target: String, _ more: String = "") throws -> Int {
        let client = try RawHTTP(port: port, limitMs: Patience.ms(30000))
        let lines = host.map { " HTTP/1.1\r\nHost: \($0)\r\n" } ?? " HTTP/1.0\r\n"
        try client.send(Array("GET \(target)\(lines)\(more)\r\n".utf8))
        return try client.readResponse().status
    }

    @Test("The metrics are for IP addresses and the given names with any port; another host gets 421")
    func metrics() async throws {
        try await Self.run(["localhost", "Camera-Store", "cloud.example.org:8443", "[2001:DB8::1]:80"]) { port throws in
            for host in [
                "127.0.0.1:\(port)", "192.0.2.7", "[::1]:\(port)", "[2001:db8::1]", "localhost:\(port)", "LOCALHOST",
                "camera-store:80", "cloud.example.org", "Cloud.Example.ORG.:8081",
            ] { #expect(try Self.status(port, host, "/metrics") == 200, "\(host)") }
            for host in [
                "evil.example", "evil.example:8081", "127.0.0.1.evil.example", "localhost.evil.example", "example.org",
            ] {
                #expect(try Self.status(port, host, "/metrics") == 421, "\(host)")
                #expect(try Self.status(port, host, "/nothing") == 421, "\(host)")
            }
            #expect(try Self.status(port, nil, "/metrics") == 200)
            #expect(try Self.status(port, "localhost", "http://evil.example/metrics") == 421)
        }
    }

    @Test("A page that writes a proxy's fields is no proxy for the admin listener")
    func forwarded() async throws {
        let fields = "X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: localhost\r\n"
        try await Self.run(["localhost"]) { port throws in
            #expect(try Self.status(port, "evil.example", "/metrics", fields) == 421)
        }
    }

    @Test("Health and readiness are for any host")
    func probes() async throws {
        try await Self.run([]) { port throws in
            for target in ["/healthz", "/readyz", "/readyz?verbose"] {
                #expect(try Self.status(port, "evil.example", target) == 200, "\(target)")
            }
        }
    }

    @Test("The names of a machine are localhost, its own, that without the domain, and that of mDNS")
    func machine() {
        let label = HostName.own.prefix { $0 != "." }
        #expect(HostName.all == ["localhost", HostName.own, String(label), "\(label).local"])
    }
}
