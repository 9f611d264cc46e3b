import Machine
import Postgres
import PrivateCluster

/// The tables for the rows of a backup. This server's migrations make them, empty and without foreign keys until all
/// rows are there. All of it is in the restore's transaction.
struct RestoredTables: RowTaker {
    private let session: BlockingSession
    /// The columns of each table that holds rows.
    private let columns: [String: Set<String>]
    /// The statements that add the foreign keys again.
    private let foreignKeys: [String]
    /// The migrations as recorded by this server's own run.
    private let migrations: String

    /// Makes the tables of `migration` for the rows of `contents`. Throws if the backup has other tables.
    init(_ session: BlockingSession, migration: Int, _ contents: DumpContents) throws {
        self.session = session
        try Migrator.current.build(upTo: migration, session)
        try Self.createMonths(contents, session)
        columns = try Self.columns(session)
        migrations = try Self.migrations(session)
        foreignKeys = try Self.dropForeignKeys(session)
        try requireSame(contents)
        try session.execute("TRUNCATE \(columns.keys.sorted().joined(separator: ", "))")
    }

    func begin(_ table: CopiedTable) throws {
        guard let known = columns[table.name], known.isSuperset(of: table.columns) else {
            throw CommandFailure(
                "The backup's dump has other columns in \(table.name) than this server's table.",
                status: .data
            )
        }
        let list = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
        try session.beginCopy("COPY neuroviews.\"\(table.name)\" (\(list)) FROM STDIN")
    }

    func take(_ rows: UnsafeRawBufferPointer) throws { try session.writeCopy(rows) }

    func end() throws { try session.endCopy() }

    /// Adds the foreign keys, which checks the rows. The migration that follows makes the functions and triggers.
    func finish() throws {
        for statement in foreignKeys { try session.execute(statement) }
        try requireItems("configurations", of: "configuration_versions")
        try requireItems("recordings", of: "recording_versions")
        guard try Self.migrations(session) == migrations else {
            throw CommandFailure("The backup was made with other migrations than this server's.", status: .data)
        }
        try session.execute("DELETE FROM schema_functions")
    }

    /// No foreign key joins versions to their items (Migrations/0001_tables.sql).
    private func requireItems(_ items: String, of versions: String) throws {
        let stray = try session.execute(
            """
            SELECT FROM \(versions) v
            WHERE NOT EXISTS (SELECT FROM \(items) i WHERE i.user_id = v.user_id AND i.id = v.id) LIMIT 1
            """
        )
        guard stray.count == 0 else {
            throw CommandFailure("The backup has rows of \(versions) without their item.", status: .data)
        }
    }

    /// A missing table would lose its rows. Unlogged tables are in no dump.
    private func requireSame(_ contents: DumpContents) throws {
        let logged = try session.execute(
            """
            SELECT relname FROM pg_class
            WHERE relnamespace = 'neuroviews'::regnamespace AND relkind = 'r' AND relpersistence = 'p' ORDER BY relname
            """
        )
        let expected = Set((0..<logged.count).compactMap { logged[$0].text(0) })
        if let missing = expected.subtracting(contents.tables).min() {
            throw CommandFailure("The backup's dump has no rows of \(missing).", status: .data)
        }
        if let unknown = contents.tables.subtracting(expected).min() {
            throw CommandFailure(
                "The backup's dump has a table that does not belong into one (\(unknown)).",
                status: .data
            )
        }
    }

    /// Makes the partitions of analytics, one for each UTC month. No migration makes them.
    private static func createMonths(_ contents: DumpContents, _ session: BlockingSession) throws {
        let parent = "analytics_events_"
        let months = contents.tables.filter { $0.hasPrefix(parent) }.map { $0.dropFirst(parent.count) }.sorted()
        guard !months.isEmpty else { return }
        try Migrator.current.define("functions/analytics.sql", session)
        for month in months {
            guard month.wholeMatch(of: /20\d\d_(0[1-9]|1[0-2])/) != nil else { continue }
            let day = month.replacing("_", with: "-") + "-01"
            try session.execute("SELECT create_analytics_months($1, $1)", [String(day)])
        }
    }

    private static func columns(_ session: BlockingSession) throws -> [String: Set<String>] {
        let rows = try session.execute(
            """
            SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'neuroviews'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
                AND a.attgenerated = ''
            """
        )
        var columns: [String: Set<String>] = [:]
        for index in 0..<rows.count {
            columns[rows[index].text(0) ?? "", default: []].insert(rows[index].text(1) ?? "")
        }
        return columns
    }

    private static func migrations(_ session: BlockingSession) throws -> String {
        let sql =
            "SELECT string_agg(concat_ws(' ', number, name, checksum), ', ' ORDER BY number) FROM schema_migrations"
        return try session.execute(sql).first?.text(0) ?? ""
    }

    /// A dump has its tables in any order, and foreign keys would check each row alone.
    private static func dropForeignKeys(_ session: BlockingSession) throws -> [String] {
        let rows = try session.execute(
            """
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
                format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE contype = 'f' AND connamespace = 'neuroviews'::regnamespace AND conparentid = 0
            """
        )
        for index in 0..<rows.count { try session.execute(rows[index].text(0) ?? "") }
        return (0..<rows.count).map { rows[$0].text(1) ?? "" }
    }
}
