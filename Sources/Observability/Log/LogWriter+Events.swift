import Postgres

/// Log lines of rare events.
extension LogWriter {
    /// Logs an event of a database connection.
    package func write(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(let reason): write(.error, "database connect", [("failed", .text(reason))])
        case .connectionLost(let reason): write(.error, "database connection", [("lost", .text(reason))])
        case .lineageChanged(let change): write(.warning, "database lineage", [("was", .text(change))])
        }
    }
}
