import Postgres
import TestSupport
import Testing

@testable import CloudSync

struct ConflictCostTests {
    private static let (versions, losers) = (20_000, 100)

    /// An item with many versions and many losers. A further loser became a version later.
    private static func fill(_ caller: Caller, in world: World) async throws {
        let key = "'\(caller.userID)', '\(BatchTests.id(1))'"
        let (digest, chain) = ("sha256(n::text::bytea)", "substr(sha256(n::text::bytea), 1, 16)")
        try await world.sql(
            """
            INSERT INTO configurations
                (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
            SELECT \(key), '\(BatchTests.id(1))', '{"name":"A"}', \(digest), n, n, \(chain), now(), now()
            FROM (VALUES (\(versions))) v(n);
            INSERT INTO configuration_versions
                (user_id, id, version, seq, chain, digest, sent_digest, changed_at, edited_at, author, by_device)
            SELECT \(key), n, n, \(chain), \(digest), '', now(), now(), '-', true
            FROM generate_series(1, \(versions)) n;
            INSERT INTO configuration_conflicts (user_id, id, digest, document, base_version, edited_at)
            SELECT \(key), \(digest), '{}', 1, now()
            FROM generate_series(\(versions), \(versions + losers)) n
            """
        )
    }

    /// The first page, which has all of them.
    private static func page(of caller: Caller) -> BoundQuery<AccountConflict?> {
        HistorySQL.accountConflicts(.text(caller.userID), .null, .null, .int(losers + 1), .int(1 << 20))
    }

    /// The number of blocks that the page reads.
    private static func blocks(of caller: Caller, in world: World) async throws -> Int {
        let step = page(of: caller).step
        let sql = "EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) \(step.sql)"
        let explained = Query<String>(sql) { columns throws(UnexpectedResult) in try columns.next() }
        let database = CallerDatabase(world.databases[0])
        let plan = try await database.read(for: caller, on: .large, explained(step.parameters))
        let total = try #require(plan.first { $0.contains("Buffers: shared") })
        let counts = total.split(separator: " ").filter { $0.hasPrefix("hit=") || $0.hasPrefix("read=") }
        return counts.compactMap { Int($0.drop { $0 != "=" }.dropFirst()) }.reduce(0, +)
    }

    @Test("The list of all conflicts reads the versions of an item once, for any number of its losers")
    func once() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.fill(caller, in: world)
            // A block has many versions, so reading all of them for each loser would take more blocks than versions.
            let blocks = try await Self.blocks(of: caller, in: world)
            #expect((1..<Self.versions).contains(blocks), "\(blocks) blocks")
            let database = CallerDatabase(world.databases[0])
            let listed = try await database.read(for: caller, on: .large, Self.page(of: caller))
            #expect(listed.count == Self.losers)
        }
    }
}
