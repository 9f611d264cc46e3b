import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// Retention on a real database. Time passes by moving what is stored into the past.
struct RetentionTests {
    private static func limits(_ versions: Int = 0, days: Int = 0, conflicts: Int = 0, conflictDays: Int = 0)
        -> Retention.Limits
    {
        Retention.Limits(
            versionsMax: versions,
            versionsDays: days,
            conflictsMax: conflicts,
            conflictsDays: conflictDays
        )
    }

    private static func document(_ name: String, id: String = WriteRule.id, edited: Int) throws
        -> ConfigurationDocument
    {
        try Document(name, id: id, edited: edited).parsed()
    }

    private static func id(_ number: Int) -> String { "0a1b2c3d-0000-4000-8000-\(100_000_000_000 + number)" }

    /// Writes the versions from `first` to `last` of an item.
    private static func write(
        _ versions: ClosedRange<Int>,
        id: String = WriteRule.id,
        _ world: World,
        _ caller: Caller
    ) async throws {
        for number in versions {
            let document = try document("Version \(number)", id: id, edited: number)
            if number == 1 {
                _ = try await world.servers[0].create(document, for: caller)
            } else {
                _ = try await world.servers[0].update(id, document, for: caller)
            }
        }
    }

    /// The versions of an item whose documents are there.
    private static func held(id: String = WriteRule.id, _ world: World, _ caller: Caller) async throws -> [Int] {
        try await world.servers[0].versions(id, limit: 1000, for: caller).items.filter(\.hasDocument).map(\.version)
    }

