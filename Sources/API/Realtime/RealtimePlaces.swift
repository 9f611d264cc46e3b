import Net
import Synchronization

/// The places of sockets and waits: half of all connections. Counted by site (an IPv4 address, or a /48 of IPv6), the notion that
/// connections have.
final class RealtimePlaces: Sendable {
    private struct State {
        var taken = 0
        var sites: [IPAddress?: Int] = [:]

        mutating func add(_ count: Int, to site: IPAddress?) {
            sites[site, default: 0] += count
            if sites[site] == 0 { sites[site] = nil }
        }
    }

    private let max: Int
    private let state = Locked(State())

    init(max: Int) { self.max = max }

    /// The taken places.
    var count: Int { state.withLock { $0.taken } }

    /// Returns false when there is none.
    func take(for site: IPAddress?) -> Bool {
        state.withLock { state in
            guard state.taken < max else { return false }
            state.taken += 1
            state.add(1, to: site)
            return true
        }
    }

    func leave(_ site: IPAddress?) {
        state.withLock { state in
            state.taken -= 1
            state.add(-1, to: site)
        }
    }

    /// Gives a place of one site to another one. It is never free in between.
    func pass(from site: IPAddress?, to newcomer: IPAddress?) {
        state.withLock { state in
            state.add(-1, to: site)
            state.add(1, to: newcomer)
        }
    }

    /// The site with the most places; nil if none is taken. A site is nil for the clients of a Unix socket.
    var largestSite: IPAddress?? {
        state.withLock { state in state.sites.max { $0.value < $1.value }.map(\.key) }
    }
}
