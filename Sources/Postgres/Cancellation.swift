import CPostgres
import Net

/// Ends the statement that a connection waits for, through a connection of its own.
///
/// `@unchecked Sendable`: libpq's object is never changed, and `PQcancel` may be called from any thread.
final class Cancellation: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let madeNs = Monotonic.nowNs()
    /// When earlier ones have taken so long, PostgreSQL is out of reach.
    private static let maxAgeNs: UInt64 = 5_000_000_000

    /// Nil where there is no connection.
    init?(of handle: OpaquePointer?) {
        guard let pointer = PQgetCancel(handle) else { return nil }
        self.pointer = pointer
    }

    deinit { PQfreeCancel(pointer) }

    /// Blocks until PostgreSQL has the request, or can't be reached.
    func perform() {
        guard Monotonic.nowNs() - madeNs < Self.maxAgeNs else { return }
        var complaint: CChar = 0
        // A statement that is not ended now ends when PostgreSQL finds that its client is gone.
        _ = PQcancel(pointer, &complaint, 1)
    }
}
