import NeuroViewsCrypto
import NeuroViewsRules

/// A value that can't be read, by a fault of the disk or of a program, costs itself alone.
///
/// - A copy is fetched again: the next pull brings everything.
/// - An edit is named in `lost`, without its value.
/// - A request ends. Its members return, and its items are unsure, as in a store from a backup.
/// - An upload fails, and an event goes.
extension Store {
    private static let itemsAtATime = 200

    /// Calls `read` again if something could not be read, and was taken out.
    func mended<T>(_ read: () throws(ClientError) -> T) throws(ClientError) -> T {
        do throws(ClientError) {
            return try read()
        } catch .store(.unreadable) {
            return try read()
        }
    }

    /// Takes out what can't be read, in one step.
    func takeOutUnreadable(at now: Instant = .now) throws(ClientError) -> Mended {
        try step { () throws(ClientError) in
            // It is computed anew below.
            try run("UPDATE account SET hash = ?1", .blob(StateHash().bytes))
            let sent = try readable { () throws(ClientError) in (try request(), try requestItems()) }
            let items = try mendItems(endsRequest: sent == nil)
            if sent == nil { try end([:]) }
            try endStage()
            try changeAccount { ($0.token, $0.etag, $0.push.seen) = (nil, nil, []) }
            try mendLost()
            try mendEvents()
            let lost = try addLost(items.flatMap(\.losses), at: now)
            return Mended(items: items.map(\.item.id), lost: lost, uploads: try mendUploads())
        }
    }

    /// The result of `read`; nil if it meets what can't be read.
    func readable<T>(_ read: () throws(ClientError) -> T) throws(ClientError) -> T? {
        do throws(ClientError) {
            return try read()
        } catch .store(.unreadable) {
            return nil
        }
    }

    /// The ids, in the first column, of the rows that can't be read.
    func unreadable<T>(_ sql: String, _ read: (SQLRow) throws(ClientError) -> T) throws(ClientError) -> [String] {
        try rows(sql) { row throws(ClientError) in
            let value = try readable { () throws(ClientError) in try read(row) }
            return value == nil ? row.text(0) : nil
        }
    }
}

/// An item without what can't be read of it.
private struct Salvaged {
    var item: Item
    var losses: [Loss] = []
    var isWhole = true
}

extension Store {
    /// Mends items, and computes the hash over all copies. Returns those that could not be read whole.
    private func mendItems(endsRequest: Bool) throws(ClientError) -> [Salvaged] {
        var (mended, hash, last) = ([Salvaged](), StateHash(), "")
        while true {
            let sql = "\(Self.itemColumns) WHERE item.id > ?1 ORDER BY item.id"
            let found = try rows(sql, [.text(last)], atMost: Self.itemsAtATime, salvage)
            guard let end = found.last?.item.id else { break }
            last = end
            for salvaged in found {
                if !salvaged.isWhole { mended.append(salvaged) }
                hash.change(salvaged.item.id, from: nil, to: salvaged.item.copy?.document) { SHA256.hash($0) }
                try keep(salvaged, endsRequest: endsRequest)
            }
        }
        try run("UPDATE account SET hash = ?1", .blob(hash.bytes))
        return mended
    }

    private func salvage(_ row: SQLRow) throws(ClientError) -> Salvaged {
        if let item = try readable({ () throws(ClientError) in try readItem(row) }) { return Salvaged(item: item) }
        var salvaged = Salvaged(item: Item(id: row.text(0) ?? ""), isWhole: false)
        let id = salvaged.item.id
        salvaged.item.copy = try readable { () throws(ClientError) in try readCopy(row, at: 1, "item", id) } ?? nil
        salvaged.item.edit = try salvageEdit(row, at: 3, "item", &salvaged.losses)
        if let part = try salvageEdit(row, at: 12, "request_part", &salvaged.losses) {
            let copy = try readable { () throws(ClientError) in try readCopy(row, at: 10, "request_part", id) }
            salvaged.item.part = Part(copy: copy ?? nil, edit: part)
        }
        // A refusal is asked for again.
        let isEdited = salvaged.item.edit != nil
        (salvaged.item.isHeld, salvaged.item.isUnsure) = (isEdited && row.bool(8), isEdited && row.bool(9))
        return salvaged
    }

    private func salvageEdit(
        _ row: SQLRow,
        at column: Int32,
        _ table: String,
        _ losses: inout [Loss]
    ) throws(ClientError) -> Edit? {
        let id = row.text(0) ?? ""
        let edit = try readable { () throws(ClientError) in try readEdit(row, at: column, table, id) }
        if let edit { return edit }
        losses.append(Loss(id: id, reason: .unreadable, kind: .document))
        return nil
    }

    private func keep(_ salvaged: Salvaged, endsRequest: Bool) throws(ClientError) {
        var item = salvaged.item
        if endsRequest, item.part != nil || !salvaged.isWhole { item.doubt() }
        if salvaged.isWhole, item == salvaged.item { return }
        // `save` reads the copy that it replaces.
        try run("UPDATE item SET tag = NULL, copy = NULL WHERE id = ?1", .text(item.id))
        try save(item)
    }
}
