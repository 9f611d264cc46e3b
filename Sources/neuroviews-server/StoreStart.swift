import Net
import Storage

/// What a server says about its store when it starts. It serves configurations whatever the store does.
struct StoreStart: Sendable {
    private let backend: Backend
    private let log: LogWriter

    init(_ backend: Backend, _ log: LogWriter) {
        self.backend = backend
        self.log = log
    }

    /// Returns at once; a service that can't be reached takes some seconds to tell.
    func begin() {
        backend.loops[0].spawn { [self] in
            if case .s3(let s3) = backend.storage, let problem = await s3.selfTest() {
                log.write(.error, "storage", [("failed", .text(problem))])
            }
            do {
                try await backend.store.confirm()
            } catch {
                log.write(.error, "storage", [("failed", .text("\(error)")), ("recordings", .text("not served"))])
            }
        }
    }
}
