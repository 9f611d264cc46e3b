import Net
import Storage

/// Counts errors of the store by kind. Missing objects and invalid ranges are not errors of the store.
package final class StorageErrorCounts: Sendable {
    private static let kinds = ["busy", "failed", "full", "refused", "unavailable"]
    private let counts = Locked([String: Int]())

    package init() {}

    package func add(_ error: StorageError) {
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

    /// All kinds, including those with no errors.
    var all: [(kind: String, count: Int)] {
        let counts = counts.withLock { $0 }
        return Self.kinds.map { ($0, counts[$0] ?? 0) }
    }
}
