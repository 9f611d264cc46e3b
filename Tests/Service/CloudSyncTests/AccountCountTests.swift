import CloudSync
import Postgres
import TestSupport
import Testing

/// An account's counters of its writes, for integrity and quotas.
struct AccountCountTests {
    @Test(
        "state_hash and counters equal a recount after random writes of every kind",
        arguments: 1...3
    )
    func randomWrites(seed: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            var random = SeededRandom(seed: seed, worker: 0)
            let ids = (0..<8).map { _ in random.uuid(isUpperCase: true) }
            var tags: [String: [VersionTag]] = [:]
            for number in 0..<120 {
                let id = ids[random.below(ids.count)]
                if let made = try await Self.writeAtRandom(number, id: id, tags[id] ?? [], &random, world, caller) {
                    tags[id, default: []].append(made)
                }
                if number % 20 != 19 { continue }
                let state = try await FinalState(of: caller.userID, in: world)
                #expect(state.irregularities == [], "seed \(seed), write \(number)")
            }
            let head = try await world.sql(
                "SELECT items, tombstones, state_hash <> decode(repeat('00', 32), 'hex') FROM sync_heads "
                    + "WHERE collection = 'configurations'"
            )
            .first
            #expect((head?.int(0) ?? 0) > 0)
            #expect((head?.int(1) ?? 0) > 0)
            #expect(head?.bool(2) == true)
        }
    }

    @Test("state_hash and counters equal a recount after random batches", arguments: 1...2)
    func randomBatches(seed: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            var random = SeededRandom(seed: seed, worker: 1)
            for number in 0..<25 {
                let operations = try (0..<12).map { try Self.operation("write \(random.below(9))", $0, &random) }
                let key = IdempotencyKey("key \(number)", requestDigest: [1])
                _ = try await world.servers[number % 2].batch(
                    operations.filter { _ in random.below(3) > 0 },
                    isAtomic: number % 4 == 0,
                    number % 3 == 0 ? key : nil,
                    for: caller
                )
                let state = try await FinalState(of: caller.userID, in: world)
                #expect(state.irregularities == [], "seed \(seed), batch \(number)")
            }
            #expect(try await world.sql("SELECT FROM idempotency_keys").count > 1)
        }
    }

    private static func operation(
        _ name: String,
        _ item: Int,
        _ random: inout SeededRandom
    ) throws -> ConfigurationOperation {
        let edited = random.below(90)
        switch random.below(5) {
        case 0, 1: return try BatchTests.create(name, item, edited: edited)
        case 2, 3: return try BatchTests.replace(name, item, edited: edited)
        default: return .delete(BatchTests.id(item))
        }
    }

    /// Makes one random write. Some writes are refused.
    private static func writeAtRandom(
        _ number: Int,
        id: String,
        _ tags: [VersionTag],
        _ random: inout SeededRandom,
        _ world: World,
        _ caller: Caller
    ) async throws -> VersionTag? {
        let server = world.servers[number % 2]
        let document = try Document("write \(random.below(40))", id: id, edited: random.below(90)).parsed()
        var conditions = WriteConditions()
        if random.below(2) == 0 {
            let named = tags.isEmpty ? try .ofAnotherHistory(1) : tags[random.below(tags.count)]
            conditions.ifMatch = .versions([named])
        }
        do {
            switch random.below(5) {
            case 0, 1: return try await server.create(document, for: caller).get().version
            case 2, 3: return try await server.update(id, document, conditions, for: caller).get().version
            default: return try await server.delete(id, conditions, for: caller).get().version
            }
        } catch CloudSyncError.conflict, CloudSyncError.problem(.notFound) {
            return nil
        }
    }

    @Test("Emptied and deleted versions no longer count in the history's size")
    func released() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for name in ["A", "B", "C"] {
                let document = try Document(name, id: WriteRule.id, edited: 1).parsed()
                _ = try? await world.servers[0].create(document, for: caller).get()
                _ = try await world.servers[0].update(WriteRule.id, document, .init(ifMatch: .any), for: caller).get()
            }
            for statement in [
                "UPDATE configuration_versions SET document = NULL WHERE version = 1",
                "DELETE FROM configuration_conflicts",
                "UPDATE configuration_versions SET document = '{}' WHERE version = 2",
            ] {
                try await world.sql(statement)
                let irregular = try await FinalState(of: caller.userID, in: world).irregularities
                #expect(irregular.filter { $0.contains("bytes") } == [], "\(statement)")
            }
        }
    }
}
