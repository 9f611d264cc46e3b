import HTTP

/// Decoded queries and paths can be encoded and decoded again. No decoded text has a zero byte.
enum QueryTarget {
    private static let router = Result {
        try Router([
            (.get, "/v2/configurations", 0), (.put, "/v2/configurations/{id}", 1), (.get, "/v2/{a}/{b}", 2),
        ])
    }

    static func check(_ bytes: [UInt8]) throws {
        try checkQuery(bytes)
        try checkPath(bytes)
    }

    private static func checkQuery(_ bytes: [UInt8]) throws {
        guard let query = try? QueryParameters(bytes[...]) else { return }
        try property("the items are bounded", query.items.count <= QueryParameters.itemsMaxCount)
        let encoded = query.items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
        let again = try QueryParameters(encoded)
        try property("what was decoded is decoded again", again.items.elementsEqual(query.items) { $0 == $1 })
        for item in query.items {
            try property("no text has a zero byte", !item.name.utf8.contains(0) && !item.value.utf8.contains(0))
            let values = query.values(item.name)
            try property("an item is found by its name", values.contains(item.value))
            let only = try? query.only(item.name)
            try property("what is repeated is refused", values.count == 1 ? only == values[0] : only == nil)
        }
    }

    private static func checkPath(_ bytes: [UInt8]) throws {
        let router = try router.get()
        guard case .found(let route, let parameters) = router.match(.put, path: bytes[...]) else { return }
        let path = "/v2/configurations/" + parameters.values.map(encode).joined(separator: "/")
        guard case .found(let again, let values) = router.match(.put, path: path) else {
            throw BrokenProperty(description: "a path that was decoded is not found again")
        }
        try property("it is the same route", again.endpoint == route.endpoint)
        try property("with the same values", values.values == parameters.values)
    }

    /// Percent-encodes every byte.
    private static func encode(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
