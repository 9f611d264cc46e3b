import NeuroViewsJSON

/// A part of a list, newest first.
public struct Page<Element: Sendable>: Sendable {
    /// The entries. A page that has a next one may have few of them, or none.
    public let items: [Element]
    /// The `before` of the next page; nil on the last one.
    public let next: String?

    init(items: [Element], next: String?) { (self.items, self.next) = (items, next) }

    /// Reads an answer; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON, _ member: String, _ read: (JSON) -> Element?) {
        guard let items = json.all(member, read), let hasMore = json["has_more"]?.bool, let next = json["next"] else {
            return nil
        }
        let text = next.string ?? next.number?.literal
        guard !hasMore || text != nil else { return nil }
        self.init(items: items, next: hasMore ? text : nil)
    }
}

extension Page: Equatable where Element: Equatable {}

extension JSON {
    /// The elements of an array, each as `read` makes it; nil if one of them is none.
    func all<Element>(_ member: String, _ read: (JSON) -> Element?) -> [Element]? {
        guard let array = self[member]?.array else { return nil }
        let elements = array.compactMap(read)
        return elements.count == array.count ? elements : nil
    }
}
