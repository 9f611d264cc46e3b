/// One migration as the migrator takes it.
public struct MigrationFile: Sendable {
    let number: Int
    let name: String
    let sql: String

    /// A numbered file with its contents.
    public init(number: Int, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }
}

/// Why the schema could not be brought up to date; each is one sentence for the operator.
public enum MigrationError: Error, CustomStringConvertible {
    /// The database could not be reached or used.
    case database(DatabaseError)
    /// The login role may not create the three roles.
    case rolesMissing(statements: String)
    /// An applied file has another content now.
    case changed(name: String)
    /// The database has been migrated by a newer server.
    case newer(number: Int)
    /// A file failed; nothing of it has happened.
    case failed(name: String, ServerRefusal)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .database(.unavailable(let reason)), .database(.connectionLost(let reason)):
            "Can't reach PostgreSQL (\(reason)): check NEUROVIEWS_DATABASE_URL and that PostgreSQL runs there."
        case .database(.refused(let refusal)):
            "PostgreSQL refused to prepare the schema (\(refusal.message)): the role of NEUROVIEWS_DATABASE_URL needs "
                + "CREATE on the database."
        case .rolesMissing(let statements):
            "The database role may not create roles: let an administrator say these statements once: \(statements)"
        case .changed(let name):
            "Migration \(name) was applied with another content: run the version of the server that applied it."
        case .newer(let number):
            "The database has migration \(number), which this server does not know: run the newer server."
        case .failed(let name, let refusal):
            "Migration \(name) failed and was undone: \(refusal.message) (SQLSTATE \(refusal.state))."
        }
    }
}

/// Brings a database's schema up to date: forward only, each file in a transaction of its own, one server at a time.
public struct Migrator: Sendable {
    let roles: String
    let files: [MigrationFile]
    /// Any constant of our own: what two migrating servers contend for.
    public static let lock = 0x4e56_4d49_4752

    /// `roles` is said first, by the login role; `files` are applied in order by the owner.
    public init(roles: String, files: [MigrationFile]) {
        self.roles = roles
        self.files = files
    }

    /// Applies what is missing and returns the names of what was applied. Blocks, also while another server migrates.
    public func run(_ connectionString: String) throws(MigrationError) -> [String] {
        let outcome: Result<[String], MigrationError>
        do throws(DatabaseError) {
            let session = try BlockingSession(connectionString)
            try session.execute("SELECT pg_advisory_lock(\(Self.lock))")
            outcome = try apply(session, .each)
        } catch {
            throw .database(error)
        }
        return try outcome.get()
    }

    /// What a migration is wrapped in: a transaction of its own, or a part of one that is taken back as a whole.
    enum Wrapping {
        case each
        case trial

        var begin: String { self == .each ? "BEGIN" : "SAVEPOINT migration" }
        var commit: String { self == .each ? "COMMIT" : "RELEASE migration" }
        var rollback: String { self == .each ? "ROLLBACK" : "ROLLBACK TO migration" }
    }

    func apply(
        _ session: BlockingSession,
        _ wrapping: Wrapping
    ) throws(DatabaseError) -> Result<[String], MigrationError> {
        if let error = try createRoles(session, wrapping) { return .failure(error) }
        try session.execute(
            """
            SET ROLE neuroviews_owner; SET search_path = neuroviews;
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                applied_at timestamptz(3) NOT NULL DEFAULT now());
            GRANT SELECT ON schema_migrations TO neuroviews_background
            """
        )
        let applied = try session.execute("SELECT number, checksum FROM schema_migrations ORDER BY number")
        return try applyMissing(session, applied, wrapping)
    }

    private func createRoles(
        _ session: BlockingSession,
        _ wrapping: Wrapping
    ) throws(DatabaseError) -> MigrationError? {
        if wrapping == .trial { try session.execute(wrapping.begin) }
        do {
            try session.execute(roles)
            return nil
        } catch .refused(let refusal) where refusal.state == "42501" {
            if wrapping == .trial { try session.execute(wrapping.rollback) }
            let user = try session.execute("SELECT quote_ident(current_user)").first?.text(0) ?? "the_login_role"
            let names = ["neuroviews_owner", "neuroviews_app", "neuroviews_background"]
            return .rolesMissing(
                statements: names.map { "CREATE ROLE \($0) NOLOGIN;" }.joined(separator: " ")
                    + " GRANT \(names.joined(separator: ", ")) TO \(user);"
                    + " CREATE SCHEMA neuroviews AUTHORIZATION neuroviews_owner;"
                    + " GRANT USAGE ON SCHEMA neuroviews TO neuroviews_app, neuroviews_background;"
            )
        }
    }

    private func applyMissing(
        _ session: BlockingSession,
        _ applied: Rows,
        _ wrapping: Wrapping
    ) throws(DatabaseError) -> Result<[String], MigrationError> {
        var checksums: [Int: String] = [:]
        for index in 0..<applied.count { checksums[applied[index].int(0) ?? 0] = applied[index].text(1) ?? "" }
        if let newest = checksums.keys.max(), newest > files.last?.number ?? 0 {
            return .failure(.newer(number: newest))
        }
        var names: [String] = []
        for file in files {
            let checksum = try checksum(of: file, session)
            if let known = checksums[file.number] {
                if known != checksum { return .failure(.changed(name: file.name)) }
            } else {
                if let error = try apply(file, checksum, session, wrapping) { return .failure(error) }
                names.append(file.name)
            }
        }
        return .success(names)
    }

    func checksum(of file: MigrationFile, _ session: BlockingSession) throws(DatabaseError) -> String {
        try session.execute("SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')", [file.sql]).first?.text(0) ?? ""
    }

    private func apply(
        _ file: MigrationFile,
        _ checksum: String,
        _ session: BlockingSession,
        _ wrapping: Wrapping
    ) throws(DatabaseError) -> MigrationError? {
        try session.execute(wrapping.begin)
        do {
            try session.execute(file.sql)
            try session.execute(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)",
                [String(file.number), file.name, checksum]
            )
            try session.execute(wrapping.commit)
            return nil
        } catch .refused(let refusal) {
            try session.execute(wrapping.rollback)
            return .failed(name: file.name, refusal)
        }
    }
}
