import Net
import Synchronization

/// A client as the shared limits see it: an IPv4 address or a /64 of IPv6, as reported by trusted proxies. All clients of
/// a Unix socket are one. Every loop reads and changes the counts without a lock.
final class Holder: Sendable {
    /// The largest range of one customer: the same IPv4 address, or the /48.
    final class Site: Sendable {
        private let connections = Atomic(0)

        /// The connections of all its holders.
        var connectionCount: Int { connections.load(ordering: .relaxed) }

        fileprivate func add(_ count: Int) { connections.add(count, ordering: .relaxed) }
    }

    let site: Site
    private let connections = Atomic(0)
    private let bytes = Atomic(0)
    private let cutOffUntil = Atomic<UInt64>(0)
    private let forgotten = Atomic(false)

    init(of site: Site) { self.site = site }

    /// Its connections, and those that wait for a place.
    var connectionCount: Int { connections.load(ordering: .relaxed) }
    /// The bytes that its requests have reserved.
    var byteCount: Int { bytes.load(ordering: .relaxed) }
    /// True if its address may have another object by now.
    var isForgotten: Bool { forgotten.load(ordering: .relaxed) }

    /// Counts a connection. Returns false when there are `max` already.
    func enter(max: Int) -> Bool {
        guard connections.add(1, ordering: .relaxed).newValue <= max else {
            connections.subtract(1, ordering: .relaxed)
            return false
        }
        site.add(1)
        return true
    }

    func leave() {
        connections.subtract(1, ordering: .relaxed)
        site.add(-1)
    }

    func add(bytes count: Int) { bytes.add(count, ordering: .relaxed) }

    /// Refuses large requests of this holder until then.
    func cutOff(untilMs: UInt64) { cutOffUntil.store(untilMs, ordering: .relaxed) }
    func isCutOff(nowMs: UInt64) -> Bool { cutOffUntil.load(ordering: .relaxed) > nowMs }

    /// True if an idle connection of this holder must give way to a newcomer. The newcomer's holder counts it already.
    /// Nobody gives way to a larger holder. Sites are compared first, as in `FairQueue`.
    func givesWay(to newcomer: Holder?) -> Bool {
        guard let newcomer else { return true }
        if site === newcomer.site { return connectionCount >= newcomer.connectionCount }
        return site.connectionCount >= newcomer.site.connectionCount
    }

    fileprivate func isUsed(nowMs: UInt64) -> Bool { connectionCount > 0 || byteCount > 0 || isCutOff(nowMs: nowMs) }
    fileprivate func forget() { forgotten.store(true, ordering: .relaxed) }
}

/// The holders by address; nil is that of Unix sockets.
struct HolderTable {
    private static let sweepMin = 1024
    private var holders: [IPAddress?: Holder] = [:]
    private var sites: [IPAddress?: Holder.Site] = [:]
    private var sweepAt = sweepMin

    var count: Int { holders.count }

    /// The holder of an address, or of the /64 that it is the first address of.
    mutating func holder(of subscriber: IPAddress?, nowMs: UInt64) -> Holder {
        if let known = holders[subscriber] { return known }
        if holders.count >= sweepAt { sweep(nowMs: nowMs) }
        let site = sites[subscriber?.site] ?? Holder.Site()
        sites[subscriber?.site] = site
        let holder = Holder(of: site)
        holders[subscriber] = holder
        return holder
    }

    /// Forgets holders without connections and bytes. It waits until the table has doubled, so it costs each new holder
    /// the same.
    private mutating func sweep(nowMs: UInt64) {
        for (subscriber, holder) in holders.filter({ !$0.value.isUsed(nowMs: nowMs) }) {
            holder.forget()
            holders[subscriber] = nil
        }
        sites = Dictionary(holders.map { ($0.key?.site, $0.value.site) }) { first, _ in first }
        sweepAt = max(Self.sweepMin, 2 * holders.count)
    }
}
