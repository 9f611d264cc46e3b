/// The answer to an item's part of the request.
extension Item {
    private static let receiptSlackS: Int64 = 1

    /// Handles the outcome of the part, and ends it. Returns what did not survive.
    package mutating func settle(_ outcome: WriteOutcome, at now: Instant) -> [Loss] {
        guard let part else { return [] }
        switch outcome {
        case .done(let receipt): return done(part, receipt, at: now)
        case .missing where part.edit == .deletion:
            (copy, self.part, isUnsure) = (nil, nil, false)
        case .deleted(let tag, _) where part.edit != .deletion: return deletedElsewhere(part, tag)
        case .missing, .deleted, .notApplied:
            returnMembers()
            waits = true
        case .refused(let problem, let isCertain):
            if edit == nil { refusal = Refusal(problem: problem, at: now) }
            returnMembers()
            if !isCertain { isUnsure = true }
        }
        return []
    }

    /// Takes the members of the part back into the edit. A deletion, here or there, has none to add.
    package mutating func returnMembers() {
        guard let part else { return }
        self.part = nil
        switch (part.edit, edit) {
        case (_, nil): edit = part.edit
        case (.document(_, let sent), .document(let document, let since)):
            var members = Members()
            members.note(sent.all + since.all)
            edit = .document(document, members)
        case (_, .some): break
        }
    }

    /// The store was restored or cloned: what it has as an edit or in a request may have been sent since.
    package mutating func doubt() {
        returnMembers()
        if edit != nil { isUnsure = true }
    }

    private mutating func done(_ part: Part, _ receipt: Receipt, at now: Instant) -> [Loss] {
        (self.part, isUnsure) = (nil, false)
        var losses = receipt.losers.map {
            Loss(id: id, reason: .conflict, kind: .member, pointer: $0.pointer, value: $0.value)
        }
        guard let sent = part.edit.document else {
            copy = Copy(tag: receipt.tag, document: nil)
            return losses
        }
        let document = receipt.configuration ?? sent
        copy = Copy(tag: receipt.tag, document: document)
        if edit == .deletion {
            if document != sent { losses.append(Loss(document, of: id, .deletedUnseen)) }
        } else {
            let latest = receipt.changedAt?.adding(seconds: Self.receiptSlackS)
            losses += rebase(from: sent, onto: document, latest: latest, at: now)
        }
        return losses
    }

    /// Others deleted the item: a document made since shows the whole, and the user decides.
    private mutating func deletedElsewhere(_ part: Part, _ tag: String) -> [Loss] {
        (self.part, copy) = (nil, Copy(tag: tag, document: nil))
        isHeld = edit?.document != nil
        return part.edit.document.map { [Loss($0, of: id, .deletedElsewhere)] } ?? []
    }
}
