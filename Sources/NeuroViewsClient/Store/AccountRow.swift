import NeuroViewsCrypto
import NeuroViewsRules

/// The values that an account has once.
struct AccountRow {
    /// The cursor of the next pull; nil for everything.
    var token: String?
    /// The ETag of the last pull.
    var etag: String?
    /// The state of the pushes.
    var push: PushState
    /// The reports of a wrong state hash.
    var check: StateCheck
    /// The hash over all copies.
    let hash: StateHash
    /// The time of the last complete pull.
    var lastComplete: Instant?
}

extension Store {
    /// Reads the row.
    func account() throws(ClientError) -> AccountRow {
        let sql = "SELECT token, etag, seen, refusals, wrong_at, hash, last_complete FROM account"
        let found = try row(sql) { row throws(ClientError) in
            guard let hash = row.blob(5).flatMap({ StateHash(bytes: $0) }) else {
                throw .store(.unreadable("account.hash is none"))
            }
            let seen = (row.text(2) ?? "").split(separator: " ").map { String($0) }
            return AccountRow(
                token: row.text(0),
                etag: row.text(1),
                push: PushState(seen: seen, refusals: row.integer(3) ?? 0),
                check: StateCheck(wrongAt: row.text(4).flatMap { Instant($0) }),
                hash: hash,
                lastComplete: row.text(6).flatMap { Instant($0) }
            )
        }
        guard let found else { throw .store(.damaged("there is no account")) }
        return found
    }

    /// Changes the row, as it is at this moment.
    func changeAccount(_ change: (inout AccountRow) -> Void) throws(ClientError) {
        try step { () throws(ClientError) in
            var account = try account()
            change(&account)
            try run(
                """
                UPDATE account SET token = ?1, etag = ?2, seen = ?3, refusals = ?4, wrong_at = ?5, last_complete = ?6
                """,
                SQLValue(account.token),
                SQLValue(account.etag),
                // Tags have no spaces.
                .text(account.push.seen.joined(separator: " ")),
                .integer(account.push.refusals),
                SQLValue(account.check.wrongAt?.text),
                SQLValue(account.lastComplete?.text)
            )
        }
    }

    /// Takes an item's old document out of the hash, and its new one in.
    func changeHash(_ id: String, from old: Document?, to new: Document?) throws(ClientError) {
        if old == new { return }
        var hash = try account().hash
        hash.change(id, from: old, to: new) { SHA256.hash($0) }
        try run("UPDATE account SET hash = ?1", .blob(hash.bytes))
    }
}
