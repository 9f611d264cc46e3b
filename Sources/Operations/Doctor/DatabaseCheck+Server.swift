import FoundationEssentials
import Postgres
import PrivateCluster
import Settings

extension DatabaseCheck {
    /// With a larger skew the database rejects signed writes.
    private static let skewMaxSeconds = 600.0
    private static let skewLargeSeconds = 30.0

    /// Checks PostgreSQL itself, for any schema.
    func server(_ database: ExaminedDatabase) throws(DatabaseError) -> [Finding] {
        try [version(database), role(database)] + promises(database) + collation(database)
            + [connections(database), clock(database)]
    }

    private func version(_ database: ExaminedDatabase) -> Finding {
        let oldest = PostgresPrograms.oldestMajor
        guard database.major < oldest else { return .ok("database", "PostgreSQL \(database.major) answers") }
        return .wrong("database", "PostgreSQL \(database.major) is too old", "use PostgreSQL \(oldest) or later")
    }

    private func role(_ database: ExaminedDatabase) -> Finding {
        guard database.fact("standby") == "true" else { return .ok("database", "takes writes") }
        return .wrong(
            "database",
            "is a standby, which takes no writes",
            "name the primary with NEUROVIEWS_DATABASE_URL"
        )
    }

    /// Checks the settings that the server relies on: text is stored unchanged, and acknowledged writes survive a
    /// crash.
    private func promises(_ database: ExaminedDatabase) -> [Finding] {
        var findings: [Finding] = []
        if database.fact("server_encoding") != "UTF8" {
            let encoding = database.fact("server_encoding") ?? "unknown"
            findings.append(.wrong("encoding", "is \(encoding)", "make the database with ENCODING 'UTF8'"))
        }
        for name in ["fsync", "full_page_writes"] where database.fact(name) == "off" {
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

    /// Compares the library that sorts texts with the one by which the indexes were built. After an upgrade of the system
    /// it may sort otherwise: rows are not found then, and a unique index takes a value twice.
    private func collation(_ database: ExaminedDatabase) throws(DatabaseError) -> [Finding] {
        guard database.isUsable else { return [] }
        let row = try database.connection.execute(
            """
            SELECT datcollversion, pg_database_collation_actual_version(oid), quote_ident(datname)
            FROM pg_database WHERE datname = current_database()
            """
        ).first
        guard let row, let built = row.text(0), let found = row.text(1), built != found, let name = row.text(2) else {
            return []
        }
        return [
            .warning(
                "collation",
                "the indexes of texts were built with version \(built), and the system has \(found): rows may not be found",
                "stop the servers and run REINDEX DATABASE \(name); ALTER DATABASE \(name) REFRESH COLLATION VERSION;"
            )
        ]
    }

    private func connections(_ database: ExaminedDatabase) -> Finding {
        let available = database.number("max_connections") - database.number("superuser_reserved_connections")
        let needed = settings.connectionsNeeded
        guard available < needed else { return .ok("connections", "\(available), of which \(needed) may be used") }
        return .warning(
            "connections",
            "PostgreSQL gives \(available), and this server may want \(needed)",
            "ALTER SYSTEM SET max_connections = \(needed + 10) and restart PostgreSQL, or lower "
                + "NEUROVIEWS_DATABASE_CONNECTIONS_MAX"
        )
    }

    private func clock(_ database: ExaminedDatabase) throws(DatabaseError) -> Finding {
        let before = Date().timeIntervalSince1970
        let text = try database.connection.execute("SELECT extract(epoch FROM clock_timestamp())").first?.text(0)
        let after = Date().timeIntervalSince1970
        let skew = abs((text.flatMap { Double($0) } ?? after) - (before + after) / 2)
        let remedy = "set both clocks by NTP: timedatectl set-ntp true"
        let found = "the database's is \(Int(skew)) s away from this machine's"
        if skew > Self.skewMaxSeconds { return .wrong("clock", "\(found), so signed writes are refused", remedy) }
        if skew > Self.skewLargeSeconds { return .warning("clock", found, remedy) }
        return .ok("clock", "the database's is the same")
    }
}
