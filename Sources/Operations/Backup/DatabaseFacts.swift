import CloudSync
import Machine
import NeuroViewsCrypto
import Postgres
import PrivateCluster

/// The state of a database, for a backup or a restore.
struct DatabaseFacts {
    /// PostgreSQL's major version.
    let serverMajor: Int
    /// True if the schema exists, even if it is empty.
    let hasSchema: Bool
    /// The newest migration; nil if there are no tables.
    let migration: Int?
    let accounts: Int
    /// The secret's keys compared with the database's keys; nil if the database has none yet.
    let keys: ReadableKeys?

    init(_ connectionString: String, secret: [MasterKey]?) throws {
        do {
            let session = try BlockingSession(connectionString)
            serverMajor = (try session.execute("SHOW server_version_num").first?.int(0) ?? 0) / 10000
            hasSchema = try session.execute("SELECT FROM pg_namespace WHERE nspname = 'neuroviews'").count > 0
            let tables = "SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename = 'schema_migrations'"
            guard hasSchema, try session.execute(tables).count > 0 else {
                (migration, accounts, keys) = (nil, 0, nil)
                return
            }
            try session.execute("SET ROLE \(DatabaseRole.ownerName)")
            let newest = try session.execute("SELECT coalesce(max(number), 0) FROM neuroviews.schema_migrations")
            migration = newest.first?.int(0)
            let isComplete =
                try session.execute(
                    "SELECT FROM pg_tables WHERE schemaname = 'neuroviews' AND tablename IN ('users', 'master_keys')"
                ).count == 2
            guard isComplete else {
                (accounts, keys) = (0, nil)
                return
            }
            accounts = try session.execute("SELECT count(*) FROM neuroviews.users").first?.int(0) ?? 0
            keys = try secret.flatMap { try MasterKeyCheck.look($0, session) }
        } catch let error as DatabaseError {
            throw CommandFailure("The database can't be read: \(error.sentence)")
        }
    }
}
