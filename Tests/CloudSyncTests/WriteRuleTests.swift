import CloudSync
import Testing

/// The retry and conflict rows of the table of writes.
struct WriteRuleTests {
    @Test("Writes are answered as the table of retries and conflicts says")
    func rules() async throws {
        try await World.with { world in
            for rule in WriteRule.all { try await check(rule, world) { try await send($0, $1, $2) } }
        }
    }

    @Test("As operations of a batch they are answered in the same way")
    func batches() async throws {
        try await World.with { world in
            for rule in WriteRule.all {
                try await check(rule, world) { write, server, caller in
                    try await server.batch([operation(write)], for: caller).results[0].get()
                }
            }
        }
    }

    private typealias Send = (WriteRule.Write, ConfigurationService, Caller) async throws -> WriteReceipt

    private func check(_ rule: WriteRule, _ world: World, _ send: Send) async throws {
        let caller = try await world.newAccount()[0]
        var receipts: [Int: WriteReceipt] = [:]
        for (number, step) in rule.steps.enumerated() {
            let (answer, receipt) = try await perform(step.write, world.servers[number % 2], caller, send)
            #expect(answer == step.answer, "\(rule.name), step \(number + 1)")
            guard let receipt else { continue }
            let first = receipts[receipt.version, default: receipt]
            #expect((receipt.id, receipt.changedAt) == (first.id, first.changedAt), "\(rule.name), step \(number + 1)")
            receipts[receipt.version] = first
        }
        let state = try await FinalState(of: caller.userID, in: world)
        #expect(state.irregularities == [], "\(rule.name)")
        let live = state.replica.items.values.compactMap(\.document)
        #expect(live.count == (rule.end == nil ? 0 : 1), "\(rule.name)")
        #expect(live.allSatisfy { $0.contains(#""name":"\#(rule.end ?? "")""#) }, "\(rule.name)")
        #expect(state.losers.count == rule.losers.count, "\(rule.name): \(state.losers)")
        for loser in rule.losers {
            #expect(
                state.losers.contains { $0.contains(#""name":"\#(loser)""#) },
                "\(rule.name): \(loser) was not kept"
            )
        }
    }

    private func perform(
        _ write: WriteRule.Write,
        _ server: ConfigurationService,
        _ caller: Caller,
        _ send: Send
    ) async throws -> (WriteRule.Answer, WriteReceipt?) {
        do {
            let receipt = try await send(write, server, caller)
            return (.version(receipt.version), receipt)
        } catch CloudSyncError.conflict(let conflict) {
            let isDeleted = conflict.reason == .deleted
            #expect((conflict.current == nil) == isDeleted, "the answer to a conflict carries the current document")
            return (.conflict(conflict.reason, current: conflict.version), nil)
        } catch CloudSyncError.notFound {
            return (.notFound, nil)
        }
    }

    private func operation(_ write: WriteRule.Write) throws -> ConfigurationOperation {
        func conditions(_ version: Int?) -> WriteConditions {
            WriteConditions(ifMatch: version.map { .versions([$0]) })
        }
        switch write {
        case .create(let document): return .create(try document.parsed())
        case .update(let document, let version): return .replace(try document.parsed(), conditions(version))
        case .delete(let version): return .delete(WriteRule.id.lowercased(), conditions(version))
        }
    }

    private func send(
        _ write: WriteRule.Write,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws -> WriteReceipt {
        func conditions(_ version: Int?) -> WriteConditions {
            WriteConditions(ifMatch: version.map { .versions([$0]) })
        }
        switch write {
        case .create(let document): return try await server.create(document.parsed(), for: caller)
        case .update(let document, let version):
            return try await server.update(document.id, document.parsed(), conditions(version), for: caller)
        case .delete(let version):
            return try await server.delete(WriteRule.id.lowercased(), conditions(version), for: caller)
        }
    }

    @Test("With If-Match: * a write that comes again is a retry, too: it names no version as the current one")
    func anyVersion() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            func document(_ name: String, _ edited: Int) throws -> ConfigurationDocument {
                try Document(name, id: WriteRule.id, edited: edited).parsed()
            }
            let any = WriteConditions(ifMatch: .any)
            _ = try await server.create(document("A", 1), for: caller)
            #expect(try await server.update(WriteRule.id, document("B", 2), any, for: caller).version == 2)
            #expect(try await server.update(WriteRule.id, document("C", 3), any, for: caller).version == 3)
            #expect(try await server.update(WriteRule.id, document("B", 2), any, for: caller).version == 2)
            #expect(try await server.get(WriteRule.id, for: caller).version == 3)
        }
    }
}
