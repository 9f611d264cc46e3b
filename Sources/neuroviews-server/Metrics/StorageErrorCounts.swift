import Net
import Storage

/// What went wrong with the store, by kind. What was asked for and is not there is no error of the store.
final class StorageErrorCounts: Sendable {
    private static let kinds = ["busy", "failed", "full", "refused", "unavailable"]
    private let counts = Locked([String: Int]())

    func add(_ error: StorageError) {
        let kind: String
        switch error {
        case .missing, .outOfRange, .wrongOffset: return
        case .full: kind = "full"
        case .busy: kind = "busy"
        case .unavailable: kind = "unavailable"
        case .refused: kind = "refused"
        case .failed: kind = "failed"
        }
        counts.withLock { $0[kind, default: 0] += 1 }
    }

    /// Each kind, also one that never came.
    var all: [(kind: String, count: Int)] {
        let counts = counts.withLock { $0 }
        return Self.kinds.map { ($0, counts[$0] ?? 0) }
    }
}
