import Synchronization

/// Shows if a client may still wait for its response. Can be read on any thread.
public final class Presence: Sendable {
    private let hasLeft = Atomic(false)

    /// False after the client has closed its connection or its sending side, or has got another response.
    public var isHere: Bool { !hasLeft.load(ordering: .relaxed) }

    /// Makes a present client.
    public init() {}

    /// Marks the client as gone.
    public func leave() { hasLeft.store(true, ordering: .relaxed) }
}
