import Synchronization

/// Whether a client may still wait for its answer. Read on any thread.
public final class Presence: Sendable {
    private let hasLeft = Atomic(false)

    /// False when it has closed its connection, or at least its sending side, or got another answer.
    public var isHere: Bool { !hasLeft.load(ordering: .relaxed) }

    /// A client that is here.
    public init() {}

    /// It waits no longer.
    public func leave() { hasLeft.store(true, ordering: .relaxed) }
}
