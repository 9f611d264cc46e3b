/// A history that is lost: the rows of all accounts as they were, brought back later.
extension World {
    private static let tables = [
        "sync_heads", "configurations", "configuration_versions", "configuration_conflicts", "idempotency_keys",
    ]

    /// Keeps a copy of the rows.
    func backUp() async throws {
        let copies = Self.tables.map { "CREATE TABLE backup.\($0) AS TABLE neuroviews.\($0)" }
        try await sql("DROP SCHEMA IF EXISTS backup CASCADE; CREATE SCHEMA backup; \(copies.joined(separator: "; "))")
    }

    /// Brings the rows of the copy back. What was written since is lost.
    func restoreBackup() async throws {
        let copies = Self.tables.map { "INSERT INTO neuroviews.\($0) TABLE backup.\($0)" }
        try await sql("DELETE FROM configurations; DELETE FROM sync_heads; \(copies.joined(separator: "; "))")
    }

    /// Puts the newest change's time so many seconds ahead of the clock.
    func putHeadAhead(seconds: Int) async throws {
        try await sql(
            "UPDATE sync_heads SET changed_at = date_trunc('milliseconds', now()) + interval '\(seconds) seconds'"
        )
    }
}
