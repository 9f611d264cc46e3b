import Postgres

extension WritePlan {
    /// The steps that store the plan.
    func steps(_ sql: WriteSQL, by writer: Writer) -> [Step] {
        let user = Parameter.text(writer.userID)
        var steps: [Step] = []
        if !losers.isEmpty, let keepLosers = sql.keepLosers {
            let arrival: [Parameter] = [.text(head.deviceID), .int(receivedAt.microseconds)]
            steps.append(keepLosers([user] + arrival + Loser.parameters(losers)))
        }
        let author: [Parameter] = [.text(head.deviceID ?? writer.sessionID), .bool(head.deviceID != nil)]
        let common = [user] + head.parameters
        switch changes.count {
        case 0: if !losers.isEmpty { steps.append(sql.updateHead(common)) }
        case 1:
            let store = changes[0].isNew ? sql.storeNew : sql.storeChanged
            steps.append(store(common + author + changes[0].parameters))
        default: steps.append(sql.storeSeveral(common + author + Change.parameters(changes)))
        }
        return steps
    }
}

extension WritePlan.Change {
    /// The parameters of a single change.
    fileprivate var parameters: [Parameter] {
        [
            .text(write.id), .text(spelledID), text.map { .utf8($0[...]) } ?? .null,
            write.content.map { .bytes($0.digest) } ?? .null, .bytes(write.sent.bytes), .int(made.item?.version),
            .int(made.seq), made.chain.parameter, .int(changedAt.microseconds), .int(editedAt.microseconds),
            .text(write.content?.preset),
        ]
    }

    /// The parameters of several changes, as arrays.
    fileprivate static func parameters(_ changes: [Self]) -> [Parameter] {
        [
            .uuids(changes.map(\.write.id)),
            .texts(changes.map(\.spelledID)),
            .array(of: .text, changes.map { $0.text?[...] }),
            .array(of: .bytes, changes.map { $0.write.content?.digest[...] }),
            .array(of: .bytes, changes.map { $0.write.sent.bytes[...] }),
            .integers(changes.map { $0.made.item?.version }),
            .integers(changes.map(\.made.seq)),
            ChainValue.parameter(changes.map(\.made.chain)),
            .integers(changes.map(\.changedAt.microseconds)),
            .integers(changes.map(\.editedAt.microseconds)),
            .texts(changes.map { $0.write.content?.preset }),
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
            .int(changedAt.microseconds), .bytes(stateHash), .int(use.items), .int(use.tombstones),
            .int(use.historyBytes),
        ]
    }
}
