import Observability
import Postgres

extension LogWriter {
    /// Logs an error of work in the background, with more fields. At the end of the process the closing database breaks off
    /// what is under way, which is no error.
    func write(
        failure error: any Error,
        of name: String,
        in database: Database,
        _ more: [(name: String, value: Value)] = []
    ) {
        guard !database.isClosing else { return }
        write(.error, name, [("failed", .text("\(error)"))] + more)
    }

    /// The same for a closure that has nothing but the error.
    func failure(of name: String, in database: Database) -> @Sendable (any Error) -> Void {
        { self.write(failure: $0, of: name, in: database) }
    }
}
