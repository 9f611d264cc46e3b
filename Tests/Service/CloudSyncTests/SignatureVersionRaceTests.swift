import Postgres
import TestSupport
import Testing

@Suite("Concurrent signatures of different versions in one session")
struct SignatureVersionRaceTests {
    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    @Test("A request that began before a higher version's commit is accepted and does not lower it")
    func raised() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let session = caller.sessionID
            let enter = { @Sendable (version: Int) in
                "SELECT FROM neuroviews.enter_session('\(caller.userID)', '\(session)', 1, \(version))"
            }
            let connectionString = world.connectionString
            let higher = try await onThread {
                let holder = Holder(session: try BlockingSession(connectionString))
                try holder.session.execute("BEGIN; \(enter(3))")
                return holder
            }
            async let lower: Void = onThread { _ = try BlockingSession(connectionString).execute(enter(2)) }
            try await eventually {
                let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                return try await world.sql("SELECT \(waiting)").count == 1
            }
            try await onThread { _ = try higher.session.execute("COMMIT") }
            try await lower
            let stored = try await world.sql("SELECT signature_version FROM sessions WHERE id = '\(session)'")
            #expect(stored.first?.int(0) == 3)
            await #expect(throws: DatabaseError.self) {
                try await onThread { _ = try BlockingSession(connectionString).execute(enter(2)) }
            }
        }
    }
}
