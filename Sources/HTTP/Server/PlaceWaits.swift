import Net
import Synchronization

/// A new connection that waits for a place.
final class PlaceWait: Sendable {
    let socket: Socket
    let owner: Holder?
    let isProxy: Bool
    private let isDecided = Atomic(false)

    init(_ socket: Socket, owner: Holder?, isProxy: Bool) {
        (self.socket, self.owner, self.isProxy) = (socket, owner, isProxy)
    }

    /// True when the connection has a place or is refused.
    var isOver: Bool { isDecided.load(ordering: .relaxed) }

    /// Returns true to the first that decides: a place was found, the time is over, or the wait was taken.
    func decide() -> Bool { !isDecided.exchange(true, ordering: .relaxed) }

    /// Sites are compared first, as for idle connections.
    fileprivate var size: (site: Int, holder: Int) {
        (site: owner?.site.connectionCount ?? 0, holder: owner?.connectionCount ?? 0)
    }
}

/// The new connections of one loop that wait for a place.
struct PlaceWaits {
    private var waiting: [PlaceWait] = []

    /// Adds a connection. If too many wait, the last one of the largest holder must go: it is removed and returned,
    /// unless it has a place or an answer already.
    mutating func add(_ newcomer: PlaceWait) -> PlaceWait? {
        waiting.append(newcomer)
        guard waiting.count > ServerLimits.waitingMax,
            let largest = waiting.reversed().max(by: { $0.size < $1.size })
        else { return nil }
        remove(largest)
        return largest.decide() ? largest : nil
    }

    mutating func remove(_ wait: PlaceWait) { waiting.removeAll { $0 === wait } }
}
