import Foundation
import TestSupport
import Testing

@Suite("Two servers on one database", .blocking)
struct TwoServersTests {
    /// A second server on the shared server's database.
    private static let second = Result {
        let first = try Shared.server.get()
        let places = ["--database-url", first.connectionString, "--secret-file", first.data + "/secret.key"]
        return try ServerProcess(places + ["--signatures", "optional", "--media-jobs", "0"])
    }

    private func pair() throws -> (first: Device, second: Device) {
        let first = try Shared.newDevice()
        var second = first
        second.client = try Self.second.get().client
        return (first, second)
    }

    @Test("Logout at one server ends the session at the other, and refreshes give the same counter")
    func sessions() throws {
        let (first, second) = try pair()
        var (a, b) = (first, second)
        a.token = try first.send("POST", "/v2/auth/refresh").string("token")
        b.token = try second.send("POST", "/v2/auth/refresh").string("token")
        #expect(a.claims["ctr"] as? Int == 2)
        #expect(b.claims["ctr"] as? Int == 2)
        #expect(try first.send("POST", "/v2/auth/logout").status == 204)
        for device in [second, b] { #expect(try device.pull().verdict == "401 session-ended") }
    }

    @Test("A signed request sent 25 times to each of two servers at once is accepted once")
    func replay() throws {
        let (first, second) = try pair()
        let body = #"{"configuration":\#(Preset().json)}"#
        // Both servers trust the Host field of a request.
        let url = "http://cloud.example.org/v2/configurations"
        let fields = try first.signature("POST", url, body: body) + [("Authorization", "Bearer \(first.token)")]
        let bytes = APIClient.request(
            "POST",
            "/v2/configurations",
            host: "cloud.example.org",
            fields,
            body: Array(body.utf8)
        )
        let connections = try (0..<50).map { index in
            try HTTPConnection(port: (index % 2 == 0 ? first : second).client.port)
        }
        for connection in connections { try connection.send(Array(bytes.dropLast())) }
        for connection in connections { try connection.send(Array(bytes.suffix(1))) }
        let verdicts = try connections.map { try $0.receive()?.verdict ?? "closed" }
        #expect(verdicts.filter { $0 == "201" }.count == 1)
        #expect(verdicts.filter { $0 == "401 nonce-used" }.count == 49)
    }
}
