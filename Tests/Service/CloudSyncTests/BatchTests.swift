import CloudSync
import Testing
import Tracing

/// Several writes in one transaction.
struct BatchTests {
    static func id(_ number: Int) -> String { "\(WriteRule.id.dropLast(4))\(1000 + number)" }

    static func create(_ name: String, _ number: Int, edited: Int = 1) throws -> ConfigurationOperation {
        .create(try Document(name, id: id(number), edited: edited).parsed())
    }

    static func replace(_ name: String, _ number: Int, edited: Int = 2) throws -> ConfigurationOperation {
        .replace(try Document(name, id: id(number), edited: edited).parsed())
    }

    /// A short text for a result: the version, or the reason for the refusal.
    static func word(_ result: Result<WriteReceipt, CloudSyncError>) -> String {
        switch result {
        case .success(let receipt): "\(receipt.version.number)"
        case .failure(.conflict(let conflict)): "\(conflict.reason)"
        case .failure(.quotaExceeded(let excess)): "\(excess.quota) \(excess.used)"
        case .failure(let error): error.type.code
        }
    }

    @Test("A batch of 500 operations takes two round trips, like one of 1")
    func roundTrips() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0]
            for count in [1, 500] {
                let operations = try (0..<count).map { try Self.create("A \(count)", $0 + count) }
                let (trips, results) = try await world.loops[0].run {
                    let record = RequestRecord()
                    record.begin()
                    let receipt = try await world.servers[0].batch(operations, for: account.noting(in: record))
                    return (record.databaseRoundTrips, receipt.results.count)
                }
                #expect(trips == 2)
                #expect(results == count)
            }
            let state = try await FinalState(of: account.userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.replica.items.count == 501)
        }
    }

    @Test("Each operation of a batch is done or refused in order, and the same batch gets the same answers")
    func partial() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            let items = [try Self.create("A", 1), try Self.create("A", 2, edited: 9), try Self.create("A", 3)]
            _ = try await server.batch(items, for: caller)
            let operations: [ConfigurationOperation] = [
                try Self.create("B", 4), try Self.replace("B", 1), try Self.replace("B", 2),
                .delete(Self.id(3)), .delete(Self.id(8)), try Self.create("B", 5),
                try Self.create("A", 6),
            ]
            let receipt = try await server.batch(operations, for: caller)
            #expect(receipt.outcome == .partial)
            #expect(receipt.results.map(Self.word) == ["1", "2", "editedLater", "2", "not-found", "1", "1"])
            let again = try await world.servers[1].batch(operations, for: caller)
            #expect(again.results.map(Self.word) == receipt.results.map(Self.word))
            for (first, second) in zip(receipt.results, again.results) {
                #expect((try? first.get().changedAt) == (try? second.get().changedAt))
            }
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.losers.count == 1)
        }
    }

    @Test("An atomic batch with one refusal writes nothing but its nonce, also no losers")
    func atomic() async throws {
        try await World.with { world in
            let (server, account) = (world.servers[0], try await world.newAccount()[0])
            let first = try await server.create(Document("A", id: Self.id(1), edited: 1).parsed(), for: account)
            let before = try await FinalState(of: account.userID, in: world)
            let operations = [try Self.create("B", 2), try Self.create("B", 1), try Self.create("A", 3)]
            let refused = try await server.batch(operations, isAtomic: true, for: account.signing("atomic"))
            #expect(refused.outcome == .refused)
            #expect(refused.results.map(Self.word) == ["batch-refused", "exists", "batch-refused"])
            #expect(refused.head == first.head, "the newest change is the one that there is")
            let after = try await FinalState(of: account.userID, in: world)
            #expect(after.replica == before.replica)
            #expect(after.losers.isEmpty)
            #expect(after.irregularities == [])
            await #expect(throws: CloudSyncError.self) {
                try await server.batch(operations, for: account.signing("atomic"))
            }
            let done = try await server.batch([operations[0], operations[2]], isAtomic: true, for: account)
            #expect(done.outcome == .done)
            let again = try await server.batch([operations[0], operations[2]], isAtomic: true, for: account)
            #expect(again.outcome == .done)
            #expect(again.results.map(Self.word) == ["1", "1"])
            // In an atomic batch with a refusal, a retry is refused too.
            let mixed = try await server.batch(
                [operations[0], .delete(Self.id(9)), try Self.create("D", 4)],
                isAtomic: true,
                for: account
            )
            #expect(mixed.results.map(Self.word) == ["batch-refused", "not-found", "batch-refused"])
            #expect(try await FinalState(of: account.userID, in: world).replica.items.count == 3)
        }
    }

    @Test("A batch returns current documents of conflicts up to 4 MiB, and the others without them")
    func largeConflicts() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            let long = String(repeating: "x", count: 1 << 20)
            _ = try await server.batch((0..<6).map { try Self.create(long, $0) }, for: caller)
            let results = try await server.batch((0..<6).map { try Self.create("A", $0) }, for: caller).results
            let hasDocument = results.map { result in
                if case .failure(.conflict(let conflict)) = result { conflict.current != nil } else { nil as Bool? }
            }
            #expect(hasDocument == [true, true, true, true, false, false])
        }
    }

    @Test("Concurrent batches and single writes of one account are all stored, in one order")
    func concurrent() async throws {
        try await World.with { world in
            try await ConvergenceRun.delayCommits(in: world, seed: 1)
            let devices = try await world.newAccount(devices: 6)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, caller) in devices.enumerated() {
                    let server = world.servers[number % 2]
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        for round in 0..<4 {
                            let name = "device \(number) round \(round)"
                            if number < 4 {
                                let operations = try (0..<20).map { item in
                                    round == 0 && number == 0
                                        ? try Self.create(name, item) : try Self.replace(name, item, edited: round)
                                }
                                _ = try await server.batch(operations, for: caller)
                            } else {
                                let document = try Document(name, id: Self.id(round), edited: round + 20).parsed()
                                _ = try? await server.update(Self.id(round), document, for: caller).get()
                                _ = try? await server.create(document, for: caller).get()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
            #expect(state.replica.items.count >= 20)
            for server in world.servers {
                var replica = Replica()
                try await server.pull(&replica, limit: 7, for: devices[0])
                #expect(replica.difference(from: state.replica) == [])
            }
        }
    }

    @Test("Quotas apply within a batch in its order, and concurrent batches can't exceed them")
    func quotas() async throws {
        try await World.with(quotas: AccountQuotas(itemsMax: 10)) { world in
            let devices = try await world.newAccount(devices: 4)
            let words = try await withThrowingTaskGroup(of: [String].self) { group in
                for (number, caller) in devices.enumerated() {
                    let operations = try (0..<6).map { try Self.create("A", number * 10 + $0) }
                    group.addTask(executorPreference: world.loops[number / 2]) {
                        try await world.servers[number % 2].batch(operations, for: caller).results.map(Self.word)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(words.count { $0 == "1" } == 10)
            #expect(words.count { $0 == "items 10" } == 14)
            let caller = devices[0]
            let state = try await FinalState(of: caller.userID, in: world)
            #expect(state.irregularities == [])
            // A deletion makes room for later operations only.
            let known = state.replica.items.keys.sorted()
            let operations: [ConfigurationOperation] = [
                try Self.create("B", 90), .delete(known[0]), try Self.create("B", 91), .delete(known[1]),
            ]
            let receipt = try await world.servers[0].batch(operations, for: caller)
            #expect(receipt.results.map(Self.word) == ["items 10", "2", "1", "2"])
            let atomic = try await world.servers[0].batch(
                [Self.create("C", 92), Self.create("C", 93)],
                isAtomic: true,
                for: caller
            )
            #expect(atomic.results.map(Self.word) == ["batch-refused", "items 10"])
        }
    }
}

extension Caller {
    /// The same caller with its requests recorded in `record`.
    func noting(in record: RequestRecord) -> Caller {
        Caller(userID: userID, sessionID: sessionID, counter: counter, keyID: keyID, record: record)
    }
}