    @Test("The last versions stay, and of older ones only the document goes: retries are answered as before")
    func byCount() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.write(1...9, world, caller)
            let before = try await world.servers[0].versions(WriteRule.id, limit: 100, for: caller).items
            let full = try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller)
            let retention = Retention(database: world.databases[0], limits: Self.limits(3))
            // A change this young may not be the last one of its time.
            #expect(try await retention.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 6)
            #expect(try await Self.held(world, caller) == [9, 8, 7])
            let counted = try await FinalState(of: caller.userID, in: world).irregularities
            #expect(counted.filter { $0.contains("bytes") } == [])
            let retry = try await world.servers[1].update(
                WriteRule.id,
                Self.document("Version 2", edited: 2),
                WriteConditions(ifMatch: .versions([1])),
                for: caller
            )
            #expect(retry.version == 2)
            let after = try await world.servers[0].versions(WriteRule.id, limit: 100, for: caller).items
            #expect(after.map(\.version) == before.map(\.version))
            let again = try await world.servers[1].delta(DeltaRequest(cursor: .none), for: caller)
            #expect(again?[0].document == full?[0].document)
            #expect(try await world.sql("SELECT FROM configuration_versions WHERE digest IS NULL").count == 0)
            #expect(try await retention.run().isEmpty)
            try await Self.write(10...10, world, caller)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 1)
            #expect(try await Self.held(world, caller) == [10, 9, 8])
        }
    }

    @Test("Fewer versions than before: the walk begins anew. More: what is gone stays gone")
    func otherCount() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.write(1...9, world, caller)
            try await world.pass(days: 1)
            for (limit, removed, held) in [(5, 4, 5), (2, 3, 2), (8, 0, 2), (1, 1, 1)] {
                let retention = Retention(database: world.databases[0], limits: Self.limits(limit), stepMax: 2)
                #expect(try await retention.run().versions == removed)
                #expect(try await Self.held(world, caller).count == held)
            }
        }
    }

    @Test("A document's age counts from when it was replaced or deleted, and the current one has none")
    func byAge() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let (live, gone, untouched) = (Self.id(1), Self.id(2), Self.id(3))
            for id in [live, gone, untouched] { try await Self.write(1...1, id: id, world, caller) }
            try await Self.write(2...2, id: live, world, caller)
            try await world.pass(days: 1000)
            let retention = Retention(database: world.databases[0], limits: Self.limits(days: 365))
            // Years after it was written, but replaced or deleted only today.
            try await Self.write(3...3, id: live, world, caller)
            _ = try await world.servers[0].delete(gone, for: caller)
            #expect(try await retention.run().versions == 1)
            #expect(try await Self.held(id: live, world, caller) == [3, 2])
            #expect(try await Self.held(id: gone, world, caller) == [1])
            try await world.pass(days: 364)
            #expect(try await retention.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 2)
            #expect(try await Self.held(id: live, world, caller) == [3])
            #expect(try await Self.held(id: gone, world, caller) == [])
            #expect(try await Self.held(id: untouched, world, caller) == [1])
            _ = try await world.servers[0].get(live, for: caller)
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].restore(1, of: gone, for: caller)
            }
        }
    }

    @Test("Without limits everything stays for ever")
    func unlimited() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.write(1...5, world, caller)
            _ = try? await world.servers[0].create(Self.document("Loser", edited: 9), for: caller)
            try await world.pass(days: 30_000)
            #expect(try await Retention(database: world.databases[0], limits: Self.limits()).run().isEmpty)
            #expect(try await Self.held(world, caller).count == 5)
        }
    }

    @Test("Conflicts go by their number and by their age, those of another item and the versions stay")
    func conflicts() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for item in 1...2 {
                try await Self.write(1...1, id: Self.id(item), world, caller)
                for number in 0..<(item == 1 ? 6 : 2) {
                    let loser = try Self.document("Loser \(number)", id: Self.id(item), edited: 10 + number)
                    await #expect(throws: CloudSyncError.self) {
                        try await world.servers[0].create(loser, for: caller)
                    }
                }
            }
            func names(_ item: Int) async throws -> [String] {
                let page = try await world.servers[0].conflicts(of: Self.id(item), limit: 100, for: caller)
                return page.items.map { lost in
                    String(String(decoding: lost.document, as: UTF8.self).split(separator: "\"")[3])
                }
            }
            try await world.pass(days: 1)
            let byCount = Retention(database: world.databases[0], limits: Self.limits(conflicts: 3), stepMax: 2)
            #expect(try await byCount.run() == Retention.Removed(versions: 0, conflicts: 3))
            #expect(try await names(1) == ["Loser 5", "Loser 4", "Loser 3"])
            #expect(try await names(2) == ["Loser 1", "Loser 0"])
            #expect(try await byCount.run().isEmpty)
            let byAge = Retention(database: world.databases[0], limits: Self.limits(conflictDays: 30), stepMax: 2)
            try await world.pass(days: 28)
            #expect(try await byAge.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await byAge.run().conflicts == 5)
            #expect(try await Self.held(id: Self.id(1), world, caller) == [1])
        }
    }

    @Test("Many runs at once on two servers remove each document once, and all of them")
    func manyServers() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for item in 1...4 { try await Self.write(1...10, id: Self.id(item), world, caller) }
            try await world.pass(days: 2)
            let limits = Self.limits(2, days: 1)
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    let retention = Retention(database: world.databases[number % 2], limits: limits, stepMax: 3)
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await retention.run().versions
                    }
                }
                return try await group.reduce(0, +)
            }
            let rest = try await Retention(database: world.databases[0], limits: limits).run().versions
            #expect(removed + rest == 36)
            for item in 1...4 { #expect(try await Self.held(id: Self.id(item), world, caller) == [10]) }
        }
    }

    @Test("What another transaction has locked is not waited for, and found later")
    func locked() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.write(1...3, world, caller)
            try await world.pass(days: 1)
            let holder = try await onThread { [connectionString = world.connectionString] in
                let holder = try BlockingSession(connectionString)
                try holder.execute(
                    """
                    BEGIN; SELECT FROM neuroviews.configuration_versions WHERE version = 1 FOR UPDATE;
                    SAVEPOINT row; SELECT FROM neuroviews.sync_heads FOR UPDATE
                    """
                )
                return Holder(session: holder)
            }
            let retention = Retention(database: world.databases[0], limits: Self.limits(1, conflicts: 1))
            // A user who is writing: the walk stops there and goes on the next time.
            #expect(try await retention.run().isEmpty)
            try await onThread { _ = try holder.session.execute("ROLLBACK TO row") }
            #expect(try await retention.run().versions == 1)
            #expect(try await Self.held(world, caller) == [3, 1])
            try await onThread { _ = try holder.session.execute("ROLLBACK") }
            #expect(try await retention.run().isEmpty)
            try await world.sql("UPDATE sweeps SET began_at = began_at - interval '31 days'")
            #expect(try await retention.run().versions == 1)
            #expect(try await Self.held(world, caller) == [3])
        }
    }

    @Test("What a delta under way still needs is younger than what is settled", arguments: [600, 0])
    func besideDelta(settledSeconds: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for number in 1...9 { try await Self.write(1...1, id: Self.id(number), world, caller) }
            let whole = try #require(try await world.servers[0].pullAll(DeltaRequest(cursor: .none), for: caller))
            let retention = Retention(
                database: world.databases[0],
                limits: Self.limits(1),
                settledSeconds: settledSeconds
            )
            var limits = DeltaLimits()
            limits.rows = 2
            func pull() async throws -> PulledDelta? {
                var pages = 0
                return try await world.server(limits).pullAll(DeltaRequest(cursor: .none), for: caller) {
                    pages += 1
                    guard pages == 2 else { return }
                    for number in 1...9 { try await Self.write(2...2, id: Self.id(number), world, caller) }
                    _ = try await retention.run()
                }
            }
            if settledSeconds > 0 {
                #expect(try await pull()?.items == whole.items)
            } else {
                await #expect(throws: DeltaBroken.self) { _ = try await pull() }
            }
        }
    }

    /// A transaction that one thread after the other uses.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    @Test("A user who writes all the time holds nobody up: a step is tried again, and in the end given up")
    func busyUser() async throws {
        try await World.with { world in
            let (busy, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            for caller in [busy, other] {
                try await Self.write(1...3, world, caller)
                // Two that came later lost.
                for number in 4...5 {
                    let loser = try Self.document("Loser \(number)", edited: number)
                    _ = try? await world.servers[0].create(loser, for: caller)
                }
                try await world.pass(days: 40)
            }
            let holder = try await onThread { [connectionString = world.connectionString] in
                Holder(session: try BlockingSession(connectionString))
            }
            let (begin, pauses) = (
                "BEGIN; SELECT FROM neuroviews.sync_heads WHERE user_id = '\(busy.userID)' FOR UPDATE", Counter()
            )
            func run(_ limits: Retention.Limits, freeAfter count: Int) async throws -> Retention.Removed {
                try await onThread { _ = try holder.session.execute(begin) }
                let (start, database) = (pauses.value, world.databases[0])
                let retention = Retention(database: database, limits: limits) {
                    guard pauses.add() == start + count else { return }
                    _ = try? await onThread { _ = try holder.session.execute("ROLLBACK") }
                }
                defer { #expect(pauses.value == start + min(count, 20)) }
                let removed = try await retention.run()
                if count > 20 { try await onThread { _ = try holder.session.execute("ROLLBACK") } }
                return removed
            }
            // What the busy one has done is the older: it is first in every walk.
            #expect(try await run(Self.limits(1), freeAfter: 100) == Retention.Removed())
            #expect(try await run(Self.limits(1), freeAfter: 20) == Retention.Removed(versions: 4))
            #expect(try await run(Self.limits(conflicts: 1), freeAfter: 3) == Retention.Removed(conflicts: 2))
            #expect(try await run(Self.limits(conflictDays: 30), freeAfter: 1) == Retention.Removed(conflicts: 2))
        }
    }

    @Test("Beside writers nothing fails, and every current document stays")
    func besideWrites() async throws {
        try await World.with { world in
            let callers = try await world.newAccount(devices: 4)
            let done = Counter()
            try await Self.write(1...1, world, callers[0])
            try await withThrowingTaskGroup(of: Void.self) { sweepers in
                for number in 0..<2 {
                    let limits = Self.limits(1, conflicts: 1)
                    let database = world.databases[number]
                    let retention = Retention(database: database, limits: limits, stepMax: 5, settledSeconds: 0)
                    sweepers.addTask(executorPreference: world.loops[number]) {
                        while done.value == 0 { _ = try await retention.run() }
                    }
                }
                try await withThrowingTaskGroup(of: Void.self) { writers in
                    for (number, caller) in callers.enumerated() {
                        writers.addTask(executorPreference: world.loops[number % 2]) {
                            try await Self.edit(times: 40, named: "\(number)", world.servers[number % 2], caller)
                        }
                    }
                    try await writers.waitForAll()
                }
                done.add()
                try await sweepers.waitForAll()
            }
            let rows = try await world.sql(
                """
                SELECT FROM configurations c JOIN configuration_versions v USING (user_id, id, version)
                WHERE c.document IS DISTINCT FROM v.document OR c.digest IS DISTINCT FROM v.digest
                """
            )
            #expect(rows.count == 0)
            #expect(try await FinalState(of: callers[0].userID, in: world).irregularities == [])
            #expect(try await Self.held(world, callers[0]).first ?? 0 > 40)
        }
    }

    private static let year2099 = 79 * 365 * 86400

    /// Edits the item again and again, with a restore and a conflict now and then.
    private static func edit(
        times: Int,
        named name: String,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws {
        for number in 0..<times {
            do {
                switch number % 10 {
                case 7: _ = try await server.create(document(name, edited: number), for: caller)
                case 8: _ = try await server.restore(number, of: WriteRule.id.lowercased(), for: caller)
                // Edited in the future: received now.
                default:
                    let document = try document(name, edited: year2099 + number)
                    _ = try await server.update(WriteRule.id, document, for: caller)
                }
            } catch let error as CloudSyncError {
                switch error {
                case .conflict, .versionPruned, .notFound, .overloaded: break
                default: throw error
                }
            }
        }
    }
}
