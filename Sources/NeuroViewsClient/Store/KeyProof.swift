/// The value that tells whether a key is the store's.
enum KeyProof {
    /// Encrypted columns, behind the column with the id that their values are bound to.
    private static let sealed = [
        ("item", "id", "copy"), ("item", "id", "edit"), ("request_part", "item", "edit"), ("lost", "id", "value"),
        ("upload", "id", "metadata"), ("event", "id", "parameters"),
    ]
    private static let triesMax = 8

    /// Throws `.damaged` if the key is another one. A proof that can't be read says nothing: the key is right if it opens
    /// another value, and the proof is made anew.
    static func check(_ database: SQLite, _ sealing: Sealing) throws(ClientError) {
        guard let proof = try database.rows("SELECT proof FROM account", [], { $0.blob(0) }).first else {
            throw .store(.damaged("there is no account"))
        }
        if sealing.isOwn(proof) { return }
        guard try opensAny(database, sealing) else { throw .store(.damaged("it has no proof of the key")) }
        try database.run("UPDATE account SET proof = ?1", [.blob(try sealing.sealedProof())])
    }

    private static func opensAny(_ database: SQLite, _ sealing: Sealing) throws(ClientError) -> Bool {
        for (table, id, column) in sealed {
            let sql = "SELECT \(id), \(column) FROM \(table) WHERE \(column) IS NOT NULL LIMIT \(triesMax)"
            let opened = try database.rows(sql) { row in
                row.blob(1).flatMap { try? sealing.open($0, table, row.text(0) ?? "", column) }
            }
            if !opened.isEmpty { return true }
        }
        return false
    }
}
