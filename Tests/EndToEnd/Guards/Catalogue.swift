import Postgres
import TestSupport

/// Facts about the server's schema from PostgreSQL's catalogue.
enum Catalogue {
    /// A table whose rows belong to users.
    struct Table: Sendable, CustomStringConvertible {
        let name: String
        /// The column with the user's id.
        let owner: String
        /// True for a part of another table. That table includes its rows.
        let isPartition: Bool

        var description: String { name }
    }

    /// Every table that has a column `user_id`, and `users`.
    static func tables(_ server: ServerProcess) throws -> [Table] {
        let rows = try session(server).execute(
            """
            WITH \(CatalogueSQL.relation) SELECT relname, owner, relispartition FROM relation
            WHERE owner IS NOT NULL AND relkind IN ('r', 'p') ORDER BY relname
            """
        )
        return (0..<rows.count).map { index in
            let row = rows[index]
            return Table(name: row.text(0) ?? "", owner: row.text(1) ?? "", isPartition: row.bool(2) ?? false)
        }
    }

    /// All faults in the catalogue, one per line. Changes by `setup` are rolled back.
    static func findings(_ server: ServerProcess, after setup: String = "") throws -> [String] {
        let session = try session(server)
        try session.execute("BEGIN; \(setup)")
        let rows = try session.execute(CatalogueSQL.findings)
        try session.execute("ROLLBACK")
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    /// All stored rows of a user, as text.
    static func rows(of userID: String, _ server: ServerProcess) throws -> [String] {
        let session = try session(server)
        return try tables(server).flatMap { table in
            let rows = try session.execute(
                "SELECT t::text FROM \(table) t WHERE \(table.owner) = $1::uuid ORDER BY 1",
                [userID]
            )
            return (0..<rows.count).map { "\(table): \(rows[$0].text(0) ?? "")" }
        }
    }

    /// A connection as the owner of all objects.
    private static func session(_ server: ServerProcess) throws -> BlockingSession {
        let session = try BlockingSession(server.connectionString)
        try session.execute("SET ROLE neuroviews_owner; SET search_path TO neuroviews")
        return session
    }
}
