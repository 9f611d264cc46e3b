import CloudSync
import Postgres
import TestSupport
import Testing

/// Two writers that wait for one head: the second is judged after the first one's commit.
@Suite(.serialized)
struct ConditionRaceTests {
    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    /// Starts two writes on two servers that both wait for the account's head. Then releases the head and returns the
    /// answers.
    private static func race(
        _ world: World,
        _ caller: Caller,
        _ write: @escaping @Sendable (Int, ConfigurationService) async throws -> WriteReceipt
    ) async throws -> [String] {
        let holder = try await onThread { [connectionString = world.connectionString] in
            let session = try BlockingSession(connectionString)
            let head = "SELECT FROM neuroviews.sync_heads WHERE user_id = '\(caller.userID)' FOR UPDATE"
            try session.execute("BEGIN; \(head)")
            return Holder(session: session)
        }
        return try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<2 {
                group.addTask(executorPreference: world.loops[number]) {
                    do {
                        return try await "version \(write(number, world.servers[number]).version.number)"
                    } catch CloudSyncError.conflict(let conflict) {
                        return "\(conflict.reason) \(conflict.version?.number ?? 0)"
                    }
                }
            }
            try await eventually {
                let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                return try await world.sql("SELECT \(waiting)").count == 2
            }
            try await onThread { _ = try holder.session.execute("ROLLBACK") }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    private static func document(_ name: String) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: 5).parsed()
    }

    @Test("One of two writes with If-Match on the same version wins, and the other gets the current one")
    func sameVersion() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            _ = try await world.servers[0].create(Self.document("A"), for: devices[0]).get()
            for round in 1...5 {
                let named = try await world.ifMatch(round, devices[0])
                let answers = try await Self.race(world, devices[0]) { number, server in
                    let document = try Self.document("\(round) \(number)")
                    return try await server.update(WriteRule.id, document, named, for: devices[number]).get()
                }
                #expect(answers == ["version \(round + 1)", "versionMismatch \(round + 1)"])
            }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
        }
    }

    @Test("One of an edit and a deletion with If-Match on the same version wins")
    func editAndDeletion() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            _ = try await world.servers[0].create(Self.document("A"), for: devices[0]).get()
            let named = try await world.ifMatch(1, devices[0])
            let answers = try await Self.race(world, devices[0]) { number, server in
                if number == 0 { return try await server.delete(WriteRule.id, named, for: devices[0]).get() }
                return try await server.update(WriteRule.id, Self.document("B"), named, for: devices[1]).get()
            }
            #expect(answers.contains("version 2"))
            #expect(answers.contains { $0 == "deleted 2" || $0 == "versionMismatch 2" })
        }
    }

    @Test("One of two creations of an id with different contents wins, and the other is kept as a loser")
    func creations() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            let answers = try await Self.race(world, devices[0]) { number, server in
                try await server.create(Self.document("\(number)"), for: devices[number]).get()
            }
            #expect(answers == ["exists 1", "version 1"])
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [] && state.losers.count == 1)
        }
    }

    @Test("One of two equal concurrent requests writes, and both get the same answer")
    func twice() async throws {
        try await World.with { world in
            let device = try await world.newAccount()[0]
            _ = try await world.servers[0].create(Self.document("A"), for: device).get()
            for isConditional in [false, true] {
                let named = isConditional ? try await world.ifMatch(2, device) : WriteConditions()
                let answers = try await Self.race(world, device) { _, server in
                    try await server.update(
                        WriteRule.id,
                        Self.document(named.ifMatch == nil ? "B" : "C"),
                        named,
                        for: device
                    ).get()
                }
                #expect(Set(answers).count == 1)
            }
            #expect(try await world.tags(of: WriteRule.id, device).count == 3)
        }
    }
}
