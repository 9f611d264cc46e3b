import Postgres

extension WritePlan {
    /// What stores the plan.
    func steps(_ sql: WriteSQL, for caller: Caller) -> [Step] {
        if isEmpty { return [] }
        let user = Parameter.text(caller.userID)
        let author: [Parameter] = [.text(head.deviceID ?? caller.sessionID), .bool(head.deviceID != nil)]
        var steps: [Step] = []
        for isNew in [true, false] {
            let changes = changes.filter { $0.isNew == isNew }
            guard !changes.isEmpty, let store = sql.store(isNew: isNew, isAlone: changes.count == 1) else { continue }
            let parameters = changes.count == 1 ? changes[0].parameters : Change.parameters(changes)
            steps.append(store([user] + author + parameters))
        }
        if !losers.isEmpty {
            steps.append(sql.keepLosers([user, .text(head.deviceID), .int(receivedAt.microseconds)] + Loser.parameters(losers)))
        }
        steps.append(sql.updateHead([user] + head.parameters))
        return steps
    }
}

extension WritePlan.Change {
    /// One change alone.
    fileprivate var parameters: [Parameter] {
        [
            .text(write.id), .text(spelledID), text.map { .utf8($0[...]) } ?? .null,
            write.content.map { .bytes($0.digest) } ?? .null, .bytes(write.sent.bytes), .int(made.item?.version),
            .int(made.seq), made.chain.parameter, .int(changedAt.microseconds), .int(editedAt.microseconds),
        ]
    }

    /// The same of several, as arrays.
    fileprivate static func parameters(_ changes: [Self]) -> [Parameter] {
        [
            .uuids(changes.map(\.write.id)),
            .texts(changes.map(\.spelledID)),
            .array(of: .text, changes.map { $0.text?[...] }),
            .array(of: .bytes, changes.map { $0.write.content?.digest[...] }),
            .array(of: .bytes, changes.map { $0.write.sent.bytes[...] }),
            .integers(changes.map { $0.made.item?.version }),
            .integers(changes.map(\.made.seq)),
            .array(changes.map { "\"\\\\x\($0.made.chain.digits)\"" }),
            .integers(changes.map(\.changedAt.microseconds)),
            .integers(changes.map(\.editedAt.microseconds)),
        ]
    }
}

extension WritePlan.Loser {
    fileprivate static func parameters(_ losers: [Self]) -> [Parameter] {
        [
            .uuids(losers.map(\.id)),
            .array(of: .bytes, losers.map { $0.digest[...] }),
            .array(of: .text, losers.map { $0.text[...] }),
            .integers(losers.map(\.base)),
            .integers(losers.map(\.editedAt.microseconds)),
        ]
    }
}

extension AccountHead {
    fileprivate var parameters: [Parameter] {
        [
            .int(newest.seq), newest.chain.parameter, .text(newest.item?.id), .int(newest.item?.version),
            .int(changedAt.microseconds), .bytes(stateHash), .int(use.items), .int(use.tombstones), .int(use.historyBytes),
        ]
    }
}
