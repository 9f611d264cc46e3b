/// Where one migration stands in a database. Times are RFC 3339 in UTC.
public struct MigrationState: Sendable, Equatable {
    /// How the database and this server's file fit.
    public enum Condition: Sendable, Equatable {
        /// Not applied yet.
        case pending
        /// Applied as it is.
        case applied(at: String)
        /// Applied with another content than this server's file has.
        case changed(at: String)
        /// Applied by another server; this one has no such file.
        case unknown(at: String)
    }

    /// The file's number.
    public let number: Int
    /// The file's name.
    public let name: String
    /// How it stands.
    public let condition: Condition
}

extension Migrator {
    /// Every migration that this server or the database knows, by number. Changes nothing; blocks.
    public func status(_ connectionString: String) throws(MigrationError) -> [MigrationState] {
        do throws(DatabaseError) {
            return try status(try BlockingSession(connectionString))
        } catch {
            throw .database(error)
        }
    }

    /// What each migration is without a database.
    public var untouched: [MigrationState] {
        files.map { MigrationState(number: $0.number, name: $0.name, condition: .pending) }
    }

    /// Applies what is missing within one transaction and takes it back: the names of what `run` would apply, or what it
    /// would fail with. Waits 5 s at most for tables that others use. Blocks.
    public func tryOut(_ connectionString: String) throws(MigrationError) -> [String] {
        let outcome: Result<[String], MigrationError>
        do throws(DatabaseError) {
            let session = try BlockingSession(connectionString)
            try session.execute("BEGIN; SET LOCAL lock_timeout = '5s'")
            try session.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
            outcome = try apply(session, .trial)
            try session.execute("ROLLBACK")
        } catch {
            throw .database(error)
        }
        return try outcome.get()
    }

    /// The same through a session, which then speaks as the owner of the tables.
    public func status(_ session: BlockingSession) throws(DatabaseError) -> [MigrationState] {
        let isThere = try session.execute(
            "SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename = 'schema_migrations'"
        )
        guard isThere.count > 0 else { return untouched }
        let rows = try session.execute(
            """
            SET ROLE neuroviews_owner;
            SELECT number, name, checksum, to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM neuroviews.schema_migrations ORDER BY number
            """
        )
        var states: [MigrationState] = []
        for file in files { states.append(try state(of: file, in: rows, session)) }
        for index in 0..<rows.count {
            let (number, name, time) = (rows[index].int(0) ?? 0, rows[index].text(1) ?? "", rows[index].text(3) ?? "")
            guard !files.contains(where: { $0.number == number }) else { continue }
            states.append(MigrationState(number: number, name: name, condition: .unknown(at: time)))
        }
        return states.sorted { $0.number < $1.number }
    }

    private func state(
        of file: MigrationFile,
        in rows: Rows,
        _ session: BlockingSession
    ) throws(DatabaseError) -> MigrationState {
        var condition = MigrationState.Condition.pending
        for index in 0..<rows.count where rows[index].int(0) == file.number {
            let time = rows[index].text(3) ?? ""
            let isSame = try checksum(of: file, session) == rows[index].text(2)
            condition = isSame ? .applied(at: time) : .changed(at: time)
        }
        return MigrationState(number: file.number, name: file.name, condition: condition)
    }
}
