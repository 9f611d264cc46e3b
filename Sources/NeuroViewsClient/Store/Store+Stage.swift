import NeuroViewsRules

/// The table `staged`: the copies of an unfinished pull. It belongs to the object that began it last.
extension Store {
    /// Empties the stage, for a new pull or a page with `reset`.
    func beginStage() throws(ClientError) {
        // By chance: no two objects have the same one, also if this step fails later.
        let id = Int64.random(in: 1...Int64.max)
        try step { () throws(ClientError) in
            try run("DELETE FROM staged")
            try run("UPDATE account SET stage = ?1", .integer(id))
        }
        stageID = id
    }

    /// Adds copies to the stage. Returns false if another object has begun one, or a write has ended: then this pull is void.
    func stage(_ copies: [StagedCopy]) throws(ClientError) -> Bool {
        try step { () throws(ClientError) in
            guard try isStageMine() else { return false }
            for staged in copies {
                try run(
                    "INSERT OR REPLACE INTO staged (id, tag, copy, latest) VALUES (?1, ?2, ?3, ?4)",
                    .text(staged.id),
                    .text(staged.copy.tag),
                    try seal(staged.copy.document?.text, "staged", staged.id, "copy"),
                    SQLValue(staged.latest?.text)
                )
            }
            return true
        }
    }

    /// The next staged copies behind an id.
    func stagedCopies(after id: String, atMost limit: Int) throws(ClientError) -> [StagedCopy] {
        let sql = "SELECT id, tag, copy, latest FROM staged WHERE id > ?1 ORDER BY id"
        return try rows(sql, [.text(id)], atMost: limit) { row throws(ClientError) in
            let id = row.text(0) ?? ""
            guard let copy = try readCopy(row, at: 1, "staged", id) else { return nil }
            return StagedCopy(id: id, copy: copy, latest: row.text(3).flatMap { Instant($0) })
        }
    }

    /// Ends the stage.
    func endStage() throws(ClientError) {
        try run("DELETE FROM staged")
        try run("UPDATE account SET stage = 0")
    }

    /// True if the stage has the whole pull of this object.
    func isStageMine() throws(ClientError) -> Bool {
        let stored = try row("SELECT stage FROM account") { $0.integer(0) } ?? 0
        return stageID != 0 && stored == stageID
    }
}
