import CloudSync
import Postgres
import TestSupport
import Testing

/// A repeated request with the same key returns the first answers of its writes. Refused operations are judged again.
struct IdempotencyKeyTests {
    private static func key(_ text: String, _ request: UInt8 = 1) -> IdempotencyKey {
        IdempotencyKey(text, requestDigest: [request])
    }

    private static func operations() throws -> [ConfigurationOperation] {
        [try BatchTests.create("A", 1), try BatchTests.replace("A", 2), .delete(BatchTests.id(3))]
    }

    @Test("A repeated batch with a key returns its written results, and evaluates refused operations anew")
    func partlyRefused() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            _ = try await world.servers[0].batch([BatchTests.create("Z", 3)], for: caller)
            let first = try await world.servers[0].batch(Self.operations(), Self.key("k"), for: caller)
            #expect(first.results.map(BatchTests.word) == ["1", "not-found", "2"])
            _ = try await world.servers[0].batch(
                [BatchTests.replace("B", 1), BatchTests.create("B", 2)],
                for: caller
            )
            let before = try await FinalState(of: caller.userID, in: world)
            let second = try await world.servers[1].batch(Self.operations(), Self.key("k"), for: caller)
            #expect(second.results.map(BatchTests.word) == ["1", "2", "2"])
            for number in [0, 2] { #expect(try Self.tag(second, number) == Self.tag(first, number)) }
            let between = try await FinalState(of: caller.userID, in: world)
            #expect(between.replica.difference(from: before.replica).count == 1)
            // Now the key has the answers of all operations.
            _ = try await world.servers[0].batch([BatchTests.replace("C", 2, edited: 9)], for: caller)
            let third = try await world.servers[0].batch(Self.operations(), Self.key("k"), for: caller)
            for number in 0..<3 { #expect(try Self.tag(third, number) == Self.tag(second, number)) }
            let after = try await FinalState(of: caller.userID, in: world)
            #expect(after.replica.version(of: BatchTests.id(2)) == 3)
            #expect(after.irregularities == [])
        }
    }

    private static func tag(_ receipt: BatchReceipt, _ number: Int) throws -> String {
        let result = try receipt.results[number].get()
        return "\(result.version.text) \(result.changedAt)"
    }

