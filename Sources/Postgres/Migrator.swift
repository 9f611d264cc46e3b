/// Brings a database's schema up to date, one server at a time. There are three kinds of files:
/// - `roles.sql` is run each time, by the owner's login. `administrator.sql` is for a superuser, and run by others.
/// - Numbered files (`0001_tables.sql`) make and change tables. Each is applied once, in the order of the numbers and in a
///   transaction of its own, and never edited afterwards.
/// - `functions/*.sql` hold the functions and triggers in force, each once. After a change of one of them, also if one is
///   new or gone, all of them are applied again in one transaction, in any order; functions and triggers that no file defines
///   any more are dropped. A role may execute a function only if a file grants it.
///
/// Servers of two releases may use one database at the same time:
/// - Tables and functions of a release have to work for servers of the release before. A function whose arguments, result or meaning changes
///   gets a new name, and the old one is removed a release later.
/// - A running server goes on while a newer one migrates.
/// - A numbered file may name the oldest servers for its tables in its first line: `-- Servers that know 0003 work with this.` A starting
///   server refuses all other files that it does not know.
/// - A server that starts replaces functions that differ from its own, unless a newer server applied them: one of a newer release, or one
///   with a numbered file that it does not know. Servers of one release have equal files, so they replace nothing of each other's.
public struct Migrator: Sendable {
    /// Creates missing roles and the schema.
    public let roles: String
    /// Creates the roles with their logins, and revokes all rights that could undo their limits. For a superuser.
    public let administration: String
    let numbered: [SchemaFile]
    let functions: [SchemaFile]
    let release: String
    /// The key of the advisory lock for migrations; any constant.
    public static let lock = 0x4e56_4d49_4752

    /// Files by their names, and the version of this server (`0.1.0`). A name of no known kind is a bug.
    public init(_ files: [String: String], release: String) {
        let sorted = files.map { SchemaFile(name: $0.key, sql: $0.value) }.sorted { $0.name < $1.name }
        roles = files["roles.sql"] ?? ""
        administration = files["administrator.sql"] ?? ""
        functions = sorted.filter(\.hasFunctions)
        numbered = sorted.filter { $0.number != nil }
        precondition(
            files["roles.sql"] != nil && sorted.allSatisfy(\.isKnown),
            "roles.sql is missing, or a file is neither numbered nor in functions/"
        )
        self.release = release
    }

    /// The number of the newest numbered file.
    public var newest: Int { numbered.last?.number ?? 0 }

    /// The changes of a run.
    public struct Changes: Sendable, Equatable {
        /// The files that were missing or had another content.
        public var applied: [String] = []
        /// The functions and triggers that no file defines any more: `routine f(integer)`, `trigger t on a`.
        public var dropped: [String] = []

        /// True if the database was up to date.
        public var isEmpty: Bool { applied.isEmpty && dropped.isEmpty }
    }

    /// Applies missing files. Blocks, also while another server migrates.
    @discardableResult
    public func run(_ connectionString: String) throws(MigrationError) -> Changes {
        let session = try Self.open(connectionString)
        try session.run("SELECT pg_advisory_lock(\(Self.lock))")
        return try MigrationRun(migrator: self, session: session, isTrial: false).apply()
    }

    /// Applies missing files in one transaction and rolls it back. Returns the changes of `run`, or throws its error. Requests wait
    /// as long as for `run`. Blocks.
    public func tryOut(_ connectionString: String) throws(MigrationError) -> Changes {
        let session = try Self.open(connectionString)
        try session.run("SELECT pg_advisory_lock(\(Self.lock))")
        return try session.patiently { () throws(MigrationError) in
            try session.run("BEGIN; \(BlockingSession.shortWaits)")
            // A connection that was lost has been rolled back, and the error of the trial is the one to know.
            defer { _ = try? session.execute("ROLLBACK") }
            return try MigrationRun(migrator: self, session: session, isTrial: true).apply()
        }
    }

    static func open(_ connectionString: String) throws(MigrationError) -> BlockingSession {
        do throws(DatabaseError) { return try BlockingSession(connectionString) } catch { throw .database(error) }
    }
}

extension BlockingSession {
    /// `execute` with an error for the operator.
    @discardableResult
    func run(_ sql: String, _ parameters: [String] = []) throws(MigrationError) -> Rows {
        do throws(DatabaseError) {
            return parameters.isEmpty ? try execute(sql) : try execute(sql, parameters)
        } catch {
            throw .database(error)
        }
    }
    /// Limits the waits for locks of the rest of a transaction. A change of a table needs a lock on it, and requests queue behind the
    /// wait for it. So each wait is shorter than PostgreSQL's deadlock_timeout.
    static let shortWaits = "SET LOCAL lock_timeout = 500"

    private static let triesMax = 60
    /// Between two tries requests get on.
    private static let pauseS = 1

    /// Tries again for a minute and a half while `body` does not get a lock.
    func patiently<T>(_ body: () throws(MigrationError) -> T) throws(MigrationError) -> T {
        for _ in 1..<Self.triesMax {
            do throws(MigrationError) {
                return try body()
            } catch .failed(_, let refusal) where refusal.isLockConflict {
                try run("SELECT pg_sleep(\(Self.pauseS))")
            }
        }
        return try body()
    }
}
