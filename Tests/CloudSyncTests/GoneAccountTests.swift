import CloudSync
import JSON
import Postgres
import TestSupport
import Testing

/// Writes for an account that is deleted while they wait for its head.
struct GoneAccountTests {
    private typealias Write = @Sendable (ConfigurationService, Caller) async throws -> Void

    private static let writes: [(name: String, write: Write)] = [
        ("create", { _ = try await $0.create(document(), for: $1).get() }),
        ("create once", { _ = try await $0.create(document(), WriteConditions(), key, for: $1).get() }),
        ("replace", { _ = try await $0.update(WriteRule.id, document(), for: $1).get() }),
        ("delete", { _ = try await $0.delete(WriteRule.id, for: $1).get() }),
        ("batch", { _ = try await $0.batch([.create(document())], for: $1) }),
        ("batch once", { _ = try await $0.batch([.create(document())], key, for: $1) }),
    ]

    private static let key = IdempotencyKey("k", requestDigest: [1])

    private static func document() throws -> ConfigurationDocument {
        try Document("A", id: WriteRule.id, edited: 1).parsed()
    }

    @Test("They are answered as those of an ended session, and nothing is stored")
    func ended() async throws {
        try await World.with { world in
            // A new connection looks at the heads, too.
            let other = try await world.newAccount()[0]
            let first = Task(executorPreference: world.loops[0]) {
                try await world.servers[0].delete(WriteRule.id, for: other).get()
            }
            _ = await first.result
            for (name, write) in Self.writes {
                let caller = try await world.newAccount()[0]
                let deletion = try await Deletion(of: caller, in: world)
                let answer = Task(executorPreference: world.loops[0]) { try await write(world.servers[0], caller) }
                try await eventually { try await Self.isWaited(in: world) }
                try await deletion.commit()
                await #expect {
                    try await answer.value
                } throws: { error in
                    if case CloudSyncError.unauthenticated(.sessionEnded) = error { true } else { false }
                }
                await #expect {
                    try await write(world.servers[1], caller)
                } throws: { error in
                    if case CloudSyncError.unauthenticated(.sessionEnded) = error { true } else { false }
                }
                let stored = try await world.sql(
                    """
                    SELECT FROM configurations UNION ALL SELECT FROM configuration_versions
                    UNION ALL SELECT FROM configuration_conflicts UNION ALL SELECT FROM idempotency_keys
                    """
                )
                #expect(stored.count == 0, "\(name)")
            }
        }
    }

    private static func isWaited(in world: World) async throws -> Bool {
        try await world.sql(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count > 0
    }

    /// A transaction that has deleted an account and is not committed yet.
    private struct Deletion: @unchecked Sendable {
        // One thread after the other uses it.
        private let session: BlockingSession

        init(of caller: Caller, in world: World) async throws {
            self = try await onThread { [connectionString = world.connectionString] in
                let session = try BlockingSession(connectionString)
                try session.execute(
                    "BEGIN; SET search_path = neuroviews; DELETE FROM users WHERE id = '\(caller.userID)'"
                )
                return Deletion(session)
            }
        }

        private init(_ session: BlockingSession) { self.session = session }

        func commit() async throws { try await onThread { _ = try session.execute("COMMIT") } }
    }
}
