extension Migrator {
    private static let applied = Statement("SELECT max(number), max(compatible_from) FROM schema_migrations")

    /// Returns the reason why a server with these files cannot use the database now; nil if it can. Another server may
    /// have migrated the database since the start. Busy connections do not delay it.
    public func misfit(in database: Database) async throws(DatabaseError) -> String? {
        let row = try await database.probe([Self.applied()])[0].first
        let (applied, needed) = (row?.int(0) ?? 0, row?.int(1) ?? 0)
        return applied >= newest && needed <= newest ? nil : "the database has migration \(applied)"
    }
}
