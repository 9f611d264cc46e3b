import Postgres
import TestSupport

/// A transaction that holds its locks.
final class Blocker {
    private let session: BlockingSession
    private let watcher: BlockingSession

    /// Runs a statement that takes a lock.
    convenience init(_ server: ServerProcess, _ statement: String) throws {
        try self.init(database: server.connectionString, statement)
    }

    /// The same with a database by its connection string.
    init(database: String, _ statement: String) throws {
        (session, watcher) = (try BlockingSession(database), try BlockingSession(database))
        try session.execute("SET ROLE neuroviews_owner; BEGIN; \(statement)")
    }

    /// True if a session waits for a lock.
    func isWaitedFor() throws -> Bool { try waiting() > 0 }

    /// The number of sessions that wait for a lock.
    func waiting() throws -> Int {
        try watcher.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count
    }

    /// Runs another statement, and keeps the locks.
    func run(_ statement: String) throws { try session.execute(statement) }

    /// Runs another statement, and commits.
    func commit(_ statement: String) throws { try session.execute("\(statement); COMMIT") }

    /// Rolls back, and releases the locks.
    func end() throws { try session.execute("ROLLBACK") }
}
