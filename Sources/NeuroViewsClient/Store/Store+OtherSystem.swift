import NeuroViewsRules

/// A store that was cloned, or that came back from a backup (docs/client.md, "At which moment").
extension Store {
    /// Compares the system's id with the stored one, and stores it. Returns true if the store is another device's: then
    /// its edits and its request may have been sent since. Without an id nothing is known.
    func meet(_ systemID: String?) throws(ClientError) -> Bool {
        guard let systemID, !systemID.isEmpty else { return false }
        return try step { () throws(ClientError) in
            let stored = try row("SELECT system_id FROM account") { $0.text(0) }
            if stored == systemID { return false }
            if stored != nil { try doubt() }
            try run("UPDATE account SET system_id = ?1", .text(systemID))
            return stored != nil
        }
    }

    private func doubt() throws(ClientError) {
        let isEdited = "(edit_kind > 0 OR id IN (SELECT item FROM request_part))"
        try forEachItem(where: isEdited) { item throws(ClientError) in
            var doubted = item
            doubted.doubt()
            try save(doubted)
        }
        // What the server has open may be the other device's.
        try run("UPDATE upload SET granted = 1 WHERE granted = 2")
        try end([:])
        try changeAccount { ($0.token, $0.etag, $0.push.seen) = (nil, nil, []) }
    }
}
