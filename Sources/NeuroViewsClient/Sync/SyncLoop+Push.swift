import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes: each is stored before it is sent, and repeated until its answer is handled.
extension SyncLoop {
    /// Pushes until nothing is dirty, or until a pull must come first. Returns true if anything was pushed.
    func push() async throws(End) -> Bool {
        var isPushed = false
        while try local({ () throws(ClientError) in try makeRequest() }) {
            try await repeatRequest()
            isPushed = true
        }
        return isPushed
    }

    /// Stores the next request. Returns false if there is nothing to push now.
    private func makeRequest() throws(ClientError) -> Bool {
        try store.step { () throws(ClientError) in
            let now = Instant.now
            var push = try store.account().push
            if push.refusals > 0, try store.counts(at: now).unsent == 0 {
                push.refusals = 0
                let ended = push
                try store.changeAccount { $0.push = ended }
            }
            let key = UUID().uuidString.lowercased()
            let items = try store.dirtyItems(at: now)
            guard let made = PendingRequest.make(of: items, style, push, key: key, at: now) else { return false }
            try store.begin(made)
            return true
        }
    }

    /// Sends the request that has no answer, and handles its answer.
    func repeatRequest() async throws(End) {
        guard let request = try local({ () throws(ClientError) in try store.request() }) else { return }
        // A write that is given up must not be one that nothing comes through for.
        let isLast = request.isNextTryLast ? try await isServed() : false
        let answer: Answer
        do throws(End) {
            answer = try await exchange(request, request.expectation)
        } catch {
            guard case .failure(let failure) = error, failure.isResultUnknown else { throw error }
            try local { () throws(ClientError) in try store.noteFailure() }
            guard isLast else { throw error }
            answer = .givenUp
        }
        try settle(request, answer)
    }

    /// True if the server answers another request.
    private func isServed() async throws(End) -> Bool {
        let path = "/configurations?limit=1"
        let request = PendingRequest(method: "GET", path: path, fields: [], body: [], ids: [])
        do throws(End) {
            return try await exchange(request, Expectation(method: "GET", path: path)).status == 200
        } catch {
            guard case .failure(let failure) = error, failure.isResultUnknown else { throw error }
            return false
        }
    }

    /// Handles an answer in one step.
    private func settle(_ request: PendingRequest, _ answer: Answer) throws(End) {
        let (before, after, lost) = try local { () throws(ClientError) in
            try store.step { () throws(ClientError) in
                let before = try store.requestItems()
                var (after, push) = (before, try store.account().push)
                let now = Instant.now
                let losses = request.settle(answer, &after, &push, at: now)
                try store.end(after)
                let noted = push
                try store.changeAccount { $0.push = noted }
                return (before, after, try store.addLost(losses, at: now))
            }
        }
        report.sent += after.values.count { $0.hasArrived(since: before[$0.id]) }
        tell(lost)
        for (id, item) in after { tell(item, before: before[id]) }
        feeds.changed(Set(after.keys.compactMap { UUID(uuidString: $0) }))
    }

    /// Names the lost edits.
    func tell(_ lost: [LostRow]) {
        report.lost += lost.count
        for row in lost {
            if let edit = LostEdit(row.loss, id: row.number, at: row.at) { feeds.emit(.lost(edit)) }
        }
    }

    /// Names a new mark that only the user ends.
    private func tell(_ item: Item, before: Item?) {
        guard let id = UUID(uuidString: item.id) else { return }
        if let refusal = item.refusal, refusal != before?.refusal {
            report.refused += 1
            feeds.emit(.refused(id, Problem(refusal.problem)))
        }
        if item.isHeld, before?.isHeld != true {
            report.held += 1
            feeds.emit(.held(id))
        }
    }
}

extension Item {
    /// True if the server took the item's part. A document that meets a deletion was not taken.
    fileprivate func hasArrived(since before: Item?) -> Bool {
        copy != before?.copy && (copy?.document != nil || before?.part?.edit == .deletion)
    }
}
