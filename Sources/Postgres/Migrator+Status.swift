/// The state of one file in a database. Times are RFC 3339 in UTC.
public struct MigrationState: Sendable, Equatable {
    /// The relation of the database to this server's file.
    public enum Condition: Sendable, Equatable {
        /// Not applied yet.
        case pending
        /// Applied as it is.
        case applied(at: String)
        /// A numbered file that was applied with another content.
        case changed(at: String)
        /// A numbered file of a newer server, with tables that this one can't use.
        case unknown(at: String)
        /// A numbered file of a server before the first release.
        case former(at: String)
        /// Functions that were applied with another content, and will be applied again.
        case outdated(at: String)
        /// Functions of a file that is gone, which will be dropped.
        case gone(at: String)
        /// Applied by a newer server, and usable by this one: functions, or tables that allow it. It stays as it is.
        case newer(at: String)
    }

    /// The file's name.
    public let name: String
    /// Its condition.
    public let condition: Condition

    /// True if `Migrator.run` would change it.
    public var isPending: Bool {
        switch condition {
        case .pending, .outdated, .gone: true
        case .applied, .changed, .unknown, .former, .newer: false
        }
    }

    /// The reason against using the database; nil: there is none.
    public var misfit: MigrationError? {
        switch condition {
        case .changed: .changed(name: name)
        case .unknown: .newer(name: name)
        case .former: .former
        case .pending, .applied, .outdated, .gone, .newer: nil
        }
    }
}

extension Migrator {
    /// Every file that this server or the database knows: numbered ones, then functions. Changes nothing; blocks.
    public func status(_ connectionString: String) throws(MigrationError) -> [MigrationState] {
        let session = try Self.open(connectionString)
        do throws(DatabaseError) { return try status(session) } catch { throw .database(error) }
    }

    /// Throws unless the database is one that this server can use as it is. For the login of the background; blocks.
    public func check(_ connectionString: String) throws(MigrationError) {
        let session = try Self.open(connectionString)
        let states: [MigrationState]
        do throws(DatabaseError) {
            states = try status(session, as: DatabaseRole.background.rawValue)
        } catch .refused(let refusal) where refusal.state == "42501" {
            // The rights to read it come with the migration.
            throw .pending(name: "its last migration")
        } catch {
            throw .database(error)
        }
        if let misfit = states.lazy.compactMap(\.misfit).first { throw misfit }
        if let pending = states.first(where: \.isPending) { throw .pending(name: pending.name) }
    }

    /// The state of each file without a database.
    public var untouched: [MigrationState] {
        (numbered + functions).map { MigrationState(name: $0.name, condition: .pending) }
    }

    /// The first files of servers before the first release.
    private static let formerBaselines: Set = ["0001_accounts.sql", "0001_baseline.sql"]
    /// The one of this server. Until the first release it is edited in place: with another content it is a former one.
    private static let baseline = "0001_tables.sql"

    /// The same through a session, which then has that role: the owner's, or the background's.
    public func status(
        _ session: BlockingSession,
        as role: String = DatabaseRole.ownerName
    ) throws(DatabaseError) -> [MigrationState] {
        guard try Self.hasTable("schema_migrations", session) else { return untouched }
        try session.execute("SET ROLE \(role)")
        let applied = try AppliedFile.numbered(session)
        if let first = applied.first, try isFormer(first, session) {
            return applied.map { MigrationState(name: $0.name, condition: .former(at: $0.time)) }
        }
        return try numberedStates(applied, session) + functionStates(besides: applied, session)
    }

    private func isFormer(_ first: AppliedFile, _ session: BlockingSession) throws(DatabaseError) -> Bool {
        guard first.name == Self.baseline, let file = numbered.first, file.name == first.name else {
            return Self.formerBaselines.contains(first.name)
        }
        return try checksum(of: file, session) != first.checksum
    }

    func checksum(of file: SchemaFile, _ session: BlockingSession) throws(DatabaseError) -> String {
        try session.execute("SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')", [file.sql]).first?.text(0) ?? ""
    }

