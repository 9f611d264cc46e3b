import CloudSync
import Testing

/// The quotas of an account, checked under the lock of its head.
struct QuotaTests {
    private static func document(_ name: String, _ number: Int, edited: Int = 1) throws -> ConfigurationDocument {
        try Document(name, id: "\(WriteRule.id.dropLast(3))\(100 + number)", edited: edited).parsed()
    }

    private static func id(_ number: Int) -> String { "\(WriteRule.id.dropLast(3))\(100 + number)" }

    /// Nil if the write succeeded.
    private static func excess(_ write: () async throws -> WriteReceipt) async throws -> QuotaExcess? {
        do {
            _ = try await write()
            return nil
        } catch CloudSyncError.quotaExceeded(let excess) {
            return excess
        }
    }

    @Test("Twelve concurrent devices can't create more items than the quota")
    func concurrentWriters() async throws {
        try await World.with(quotas: AccountQuotas(itemsMax: 5)) { world in
            let callers = try await world.newAccount(devices: 12)
            let refused = try await withThrowingTaskGroup(of: QuotaExcess?.self) { group in
                for (number, caller) in callers.enumerated() {
                    let document = try Self.document("A", number)
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await Self.excess {
                            try await world.servers[number % 2].create(document, for: caller).get()
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(refused.count { $0 == nil } == 5)
            #expect(refused.allSatisfy { $0.map { $0.quota == .items && $0.limit == 5 && $0.used == 5 } ?? true })
            let state = try await FinalState(of: callers[0].userID, in: world)
            #expect(state.replica.items.count == 5)
            #expect(state.irregularities == [])
        }
    }

    @Test("A full account can repeat, replace and delete, and a deletion makes room")
    func fullAccount() async throws {
        try await World.with(quotas: AccountQuotas(itemsMax: 1)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.create(Self.document("A", 1), for: caller).get()
            _ = try await server.create(Self.document("A", 1), for: caller).get()
            _ = try await server.update(Self.id(1), Self.document("B", 1, edited: 2), for: caller).get()
            let full = try await Self.excess { try await server.create(Self.document("A", 2), for: caller).get() }
            #expect(full?.quota == .items)
            _ = try await server.delete(Self.id(1), for: caller).get()
            #expect(try await Self.excess { try await server.create(Self.document("A", 2), for: caller).get() } == nil)
            let back = try await Self.excess {
                let conditions = try await world.ifMatch(3, of: Self.id(1), caller)
                return try await server.update(Self.id(1), Self.document("C", 1, edited: 3), conditions, for: caller)
                    .get()
            }
            #expect(back?.quota == .items, "a deleted item that comes back counts again")
        }
    }

    @Test("An account with the maximum of tombstones gets no new ids, and can delete and restore items")
    func tombstones() async throws {
        try await World.with(quotas: AccountQuotas(tombstonesMax: 2)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            for number in 1...3 { _ = try await server.create(Self.document("A", number), for: caller).get() }
            for number in 1...3 { _ = try await server.delete(Self.id(number), for: caller).get() }
            let refused = try await Self.excess { try await server.create(Self.document("A", 4), for: caller).get() }
            #expect(refused?.quota == .tombstones)
            #expect(refused?.used == 3)
            for number in 1...2 {
                let conditions = try await world.ifMatch(2, of: Self.id(number), caller)
                _ = try await server.update(Self.id(number), Self.document("B", number), conditions, for: caller).get()
            }
            #expect(try await Self.excess { try await server.create(Self.document("A", 4), for: caller).get() } == nil)
        }
    }

    @Test("A document over the greatest size is refused, counted as it is stored")
    func documentSize() async throws {
        let text = Document("A", id: Self.id(1), edited: 1).text()
        try await World.with(quotas: AccountQuotas(documentMaxBytes: text.utf8.count)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.create(Self.document("A", 1), for: caller).get()
            let refused = try await Self.excess { try await server.create(Self.document("AA", 2), for: caller).get() }
            #expect(refused?.quota == .documentBytes)
            #expect(refused?.limit == text.utf8.count)
            #expect(refused?.used == text.utf8.count + 1)
            #expect(try await FinalState(of: caller.userID, in: world).replica.items.count == 1)
        }
    }

    @Test("Versions and losers over the history's size are refused, and removed ones make room")
    func historySize() async throws {
        let size = Document("A", id: Self.id(1), edited: 1).text().utf8.count
        try await World.with(quotas: AccountQuotas(historyMaxBytes: 3 * size)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.create(Self.document("A", 1, edited: 5), for: caller).get()
            _ = try await server.update(Self.id(1), Self.document("B", 1, edited: 6), for: caller).get()
            await #expect(throws: CloudSyncError.self) {
                try await server.create(Self.document("C", 1), for: caller).get()
            }
            let loser = try await Self.excess { try await server.create(Self.document("D", 1), for: caller).get() }
            #expect(loser?.quota == .historyBytes, "a loser that can't be kept must not be refused as if it were")
            let version = try await Self.excess {
                try await server.update(Self.id(1), Self.document("E", 1, edited: 7), for: caller).get()
            }
            #expect(version?.quota == .historyBytes)
            #expect(version?.used == 3 * size)
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.losers.count == 1)
            #expect(state.irregularities == [])
            try await world.sql("UPDATE configuration_versions SET document = NULL WHERE version = 1")
            _ = try await server.update(Self.id(1), Self.document("E", 1, edited: 7), for: caller).get()
            _ = try await server.delete(Self.id(1), for: caller).get()
        }
    }
}
