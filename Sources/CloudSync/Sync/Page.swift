/// A part of a list.
package struct Page<Item: Sendable>: Sendable {
    /// The entries, newest first.
    package let items: [Item]
    /// True if there are older ones.
    package let hasMore: Bool

    /// Takes at most `limit` of the found rows. The query asked for one more.
    init(_ found: [Item], limit: Int) {
        items = Array(found.prefix(limit))
        hasMore = found.count > limit
    }

    init(items: [Item], hasMore: Bool) {
        self.items = items
        self.hasMore = hasMore
    }
}
