import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// Retention on a real database. The tests move stored times into the past.
struct RetentionTests {
    private typealias Fixture = RetentionFixture

    @Test("A sweep prunes only the documents of older versions, and retries get the same answers")
    func byCount() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Fixture.write(1...9, world, caller)
            let before = try await world.servers[0].history.versions(of: WriteRule.id, limit: 100, for: caller).items
            let full = try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller)
            let retention = HistorySweep(database: world.databases[0], limits: Fixture.limits(3))
            // This change is too young: a transaction that began before it may still commit.
            #expect(try await retention.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 6)
            #expect(try await Fixture.held(world, caller) == [9, 8, 7])
            let counted = try await FinalState(of: caller.userID, in: world).irregularities
            #expect(counted.filter { $0.contains("bytes") } == [])
            let retry = try await world.servers[1].update(
                WriteRule.id,
                Fixture.document("Version 2", edited: 2),
                world.ifMatch(1, caller),
                for: caller
            ).get()
            #expect(retry.version.number == 2)
            let after = try await world.servers[0].history.versions(of: WriteRule.id, limit: 100, for: caller).items
            #expect(after.map(\.version) == before.map(\.version))
            let again = try await world.servers[1].delta(DeltaRequest(cursor: .none), for: caller)
            #expect(again?[0].document == full?[0].document)
            #expect(try await world.sql("SELECT FROM configuration_versions WHERE digest IS NULL").count == 0)
            #expect(try await retention.run().isEmpty)
            try await Fixture.write(10...10, world, caller)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 1)
            #expect(try await Fixture.held(world, caller) == [10, 9, 8])
        }
    }

    @Test("A lower limit of versions restarts the sweep's walk, and a higher one restores nothing")
    func otherCount() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Fixture.write(1...9, world, caller)
            try await world.pass(days: 1)
            for (limit, removed, held) in [(5, 4, 5), (2, 3, 2), (8, 0, 2), (1, 1, 1)] {
                let retention = HistorySweep(database: world.databases[0], limits: Fixture.limits(limit), stepMax: 2)
                #expect(try await retention.run().versions == removed)
                #expect(try await Fixture.held(world, caller).count == held)
            }
        }
    }

    @Test("An interrupted sweep reports that and is continued; a complete walk restarts after 30 days")
    func long() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Fixture.write(1...210, world, caller)
            try await world.pass(days: 1)
            let retention = HistorySweep(database: world.databases[0], limits: Fixture.limits(1), stepMax: 1)
            let first = try await retention.run()
            #expect(first.isCut && first.versions == 100)
            let walk = "WHERE name = 'versions by count'"
            try await world.sql("UPDATE sweeps SET began_at = now() - interval '40 days' \(walk)")
            let second = try await retention.run()
            #expect(second.isCut && second.versions == 100)
            let recent = "SELECT FROM sweeps \(walk) AND began_at > now() - interval '30 days'"
            #expect(try await world.sql(recent).count == 0)
            let third = try await retention.run()
            #expect(!third.isCut && third.versions == 9)
            #expect(try await world.sql(recent + " AND reached = '-infinity'").count == 1)
        }
    }

    @Test("A document's age counts from its replacement or deletion, and the current one has none")
    func byAge() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let (live, gone, untouched) = (Fixture.id(1), Fixture.id(2), Fixture.id(3))
            for id in [live, gone, untouched] { try await Fixture.write(1...1, id: id, world, caller) }
            try await Fixture.write(2...2, id: live, world, caller)
            try await world.pass(days: 1000)
            let retention = HistorySweep(database: world.databases[0], limits: Fixture.limits(days: 365))
            // The versions are years old, but were replaced or deleted only today.
            try await Fixture.write(3...3, id: live, world, caller)
            _ = try await world.servers[0].delete(gone, for: caller).get()
            #expect(try await retention.run().versions == 1)
            #expect(try await Fixture.held(id: live, world, caller) == [3, 2])
            #expect(try await Fixture.held(id: gone, world, caller) == [1])
            try await world.pass(days: 364)
            #expect(try await retention.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await retention.run().versions == 2)
            #expect(try await Fixture.held(id: live, world, caller) == [3])
            #expect(try await Fixture.held(id: gone, world, caller) == [])
            #expect(try await Fixture.held(id: untouched, world, caller) == [1])
            _ = try await world.servers[0].get(live, for: caller)
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].restoring.restore(world.tag(1, of: gone, caller), of: gone, for: caller)
                    .get()
            }
        }
    }

    @Test("A sweep without limits keeps everything")
    func unlimited() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Fixture.write(1...5, world, caller)
            _ = try? await world.servers[0].create(Fixture.document("Loser", edited: 9), for: caller).get()
            try await world.pass(days: 30_000)
            #expect(try await HistorySweep(database: world.databases[0], limits: Fixture.limits()).run().isEmpty)
            #expect(try await Fixture.held(world, caller).count == 5)
        }
    }

    @Test("A sweep deletes conflicts by number and by age, and keeps versions and other items'")
    func conflicts() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for item in 1...2 {
                try await Fixture.write(1...1, id: Fixture.id(item), world, caller)
                for number in 0..<(item == 1 ? 6 : 2) {
                    let loser = try Fixture.document("Loser \(number)", id: Fixture.id(item), edited: 10 + number)
                    await #expect(throws: CloudSyncError.self) {
                        try await world.servers[0].create(loser, for: caller).get()
                    }
                }
            }
            func names(_ item: Int) async throws -> [String] {
                let page = try await world.servers[0].history.conflicts(of: Fixture.id(item), limit: 100, for: caller)
                return page.items.map { lost in
                    String(String(decoding: lost.document, as: UTF8.self).split(separator: "\"")[3])
                }
            }
            try await world.pass(days: 1)
            let byCount = HistorySweep(database: world.databases[0], limits: Fixture.limits(conflicts: 3), stepMax: 2)
            #expect(try await byCount.run() == HistorySweep.Removed(versions: 0, conflicts: 3))
            #expect(try await names(1) == ["Loser 5", "Loser 4", "Loser 3"])
            #expect(try await names(2) == ["Loser 1", "Loser 0"])
            #expect(try await byCount.run().isEmpty)
            let byAge = HistorySweep(database: world.databases[0], limits: Fixture.limits(conflictDays: 30), stepMax: 2)
            try await world.pass(days: 28)
            #expect(try await byAge.run().isEmpty)
            try await world.pass(days: 1)
            #expect(try await byAge.run().conflicts == 5)
            #expect(try await Fixture.held(id: Fixture.id(1), world, caller) == [1])
        }
    }
}