    private static func hasTable(_ name: String, _ session: BlockingSession) throws(DatabaseError) -> Bool {
        try session.execute("SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename = $1", [name]).count
            > 0
    }

    private func numberedStates(
        _ applied: [AppliedFile],
        _ session: BlockingSession
    ) throws(DatabaseError) -> [MigrationState] {
        var states: [MigrationState] = []
        for file in numbered {
            var condition = MigrationState.Condition.pending
            if let known = applied.first(where: { $0.number == file.number }) {
                let isSame = try checksum(of: file, session) == known.checksum
                condition = isSame ? .applied(at: known.time) : .changed(at: known.time)
            }
            states.append(MigrationState(name: file.name, condition: condition))
        }
        let unknown = applied.filter { row in !numbered.contains { $0.number == row.number } }
        return states
            + unknown.map { row in
                let isUsable = row.compatibleFrom ?? Int.max <= newest
                let condition = isUsable ? MigrationState.Condition.newer(at: row.time) : .unknown(at: row.time)
                return MigrationState(name: row.name, condition: condition)
            }
    }

    private func functionStates(
        besides tables: [AppliedFile],
        _ session: BlockingSession
    ) throws(DatabaseError) -> [MigrationState] {
        let applied = try Self.hasTable("schema_functions", session) ? AppliedFile.functions(session) : []
        // All of them were applied at the same time, by one server. Builds between two releases share their version, but not their tables.
        let isOlder = tables.contains { $0.number ?? 0 > newest }
        let newer = applied.first.flatMap { isOlder || Self.isRelease($0.release, newerThan: release) ? $0.time : nil }
        var states: [MigrationState] = []
        for file in functions {
            let known = applied.first { $0.name == file.name }
            var condition = known.map { MigrationState.Condition.outdated(at: $0.time) } ?? .pending
            if let newer { condition = .newer(at: newer) }
            if let known, try checksum(of: file, session) == known.checksum { condition = .applied(at: known.time) }
            states.append(MigrationState(name: file.name, condition: condition))
        }
        let unknown = applied.filter { row in !functions.contains { $0.name == row.name } }
        return states
            + unknown.map {
                MigrationState(name: $0.name, condition: newer == nil ? .gone(at: $0.time) : .newer(at: $0.time))
            }
    }

    /// By the numbers of the versions: `0.2.0-rc.1` is as new as `0.2.0`.
    static func isRelease(_ one: String, newerThan other: String) -> Bool {
        numbers(other).lexicographicallyPrecedes(numbers(one))
    }

    private static func numbers(_ release: String) -> [Int] {
        release.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
    }
}

/// A row about a file that was applied.
private struct AppliedFile {
    let name: String
    let checksum: String
    let time: String
    /// Of numbered files.
    let number: Int?
    /// Of functions: the version of the server that applied them.
    let release: String
    /// Of numbered files: the newest file that a server must know.
    let compatibleFrom: Int?

    /// A database without the column has no files of newer servers.
    static func numbered(_ session: BlockingSession) throws(DatabaseError) -> [AppliedFile] {
        try read(
            """
            number, NULL, (to_jsonb(m) ->> 'compatible_from')::integer
            FROM neuroviews.schema_migrations m ORDER BY number
            """,
            session
        )
    }

    static func functions(_ session: BlockingSession) throws(DatabaseError) -> [AppliedFile] {
        try read("NULL, release, NULL FROM neuroviews.schema_functions ORDER BY name", session)
    }

    private static func read(_ rest: String, _ session: BlockingSession) throws(DatabaseError) -> [AppliedFile] {
        let time = "to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
        let rows = try session.execute("SELECT name, checksum, \(time), \(rest)")
        return (0..<rows.count).map { index in
            let row = rows[index]
            return AppliedFile(
                name: row.text(0) ?? "",
                checksum: row.text(1) ?? "",
                time: row.text(2) ?? "",
                number: row.int(3),
                release: row.text(4) ?? "",
                compatibleFrom: row.int(5)
            )
        }
    }
}
