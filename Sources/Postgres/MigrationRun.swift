/// One migration of one database, by a session that holds the migrator's lock.
struct MigrationRun {
    let migrator: Migrator
    let session: BlockingSession
    /// All of it is one transaction, which is taken back in the end.
    let isTrial: Bool

    /// Applies the missing files.
    func apply() throws(MigrationError) -> Migrator.Changes {
        try beOwner()
        let states = try states()
        if let misfit = states.lazy.compactMap(\.misfit).first { throw misfit }
        try createTables()
        let pending = Set(states.filter(\.isPending).map(\.name))
        let numbered = migrator.numbered.filter { pending.contains($0.name) }
        for file in numbered { try apply(file) }
        let dropped = pending.count > numbered.count ? try applyFunctions() : []
        let applied = numbered + migrator.functions.filter { pending.contains($0.name) }
        return Migrator.Changes(applied: applied.map(\.name), dropped: dropped)
    }

    /// Makes the requirements of numbered files: roles, schema, and the tables of applied files.
    func prepare() throws(MigrationError) {
        try beOwner()
        try createTables()
    }

    private func beOwner() throws(MigrationError) {
        try createRoles()
        try session.run("SET ROLE \(DatabaseRole.ownerName); SET search_path = neuroviews")
    }

    private func states() throws(MigrationError) -> [MigrationState] {
        do throws(DatabaseError) { return try migrator.status(session) } catch { throw .database(error) }
    }

    private func createTables() throws(MigrationError) {
        try session.run(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                applied_at timestamptz(3) NOT NULL DEFAULT now(), compatible_from integer);
            CREATE TABLE IF NOT EXISTS schema_functions (
                name text PRIMARY KEY, checksum text NOT NULL, release text NOT NULL,
                applied_at timestamptz(3) NOT NULL DEFAULT now());
            GRANT SELECT ON schema_migrations, schema_functions TO neuroviews_background
            """
        )
        // ADD COLUMN IF NOT EXISTS would wait for a running backup at each start.
        let hasColumn = """
            SELECT FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'compatible_from'
            """
        guard try session.run(hasColumn).count == 0 else { return }
        try session.run("ALTER TABLE schema_migrations ADD COLUMN compatible_from integer")
    }

    private func createRoles() throws(MigrationError) {
        do throws(MigrationError) {
            try step("roles.sql") { () throws(MigrationError) in try session.run(migrator.roles) }
        } catch .failed(_, let refusal) where refusal.state == "42501" {
            throw try missingRight()
        }
    }

    /// The right that roles.sql lacked.
    private func missingRight() throws(MigrationError) -> MigrationError {
        let rows = try session.run(
            """
            SELECT quote_ident(current_database()), EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews')
                OR has_database_privilege(current_database(), 'CREATE')
            """
        )
        guard let row = rows.first, let database = row.text(0), !row.isTrue(1) else { return .rolesMissing }
        let rolesAreThere = """
            SELECT count(*) = 3 FROM pg_roles WHERE rolname IN ('neuroviews_owner', 'neuroviews_app', 'neuroviews_background')
            """
        let mayMakeRoles = "SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user"
        for question in [rolesAreThere, mayMakeRoles] where try session.run(question).first?.isTrue(0) == true {
            return .schemaMissing(database: database)
        }
        return .rolesMissing
    }

    func apply(_ file: SchemaFile) throws(MigrationError) {
        try patientStep(file.name) { () throws(MigrationError) in
            try session.run(file.sql)
            try session.run(
                "INSERT INTO schema_migrations (number, name, checksum, compatible_from) VALUES ($1, $2, $3, $4)",
                [String(file.number ?? 0), file.name, checksum(of: file), String(file.compatibleFrom ?? 0)]
            )
        }
    }

    func checksum(of file: SchemaFile) throws(MigrationError) -> String {
        do throws(DatabaseError) { return try migrator.checksum(of: file, session) } catch { throw .database(error) }
    }

    /// A step that is repeated after a lock timeout. A trial is repeated as a whole: its locks stay until its end.
    @discardableResult
    func patientStep<T>(_ name: String, _ body: () throws(MigrationError) -> T) throws(MigrationError) -> T {
        guard !isTrial else { return try step(name, body) }
        return try session.patiently { () throws(MigrationError) in
            try step(name) { () throws(MigrationError) in
                try session.run(BlockingSession.shortWaits)
                return try body()
            }
        }
    }

    /// Runs `body` in a transaction, in a trial in a savepoint. An error undoes all of it.
    @discardableResult
    func step<T>(_ name: String, _ body: () throws(MigrationError) -> T) throws(MigrationError) -> T {
        try session.run(isTrial ? "SAVEPOINT step" : "BEGIN")
        do throws(MigrationError) {
            let result = try body()
            try session.run(isTrial ? "RELEASE step" : "COMMIT")
            return result
        } catch {
            // A connection that was lost has been rolled back.
            _ = try? session.execute(isTrial ? "ROLLBACK TO step" : "ROLLBACK")
            if case .database(.refused(let refusal)) = error { throw .failed(name: name, refusal) }
            throw error
        }
    }
}
