import NeuroViewsRules

/// An item with an edit, in the request or not.
struct UnsentItem: Equatable {
    enum State: Equatable {
        /// It is pushed now, or it is in the request.
        case unsent
        /// It is pushed after the next pull.
        case waiting
        /// The server will not take it.
        case refused
        /// The user decides.
        case held
    }

    let id: String
    let state: State
}

/// Edits on their way.
extension Store {
    /// The items in the request, then those with another edit, in the order of their first edits.
    func unsentItems(at now: Instant) throws(ClientError) -> [UnsentItem] {
        let sql = """
            SELECT id, waits, held, refused_at, edited FROM item WHERE edit_kind > 0
            UNION ALL SELECT item, 0, 0, NULL, 0 FROM request_part
                WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.id = request_part.item AND edit_kind > 0)
            ORDER BY 5
            """
        return try rows(sql) { row in
            let isRefused = Self.isRefused(row.text(3), at: now)
            let other: UnsentItem.State = row.bool(1) ? .waiting : .unsent
            return UnsentItem(id: row.text(0) ?? "", state: row.bool(2) ? .held : isRefused ? .refused : other)
        }
    }

    /// The numbers of items whose edit is pushed now or after the next pull, is refused, or is held.
    func counts(at now: Instant) throws(ClientError) -> (unsent: Int, refused: Int, held: Int) {
        let states = try unsentItems(at: now).map(\.state)
        let refused = states.count { $0 == .refused }
        let held = states.count { $0 == .held }
        return (states.count - refused - held, refused, held)
    }

    /// The first dirty items, in the order of their first edits.
    func dirtyItems(at now: Instant, limit: Int = PendingRequest.batchMax) throws(ClientError) -> [Item] {
        try look { () throws(ClientError) in
            let sql = """
                SELECT id, refused_at FROM item
                WHERE edit_kind > 0 AND waits = 0 AND held = 0 AND NOT (edit_kind = 2 AND copy IS NULL) ORDER BY edited
                """
            let ids = try rows(sql, atMost: limit) { Self.isRefused($0.text(1), at: now) ? nil : $0.text(0) }
            var items: [Item] = []
            for id in ids {
                if let item = try item(id) { items.append(item) }
            }
            return items
        }
    }

    /// The items that wait, or were refused.
    func markedIDs() throws(ClientError) -> Set<String> {
        let sql = "SELECT id FROM item WHERE \(Schema.isMarked) AND (waits = 1 OR refused_at IS NOT NULL)"
        return Set(try rows(sql) { $0.text(0) })
    }

    private static func isRefused(_ time: String?, at now: Instant) -> Bool {
        guard let at = time.flatMap({ Instant($0) }) else { return false }
        return !Refusal(problem: NeuroViewsRules.Problem(status: 0), at: at).isOver(at: now)
    }
}
