import Postgres
import TestSupport

/// A transaction that keeps what it has locked.
final class Blocker {
    private let session: BlockingSession
    private let watcher: BlockingSession

    /// Runs a statement that locks something.
    init(_ server: ServerProcess, _ statement: String) throws {
        (session, watcher) = (
            try BlockingSession(server.connectionString), try BlockingSession(server.connectionString)
        )
        try session.execute("SET ROLE neuroviews_owner; BEGIN; \(statement)")
    }

    /// Whether somebody waits for a lock.
    func isWaitedFor() throws -> Bool {
        try watcher.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count > 0
    }

    /// Changes something, and lets go.
    func commit(_ statement: String) throws { try session.execute("\(statement); COMMIT") }

    /// Lets go.
    func end() throws { try session.execute("ROLLBACK") }
}
