/// An idle connection as the limit of all connections sees it.
struct IdlePlace: Sendable {
    private let siteConnections: Int
    private let holderConnections: Int
    private let sinceMs: UInt64

    init(of holder: Holder, sinceMs: UInt64) {
        siteConnections = holder.site.connectionCount
        holderConnections = holder.connectionCount
        self.sinceMs = sinceMs
    }

    /// Compares the sites, then the holders, then the idle times.
    func givesWay(before other: IdlePlace) -> Bool {
        (siteConnections, holderConnections, other.sinceMs) > (other.siteConnections, other.holderConnections, sinceMs)
    }
}

/// The order in which idle connections give way to new ones: each is the longest idle one of the largest holder, as if
/// those before it were gone already.
enum IdleOrder {
    /// An idle connection, and its number for the caller.
    struct Entry {
        let holder: Holder
        let sinceMs: UInt64
        let index: Int
    }

    /// An entry with the sizes of its site and its holder at its turn. It has no references, which would make sorting slow.
    private struct Ranked {
        let siteName: ObjectIdentifier
        let holderName: ObjectIdentifier
        let sinceMs: UInt64
        let index: Int
        var site: Int
        var holder: Int

        init(_ entry: Entry) {
            siteName = ObjectIdentifier(entry.holder.site)
            holderName = ObjectIdentifier(entry.holder)
            sinceMs = entry.sinceMs
            index = entry.index
            site = entry.holder.site.connectionCount
            holder = entry.holder.connectionCount
        }
    }

    /// Returns the numbers of the first entries, at most `maxCount`.
    static func first(_ maxCount: Int, of entries: [Entry]) -> [Int] {
        var all = entries.map { Ranked($0) }
        all.sort { $0.sinceMs < $1.sinceMs }
        shrink(\.holder, of: \.holderName, &all)
        all.sort { ($0.holder, $1.sinceMs) > ($1.holder, $0.sinceMs) }
        shrink(\.site, of: \.siteName, &all)
        all.sort { ($0.site, $0.holder, $1.sinceMs) > ($1.site, $1.holder, $0.sinceMs) }
        return all.prefix(maxCount).map(\.index)
    }

    /// Each entry finds its group smaller by those of it that are before.
    private static func shrink(
        _ size: WritableKeyPath<Ranked, Int>,
        of group: KeyPath<Ranked, ObjectIdentifier>,
        _ all: inout [Ranked]
    ) {
        var before: [ObjectIdentifier: Int] = [:]
        for index in all.indices {
            let name = all[index][keyPath: group]
            all[index][keyPath: size] -= before[name, default: 0]
            before[name, default: 0] += 1
        }
    }
}
