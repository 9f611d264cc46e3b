import CloudSync
import Net
import Testing

/// Restores beside concurrent writes of the same item, on two servers.
@Suite(.serialized)
struct RestoreRaceTests {
    private static func document(_ name: String, edited: Int) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: edited).parsed()
    }

    private static let id = WriteRule.id.lowercased()

    /// Creates an item with versions named after their numbers.
    private static func item(versions count: Int, _ world: World, _ caller: Caller) async throws {
        _ = try await world.servers[0].create(document("1", edited: 1), for: caller).get()
        for number in 2..<(count + 1) {
            _ = try await world.servers[0].update(WriteRule.id, document("\(number)", edited: number), for: caller)
                .get()
        }
    }

    /// Runs 20 concurrent tasks, spread over servers and loops.
    private static func race<T: Sendable>(
        _ world: World,
        _ body: @escaping @Sendable (Int, ConfigurationService) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for number in 0..<20 {
                group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                    try await body(number, world.servers[number % 2])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("20 concurrent restores of one version make one new version, which all get as the answer")
    func same() async throws {
        try await World.with { world in
            for isSigned in [false, true] {
                let caller = try await world.newAccount()[0]
                try await Self.item(versions: 3, world, caller)
                let first = try await world.tag(1, of: Self.id, caller)
                let receipts = try await Self.race(world) { number, server in
                    try await server.restoring.restore(
                        first,
                        of: Self.id,
                        for: isSigned ? caller.signing("\(number)") : caller
                    )
                    .get()
                }
                #expect(Set(receipts.map(\.version.number)) == [4])
                #expect(Set(receipts.map(\.changedAt)).count == 1)
                let state = try await FinalState(of: caller.userID, in: world)
                #expect(state.irregularities == [])
                #expect(state.history[Self.id]?.count == 4)
                let nonces = try await world.sql("SELECT FROM nonces WHERE session_id = '\(caller.sessionID)'")
                #expect(nonces.count == (isSigned ? 20 : 0))
            }
        }
    }

    @Test("20 concurrent restores of different versions all happen, one after the other")
    func different() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 20)
            try await Self.item(versions: 21, world, devices[0])
            let tags = try await world.tags(of: Self.id, devices[0])
            let receipts = try await Self.race(world) { number, server in
                try await server.restoring.restore(tags[number], of: Self.id, for: devices[number]).get()
            }
            #expect(Set(receipts.map(\.version.number)) == Set(22...41))
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
            for (number, receipt) in receipts.enumerated() {
                let document = try #require(state.history[Self.id]?[receipt.version.number] ?? nil)
                #expect((1...20).contains { document.contains(#""name":"\#($0)""#) }, "receipt \(number)")
            }
        }
    }

    @Test("The history has exactly the acknowledged ones of concurrent restores, edits and deletions")
    func mixed() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 20)
            try await Self.item(versions: 8, world, devices[0])
            let tags = try await world.tags(of: Self.id, devices[0])
            let versions = try await Self.race(world) { number, server -> Int? in
                do {
                    switch number % 3 {
                    case 0:
                        return try await server.restoring.restore(tags[number / 3], of: Self.id, for: devices[number])
                            .get()
                            .version.number
                    case 1:
                        let document = try Self.document("Edit \(number)", edited: 2_000_000_000)
                        return try await server.update(WriteRule.id, document, for: devices[number]).get().version
                            .number
                    default: return try await server.delete(Self.id, for: devices[number]).get().version.number
                    }
                } catch CloudSyncError.conflict {
                    return nil
                }
            }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
            let made = Set(state.history[Self.id]?.keys.filter { $0 > 8 } ?? [])
            #expect(Set(versions.compactMap { $0 }).isSubset(of: made))
            #expect(made.isSubset(of: Set(versions.compactMap { $0 })))
        }
    }

    @Test("One of many restores and edits with the same If-Match happens, and the others get the current version")
    func conditional() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 20)
            try await Self.item(versions: 20, world, devices[0])
            let (tags, named) = (try await world.tags(of: Self.id, devices[0]), try await world.ifMatch(20, devices[0]))
            let versions = try await Self.race(world) { number, server -> Int? in
                do {
                    if number % 2 == 0 {
                        return try await server.restoring.restore(
                            tags[number],
                            of: Self.id,
                            named,
                            for: devices[number]
                        ).get()
                            .version.number
                    }
                    let document = try Self.document("Edit \(number)", edited: 100)
                    return try await server.update(WriteRule.id, document, named, for: devices[number]).get().version
                        .number
                } catch CloudSyncError.conflict(let conflict) {
                    #expect(conflict.reason == .versionMismatch)
                    #expect(conflict.version?.number == 21)
                    return nil
                }
            }
            #expect(versions.compactMap { $0 } == [21])
        }
    }

    private static func key(_ text: String, _ request: Int = 1) -> IdempotencyKey {
        IdempotencyKey(text, requestDigest: [UInt8(request)])
    }

    @Test("20 concurrent restores with a key each all happen, and repetitions get the same answers")
    func keys() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 20)
            try await Self.item(versions: 21, world, devices[0])
            let tags = try await world.tags(of: Self.id, devices[0])
            let restore = { @Sendable (number: Int, server: ConfigurationService, nonce: String) in
                let caller = devices[number].signing("\(nonce) \(number)")
                let key = Self.key("key \(number)")
                let receipt = try await server.restoring.restore(
                    tags[number],
                    of: Self.id,
                    WriteConditions(),
                    key,
                    for: caller
                )
                .get()
                return "\(number): \(receipt.version.number) \(receipt.changedAt)"
            }
            let first = try await Self.race(world) { try await restore($0, $1, "first") }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.history[Self.id]?.count == 41)
            let again = try await Self.race(world) { try await restore($0, $1, "again") }
            #expect(Set(again) == Set(first))
            #expect(Set(first.map { $0.split(separator: " ")[1] }) == Set((22...41).map { Substring("\($0)") }))
            #expect(try await FinalState(of: devices[0].userID, in: world).history[Self.id]?.count == 41)
            #expect(try await world.sql("SELECT FROM nonces").count == 40)
        }
    }

    @Test("One of 20 concurrent restores with one key happens, and all get its answer")
    func oneKey() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.item(versions: 3, world, caller)
            let tags = try await world.tags(of: Self.id, caller)
            let versions = try await Self.race(world) { number, server -> Int? in
                // Every fourth task requests another version.
                let isOther = number % 4 == 3
                do {
                    let key = Self.key("k", isOther ? 2 : 1)
                    let version = tags[isOther ? 1 : 0]
                    return try await server.restoring.restore(version, of: Self.id, WriteConditions(), key, for: caller)
                        .get()
                        .version.number
                } catch CloudSyncError.problem(.idempotencyKeyReused) {
                    return nil
                }
            }
            #expect(Set(versions.compactMap { $0 }) == [4])
            #expect([5, 15].contains(versions.count { $0 == nil }))
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.history[Self.id]?.count == 4)
        }
    }

    @Test("A restore over the quota succeeds with the same key once there is room")
    func noRoom() async throws {
        try await World.with(quotas: AccountQuotas(itemsMax: 1)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            try await Self.item(versions: 2, world, caller)
            let first = try await world.tag(1, caller)
            _ = try await server.delete(Self.id, for: caller).get()
            _ = try await server.batch([BatchTests.create("A", 1)], for: caller)
            await #expect {
                _ = try await server.restoring.restore(
                    first,
                    of: Self.id,
                    WriteConditions(),
                    Self.key("k"),
                    for: caller
                ).get()
            } throws: { error in
                if case CloudSyncError.quotaExceeded = error { true } else { false }
            }
            _ = try await server.delete(BatchTests.id(1), for: caller).get()
            for _ in 0..<2 {
                let receipt = try await server.restoring.restore(
                    first,
                    of: Self.id,
                    WriteConditions(),
                    Self.key("k"),
                    for: caller
                ).get()
                #expect(receipt.version.number == 4)
            }
            #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
        }
    }
}
