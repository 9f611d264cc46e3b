import NeuroViewsRules

/// The effects of a complete pull.
struct AppliedPull {
    /// The items of which something else is shown now.
    fileprivate(set) var changed: [String] = []
    /// The number of copies that were new.
    fileprivate(set) var arrived = 0
    /// The entries that were added to `lost`.
    fileprivate(set) var lost: [LostRow] = []
    /// The consequence of the state hash.
    fileprivate(set) var next = StateCheck.Next.nothing
    fileprivate var losses: [Loss] = []
}

/// The end of a pull, in one step. Items are read some at a time, however many there are.
extension Store {
    private static let chunk = 200

    /// Lets the staged copies arrive. `isRepeat`: the pull was the full set for a wrong hash. Nil if the pull is void.
    func apply(_ pull: Pull, isRepeat: Bool, at now: Instant) throws(ClientError) -> AppliedPull? {
        try step { () throws(ClientError) in
            guard try isStageMine() else { return nil }
            var applied = AppliedPull()
            try arriveStaged(pull, &applied, at: now)
            if pull.isFull { try leaveUnlisted(&applied, at: now) }
            try endMarks(bringsDeletion: pull.bringsDeletion)
            try endStage()
            applied.lost = try addLost(applied.losses, at: now)
            var check = try account().check
            let isRight = try account().hash == pull.stateHash
            applied.next = check.next(isRight: isRight, isRepeat: isRepeat, at: now)
            let checked = check
            try changeAccount { account in
                (account.token, account.check) = (pull.token, checked)
                (account.push.seen, account.lastComplete) = ([], now)
            }
            return applied
        }
    }

    /// A complete pull that brought nothing (304). Its time is stored once a minute, because each commit is a flush.
    func endUnchangedPull(at now: Instant) throws(ClientError) {
        try step { () throws(ClientError) in
            try endMarks(bringsDeletion: false)
            let account = try account()
            if account.push.seen.isEmpty, let last = account.lastComplete,
                (0..<60).contains(now.seconds - last.seconds)
            {
                return
            }
            try changeAccount { ($0.push.seen, $0.lastComplete) = ([], now) }
        }
    }

    private func arriveStaged(_ pull: Pull, _ applied: inout AppliedPull, at now: Instant) throws(ClientError) {
        var last = ""
        while true {
            let copies = try stagedCopies(after: last, atMost: Self.chunk)
            guard let end = copies.last?.id else { return }
            last = end
            for staged in copies {
                let item = try item(staged.id) ?? Item(id: staged.id)
                try arrive(staged.copy, at: item, pull.isFull, staged.latest, &applied, now)
            }
        }
    }

    /// The items that a full set does not list.
    private func leaveUnlisted(_ applied: inout AppliedPull, at now: Instant) throws(ClientError) {
        try forEachItem(where: "id NOT IN (SELECT id FROM staged)") { item throws(ClientError) in
            try arrive(nil, at: item, true, nil, &applied, now)
        }
    }

    private func arrive(
        _ copy: Copy?,
        at old: Item,
        _ inFullSet: Bool,
        _ latest: Instant?,
        _ applied: inout AppliedPull,
        _ now: Instant
    ) throws(ClientError) {
        if old.copy == copy { return }
        var item = old
        applied.losses += item.arrive(copy, inFullSet: inFullSet, latest: latest, at: now)
        applied.arrived += 1
        if item.shown != old.shown { applied.changed.append(item.id) }
        try save(item)
    }

    private func endMarks(bringsDeletion: Bool) throws(ClientError) {
        // Two indexes: a pull that brings nothing must not read every item.
        let edited = "SELECT id FROM item WHERE edit_kind > 0 UNION SELECT id FROM item WHERE \(Schema.isMarked)"
        try forEachItem(where: "id IN (\(edited))") { item throws(ClientError) in
            var ended = item
            ended.endPull(bringsDeletion: bringsDeletion)
            if ended != item { try save(ended) }
        }
    }

    /// Calls `body` for each item of a step; it may change the item.
    func forEachItem(
        where condition: String,
        _ body: (Item) throws(ClientError) -> Void
    ) throws(ClientError) {
        var last = ""
        while true {
            let sql = "SELECT id FROM item WHERE \(condition) AND id > ?1 ORDER BY id"
            let ids = try rows(sql, [.text(last)], atMost: Self.chunk) { $0.text(0) }
            guard let end = ids.last else { return }
            last = end
            for id in ids {
                if let item = try item(id) { try body(item) }
            }
        }
    }
}
