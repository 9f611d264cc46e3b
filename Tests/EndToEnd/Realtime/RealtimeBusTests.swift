import Foundation
import TestSupport
import Testing

@Suite("Hints between two servers", .blocking)
struct RealtimeBusTests {
    @Test("Writes and ends of sessions reach a socket at another server, also after the connections for hints broke")
    func twoServers() throws {
        let first = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let places = ["--database-url", first.connectionString, "--secret-file", first.data + "/secret.key"]
        let second = try ServerProcess(places + ["--signatures", "optional", "--media-jobs", "0"])
        let tablet = try Device.new(first.client)
        var there = tablet
        there.client = second.client
        let socket = try there.socket()
        try Self.expectNotice(of: tablet, at: socket)
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(LISTEN|NOTIFY)'"
        #expect(try first.sql(cut, role: "neuroviews") == ["t", "t"])
        for server in [first, second] {
            try Deadline.wait("the loss", seconds: 20) { server.log.contains("not_listening") }
        }
        try Self.expectNotice(of: tablet, at: socket)
        #expect(try tablet.send("POST", "/v2/auth/logout").status == 204)
        #expect(try socket.closeFrame()?.closeCode == 4001)
        #expect(try second.stop() == 0)
        #expect(try first.stop() == 0)
    }

    /// Writes, and expects the notice of the new head.
    private static func expectNotice(of device: Device, at socket: WebSocketClient) throws {
        let head = try #require(try device.post(Preset().json).field("sync-head"))
        let notice = try socket.message("account_changed") { message in
            (message["data"] as? [String: Any])?["configurations"] as? String == head
        }
        #expect(notice != nil)
    }
}
