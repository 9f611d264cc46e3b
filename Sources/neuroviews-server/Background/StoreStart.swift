import Net
import Observability
import Storage

/// Checks the store when the server starts, and logs problems. Configurations are served in any case.
struct StoreStart: Sendable {
    private let backend: Backend
    private let log: LogWriter

    init(_ backend: Backend, _ log: LogWriter) {
        self.backend = backend
        self.log = log
    }

    /// Returns at once: an unreachable service is detected only after some seconds.
    func begin() {
        backend.loops[0].spawn { [self] in
            if case .s3(let s3) = backend.storage, let problem = await s3.selfTest() {
                log.write(.error, "storage", [("failed", .text(problem))])
            }
            do {
                try await backend.store.confirm()
            } catch {
                let effect = [(name: "recordings", value: LogWriter.Value.text("not served"))]
                log.write(failure: error, of: "storage", in: backend.database, effect)
            }
        }
    }
}
