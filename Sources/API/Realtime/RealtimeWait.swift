import CloudSync
import Net

/// A request that waits for another state or for the outcome of a command. It has a place, as a socket has.
final class RealtimeWait: Sendable {
    private enum End {
        /// The hub has ended the seat.
        case seat(RealtimeEnd)
        /// A newcomer has the place.
        case gaveWay
    }

    /// The site of the client; nil behind a Unix socket.
    let site: IPAddress?
    let sinceMs: UInt64
    private let end = Locked<End?>(nil)

    init(of site: IPAddress?, nowMs: UInt64 = Monotonic.nowMs()) {
        self.site = site
        sinceMs = nowMs
    }

    /// Takes what the hub gives.
    func receive(_ delivery: RealtimeDelivery) {
        guard case .ended(let reason) = delivery else { return }
        end.withLock { end in end = end ?? .seat(reason) }
    }

    /// Ends the wait for a newcomer, which gets its place.
    func giveWay() { end.withLock { $0 = .gaveWay } }

    /// True: another one has the place.
    var hasGivenWay: Bool {
        end.withLock { end in
            if case .gaveWay = end { true } else { false }
        }
    }

    /// Throws if the wait has been ended from outside.
    func check() throws(CloudSyncError) {
        let end = end.withLock { $0 }
        switch end {
        case nil: return
        case .seat(.sessionEnded): throw .unauthenticated(.sessionEnded)
        case .seat: throw .databaseUnavailable(reason: "realtime: the state is not current")
        case .gaveWay: throw .problem(.overloaded)
        }
    }

    /// Returns the cause of a failure: an end from outside, or else `error`.
    func cause(of error: any Error) -> any Error {
        do throws(CloudSyncError) {
            try check()
            return error
        } catch let end {
            return end
        }
    }
}
