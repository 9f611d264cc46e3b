import CloudSync
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

/// Writes for an account that is deleted while they wait for its head, and rows that name a deleted account.
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

    @Test("Writes of a deleted account are answered like those of an ended session")
    func ended() async throws {
        try await World.with { world in
            // Opens the connection first: a new connection reads the heads too.
            let other = try await world.newAccount()[0]
            let first = Task(executorPreference: world.loops[0]) {
                try await world.servers[0].delete(WriteRule.id, for: other).get()
            }
            _ = await first.result
            for (name, write) in Self.writes {
                let caller = try await world.newAccount()[0]
                let deletion = try await OpenTransaction(
                    "DELETE FROM users WHERE id = '\(caller.userID)'",
                    in: world
                )
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

    @Test("A deleted account's versions are deleted, also those of a concurrent write")
    func versions() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for collection in ["configurations", "recordings"] {
                let versions = collection.dropLast() + "_versions"
                func add(_ version: Int) -> String {
                    """
                    INSERT INTO \(versions)
                        (user_id, id, version, seq, chain, sent_digest, changed_at, edited_at, author, by_device)
                    VALUES ('\(caller.userID)', '\(WriteRule.id)', \(version), \(version), '', '', now(), now(), '', false)
                    """
                }
                try await world.sql(add(1))
                let write = try await OpenTransaction(
                    """
                    SELECT FROM sync_heads WHERE user_id = '\(caller.userID)' AND collection = '\(collection)' FOR UPDATE;
                    \(add(2))
                    """,
                    in: world
                )
                let deletion = Task {
                    try await world.sql(
                        "DELETE FROM sync_heads WHERE user_id = '\(caller.userID)' AND collection = '\(collection)'"
                    )
                }
                try await eventually { try await Self.isWaited(in: world) }
                try await write.commit()
                _ = try await deletion.value
                #expect(try await world.sql("SELECT FROM \(versions)").count == 0)
            }
        }
    }

    @Test("An erasure deletes the registration of the account's address, and no other one")
    func registration() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('ada@example.org', '-')")
            for email in ["Ada@example.org", "ben@example.org"] {
                try await world.sql("SELECT request_registration('\(email)', '-')")
            }
            try await world.sql("SELECT begin_account_erasure(id, sha256('ada')) FROM users")
            let left = try await world.sql("SELECT email FROM registrations")
            #expect((0..<left.count).map { left[$0].text(0) } == ["ben@example.org"])
        }
    }

    private static func isWaited(in world: World) async throws -> Bool {
        try await world.sql(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count > 0
    }

    /// An uncommitted transaction.
    private struct OpenTransaction: @unchecked Sendable {
        // Only one thread at a time uses it.
        private let session: BlockingSession

        init(_ sql: String, in world: World) async throws {
            self = try await onThread { [connectionString = world.connectionString] in
                let session = try BlockingSession(connectionString)
                try session.execute("BEGIN; SET search_path = neuroviews; \(sql)")
                return OpenTransaction(session)
            }
        }

        private init(_ session: BlockingSession) { self.session = session }

        func commit() async throws { try await onThread { _ = try session.execute("COMMIT") } }
    }
}
