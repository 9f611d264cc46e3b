import CloudSync
import HTTP
import NeuroViewsJSON

extension Response {
    /// A page of a list: its entries as `name`, then `has_more` and `next`. `members` writes an entry's members, `next`
    /// the position after an entry. An entry takes some `itemBytes`.
    static func page<Item>(
        _ page: Page<Item>,
        of name: String,
        itemBytes: Int,
        next: (Item, inout JSONWriter) -> Void,
        _ members: (Item, inout JSONWriter) -> Void
    ) -> Response {
        .json(.ok, reservingBytes: 128 + page.items.count * itemBytes) { writer in
            writer.list(name, page.items, members)
            writer.member("has_more", bool: page.hasMore)
            writer.member("next")
            if page.hasMore, let last = page.items.last { next(last, &writer) } else { writer.null() }
        }
    }
}
