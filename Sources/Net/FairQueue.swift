/// A queue that serves shares in turn: whoever puts in much waits for it alone.
struct FairQueue<Element> {
    private var shares: [String: [Element]] = [:]
    /// The shares that have something, in the order of their turns.
    private var turns: [String] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element, to share: String) {
        if shares[share, default: []].isEmpty { turns.append(share) }
        shares[share, default: []].append(element)
        count += 1
    }

    /// The oldest of the share whose turn it is.
    mutating func removeFirst() -> Element {
        let share = turns.removeFirst()
        let element = shares[share, default: []].removeFirst()
        end(share)
        return element
    }

    /// Makes room for one of a share: removes the newest of the largest share. Nil when none has so much more that it would be fair.
    mutating func evict(for share: String) -> Element? {
        let own = shares[share]?.count ?? 0
        guard let largest = turns.max(by: { size($0) < size($1) }), size(largest) > own + 1 else { return nil }
        let element = shares[largest, default: []].removeLast()
        turns.removeAll { $0 == largest }
        end(largest)
        return element
    }

    private func size(_ share: String) -> Int { shares[share]?.count ?? 0 }

    /// After one of a share was removed, and its turn with it.
    private mutating func end(_ share: String) {
        count -= 1
        if size(share) > 0 { turns.append(share) } else { shares[share] = nil }
    }
}
