import NeuroViewsJSON
import NeuroViewsRules

/// The tables `item` and `request_part`.
extension Store {
    static let itemColumns = """
        SELECT item.id, item.tag, item.copy, item.edit_kind, item.edit, waits, refused_at, refused, held, unsure,
        part.tag, part.copy, part.edit_kind, part.edit FROM item LEFT JOIN request_part AS part ON part.item = item.id
        """

    /// Reads an item; nil if there is none. The id is a UUID in lower case.
    func item(_ id: String) throws(ClientError) -> Item? {
        try row(Self.itemColumns + " WHERE item.id = ?1", [.text(id)], readItem)
    }

    /// Reads an item, or makes one, which `body` changes; stores it.
    func change<T>(_ id: String, _ body: (inout Item) throws(ClientError) -> T) throws(ClientError) -> T {
        try step { () throws(ClientError) in
            var item = try item(id) ?? Item(id: id)
            let result = try body(&item)
            try save(item)
            return result
        }
    }

    /// All items with a document to show, in the order of their ids. `transform` must not use the store.
    func shownItems<T>(_ transform: (Item) throws(ClientError) -> T?) throws(ClientError) -> [T] {
        try rows(Self.itemColumns + " ORDER BY item.id") { row throws(ClientError) in
            let item = try readItem(row)
            return item.shown == nil ? nil : try transform(item)
        }
    }

    /// Stores an item; one of which nothing is left goes. Keeps the hash over the copies.
    func save(_ item: Item) throws(ClientError) {
        try step { () throws(ClientError) in
            try changeHash(item.id, from: copiedDocument(item.id), to: item.copy?.document)
            try savePart(item)
            if item.isGone { return try run("DELETE FROM item WHERE id = ?1", .text(item.id)) }
            try run(
                """
                INSERT INTO item (id, tag, copy, edit_kind, edit, waits, refused_at, refused, held, unsure, edited)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                    CASE WHEN ?4 > 0 THEN (SELECT coalesce(max(edited), 0) + 1 FROM item WHERE edit_kind > 0) END)
                ON CONFLICT (id) DO UPDATE SET tag = ?2, copy = ?3, edit_kind = ?4, edit = ?5, waits = ?6,
                    refused_at = ?7, refused = ?8, held = ?9, unsure = ?10,
                    edited = CASE WHEN ?4 > 0 THEN coalesce(edited, excluded.edited) END
                """,
                .text(item.id),
                SQLValue(item.copy?.tag),
                try seal(item.copy?.document?.text, "item", item.id, "copy"),
                .integer(Edit.kind(item.edit)),
                try seal(storable(item.edit), "item", item.id, "edit"),
                SQLValue(item.waits),
                SQLValue(item.refusal?.at.text),
                try seal(item.refusal?.problem.json.serialized(), "item", item.id, "refused"),
                SQLValue(item.isHeld),
                SQLValue(item.isUnsure)
            )
        }
    }

    /// Keeps the part's place among those of the request.
    private func savePart(_ item: Item) throws(ClientError) {
        guard let part = item.part else { return try run("DELETE FROM request_part WHERE item = ?1", .text(item.id)) }
        try run(
            """
            INSERT INTO request_part (item, tag, copy, edit_kind, edit) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (item) DO UPDATE SET tag = ?2, copy = ?3, edit_kind = ?4, edit = ?5
            """,
            .text(item.id),
            SQLValue(part.copy?.tag),
            try seal(part.copy?.document?.text, "request_part", item.id, "copy"),
            .integer(Edit.kind(part.edit)),
            try seal(storable(part.edit), "request_part", item.id, "edit")
        )
    }

    /// The text of an edit, which must be the same when it is read again: else the whole store would be unreadable.
    private func storable(_ edit: Edit?) throws(ClientError) -> [UInt8]? {
        guard let edit, let text = edit.text else { return nil }
        let json = try? JSONParser.parse(text, policy: .rfc8259)
        guard Edit(kind: Edit.kind(edit), json) == edit else { throw .store(.unstorable("it is nested too deeply")) }
        return text
    }

    private func copiedDocument(_ id: String) throws(ClientError) -> Document? {
        try row("SELECT copy FROM item WHERE id = ?1", [.text(id)]) { row throws(ClientError) in
            try Document(unsealJSON(row.blob(0), "item", id, "copy"))
        }
    }

    func readItem(_ row: SQLRow) throws(ClientError) -> Item {
        var item = Item(id: row.text(0) ?? "")
        item.copy = try readCopy(row, at: 1, "item", item.id)
        item.edit = try readEdit(row, at: 3, "item", item.id)
        item.part = try readEdit(row, at: 12, "request_part", item.id).map { edit throws(ClientError) in
            Part(copy: try readCopy(row, at: 10, "request_part", item.id), edit: edit)
        }
        item.waits = row.bool(5)
        if let at = row.text(6).flatMap({ Instant($0) }),
            let problem = try unsealJSON(row.blob(7), "item", item.id, "refused").flatMap({
                NeuroViewsRules.Problem(json: $0)
            })
        {
            item.refusal = Refusal(problem: problem, at: at)
        }
        (item.isHeld, item.isUnsure) = (row.bool(8), row.bool(9))
        return item
    }

    /// The columns of a tag and of a document.
    func readCopy(_ row: SQLRow, at column: Int32, _ table: String, _ id: String) throws(ClientError) -> Copy? {
        guard let tag = row.text(column) else { return nil }
        guard let json = try unsealJSON(row.blob(column + 1), table, id, "copy") else {
            return Copy(tag: tag, document: nil)
        }
        guard let document = Document(json) else { throw .store(.unreadable("\(table).copy is no document")) }
        return Copy(tag: tag, document: document)
    }

    /// The columns of a kind and of a text.
    func readEdit(_ row: SQLRow, at column: Int32, _ table: String, _ id: String) throws(ClientError) -> Edit? {
        guard let kind = row.integer(column), kind > 0 else { return nil }
        guard let edit = Edit(kind: kind, try unsealJSON(row.blob(column + 1), table, id, "edit")) else {
            throw .store(.unreadable("\(table).edit is none"))
        }
        return edit
    }
}
