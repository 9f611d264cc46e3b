import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// Retention on several servers, beside locks, deltas and writers.
struct RetentionLockTests {
    private typealias Fixture = RetentionFixture

    @Test("Concurrent sweeps on two servers prune each document once")
    func manyServers() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for item in 1...4 { try await Fixture.write(1...10, id: Fixture.id(item), world, caller) }
            try await world.pass(days: 2)
            let limits = Fixture.limits(2, days: 1)
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    let retention = HistorySweep(database: world.databases[number % 2], limits: limits, stepMax: 3)
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await retention.run().versions
                    }
                }
                return try await group.reduce(0, +)
            }
            let rest = try await HistorySweep(database: world.databases[0], limits: limits).run().versions
            #expect(removed + rest == 36)
            for item in 1...4 { #expect(try await Fixture.held(id: Fixture.id(item), world, caller) == [10]) }
        }
    }

    @Test("A document that is locked by a transaction is skipped, and pruned later")
    func locked() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Fixture.write(1...3, world, caller)
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
            let retention = HistorySweep(database: world.databases[0], limits: Fixture.limits(1, conflicts: 1))
            // The walk stops at a writing user and continues in the next run.
            #expect(try await retention.run().isEmpty)
            try await onThread { _ = try holder.session.execute("ROLLBACK TO row") }
            #expect(try await retention.run().versions == 1)
            #expect(try await Fixture.held(world, caller) == [3, 1])
            try await onThread { _ = try holder.session.execute("ROLLBACK") }
            #expect(try await retention.run().isEmpty)
            try await world.sql("UPDATE sweeps SET began_at = began_at - interval '31 days'")
            // The walk ends, and the next run begins a new one.
            #expect(try await retention.run().isEmpty)
            #expect(try await retention.run().versions == 1)
            #expect(try await Fixture.held(world, caller) == [3])
        }
    }

    @Test("A document that a running delta still needs is too young to be pruned", arguments: [600, 0])
    func besideDelta(settledSeconds: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for number in 1...9 { try await Fixture.write(1...1, id: Fixture.id(number), world, caller) }
            let whole = try #require(try await world.servers[0].pullAll(DeltaRequest(cursor: .none), for: caller))
            let retention = HistorySweep(
                database: world.databases[0],
                limits: Fixture.limits(1),
                settledSeconds: settledSeconds
            )
            var limits = DeltaLimits()
            limits.rows = 2
            func pull() async throws -> PulledDelta? {
                var pages = 0
                return try await world.server(limits).pullAll(DeltaRequest(cursor: .none), for: caller) {
                    pages += 1
                    guard pages == 2 else { return }
                    for number in 1...9 { try await Fixture.write(2...2, id: Fixture.id(number), world, caller) }
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

    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    @Test("A user who writes all the time blocks no sweep: a step is retried and then skipped")
    func busyUser() async throws {
        try await World.with { world in
            let (busy, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            for caller in [busy, other] {
                try await Fixture.write(1...3, world, caller)
                // Two later documents lose.
                for number in 4...5 {
                    let loser = try Fixture.document("Loser \(number)", edited: number)
                    _ = try? await world.servers[0].create(loser, for: caller).get()
                }
                try await world.pass(days: 40)
            }
            let holder = try await onThread { [connectionString = world.connectionString] in
                Holder(session: try BlockingSession(connectionString))
            }
            let (begin, pauses) = (
                "BEGIN; SELECT FROM neuroviews.sync_heads WHERE user_id = '\(busy.userID)' FOR UPDATE", Counter()
            )
            func run(_ limits: HistorySweep.Limits, freeAfter count: Int) async throws -> HistorySweep.Removed {
                try await onThread { _ = try holder.session.execute(begin) }
                let (start, database) = (pauses.value, world.databases[0])
                let retention = HistorySweep(database: database, limits: limits) {
                    guard pauses.add() == start + count else { return }
                    _ = try? await onThread { _ = try holder.session.execute("ROLLBACK") }
                }
                defer { #expect(pauses.value == start + min(count, 20)) }
                let removed = try await retention.run()
                if count > 20 { try await onThread { _ = try holder.session.execute("ROLLBACK") } }
                return removed
            }
            // The busy user's changes are older, so they come first in every walk.
            #expect(try await run(Fixture.limits(1), freeAfter: 100) == HistorySweep.Removed())
            #expect(try await run(Fixture.limits(1), freeAfter: 20) == HistorySweep.Removed(versions: 4))
            #expect(try await run(Fixture.limits(conflicts: 1), freeAfter: 3) == HistorySweep.Removed(conflicts: 2))
            #expect(try await run(Fixture.limits(conflictDays: 30), freeAfter: 1) == HistorySweep.Removed(conflicts: 2))
        }
    }

    @Test("A sweep beside writers fails nowhere, and every current document stays")
    func besideWrites() async throws {
        try await World.with { world in
            let callers = try await world.newAccount(devices: 4)
            let done = Counter()
            try await Fixture.write(1...1, world, callers[0])
            try await withThrowingTaskGroup(of: Void.self) { sweepers in
                for number in 0..<2 {
                    let limits = Fixture.limits(1, conflicts: 1)
                    let database = world.databases[number]
                    let retention = HistorySweep(database: database, limits: limits, stepMax: 5, settledSeconds: 0)
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
            #expect(try await Fixture.held(world, callers[0]).first ?? 0 > 40)
        }
    }

    private static let year2099 = 79 * 365 * 86400

    /// Edits the item repeatedly, with an occasional restore or conflict.
    private static func edit(
        times: Int,
        named name: String,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws {
        for number in 0..<times {
            do {
                switch number % 10 {
                case 7: _ = try await server.create(Fixture.document(name, edited: number), for: caller).get()
                case 8:
                    let old = try await server.history.version(number, of: WriteRule.id, for: caller)
                    _ = try await server.restoring.restore(old.version, of: WriteRule.id, for: caller).get()
                // The edit time is in the future; the server receives the document now.
                default:
                    let document = try Fixture.document(name, edited: year2099 + number)
                    _ = try await server.update(WriteRule.id, document, for: caller).get()
                }
            } catch let error as CloudSyncError {
                switch error {
                case .conflict, .problem(.versionPruned), .problem(.notFound), .problem(.overloaded): break
                default: throw error
                }
            }
        }
    }
}
