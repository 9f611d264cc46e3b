import NeuroViewsJSON

/// Handles the answer to a write, which was judged as done or refused, or is `Answer.givenUp`.
extension PendingRequest {
    /// Changes the items of the request, which the caller stores together with `push` and the end of the request.
    /// Returns what did not survive.
    package func settle(
        _ answer: Answer,
        _ items: inout [String: Item],
        _ push: inout PushState,
        at now: Instant
    ) -> [Loss] {
        push.note(head: answer.syncHead)
        guard let outcomes = outcomes(of: answer) else {
            push.goOneByOne()
            for id in ids { items[id]?.giveUpBatch(isCertain: answer.isCertain) }
            return []
        }
        if isBatch, answer.isSuccess { push.noteBatch(isRefused: answer.json?["outcome"]?.string == "refused") }
        return zip(ids, outcomes).flatMap { id, outcome in items[id]?.settle(outcome, at: now) ?? [] }
    }

    /// The outcome of each item; nil if a batch was refused as a whole.
    private func outcomes(of answer: Answer) -> [WriteOutcome]? {
        guard isBatch else { return [WriteOutcome(answer)] }
        if answer.isSuccess { return answer.json?["results"]?.array.flatMap { Self.outcomes($0, of: ids) } }
        let outcome = WriteOutcome(answer)
        return answer.problem.code == WriteOutcome.keyReused && outcome == .notApplied ? ids.map { _ in outcome } : nil
    }

    /// The outcomes of a batch's results; nil unless each item has one.
    static func outcomes(_ results: [JSONValue], of ids: [String]) -> [WriteOutcome]? {
        guard results.count == ids.count else { return nil }
        var outcomes: [WriteOutcome] = []
        for (id, result) in zip(ids, results) {
            guard result["id"]?.string?.lowercased() == id, let outcome = WriteOutcome(result: result) else {
                return nil
            }
            outcomes.append(outcome)
        }
        return outcomes
    }
}

extension Item {
    /// The refusal of the batch may be about another item: this one is tried again by itself.
    fileprivate mutating func giveUpBatch(isCertain: Bool) {
        returnMembers()
        if !isCertain { isUnsure = true }
    }
}
