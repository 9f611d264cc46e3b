import Postgres

/// Log lines of rare events.
extension LogWriter {
    /// Logs an event of a database connection.
    func write(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(let reason): write(.error, "database connect", [("failed", .text(reason))])
        case .connectionLost(let reason): write(.error, "database connection", [("lost", .text(reason))])
        case .lineageChanged(let change): write(.warning, "database lineage", [("was", .text(change))])
        }
    }

    /// Logs an event of the private cluster.
    func write(_ event: PrivateCluster.Event) {
        switch event {
        case .initialised(let folder, let milliseconds):
            write(.info, "postgresql", [("initialised", .text("\(folder)")), ("ms", .number(Int(milliseconds)))])
        case .started(let process, let milliseconds):
            write(.info, "postgresql", [("started", .number(Int(process))), ("ms", .number(Int(milliseconds)))])
        case .adopted(let process): write(.info, "postgresql", [("adopted", .number(Int(process)))])
        case .ended(let process): write(.error, "postgresql", [("ended", .number(Int(process)))])
        case .failed(let problem): write(.error, "postgresql", [("failed", .text("\(problem)"))])
        }
    }
}