    @Test("The key of a request that wrote nothing can be used by another request")
    func free() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.batch([BatchTests.create("A", 1)], for: caller)
            let refused: [ConfigurationOperation] = [.delete(BatchTests.id(8)), try BatchTests.create("B", 1)]
            let atomic = [try BatchTests.create("A", 5), .delete(BatchTests.id(8))]
            #expect(try await server.batch(refused, Self.key("k"), for: caller).outcome == .partial)
            #expect(try await server.batch(atomic, isAtomic: true, Self.key("k", 2), for: caller).outcome == .refused)
            // A batch without changes stores no answer.
            #expect(try await server.batch([BatchTests.create("A", 1)], Self.key("k", 3), for: caller).outcome == .done)
            let next = try BatchTests.create("A", 6)
            #expect(try await server.batch([next], Self.key("k", 4), for: caller).results.map(BatchTests.word) == ["1"])
            await #expect(throws: CloudSyncError.self) {
                try await server.batch([next], Self.key("k", 5), for: caller)
            }
        }
    }

    @Test("A conflict repeated with its key returns the current document, and a resolved one is written")
    func conflict() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            func current() async throws -> String? {
                do {
                    _ = try await server.create(
                        Document("B", id: WriteRule.id, edited: 2).parsed(),
                        WriteConditions(),
                        Self.key("k"),
                        for: caller
                    ).get()
                    return nil
                } catch CloudSyncError.conflict(let conflict) {
                    return conflict.current.map { String(decoding: $0, as: UTF8.self) }
                }
            }
            let original = Document("A", id: WriteRule.id, edited: 1)
            _ = try await server.create(original.parsed(), for: caller).get()
            #expect(try await current() == original.text())
            let next = try Document("C", id: WriteRule.id, edited: 3).parsed()
            _ = try await server.update(WriteRule.id, next, for: caller).get()
            #expect(try await current()?.contains(#""name":"C""#) == true)
            let same = try Document("B", id: WriteRule.id, edited: 2).parsed()
            _ = try await server.update(WriteRule.id, same, .init(ifMatch: .any), for: caller).get()
            #expect(try await current() == nil)
        }
    }

    @Test("One of ten concurrent requests with one key is done, and all get its answer")
    func concurrent() async throws {
        try await World.with { world in
            try await ConvergenceRun.delayCommits(in: world, seed: 2)
            let caller = try await world.newAccount()[0]
            let answers = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<10 {
                    let operations = try [BatchTests.create("A", 1), BatchTests.create("A", 2)]
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        let receipt = try await world.servers[number % 2].batch(operations, Self.key("k"), for: caller)
                        return try (0..<2).map { try Self.tag(receipt, $0) }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.history.values.allSatisfy { $0.count == 1 })
        }
    }

    @Test("A key with another request is refused; another account may use the same key")
    func reused() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.batch([BatchTests.create("A", 1)], Self.key("k"), for: caller)
            let other = try BatchTests.create("A", 2)
            await #expect {
                try await server.batch([other], Self.key("k", 2), for: caller)
            } throws: { error in
                if case CloudSyncError.problem(.idempotencyKeyReused) = error { true } else { false }
            }
            #expect(try await FinalState(of: caller.userID, in: world).replica.items.count == 1)
            let stranger = try await world.newAccount()[0]
            _ = try await server.batch([other], Self.key("k", 2), for: stranger)
            #expect(try await FinalState(of: stranger.userID, in: world).replica.items.count == 1)
        }
    }

    @Test("An expired key can be used again, and its sweep frees its room")
    func expired() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            let count = "SELECT count(*) FROM idempotency_keys"
            _ = try await server.batch([BatchTests.create("A", 1)], Self.key("k"), for: caller)
            _ = try await server.batch([BatchTests.create("A", 4)], Self.key("fresh"), for: caller)
            try await world.sweep("old idempotency keys")
            #expect(try await world.sql(count).first?.int(0) == 2)
            try await world.sql("UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'k'")
            _ = try await server.batch([BatchTests.create("A", 2)], Self.key("k", 2), for: caller)
            #expect(try await FinalState(of: caller.userID, in: world).replica.items.count == 3)
            try await world.sql("UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'k'")
            try await world.sweep("old idempotency keys")
            #expect(try await world.sql(count).first?.int(0) == 1)
            #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
        }
    }

    @Test("A key's answer is kept and counted also in a full history")
    func fullHistory() async throws {
        let document = Document("A", id: BatchTests.id(2), edited: 1)
        try await World.with(quotas: AccountQuotas(historyMaxBytes: document.text().utf8.count)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            let operations: [ConfigurationOperation] = [.create(try document.parsed()), .delete(BatchTests.id(1))]
            let first = try await server.batch(operations, Self.key("k"), for: caller)
            #expect(first.results.map(BatchTests.word) == ["1", "not-found"])
            _ = try await server.delete(BatchTests.id(2), for: caller).get()
            let again = try await world.servers[1].batch(operations, Self.key("k"), for: caller)
            #expect(try Self.tag(again, 0) == Self.tag(first, 0))
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.replica.version(of: BatchTests.id(2)) == 2)
            let more = try await server.batch([BatchTests.create("A", 3)], for: caller).results.map(BatchTests.word)
            #expect(more.first?.hasPrefix("historyBytes") == true)
        }
    }

    @Test("A sweep deletes a limited number of the oldest keys and skips accounts with open writes")
    func boundedSweep() async throws {
        try await World.with { world in
            let callers = [try await world.newAccount()[0], try await world.newAccount()[0]]
            for number in 0..<6 {
                let operations = [try BatchTests.create("A", number)]
                _ = try await world.servers[0].batch(operations, Self.key("\(number)"), for: callers[number % 2])
            }
            try await world.sql(
                "UPDATE idempotency_keys SET expires_at = now() - interval '6 hours' + key::int * interval '1 hour'"
            )
            func sweep(_ count: Int) async throws -> Int? {
                let rows = try await world.sql(
                    "SET ROLE neuroviews_background; SET lock_timeout = '5s'; SELECT sweep_idempotency_keys(\(count))"
                )
                return rows.first?.int(0)
            }
            func left() async throws -> String? {
                try await world.sql("SELECT string_agg(key, '' ORDER BY key) FROM idempotency_keys").first?.text(0)
            }
            #expect(try await sweep(2) == 2)
            #expect(try await left() == "2345")
            let writer = try await onThread { [connectionString = world.connectionString] in
                let session = try BlockingSession(connectionString)
                let head = "SELECT FROM neuroviews.sync_heads WHERE user_id = '\(callers[0].userID)' FOR UPDATE"
                try session.execute("BEGIN; \(head)")
                return Writer(session: session)
            }
            #expect(try await sweep(100) == 2)
            #expect(try await left() == "24")
            try await onThread { _ = try writer.session.execute("COMMIT") }
            #expect(try await sweep(100) == 2)
            for caller in callers { #expect(try await FinalState(of: caller.userID, in: world).irregularities == []) }
        }
    }

    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Writer: @unchecked Sendable { let session: BlockingSession }

    @Test("A request over the quota is evaluated anew with the same key")
    func quota() async throws {
        try await World.with(quotas: AccountQuotas(itemsMax: 1)) { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.batch([BatchTests.create("A", 1)], for: caller)
            let full = try await server.batch([BatchTests.create("A", 2)], Self.key("k"), for: caller)
            #expect(full.results.map(BatchTests.word) == ["items 1"])
            _ = try await server.delete(BatchTests.id(1), for: caller).get()
            let done = try await server.batch([BatchTests.create("A", 2)], Self.key("k"), for: caller)
            #expect(done.results.map(BatchTests.word) == ["1"])
            let again = try await server.batch([BatchTests.create("A", 2)], Self.key("k"), for: caller)
            #expect(again.results.map(BatchTests.word) == ["1"])
        }
    }
}
