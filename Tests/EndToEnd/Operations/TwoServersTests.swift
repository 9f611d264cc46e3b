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

    @Test("A write through one is in the other's next delta")
    func delta() throws {
        let (first, second) = try pair()
        var token = try second.pull().string("sync_token")
        for number in 0..<10 {
            let preset = Preset("Preset \(number)")
            #expect(try (number % 2 == 0 ? first : second).post(preset.json).status == 201)
            let delta = try (number % 2 == 0 ? second : first).pull("sync_token=\(token)")
            #expect(delta.rawElements("configurations") == [preset.json])
            token = delta.string("sync_token")
        }
    }

    @Test("Logging out at one ends the session at the other; refreshing at both gives the same counter")
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

    @Test("A signed request sent to both, 25 times each at once, is accepted once")
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

    @Test("Writers at both at once leave a gapless sequence, and every reader ends with the same set")
    func writers() async throws {
        let (first, second) = try pair()
        let start = try first.pull().string("sync_token")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in [first, second, first, second] {
                group.addTask {
                    for _ in 0..<10 { _ = try device.post(Preset().json) }
                }
            }
            try await group.waitForAll()
        }
        let full = try first.pull()
        #expect(full.rawElements("configurations").count == 40)
        #expect(full.string("sync_token").hasPrefix("40."))
        #expect(
            try second.pull("sync_token=\(start)").rawElements("configurations") == full.rawElements("configurations")
        )
    }
}
