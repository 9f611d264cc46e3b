/// A copy that arrives at the end of a complete pull.
extension Item {
    /// Stores a copy; nil means that a full set does not list the item. `latest`: see `StagedCopy`. Returns what did
    /// not survive.
    package mutating func arrive(_ new: Copy?, inFullSet: Bool, latest: Instant?, at now: Instant) -> [Loss] {
        let old = copy
        if old == new { return [] }
        let before = isUnsure ? nil : old?.document
        (copy, refusal, isUnsure) = (new, nil, false)
        var losses: [Loss] = []
        if inFullSet, let replaced = old?.document, replaced != new?.document {
            losses.append(Loss(replaced, of: id, .replacedByFullSet))
        }
        if let document = new?.document {
            isHeld = false
            losses += arrive(document, before, latest: latest, at: now)
        } else {
            losses += leave(isTombstone: new != nil)
        }
        return losses
    }

    private mutating func arrive(_ new: Document, _ before: Document?, latest: Instant?, at now: Instant) -> [Loss] {
        guard edit == .deletion else { return rebase(from: before, onto: new, latest: latest, at: now) }
        if before == new { return [] }
        // The user was not asked: the document stays.
        edit = nil
        return [Loss(id: id, reason: .changedElsewhere, kind: .deletion)]
    }

    /// The server has no document. An edit of a held item stays, and so does one that a full set does not list.
    private mutating func leave(isTombstone: Bool) -> [Loss] {
        guard let document = edit?.document else {
            edit = nil
            return []
        }
        guard isTombstone, !isHeld else { return [] }
        edit = nil
        return [Loss(document, of: id, .deletedElsewhere)]
    }
}
