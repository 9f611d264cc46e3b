import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Pulls: pages to the stage, then all of them in one step, then the check of the state hash.
extension SyncLoop {
    /// A whole pull; a second one, of everything, if the copies are not the server's.
    func pullAll() async throws(End) {
        guard try await pullOnce(isRepeat: false) == .pullFullSet else { return }
        guard try await pullOnce(isRepeat: true) == .report else { return }
        report.differsFromServer = true
        feeds.emit(.differsFromServer)
    }

    /// A pull until it is stored. `isRepeat`: it brings everything.
    private func pullOnce(isRepeat: Bool) async throws(End) -> StateCheck.Next {
        while true {
            guard let last = try await lastPage(isFull: isRepeat) else { return .nothing }
            // Nil: the pages are void, as after a pull of another process.
            if let next = try apply(last, isRepeat: isRepeat) { return next }
        }
    }

    /// The last page of a pull, and the pull with all pages taken.
    private struct LastPage {
        let pull: Pull
        /// The ETag, if the next pull asks the same.
        let etag: String?
        /// The cursor, if it is not the pull's token.
        let lastSync: String?
    }

    /// Asks for all pages. A pull that a pause interrupted goes on with the same page. Nil: nothing is new.
    private func lastPage(isFull: Bool) async throws(End) -> LastPage? {
        var pull = if let pull = self.pull { pull } else { try begin(isFull: isFull) }
        while true {
            let (path, known) = try local { () throws(ClientError) in try question(pull) }
            let request = PendingRequest(
                method: "GET",
                path: path,
                fields: known.map { [HeaderField("If-None-Match", $0)] } ?? [],
                body: [],
                ids: []
            )
            let expectation = Expectation(method: "GET", path: path, isConditional: known != nil)
            guard let answer = try await answer(to: request, expectation) else { continue }
            switch pull.step(answer) {
            case .unchanged:
                self.pull = nil
                try local { () throws(ClientError) in try store.endUnchangedPull(at: .now) }
                return nil
            case .restart: pull = try begin(isFull: true)
            case .failed(let problem):
                self.pull = nil
                throw .minute(.refused(Problem(problem)))
            case .page(let page):
                guard try stage(page, of: pull) else {
                    pull = try begin(isFull: isFull)
                    continue
                }
                pull.take(page)
                self.pull = pull
                if !page.hasMore { return lastPage(pull, path, answer) }
            }
        }
    }

    /// The answer to a page's request. Nil if it was too large: the pages of this pull have fewer items from now on.
    private func answer(to request: PendingRequest, _ expectation: Expectation) async throws(End) -> Answer? {
        do throws(End) { return try await exchange(request, expectation) } catch {
            guard case .failure(.answerTooLarge) = error, pageItems != 1 else { throw error }
            pageItems = pageItems == 0 ? 500 : max(1, pageItems / 10)
            return nil
        }
    }

    private func lastPage(_ pull: Pull, _ path: String, _ answer: Answer) -> LastPage {
        self.pull = nil
        pageItems = setup.limit
        let next = Pull(token: pull.token, seen: []).path(limit: pageItems)
        return LastPage(
            pull: pull,
            etag: next == path ? answer.field("etag") : nil,
            lastSync: setup.usesLastSync ? answer.json?["server_time"]?.string : nil
        )
    }

    /// The stage begins with the first page, so a pull without pages writes nothing.
    private func begin(isFull: Bool) throws(End) -> Pull {
        pull = nil
        let account = try local { () throws(ClientError) in try store.account() }
        return Pull(token: isFull ? nil : account.token, seen: account.push.seen)
    }

    /// The path of the next page's request, and the ETag that the answer to the same one had.
    private func question(_ pull: Pull) throws(ClientError) -> (path: String, known: String?) {
        let path = pull.path(limit: pageItems)
        let account = try store.account()
        // Only the first page of a pull has the stored cursor.
        guard let token = pull.token, token == account.token else { return (path, nil) }
        if setup.usesLastSync { return (path.replacing("sync_token=", with: "last_sync="), nil) }
        return (path, pull.seen.isEmpty ? account.etag : nil)
    }

    /// False if the pull is void: another process has begun one, or the store was mended before the first page.
    private func stage(_ page: NeuroViewsRules.Page, of pull: Pull) throws(End) -> Bool {
        try local { () throws(ClientError) in
            try store.step { () throws(ClientError) in
                let isFirst = self.pull == nil
                if isFirst, let token = pull.token, try store.account().token != token { return false }
                if page.isReset || isFirst { try store.beginStage() }
                return try store.stage(page.copies)
            }
        }
    }

    /// Stores a complete pull in one step. Nil if the pull is void.
    private func apply(_ last: LastPage, isRepeat: Bool) throws(End) -> StateCheck.Next? {
        let applied = try local { () throws(ClientError) in
            try store.step { () throws(ClientError) in
                let applied = try store.apply(last.pull, isRepeat: isRepeat, at: .now)
                if applied != nil {
                    try store.changeAccount { account in
                        // A full set that fails is asked for again: a 304 would hide the difference.
                        account.etag = applied?.next == .pullFullSet ? nil : last.etag
                        if let time = last.lastSync { account.token = time }
                    }
                }
                return applied
            }
        }
        guard let applied else { return nil }
        report.pulled += applied.arrived
        tell(applied.lost)
        feeds.changed(Set(applied.changed.compactMap { UUID(uuidString: $0) }))
        return applied.next
    }
}
