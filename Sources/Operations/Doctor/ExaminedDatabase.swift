import CloudSync
import NeuroViewsCrypto
import Postgres
import PrivateCluster

/// A connection to the database, with PostgreSQL's version and settings.
struct ExaminedDatabase {
    let connection: BlockingSession
    /// The role that reads the tables.
    let tableRole: String
    private let facts: [String: String]

    init(_ connection: BlockingSession, as role: String) throws(DatabaseError) {
        self.connection = connection
        tableRole = role
        let rows = try connection.execute(
            """
            SELECT name, setting FROM pg_settings WHERE name IN ('server_version_num', 'server_encoding', 'fsync',
                'full_page_writes', 'max_connections', 'superuser_reserved_connections', 'data_checksums')
            UNION ALL SELECT 'standby', pg_is_in_recovery()::text
            UNION ALL SELECT 'has_schema', EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews')::text
            """
        )
        var facts: [String: String] = [:]
        for index in 0..<rows.count { facts[rows[index].text(0) ?? ""] = rows[index].text(1) }
        self.facts = facts
    }

    /// A setting of PostgreSQL, or `standby`.
    func fact(_ name: String) -> String? { facts[name] }
    func number(_ name: String) -> Int { facts[name].flatMap { Int($0) } ?? 0 }
    var major: Int { number("server_version_num") / 10000 }

    /// True if PostgreSQL is new enough for the server's tables.
    var isUsable: Bool { major >= PostgresPrograms.oldestMajor }

    /// True if the schema exists.
    var hasSchema: Bool { facts["has_schema"] == "true" }

    /// Compares the keys of a secret file with the database's keys; nil if the database has none yet.
    func compared(_ file: [MasterKey]) throws -> ReadableKeys? {
        guard try hasTables() else { return nil }
        return try MasterKeyCheck.look(file, connection)
    }

    /// The number of live sessions for each master key, by the key's id.
    func liveSessionsByKey() throws -> [String: Int] {
        let rows = try connection.execute(
            "SELECT key_id, count(*) FROM neuroviews.sessions s WHERE neuroviews.is_live(s) GROUP BY key_id"
        )
        return Dictionary((0..<rows.count).map { (rows[$0].text(0) ?? "", rows[$0].int(1) ?? 0) }) { first, _ in first }
    }

    /// True if the tables, with this one, exist. Then the connection has the role that reads them.
    func hasTables(with table: String = "master_keys") throws(DatabaseError) -> Bool {
        let tables = "SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename = '\(table)'"
        guard try connection.execute(tables).count > 0 else { return false }
        try connection.execute("SET ROLE \(tableRole)")
        return true
    }
}
