import CloudSync
import Postgres

/// Log lines of rare events.
extension LogWriter {
    /// Logs an event of a database connection. Of tries that fail for the same reason, it logs the first.
    package func write(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(_, isNew: false): break
        case .connectFailed(let reason, isNew: true): write(.error, "database connect", [("failed", .text(reason))])
        case .connectionLost(let reason): write(.error, "database connection", [("lost", .text(reason))])
        case .lineageChanged(let change): write(.warning, "database lineage", [("was", .text(change))])
        case .failedAside(let purpose, let reason):
            write(.warning, "database statement", [("purpose", .text(purpose)), ("failed", .text(reason))])
        }
    }

    /// Logs a change of the verdict about the database's clock, and a note that was set back.
    package func write(_ report: ClockWatch.Report) {
        if report.setBackSeconds > 0 {
            write(.warning, "database clock", [("note_set_back_s", .number(report.setBackSeconds))])
        }
        guard report.isNew else { return }
        switch report.verdict {
        case .trusted: write(.info, "database clock", [("sweeps", .text("go on"))])
        case .doubted(let reason, let seconds):
            write(
                .error,
                "database clock",
                [
                    ("sweeps", .text("stopped")), ("reason", .text(reason.rawValue)), ("ahead_s", .number(seconds)),
                    ("remedy", .text("set the clock; if it is right: neuroviews-server admin accept-clock")),
                ]
            )
        }
    }
}
