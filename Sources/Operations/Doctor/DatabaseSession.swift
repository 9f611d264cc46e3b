import CloudSync
import Crypto
import FoundationEssentials
import Glibc
import Postgres
import PrivateCluster
import Settings

/// A connection with PostgreSQL's version and settings.
struct DatabaseSession {
    let session: BlockingSession
    /// The role that reads the tables.
    let tableRole: String
    private let settings: Settings
    private let facts: [String: String]
    /// With a larger skew the database rejects signed writes.
    private static let skewMaxSeconds = 600.0
    private static let skewLargeSeconds = 30.0

    init(_ session: BlockingSession, _ settings: Settings, as role: String) throws(DatabaseError) {
        self.session = session
        tableRole = role
        self.settings = settings
        let rows = try session.execute(
            """
            SELECT name, setting FROM pg_settings WHERE name IN ('server_version_num', 'server_encoding', 'fsync',
                'full_page_writes', 'synchronous_commit', 'max_connections', 'superuser_reserved_connections',
                'data_checksums')
            UNION ALL SELECT 'standby', pg_is_in_recovery()::text
            UNION ALL SELECT 'has_schema', EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews')::text
            """
        )
        var facts: [String: String] = [:]
        for index in 0..<rows.count { facts[rows[index].text(0) ?? ""] = rows[index].text(1) }
        self.facts = facts
    }

    private func number(_ name: String) -> Int { facts[name].flatMap { Int($0) } ?? 0 }
    var major: Int { number("server_version_num") / 10000 }

    /// True if PostgreSQL is new enough for the server's tables.
    var isUsable: Bool { major >= PostgresPrograms.oldestMajor }

    func version() -> Finding {
        let oldest = PostgresPrograms.oldestMajor
        guard major < oldest else { return .ok("database", "PostgreSQL \(major) answers") }
        return .wrong("database", "PostgreSQL \(major) is too old", "use PostgreSQL \(oldest) or later")
    }

    func role() -> Finding {
        guard facts["standby"] == "true" else { return .ok("database", "takes writes") }
        return .wrong(
            "database",
            "is a standby, which takes no writes",
            "name the primary with NEUROVIEWS_DATABASE_URL"
        )
    }

    /// Checks the settings that the server relies on: text is stored unchanged, and acknowledged writes survive a
    /// crash.
    func promises() -> [Finding] {
        var findings: [Finding] = []
        if facts["server_encoding"] != "UTF8" {
            let encoding = facts["server_encoding"] ?? "unknown"
            findings.append(.wrong("encoding", "is \(encoding)", "make the database with ENCODING 'UTF8'"))
        }
        for name in ["fsync", "full_page_writes", "synchronous_commit"] where facts[name] == "off" {
            findings.append(
                .warning(
                    name,
                    "is off: writes that were acknowledged may be gone after a crash",
                    "ALTER SYSTEM RESET \(name); SELECT pg_reload_conf();"
                )
            )
        }
        return findings.isEmpty ? [.ok("database", "keeps what was acknowledged, in UTF8")] : findings
    }

    func connections() -> Finding {
        let available = number("max_connections") - number("superuser_reserved_connections")
        let needed = settings.connectionsNeeded
        guard available < needed else { return .ok("connections", "\(available), of which \(needed) may be used") }
        return .warning(
            "connections",
            "PostgreSQL gives \(available), and this server may want \(needed)",
            "ALTER SYSTEM SET max_connections = \(needed + 10) and restart PostgreSQL, or lower "
                + "NEUROVIEWS_DATABASE_CONNECTIONS_MAX"
        )
    }

    func clock() throws(DatabaseError) -> Finding {
        let before = Date().timeIntervalSince1970
        let text = try session.execute("SELECT extract(epoch FROM clock_timestamp())").first?.text(0)
        let after = Date().timeIntervalSince1970
        let skew = abs((text.flatMap { Double($0) } ?? after) - (before + after) / 2)
        let remedy = "set both clocks by NTP: timedatectl set-ntp true"
        let found = "the database's is \(Int(skew)) s away from this machine's"
        if skew > Self.skewMaxSeconds { return .wrong("clock", "\(found), so signed writes are refused", remedy) }
        if skew > Self.skewLargeSeconds { return .warning("clock", found, remedy) }
        return .ok("clock", "the database's is the same")
    }

    /// True if the schema exists.
    var hasSchema: Bool { facts["has_schema"] == "true" }

    /// Compares the keys of a secret file with the database's keys; nil if the database has none yet.
    func compared(_ file: [MasterKey]) throws -> ReadableKeys? {
        guard try hasTables() else { return nil }
        return try MasterKeyCheck.look(file, session)
    }

    /// The number of live sessions for each master key, by the key's id.
    func sessions() throws -> [String: Int] {
        let rows = try session.execute(
            "SELECT key_id, count(*) FROM neuroviews.sessions s WHERE neuroviews.is_live(s) GROUP BY key_id"
        )
        return Dictionary((0..<rows.count).map { (rows[$0].text(0) ?? "", rows[$0].int(1) ?? 0) }) { first, _ in first }
    }

    private func hasTables() throws(DatabaseError) -> Bool {
        let tables = "SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename = 'master_keys'"
        guard try session.execute(tables).count > 0 else { return false }
        try session.execute("SET ROLE \(tableRole)")
        return true
    }
}
