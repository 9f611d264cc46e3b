/// A queue that serves shares in turn, so a share with many elements delays only itself. A share is named by a path:
/// its parts are served in turn too.
struct FairQueue<Element> {
    /// Elements without a share. A queue has either these or shares.
    private var elements: [Element] = []
    private var shares: [String: FairQueue] = [:]
    /// The nonempty shares, in the order of their turns.
    private var turns: [String] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element, to share: ArraySlice<String>) {
        count += 1
        guard let name = share.first else { return elements.append(element) }
        if shares[name] == nil { turns.append(name) }
        shares[name, default: FairQueue()].append(element, to: share.dropFirst())
    }

    /// Removes the oldest element of the next share.
    mutating func removeFirst() -> Element {
        count -= 1
        guard !turns.isEmpty else { return elements.removeFirst() }
        let name = turns.removeFirst()
        let element = shares[name, default: FairQueue()].removeFirst()
        if size(name) > 0 { turns.append(name) } else { shares[name] = nil }
        return element
    }

    /// Makes room for one element of a share. Removes the newest element of the largest share, or of the largest part
    /// of its own share. Nil if no other is more than one element larger.
    mutating func evict(for share: ArraySlice<String>) -> Element? {
        guard let own = share.first else { return nil }
        if let largest, size(largest) > size(own) + 1 { return removeLast() }
        guard let element = shares[own]?.evict(for: share.dropFirst()) else { return nil }
        count -= 1
        return element
    }

    private mutating func removeLast() -> Element {
        count -= 1
        guard let largest else { return elements.removeLast() }
        let element = shares[largest, default: FairQueue()].removeLast()
        if size(largest) == 0 {
            shares[largest] = nil
            turns.removeAll { $0 == largest }
        }
        return element
    }

    private var largest: String? { turns.max { size($0) < size($1) } }

    private func size(_ name: String) -> Int { shares[name]?.count ?? 0 }
}
