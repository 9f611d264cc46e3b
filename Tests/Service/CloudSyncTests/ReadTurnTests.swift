import Net
import Postgres
import TestSupport
import Testing

@testable import CloudSync

struct ReadTurnTests {
    /// Takes so many milliseconds of PostgreSQL.
    private static let slow = Query<Void>("SELECT pg_sleep($2::int / 1000.0) FROM users WHERE id = $1::uuid")

    /// The same in the background role, without an account.
    private static let slowForAnyone = Query<Void>("SELECT pg_sleep($1::int / 1000.0)")

    private static func read(_ ms: Int, for caller: Caller, in world: World) async throws {
        _ = try await CallerDatabase(world.databases[0]).read(for: caller, slow(.text(caller.userID), .int(ms)))
    }

    /// Whether a request waits for a connection of the pool.
    private static func hasWaiting(_ pool: String, in world: World) async -> Bool {
        await world.databases[0].statistics().contains { $0.pool == pool && $0.waiting > 0 }
    }

    @Test("An account with many long reads leaves a connection to the reads of others")
    func turns() async throws {
        try await World.with { world in
            let (greedy, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            // The connections are open, and the time of the account's reads is known.
            for _ in 0..<5 { try await Self.read(30, for: greedy, in: world) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.read(200, for: greedy, in: world) } }
                try await eventually { await Self.hasWaiting("read", in: world) }
                try await Self.read(0, for: other, in: world)
                #expect(await Self.hasWaiting("read", in: world))
                try await group.waitForAll()
            }
        }
    }

    @Test("A read does not wait for another request that notes their session, and a later read notes it")
    func notedByAnother() async throws {
        try await World.with { world in
            let (caller, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            func isNoted() async throws -> Bool? {
                let noted = "SELECT confirmed_at IS NOT NULL FROM sessions WHERE id = '\(caller.sessionID)'"
                return try await world.sql(noted).first?.bool(0)
            }
            // It holds the session's row, and is rolled back.
            try await CallerDatabase(world.databases[1]).transaction(for: caller) { transaction in
                _ = try await transaction.run(Self.slow(.text(caller.userID), .int(0)))
                for reader in [caller, caller, other] { try await Self.read(0, for: reader, in: world) }
            }
            #expect(try await isNoted() == false)
            try await Self.read(0, for: caller, in: world)
            #expect(try await isNoted() == true)
        }
    }

    @Test("A site of strangers with many long requests leaves a connection to others")
    func sites() async throws {
        try await World.with { world in
            let database = CallerDatabase(world.databases[0])
            // The connections are open, and the time of the site's requests is known.
            for _ in 0..<5 { _ = try await database.background(Self.slowForAnyone(.int(30)), share: "192.0.2.1") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = try await database.background(Self.slowForAnyone(.int(200)), share: "192.0.2.1")
                    }
                }
                try await eventually { await Self.hasWaiting("background", in: world) }
                _ = try await database.background(Self.slowForAnyone(.int(0)), share: "192.0.2.2")
                #expect(await Self.hasWaiting("background", in: world))
                try await group.waitForAll()
            }
        }
    }
}
