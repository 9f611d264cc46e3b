import Postgres
import TestSupport

/// A transaction that keeps what it has locked.
final class Blocker {
    private let session: BlockingSession
    private let watcher: BlockingSession

    /// Runs a statement that locks something.
    convenience init(_ server: ServerProcess, _ statement: String) throws {
        try self.init(database: server.connectionString, statement)
    }

    /// The same on a database of its own.
    init(database: String, _ statement: String) throws {
        (session, watcher) = (try BlockingSession(database), try BlockingSession(database))
        try session.execute("SET ROLE neuroviews_owner; BEGIN; \(statement)")
    }

    /// Whether somebody waits for a lock.
    func isWaitedFor() throws -> Bool { try waiting() > 0 }

    /// How many wait for a lock.
    func waiting() throws -> Int {
        try watcher.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count
    }

    /// Does something more, and holds on.
    func run(_ statement: String) throws { try session.execute(statement) }

    /// Changes something, and lets go.
    func commit(_ statement: String) throws { try session.execute("\(statement); COMMIT") }

    /// Lets go.
    func end() throws { try session.execute("ROLLBACK") }
}
