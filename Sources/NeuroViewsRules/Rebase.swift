import NeuroViewsJSON

/// Puts the user's members onto another document.
struct Rebase {
    /// The document that the user changed. Without it, theirs counts as changed.
    let before: Document?
    /// The document that arrived.
    let theirs: Document
    /// The time of theirs. Without one that can be read, mine is the later.
    let theirsAt: Instant?
    /// The members that did not win.
    private(set) var lost: [(pointer: JSONPointer, value: JSONValue?)] = []

    /// `latest`: theirs counts no later, for the clock of its device may be ahead.
    init(from before: Document?, onto theirs: Document, latest: Instant?) {
        (self.before, self.theirs) = (before, theirs)
        theirsAt = theirs.modifiedAt.map { min($0, latest ?? $0) }
    }

    /// The edit after the rebase; nil if no member is left.
    mutating func edit(_ mine: Document, _ members: Members, at now: Instant) -> Edit? {
        var placed = Members()
        placed.note(members.all.map { (theirs.reachable($0.pointer), $0.time) })
        var (result, kept) = (theirs, Members())
        for (pointer, time) in placed.all where stays(mine.value(at: pointer), at: pointer, time) {
            result.put(mine.value(at: pointer), at: pointer)
            kept.note(pointer, time)
        }
        if kept.isEmpty { return nil }
        result.put(.string(now.documentText), at: JSONPointer().appending(member: "modified_at"))
        return .document(result, kept)
    }

    /// True if the user's value stays in the edit.
    private mutating func stays(_ mine: JSONValue?, at pointer: JSONPointer, _ time: Instant) -> Bool {
        let other = theirs.value(at: pointer)
        if mine == other { return false }
        if let before, other == before.value(at: pointer) { return true }
        let wins = theirsAt.map { time > $0 } ?? true
        lost.append((pointer, wins ? other : mine))
        return wins
    }
}

extension Item {
    /// Rebases the edit, if it is a document. Returns the values that did not win.
    mutating func rebase(from before: Document?, onto theirs: Document, latest: Instant?, at now: Instant) -> [Loss] {
        guard case .document(let mine, let members) = edit else { return [] }
        var rebase = Rebase(from: before, onto: theirs, latest: latest)
        edit = rebase.edit(mine, members, at: now)
        return rebase.lost.map {
            Loss(id: id, reason: .conflict, kind: .member, pointer: $0.pointer.description, value: $0.value)
        }
    }
}
