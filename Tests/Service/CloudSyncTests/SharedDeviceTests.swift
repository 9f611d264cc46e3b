import CloudSync
import TestSupport
import Testing

/// Two app instances with the same device id: a copied installation, or a retry beside its first try.
struct SharedDeviceTests {
    /// Creates two sessions with one device id.
    private static func instances(_ world: World) async throws -> [Caller] {
        let callers = try await world.newAccount(devices: 2)
        try await world.sql("UPDATE sessions SET device_id = 'shared'")
        return callers
    }

    private static func document(_ name: String, _ edited: Int = 5) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: edited).parsed()
    }

    @Test("Alternating edits of two instances with one device id are all written")
    func inTurn() async throws {
        try await World.with { world in
            let twins = try await Self.instances(world)
            let server = world.servers[0]
            _ = try await server.create(Self.document("A"), for: twins[0]).get()
            for (number, name) in ["off", "on", "off", "on"].enumerated() {
                let receipt = try await server.update(WriteRule.id, Self.document(name), for: twins[number % 2]).get()
                #expect(receipt.version.number == number + 2)
            }
            let named = try await world.ifMatch(5, twins[0])
            _ = try await server.update(WriteRule.id, Self.document("mine"), named, for: twins[0]).get()
            await #expect(throws: CloudSyncError.self) {
                try await server.update(WriteRule.id, Self.document("theirs"), named, for: twins[1]).get()
            }
            await #expect(throws: CloudSyncError.self) {
                try await server.delete(WriteRule.id, named, for: twins[1]).get()
            }
            let stored = try await server.get(WriteRule.id, for: twins[1])
            #expect(String(decoding: stored.document, as: UTF8.self).contains("mine"))
        }
    }

    @Test(
        "The history has each acknowledged random write of two instances with one device id as sent",
        arguments: 1...3
    )
    func atOnce(seed: Int) async throws {
        try await World.with { world in
            let twins = try await Self.instances(world)
            let acknowledged = try await withThrowingTaskGroup(of: [Acknowledgement].self) { group in
                for (number, caller) in twins.enumerated() {
                    group.addTask(executorPreference: world.loops[number]) {
                        var random = SeededRandom(seed: seed, worker: number)
                        return try await Self.write(60, &random, world.servers[number], caller)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(acknowledged.count > 20)
            let state = try await FinalState(of: twins[0].userID, in: world)
            #expect(state.irregularities == [], "seed \(seed)")
            for write in acknowledged {
                let stored = state.history[write.receipt.id.lowercased()]?[write.receipt.version.number]
                #expect(stored == .some(write.document), "seed \(seed): \(write.receipt)")
            }
        }
    }

    private struct Acknowledgement: Sendable {
        let receipt: WriteReceipt
        /// Nil for a deletion.
        let document: String?
    }

    /// Writes three items repeatedly with few different contents. Each write uses this instance's latest tag.
    private static func write(
        _ count: Int,
        _ random: inout SeededRandom,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws -> [Acknowledgement] {
        var acknowledged: [Acknowledgement] = []
        var tags: [String: VersionTag] = [:]
        for _ in 0..<count {
            let id = BatchTests.id(random.below(3))
            let document = Document(["off", "on", "auto"][random.below(3)], id: id, edited: 5)
            let conditions = WriteConditions(ifMatch: tags[id].map { .versions([$0]) })
            do {
                let dice = random.below(6)
                let receipt =
                    switch dice {
                    case 0: try await server.create(document.parsed(), for: caller).get()
                    case 1 where conditions.ifMatch != nil: try await server.delete(id, conditions, for: caller).get()
                    default: try await server.update(id, document.parsed(), conditions, for: caller).get()
                    }
                tags[id] = receipt.version
                let isDeletion = dice == 1 && conditions.ifMatch != nil
                acknowledged.append(Acknowledgement(receipt: receipt, document: isDeletion ? nil : document.text()))
            } catch CloudSyncError.conflict(let conflict) {
                tags[id] = conflict.version
            } catch CloudSyncError.problem(.notFound) {
                continue
            }
        }
        return acknowledged
    }
}
