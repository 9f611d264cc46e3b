import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The trigger that tells servers of ended sessions.
struct SessionEndHintTests {
    /// The payloads that a statement of a superuser sends.
    private static func payloads(of statement: String, in world: World) async throws -> [String] {
        try await onThread { [address = world.connectionString] in
            let session = try BlockingSession(address)
            try session.execute("SET search_path = neuroviews; LISTEN \(HintBatch.channel)")
            try session.execute(statement)
            // Notifications come in the order of their commits.
            try session.execute("NOTIFY \(HintBatch.channel), 'last'")
            var payloads: [String] = []
            while payloads.last != "last" {
                payloads += try session.awaitNotifications(orWaking: -1, forMs: 1000).map(\.payload)
            }
            return Array(payloads.dropLast())
        }
    }

    @Test(
        "Each end of a session is announced, also by deletion",
        arguments: [
            "UPDATE sessions SET ended_at = now() WHERE user_id = 'USER'", "SELECT end_sessions('USER')",
            "DELETE FROM sessions WHERE user_id = 'USER'", "SELECT begin_account_erasure('USER', 'digest')",
            "SELECT replace_password('USER', 'hash')", "DELETE FROM users WHERE id = 'USER'",
            "SELECT rotate_token('USER', 'SESSION', -1, NULL, NULL, NULL)",
        ]
    )
    func announced(statement: String) async throws {
        try await World.with { world in
            let caller = try await world.newAccount(devices: 2)[0]
            _ = try await world.newAccount()
            let own = statement.replacing("USER", with: caller.userID).replacing("SESSION", with: caller.sessionID)
            let account = try #require(AccountID(caller.userID))
            #expect(try await Self.payloads(of: own, in: world) == ["1\(account.digits)"])
        }
    }

    @Test("Uses, refreshes and earlier ends of sessions are not announced, and more than 100 accounts are one word")
    func others() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for statement in [
                "UPDATE sessions SET last_used_at = now()",
                "SELECT rotate_token('\(caller.userID)', '\(caller.sessionID)', 1, NULL, NULL, NULL)",
                "UPDATE sessions SET ended_at = now() WHERE false",
            ] {
                #expect(try await Self.payloads(of: statement, in: world) == [], "\(statement)")
            }
            let end = "UPDATE sessions SET ended_at = now()"
            #expect(try await Self.payloads(of: end, in: world).count == 1)
            #expect(try await Self.payloads(of: end, in: world) == [])
            #expect(try await Self.payloads(of: "DELETE FROM sessions", in: world) == [])
            try await world.sql(
                """
                WITH many AS (
                    INSERT INTO users (email, password_hash) SELECT n || '@many.example', '-' FROM generate_series(1, 101) n RETURNING id
                )
                INSERT INTO sessions (user_id, key_id) SELECT id, '\(World.keys.current.kid)' FROM many
                """
            )
            #expect(try await Self.payloads(of: end, in: world) == ["*"])
        }
    }

    @Test("The end of 30,000 sessions is quick, also after the end of a single one on the same connection")
    func many() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.sql(
                """
                INSERT INTO sessions (user_id, key_id)
                SELECT '\(caller.userID)', '\(World.keys.current.kid)' FROM generate_series(1, 30000)
                """
            )
            try await onThread { [address = world.connectionString] in
                let session = try BlockingSession(address)
                try session.execute("SET search_path = neuroviews; SET statement_timeout = '20s'")
                try session.execute("UPDATE sessions SET ended_at = now() WHERE id = '\(caller.sessionID)'")
                try session.execute("UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL")
            }
        }
    }
}
