import CloudSync
import Postgres
import TestSupport
import Testing

/// With what merges and patches were put together is forgotten by its age.
struct MergeSweepTests {
    /// So many records of an item, each a day older than the one before.
    private static func records(_ count: Int, _ world: World) async throws {
        let caller = try await world.newAccount()[0]
        _ = try await world.servers[0].create(Document("A", id: WriteRule.id, edited: 1).parsed(), for: caller)
        try await world.sql(
            """
            INSERT INTO configuration_merges (user_id, id, digest, base_version, stored_version, created_at)
            SELECT user_id, id, digest, 0, n, now() - n * interval '1 day'
            FROM configurations, generate_series(1, \(count)) n
            """
        )
    }

    private static func kept(_ world: World) async throws -> Int {
        try await world.sql("SELECT count(*) FROM configuration_merges").first?.int(0) ?? -1
    }

    @Test("The old ones go, however many, and the others stay; without a limit all do")
    func byAge() async throws {
        try await World.with { world in
            try await Self.records(450, world)
            try await MergeSweep(database: world.databases[0], keptDays: 0).run()
            #expect(try await Self.kept(world) == 450)
            try await MergeSweep(database: world.databases[0], keptDays: 10).run()
            #expect(try await Self.kept(world) == 9)
            let oldest = try await world.sql("SELECT max(stored_version) FROM configuration_merges").first?.int(0)
            #expect(oldest == 9)
        }
    }

    @Test("What another transaction has locked is not waited for; a user who is writing does not matter")
    func locked() async throws {
        try await World.with { world in
            try await Self.records(5, world)
            let holder = try await onThread { [connectionString = world.connectionString] in
                let holder = try BlockingSession(connectionString)
                try holder.execute(
                    """
                    BEGIN; SELECT FROM neuroviews.configuration_merges WHERE stored_version = 4 FOR UPDATE;
                    SELECT FROM neuroviews.sync_heads FOR UPDATE
                    """
                )
                return Holder(session: holder)
            }
            let sweep = MergeSweep(database: world.databases[0], keptDays: 2)
            // Waiting would end with the database's lock_timeout.
            try await sweep.run()
            #expect(try await Self.kept(world) == 2)
            try await onThread { _ = try holder.session.execute("ROLLBACK") }
            try await sweep.run()
            #expect(try await Self.kept(world) == 1)
        }
    }

    /// A transaction that one thread after the other uses.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    @Test("What is there when the column comes counts from then")
    func upgrade() async throws {
        let address = try await onThread { try TestCluster.shared.get().makeDatabase() }
        let ages = try await onThread { () -> Rows in
            _ = try World.migrator(upTo: 6).run(address)
            let session = try BlockingSession(address)
            try session.execute(
                """
                SET search_path = neuroviews;
                INSERT INTO users (email, password_hash) VALUES ('a@example.org', '-');
                INSERT INTO sync_heads (user_id) SELECT id FROM users;
                INSERT INTO configurations (user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at)
                SELECT id, id, 'x', '{}', 'x', 1, 1, now(), now() FROM users;
                INSERT INTO configuration_merges SELECT id, id, 'x', 0, 1 FROM users
                """
            )
            _ = try World.migrator.run(address)
            return try session.execute("SELECT now() - created_at < interval '1 hour' FROM configuration_merges")
        }
        #expect(ages.count == 1)
        #expect(ages.first?.bool(0) == true)
    }
}
