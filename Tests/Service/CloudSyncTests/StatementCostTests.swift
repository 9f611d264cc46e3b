import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The blocks that statements read in an account with many rows. A block has many rows, so reading all rows for each
/// row would take more blocks than there are rows.
struct StatementCostTests {
    private static let many = 20_000
    /// Many rows have several times as many blocks.
    private static let fewBlocks = 100

    /// An item with versions, and losers of conflicts. A further loser became a version later.
    private static func fill(_ caller: Caller, versions: Int, losers: Int = 0, in world: World) async throws {
        let key = "'\(caller.userID)', '\(BatchTests.id(1))'"
        let (digest, chain) = ("sha256(n::text::bytea)", "substr(sha256(n::text::bytea), 1, 16)")
        try await world.sql(
            """
            INSERT INTO configurations
                (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
            SELECT \(key), '\(BatchTests.id(1))', '{"name":"A"}', \(digest), n, n, \(chain), now(), now()
            FROM (VALUES (\(versions))) v(n);
            INSERT INTO configuration_versions
                (user_id, id, version, seq, chain, digest, sent_digest, changed_at, edited_at, author, by_device, preset)
            SELECT \(key), n, n, \(chain), \(digest), '', now(), now(), '-', true, 'A'
            FROM generate_series(1, \(versions)) n;
            INSERT INTO configuration_conflicts (user_id, id, digest, document, base_version, edited_at)
            SELECT \(key), \(digest), '{}', 1, now()
            FROM generate_series(\(versions), \(versions + losers)) n
            """
        )
    }

    /// The blocks of all tables and indexes that the session has read so far.
    static let readBlocks = Query(
        """
        SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::bigint FROM pg_class
        WHERE relnamespace = 'neuroviews'::regnamespace
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// The number of blocks that a step reads with the plan that requests have. EXPLAIN would make another one, for its
    /// parameters alone.
    static func blocks(_ step: Step, of caller: Caller, in world: World) async throws -> Int {
        let read = readBlocks()
        let results = try await world.databases[0].read([caller.enter, read.step, step, read.step], on: .large)
        let counts = try read.values(of: results[1]) + read.values(of: results[3])
        return counts[1] - counts[0]
    }

    /// The first page of conflicts, or the one after all of the items up to `item`.
    private static func page(of caller: Caller, after item: String? = nil) -> BoundQuery<AccountConflict?> {
        let digest = item == nil ? Parameter.null : .bytes([UInt8](repeating: 255, count: 32))
        return HistorySQL.accountConflicts(.text(caller.userID), .text(item), digest, .int(101), .int(1 << 20))
    }

    /// The parameters of the figures from a day until 2069.
    private static func usage(of caller: Caller, from day: Int = 0) -> [Parameter] {
        [.text(caller.userID), .int(day), .int(36_500), .text("UTC")]
    }

    @Test("The list of all conflicts reads the versions of an item once, for any number of its losers")
    func conflicts() async throws {
        try await World.with { world in
            let (caller, losers) = (try await world.newAccount()[0], 100)
            try await Self.fill(caller, versions: Self.many, losers: losers, in: world)
            let page = Self.page(of: caller)
            let blocks = try await Self.blocks(page.step, of: caller, in: world)
            #expect((1..<Self.many).contains(blocks), "\(blocks) blocks")
            let database = CallerDatabase(world.databases[0])
            let listed = try await database.read(for: caller, on: .large, page)
            #expect(listed.count == losers)
        }
    }

    @Test("A late page of all conflicts reads no losers of earlier items")
    func lateConflicts() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.fill(caller, versions: 1, losers: Self.many, in: world)
            let page = Self.page(of: caller, after: BatchTests.id(2))
            let blocks = try await Self.blocks(page.step, of: caller, in: world)
            #expect((1..<Self.fewBlocks).contains(blocks), "\(blocks) blocks")
        }
    }

    @Test("A late page of an item's versions reads no newer versions")
    func lateVersions() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.fill(caller, versions: Self.many, in: world)
            let page = HistorySQL.versions(.text(caller.userID), .text(BatchTests.id(1)), .int(100), .int(11))
            let blocks = try await Self.blocks(page.step, of: caller, in: world)
            #expect((1..<Self.fewBlocks).contains(blocks), "\(blocks) blocks")
        }
    }

    @Test("Figures of changes read the versions of an item once, for any number of them")
    func changes() async throws {
        try await World.with { world in
            let (caller, versions) = (try await world.newAccount()[0], 2000)
            try await Self.fill(caller, versions: versions, in: world)
            let changes = ItemUsageSQL.changes(Self.usage(of: caller))
            let blocks = try await Self.blocks(changes.step, of: caller, in: world)
            #expect((1..<versions).contains(blocks), "\(blocks) blocks")
        }
    }

    @Test("Figures of changes read no items and no versions from before the range")
    func unchanged() async throws {
        try await World.with { world in
            let (caller, first) = (try await world.newAccount()[0], 36_500)
            try await Self.fill(caller, versions: Self.many, in: world)
            let start = "'epoch'::timestamptz + \(first) * interval '1 day'"
            try await world.sql(
                """
                INSERT INTO configurations
                    (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
                SELECT '\(caller.userID)', gen_random_uuid(), n, '{}', '', 1, n, '', now(), now()
                FROM generate_series(1, \(Self.many - 1)) n;
                UPDATE configurations SET changed_at = \(start) WHERE seq = \(Self.many);
                UPDATE configuration_versions SET changed_at = \(start) WHERE seq = \(Self.many)
                """
            )
            let changes = ItemUsageSQL.changes(Self.usage(of: caller, from: first))
            let blocks = try await Self.blocks(changes.step, of: caller, in: world)
            #expect((1..<Self.fewBlocks).contains(blocks), "\(blocks) blocks")
            let listed = try await CallerDatabase(world.databases[0]).read(for: caller, on: .large, changes)
            #expect(listed.map { $0.count } == [1, 1])
        }
    }

    @Test("Figures of presets read for each recording only the version that it names")
    func presets() async throws {
        try await World.with { world in
            let (caller, recordings) = (try await world.newAccount()[0], 500)
            try await Self.fill(caller, versions: Self.many, in: world)
            try await world.sql(
                """
                INSERT INTO recording_files (user_id, id, spelled_id, object_key, size, content_type, expires_at,
                    recorded_at, configuration_id, configuration_version)
                SELECT user_id, gen_random_uuid(), version, version, 1, 'video/mp4', now(),
                    now(), id, version || '-' || encode(substr(chain, 1, 6), 'hex')
                FROM configuration_versions WHERE version > \(Self.many - recordings)
                """
            )
            let presets = ItemUsageSQL.presets(Self.usage(of: caller))
            let blocks = try await Self.blocks(presets.step, of: caller, in: world)
            #expect((1..<Self.many).contains(blocks), "\(blocks) blocks")
            let listed = try await CallerDatabase(world.databases[0]).read(for: caller, on: .large, presets)
            #expect(listed.map(\.recordings) == [recordings])
        }
    }
}
