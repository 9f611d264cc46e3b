import TestSupport
import Testing

extension Load {
    /// The result of a full pull by a new client.
    private func state(of account: Account) throws -> [String: Belief] {
        var reader = LoadReader(LoadClient(server, account.device, observations), observations, limit: nil)
        try reader.finish()
        return reader.items
    }

    /// Expects that the server has every acknowledged write exactly once, and that every reader has the server's state.
    func expectConvergence(_ comment: Comment) throws {
        for account in accounts {
            let state = try state(of: account)
            // The bound is low for slow machines.
            #expect(account.written.count > 3, "\(comment): too little was written")
            #expect(Self.difference(state, account.written) == [], "\(comment): the server and the writers")
            for reader in account.read {
                #expect(Self.difference(reader.items, state) == [], "\(comment): a reader and the server")
            }
        }
    }

    /// Expects only successes, 503s with Retry-After, and no broken connection.
    func expectProperAnswers(_ comment: Comment) {
        let seen = observations.seen
        #expect(seen.improper == [], comment)
        #expect(seen.broken == [], comment)
    }

    private static func difference(_ left: [String: Belief], _ right: [String: Belief]) -> [String] {
        Set(left.keys).union(right.keys).sorted().compactMap { id in
            if left[id] == right[id] { return nil }
            func name(_ belief: Belief?) -> String {
                belief.map { "version \($0.version) \($0.document ?? "deleted")" } ?? "nothing"
            }
            return "\(id): \(name(left[id])) and \(name(right[id]))"
        }
    }
}
