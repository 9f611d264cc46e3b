import NeuroViewsRules

/// A value that did not survive, until the user takes it back or forgets it.
struct LostRow: Equatable {
    /// No other entry ever has this number.
    let number: Int64
    let loss: Loss
    let at: Instant
}

/// The table `lost`.
extension Store {
    private static let keptS: Int64 = 30 * 86400
    /// Of the older ones.
    private static let keptMax: Int64 = 1000

    /// Adds entries, and returns them with their numbers. Entries of more than 30 days go, except the newest 1,000 of all.
    func addLost(_ losses: [Loss], at now: Instant) throws(ClientError) -> [LostRow] {
        if losses.isEmpty { return [] }
        return try step { () throws(ClientError) in
            var added: [LostRow] = []
            for loss in losses { added.append(try add(loss, at: now)) }
            try run(
                "DELETE FROM lost WHERE at < ?1 AND id <= (SELECT id FROM lost ORDER BY id DESC LIMIT 1 OFFSET ?2)",
                .integer(now.seconds - Self.keptS),
                .integer(Self.keptMax)
            )
            return added
        }
    }

    /// All entries, the oldest first.
    func lost() throws(ClientError) -> [LostRow] { try lost("ORDER BY id", []) }

    /// One entry; nil if there is none.
    func lost(_ number: Int64) throws(ClientError) -> LostRow? { try lost("WHERE id = ?1", [.integer(number)]).first }

    /// Removes an entry. Returns false if there is none.
    func forgetLost(_ number: Int64) throws(ClientError) -> Bool {
        try step { () throws(ClientError) in
            try run("DELETE FROM lost WHERE id = ?1", .integer(number))
            return changedRows > 0
        }
    }

    private func add(_ loss: Loss, at now: Instant) throws(ClientError) -> LostRow {
        try run(
            "INSERT INTO lost (item, why, kind, pointer, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            .text(loss.id),
            .text(loss.reason.rawValue),
            .text(loss.kind.rawValue),
            SQLValue(loss.pointer),
            .integer(now.seconds)
        )
        let number = insertedID
        // The value is bound to its row, whose number is known only now.
        let value = try seal(loss.value?.serialized(), "lost", String(number), "value")
        try run("UPDATE lost SET value = ?1 WHERE id = ?2", value, .integer(number))
        return LostRow(number: number, loss: loss, at: Instant(seconds: now.seconds))
    }

    private func lost(_ which: String, _ values: [SQLValue]) throws(ClientError) -> [LostRow] {
        try rows("\(Self.columns) \(which)", values, readLost)
    }

    private static let columns = "SELECT id, item, why, kind, pointer, value, at FROM lost"

    private func readLost(_ row: SQLRow) throws(ClientError) -> LostRow {
        let number = row.integer(0) ?? 0
        guard let reason = row.text(2).flatMap({ Loss.Reason(rawValue: $0) }),
            let kind = row.text(3).flatMap({ Loss.Kind(rawValue: $0) })
        else { throw .store(.unreadable("an entry of lost")) }
        let value = try unsealJSON(row.blob(5), "lost", String(number), "value")
        let loss = Loss(id: row.text(1) ?? "", reason: reason, kind: kind, pointer: row.text(4), value: value)
        return LostRow(number: number, loss: loss, at: Instant(seconds: row.integer(6) ?? 0))
    }

    /// Entries that can't be read stay, without their values. A member without one would be a removed member.
    func mendLost() throws(ClientError) {
        for number in try unreadable(Self.columns, readLost) {
            try run(
                "UPDATE lost SET why = ?2, kind = ?3, pointer = NULL, value = NULL WHERE id = ?1",
                .text(number),
                .text(Loss.Reason.unreadable.rawValue),
                .text(Loss.Kind.document.rawValue)
            )
        }
    }
}
