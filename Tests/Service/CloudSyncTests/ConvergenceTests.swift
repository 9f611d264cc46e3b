import CloudSync
import TestSupport
import Testing

/// The guarantee of delta sync, tested with randomly delayed commits.
@Suite(.serialized)
struct ConvergenceTests {
    static let seeds = 1...(TestRun.isFull ? 100 : 1)

    @Test("Readers that poll during writes miss nothing, by sync_token and by last_sync", arguments: seeds)
    func converges(seed: Int) async throws {
        try await World.with { world in
            try await ConvergenceRun.delayCommits(in: world, seed: seed)
            for account in try await ConvergenceRun.run(in: world, seed: seed) {
                let end = try await FinalState(of: account.userID, in: world)
                #expect(end.irregularities == [], "seed \(seed)")
                checkWriters(account, end, seed)
                for reader in account.readers {
                    let missed = reader.replica.difference(from: end.replica)
                    #expect(missed == [], "seed \(seed): a reader by \(reader.cursor) after \(reader.polls) polls")
                    #expect(reader.replica.steppedBack == nil, "seed \(seed): a reader by \(reader.cursor)")
                    #expect(reader.wrongHashes == 0, "seed \(seed): a reader by \(reader.cursor)")
                }
            }
        }
    }

    private func checkWriters(_ account: ConvergenceRun.Account, _ end: FinalState, _ seed: Int) {
        // If two devices delete the same item, it is one change.
        var changes: Set<String> = []
        for writer in account.writers {
            #expect(writer.failures == [], "seed \(seed)")
            #expect(writer.replica.steppedBack == nil, "seed \(seed): \(writer.name)")
            for write in writer.acknowledged {
                changes.insert("\(write.receipt.id) \(write.receipt.version.text)")
                let stored = end.history[write.receipt.id.lowercased()]?[write.receipt.version.number]
                let sent = write.document?.text(spelledID: write.receipt.id)
                #expect(stored == .some(sent), "seed \(seed): \(write.receipt) is not in the history as it was sent")
            }
            for loser in writer.losers {
                #expect(end.losers.contains(loser.text()), "seed \(seed): \(loser) lost and was not kept")
            }
        }
        let versions = end.history.values.map(\.count).reduce(0, +)
        #expect(versions == changes.count, "seed \(seed): other changes than the acknowledged writes")
    }
}
