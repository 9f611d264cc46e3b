import Foundation
import Postgres
import TestSupport
import Testing

@Suite("A database failover, as operators see it", .blocking)
struct LineageChangeTests {
    @Test("A new lineage gives one warning and one count for any number of connections")
    func once() throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        let server = try ServerProcess([
            "--database-url", url, "--registration", "open", "--signatures", "optional", "--event-loops", "2",
        ])
        let device = try Device.new(server.client)
        let name = "neuroviews_database_lineage_changes_total"
        func count() throws -> Double? {
            try Exposition(server.adminClient.send("GET", "/metrics").text).value(name)
        }
        #expect(try count() == 0)
        #expect(!server.log.contains("database lineage"))

        for changes in 1...2 {
            try cluster.execute(
                """
                UPDATE neuroviews.lineage SET value = 'another one';
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """,
                in: url
            )
            try Deadline.wait("the warning", seconds: 30) { try count() == Double(changes) }
            try server.awaitReady()
            for _ in 0..<4 { #expect(try device.post(Preset().json).status == 201) }
            let lines = server.log.split(separator: "\n").filter { $0.contains("database lineage") }
            #expect(lines.count == changes && lines.allSatisfy { $0.contains("warning") }, "\(lines)")
            #expect(lines.last?.contains("another one, is ") == true, "\(lines)")
        }
        #expect(try count() == 2)
        #expect(try server.stop() == 0)
    }

    @Test("A server opens at most database_connections_max connections, and works with the minimum")
    func bounded() async throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        let server = try ServerProcess([
            "--database-url", url, "--registration", "open", "--signatures", "optional", "--event-loops", "2",
            "--database-connections-max", "12",
        ])
        let devices = try await onThread { try (0..<Self.count).map { _ in try Device.new(server.client) } }
        let most = try await withThrowingTaskGroup(of: Void.self) { group in
            // Each write keeps its connection while the table is locked.
            let holder = try BlockingSession(url)
            try holder.execute("BEGIN; LOCK TABLE neuroviews.sync_heads IN ACCESS EXCLUSIVE MODE")
            for device in devices {
                group.addTask {
                    let status = try await onThread { try device.post(Preset().json).status }
                    #expect(status == 201)
                }
            }
            let most = try Self.mostSessions(url)
            try holder.execute("COMMIT")
            try await group.waitForAll()
            return most
        }
        #expect((3...12).contains(most), "\(most)")
        #expect(try server.stop() == 0)
    }

    private static let count = 10

    /// The largest number of the server's database connections within two seconds, or until there are three.
    private static func mostSessions(_ url: String) throws -> Int {
        let session = try BlockingSession(url)
        let servers = """
            SELECT count(*) FROM pg_stat_activity a WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.mode = 'AccessExclusiveLock' AND l.granted)
            """
        let end = ContinuousClock.now + .seconds(2)
        var most = 0
        func look() throws { most = max(most, try session.execute(servers).first?.int(0) ?? 0) }
        while ContinuousClock.now < end { try look() }
        // On a busy machine the first ones take longer.
        try Deadline.wait("three connections", seconds: 20) {
            try look()
            return most >= 3
        }
        return most
    }
}
