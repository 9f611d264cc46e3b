import Synchronization

/// Whose turn it is: the account's home gives a batch of messages, and the socket writes it on its own loop. The home hears
/// of the end only if something waits there, which is rare.
struct BatchTurn: ~Copyable, Sendable {
    private enum State: UInt8, AtomicRepresentable {
        /// The socket has written all.
        case free
        /// The socket writes, and nothing waits.
        case writing
        /// The socket writes, and tells the home when it has.
        case awaited
    }

    private let state = Atomic(State.free)

    /// True from the begin of a batch to its end.
    var isTaken: Bool { state.load(ordering: .relaxed) != .free }

    /// Returns true if the home may give a batch. If not, it will be told when it may.
    func ask() -> Bool {
        let asked = state.compareExchange(expected: .writing, desired: .awaited, ordering: .acquiringAndReleasing)
        return asked.original == .free
    }

    /// The home gives a batch. `isAwaited`: it must hear of the end.
    func begin(isAwaited: Bool) { state.store(isAwaited ? .awaited : .writing, ordering: .releasing) }

    /// The socket has written the batch. Returns true if the home must be told; its turn begins when it is.
    func end() -> Bool {
        !state.compareExchange(expected: .writing, desired: .free, ordering: .acquiringAndReleasing).exchanged
    }

    /// The home was told.
    func free() { state.store(.free, ordering: .releasing) }
}
