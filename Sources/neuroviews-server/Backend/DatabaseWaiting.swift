import CloudSync
import Observability
import Postgres

/// Repeats work that needs the database until the database is available.
struct DatabaseWaiting {
    /// The process was asked to stop before the database came.
    struct Stopped: Error {}

    /// Waits for that time, for that reason. Returns false if the process must stop. Nil: nothing is tried again.
    private let pause: ((_ pauseMs: Int, _ reason: String) -> Bool)?
    private static let firstPauseMs = 50
    private static let lastPauseMs = 500

    /// For a command, which fails instead.
    static var not: DatabaseWaiting { DatabaseWaiting(pause: nil) }

    private init(pause: ((Int, String) -> Bool)?) { self.pause = pause }

    /// Until a signal ends the process. `begin` runs before each pause, `reload` at SIGHUP.
    init(_ signals: ProcessSignals, _ log: LogWriter, begin: @escaping () -> Void, reload: @escaping () -> Void) {
        var last: String?
        self.init { pauseMs, reason in
            if reason != last { log.write(.warning, "database", [("awaited", .text(reason))]) }
            last = reason
            begin()
            switch signals.next(withinMs: pauseMs) {
            case .stop: return false
            case .reload: reload()
            case nil: break
            }
            return true
        }
    }

    /// Repeats `body` as long as the database is away. Throws other errors, and `Stopped`. Blocks.
    func run<T>(_ body: () throws -> T) throws -> T {
        var pauseMs = Self.firstPauseMs
        while true {
            do {
                return try body()
            } catch {
                guard let pause, let reason = Self.absence(error) else { throw error }
                guard pause(pauseMs, reason) else { throw Stopped() }
                pauseMs = min(2 * pauseMs, Self.lastPauseMs)
            }
        }
    }

    /// The reason if the database is away; nil for any other error, which waiting does not mend.
    private static func absence(_ error: any Error) -> String? {
        switch error {
        case let error as DatabaseError where error.isAbsence: error.sentence
        case let error as MigrationError where error.isAbsence: error.description
        case CloudSyncError.databaseUnavailable(let reason): reason
        default: nil
        }
    }
}
