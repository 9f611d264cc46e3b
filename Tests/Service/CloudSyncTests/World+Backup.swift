/// A lost history: backup and restore of the rows of all accounts.
extension World {
    private static let tables = [
        "sync_heads", "configurations", "configuration_versions", "configuration_conflicts", "idempotency_keys",
    ]

    /// Copies the rows.
    func backUp() async throws {
        let copies = Self.tables.map { "CREATE TABLE backup.\($0) AS TABLE neuroviews.\($0)" }
        try await sql("DROP SCHEMA IF EXISTS backup CASCADE; CREATE SCHEMA backup; \(copies.joined(separator: "; "))")
    }

    /// Restores the copied rows. Later writes are lost.
    func restoreBackup() async throws {
        try await sql("DELETE FROM configurations; DELETE FROM sync_heads")
        for table in Self.tables {
            let columns = try await givenColumns(of: table)
            try await sql("INSERT INTO neuroviews.\(table) (\(columns)) SELECT \(columns) FROM backup.\(table)")
        }
    }

    /// The columns of a table, except for generated ones.
    private func givenColumns(of table: String) async throws -> String {
        let names = try await sql(
            """
            SELECT string_agg(attname, ', ') FROM pg_attribute
            WHERE attrelid = 'neuroviews.\(table)'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
            """
        )
        return names.first?.text(0) ?? ""
    }

    /// Sets the newest change's time to `seconds` ahead of the clock.
    func putHeadAhead(seconds: Int) async throws {
        try await sql(
            "UPDATE sync_heads SET changed_at = date_trunc('milliseconds', now()) + interval '\(seconds) seconds'"
        )
    }
}
