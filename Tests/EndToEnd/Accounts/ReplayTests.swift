import Foundation
import TestSupport
import Testing

@Suite("Signed requests that change something are accepted once", .blocking)
struct ReplayTests {
    private static let target = "/v2/configurations"

    private func post(_ device: Device, _ fields: APIClient.Fields, _ preset: Preset) throws -> String {
        try device.send("POST", Self.target, fields, body: #"{"configuration":\#(preset.json)}"#).verdict
    }

    private func signed(_ device: Device, _ preset: Preset) throws -> APIClient.Fields {
        let body = #"{"configuration":\#(preset.json)}"#
        return try device.signature("POST", device.client.origin + Self.target, body: body)
    }

    @Test("The second use of a signed request is refused, also after a conflict")
    func reuse() throws {
        let device = try Shared.signer()
        let preset = Preset()
        let first = try signed(device, preset)
        #expect(try post(device, first, preset) == "201")
        #expect(try post(device, first, preset) == "401 nonce-used")
        // A retry has a new signature.
        #expect(try post(device, signed(device, preset), preset) == "201")

        let other = preset.edited("Other", minute: 5)
        let conflicting = try signed(device, other)
        #expect(try post(device, conflicting, other) == "409 configuration-exists")
        #expect(try post(device, conflicting, other) == "401 nonce-used")
        let mismatching = try signed(device, other)
        #expect(try post(device, mismatching + [("If-None-Match", "*")], other) == "412 version-mismatch")
        #expect(try post(device, mismatching, other) == "401 nonce-used")
    }

    @Test("A nonce is bound to its session and its timestamp")
    func scope() throws {
        let device = try Shared.signer()
        let tablet = try device.other()
        let now = Int(Date().timeIntervalSince1970)
        for (device, time) in [(device, now), (tablet, now), (device, now + 1)] {
            let preset = Preset()
            let fields = try device.signature(
                "POST",
                device.client.origin + Self.target,
                body: #"{"configuration":\#(preset.json)}"#,
                timestamp: time,
                nonce: "the-same-\(now)"
            )
            #expect(try post(device, fields, preset) == "201")
        }
    }

    @Test("Signed GET and HEAD requests do not use the nonce up")
    func safeMethods() throws {
        let device = try Shared.signer()
        for method in ["GET", "HEAD"] {
            let fields = try device.signature(method, device.client.origin + Self.target)
            for _ in 0..<3 { #expect(try device.send(method, Self.target, fields).status == 200) }
        }
    }

    @Test("A signed POST that is sent 50 times at once is accepted once, and never again after SIGKILL")
    func flood() throws {
        let server = try ServerProcess(["--registration", "open", "--public-url", Shared.publicOrigin + "/v2"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let preset = Preset()
        let body = #"{"configuration":\#(preset.json)}"#
        let fields = try device.signature("POST", Shared.publicOrigin + Self.target, body: body)
        let request = APIClient.request(
            "POST",
            Self.target,
            host: server.client.host,
            [("Authorization", "Bearer \(device.token)")] + fields,
            body: Array(body.utf8)
        )
        let first = try flood(server, request)
        #expect(first.filter { $0 == "201" }.count == 1)
        #expect(first.filter { $0 == "401 nonce-used" }.count == 49)

        try server.kill()
        try server.start()
        #expect(try Set(flood(server, request)) == ["401 nonce-used"])

        let before = try server.postmaster()
        try server.killPostgres()
        try Deadline.wait("another PostgreSQL", seconds: 30) {
            (try? server.postmaster()).map { $0 != before } ?? false
        }
        try Deadline.wait("its answers", seconds: 30) {
            let verdicts = try flood(server, request)
            #expect(!verdicts.contains("201"))
            return Set(verdicts) == ["401 nonce-used"]
        }
        #expect(try server.sql("SELECT count(*) FROM configuration_versions") == ["1"])
    }

    /// Sends all but the last byte of each request, then all last bytes, then reads the answers.
    private func flood(_ server: ServerProcess, _ request: [UInt8]) throws -> [String] {
        let connections = try (0..<50).map { _ in try HTTPConnection(port: server.client.port) }
        for connection in connections { try connection.send(Array(request.dropLast())) }
        for connection in connections { try connection.send(Array(request.suffix(1))) }
        return try connections.map { try $0.receive()?.verdict ?? "closed" }
    }
}
