import CloudSync
import Postgres
import TestSupport
import Testing

/// The deletion of old attempts and addresses.
struct AttemptSweepTests {
    @Test("The sweep deletes expired attempts and those too far in the future, and keeps the others")
    func attempts() async throws {
        try await World.with { world in
            try await world.sql(
                """
                INSERT INTO attempts SELECT gen_random_uuid(), key::bytea, now() + seconds * interval '1 second'
                FROM (VALUES ('over', -1), ('counts', 900), ('longest', 3600), ('put back', 86400)) v(key, seconds)
                """
            )
            try await world.sweep("attempts")
            let rows = try await world.sql("SELECT encode(key, 'escape') FROM attempts ORDER BY ends_at")
            #expect((0..<rows.count).map { rows[$0].text(0) } == ["counts", "longest"])
        }
    }

    @Test("One run of the sweep deletes more attempts than one step takes")
    func many() async throws {
        try await World.with { world in
            try await world.sql(
                "INSERT INTO attempts SELECT gen_random_uuid(), 'k', now() - interval '1 s' FROM generate_series(1, 2500)"
            )
            try await world.sweep("attempts")
            #expect(try await world.sql("SELECT FROM attempts").count == 0)
        }
    }

    @Test("Known addresses are deleted 90 days after their last login, and locked ones are skipped")
    func addresses() async throws {
        try await World.with { world in
            try await world.newAccount("ada@example.org", addresses: ["10.0.0.1", "10.0.0.2", "10.0.0.3"])
            for (address, days) in [("10.0.0.1", 89), ("10.0.0.2", 91), ("10.0.0.3", 91)] {
                try await world.sql(
                    "UPDATE known_addresses SET last_login_at = now() - interval '\(days) days' WHERE address = '\(address)'"
                )
            }
            let login = try await onThread { [connectionString = world.connectionString] in
                let session = try BlockingSession(connectionString)
                try session.execute(
                    "BEGIN; SELECT FROM neuroviews.known_addresses WHERE address = '10.0.0.3' FOR UPDATE"
                )
                return Login(session: session)
            }
            func swept() async throws -> [String?] {
                try await world.sweep("known addresses")
                let rows = try await world.sql("SELECT host(address) FROM known_addresses ORDER BY address")
                return (0..<rows.count).map { rows[$0].text(0) }
            }
            #expect(try await swept() == ["10.0.0.1", "10.0.0.3"])
            try await onThread { _ = try login.session.execute("ROLLBACK") }
            #expect(try await swept() == ["10.0.0.1"])
        }
    }

    /// The open transaction of a login. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Login: @unchecked Sendable {
        let session: BlockingSession
    }
}
