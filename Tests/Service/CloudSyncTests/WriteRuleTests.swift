import CloudSync
import Testing

/// The retry and conflict rows of the table of writes.
struct WriteRuleTests {
    @Test("Writes follow the table of retries and conflicts")
    func rules() async throws {
        try await World.with { world in
            for rule in WriteRule.all { try await check(rule, world) { try await send($0, $1, $2, $3) } }
        }
    }

    @Test("Operations of a batch follow the table of retries and conflicts")
    func batches() async throws {
        try await World.with { world in
            for rule in WriteRule.all {
                try await check(rule, world) { write, conditions, server, caller in
                    try await server.batch([operation(write, conditions)], for: caller).results[0].get()
                }
            }
        }
    }

    private typealias Send = (WriteRule.Write, WriteConditions, ConfigurationService, Caller) async throws ->
        WriteReceipt

    private func check(_ rule: WriteRule, _ world: World, _ send: Send) async throws {
        let devices = try await world.newAccount(devices: 3)
        var receipts: [Int: WriteReceipt] = [:]
        for (number, step) in rule.steps.enumerated() {
            let caller = devices[step.device - 1]
            if step.days > 0 {
                try await world.pass(days: step.days)
                // The receipts name other times now.
                receipts = [:]
            }
            let conditions = try await conditions(step.condition, world, caller)
            let (answer, receipt) = try await perform {
                try await send(step.write, conditions, world.servers[number % 2], caller)
            }
            #expect(answer == step.answer, "\(rule.name), step \(number + 1)")
            guard let receipt else { continue }
            let first = receipts[receipt.version.number, default: receipt]
            #expect(
                (receipt.id, receipt.version.text, receipt.changedAt) == (
                    first.id, first.version.text, first.changedAt
                ),
                "\(rule.name), step \(number + 1)"
            )
            receipts[receipt.version.number] = first
        }
        try await checkEnd(rule, FinalState(of: devices[0].userID, in: world))
    }

    private func checkEnd(_ rule: WriteRule, _ state: FinalState) {
        #expect(state.irregularities == [], "\(rule.name)")
        let live = state.replica.items.values.compactMap(\.document)
        #expect(live.count == (rule.end == nil ? 0 : 1), "\(rule.name)")
        #expect(live.allSatisfy { $0.contains(#""name":"\#(rule.end ?? "")""#) }, "\(rule.name)")
        #expect(state.losers.count == rule.losers.count, "\(rule.name): \(state.losers)")
        for loser in rule.losers {
            let isKept = state.losers.contains { $0.contains(#""name":"\#(loser)""#) }
            #expect(isKept, "\(rule.name): \(loser) was not kept")
        }
    }

    private func perform(
        _ send: () async throws -> WriteReceipt
    ) async throws -> (WriteRule.Answer, WriteReceipt?) {
        do {
            let receipt = try await send()
            return (.version(receipt.version.number), receipt)
        } catch CloudSyncError.conflict(let conflict) {
            let isDeleted = conflict.reason == .deleted
            #expect((conflict.current == nil) == isDeleted, "the answer to a conflict carries the current document")
            return (.conflict(conflict.reason, current: conflict.version?.number), nil)
        } catch CloudSyncError.problem(.notFound) {
            return (.notFound, nil)
        }
    }

    private func conditions(
        _ condition: WriteRule.Condition,
        _ world: World,
        _ caller: Caller
    ) async throws -> WriteConditions {
        switch condition {
        case .none: WriteConditions()
        case .any: WriteConditions(ifMatch: .any)
        case .version(let number): try await world.ifMatch(number, caller)
        case .versions(let numbers):
            WriteConditions(
                ifMatch: .versions(
                    try await world.tags(of: WriteRule.id, caller).filter { numbers.contains($0.number) }
                )
            )
        case .foreign(let number): WriteConditions(ifMatch: .versions([try .ofAnotherHistory(number)]))
        }
    }

    private func operation(_ write: WriteRule.Write, _ conditions: WriteConditions) throws -> ConfigurationOperation {
        switch write {
        case .create(let document): .create(try document.parsed(), conditions)
        case .update(let document): .replace(try document.parsed(), conditions)
        case .delete: .delete(WriteRule.id.lowercased(), conditions)
        }
    }

    private func send(
        _ write: WriteRule.Write,
        _ conditions: WriteConditions,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws -> WriteReceipt {
        switch write {
        case .create(let document): try await server.create(document.parsed(), conditions, for: caller).get()
        case .update(let document):
            try await server.update(document.id, document.parsed(), conditions, for: caller).get()
        case .delete: try await server.delete(WriteRule.id.lowercased(), conditions, for: caller).get()
        }
    }
}
