/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The entries, newest first.
    public let items: [Item]
    /// Whether there are older ones.
    public let hasMore: Bool

    /// Takes up to `limit` of the rows that were found, one more of which was asked for.
    init(_ found: [Item], limit: Int) {
        items = Array(found.prefix(limit))
        hasMore = found.count > limit
    }

    init(items: [Item], hasMore: Bool) {
        self.items = items
        self.hasMore = hasMore
    }
}
