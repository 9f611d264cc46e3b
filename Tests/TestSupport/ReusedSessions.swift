import Net
import Postgres

/// Sessions that are used again. PostgreSQL works longer to start one than for most statements of tests.
package final class ReusedSessions: Sendable {
    /// `@unchecked Sendable`: it is in the list, or one thread has taken it out.
    private struct Session: @unchecked Sendable {
        let address: String
        let session: BlockingSession
    }

    private let idle = Locked<[Session]>([])
    private static let idleMax = 4
    /// Words of statements that may leave something behind in their session.
    private static let traces = ["; set ", "set_config", "begin", "listen", "advisory", "temp", "create", "pg_sleep"]

    package init() {}

    /// Runs the statements after `preparation`, as one transaction, at that conninfo. Blocks.
    package func execute(_ sql: String, after preparation: String, at address: String) throws(DatabaseError) -> Rows {
        let session = try take(address)
        let rows = try session.session.execute("\(preparation); \(sql)")
        let text = "; \(sql.lowercased())"
        if !Self.traces.contains(where: text.contains) {
            idle.withLock { idle in if idle.count < Self.idleMax { idle.append(session) } }
        }
        return rows
    }

    /// Ends those that nobody uses.
    package func close() { idle.withLock { $0 = [] } }

    private func take(_ address: String) throws(DatabaseError) -> Session {
        let known = idle.withLock { idle in idle.lastIndex { $0.address == address }.map { idle.remove(at: $0) } }
        // PostgreSQL may have ended it.
        if let known, (try? known.session.execute("RESET ROLE")) != nil { return known }
        let session = try BlockingSession(address)
        try session.execute("SET application_name = 'test'")
        return Session(address: address, session: session)
    }
}
