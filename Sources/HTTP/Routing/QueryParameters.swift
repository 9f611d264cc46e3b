/// The items of a query, "name=value&name=value", percent-decoded by RFC 3986: `+` is a plus, not a space, because
/// timestamps contain it. An item without `=` has an empty value; empty items between `&` are skipped.
public struct QueryParameters: Sendable {
    /// The most items of a query.
    public static var itemsMaxCount: Int { 64 }

    /// Names and values in the order received.
    public let items: [(name: String, value: String)]

    /// Reads `RequestHead.queryBytes`.
    public init(_ query: ArraySlice<UInt8>) throws(QueryError) {
        let bytes = query.span
        var items: [(name: String, value: String)] = []
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x26 { end += 1 }
            if end > start {
                guard items.count < QueryParameters.itemsMaxCount else { throw .tooManyItems }
                items.append(try QueryParameters.item(query[(query.startIndex + start)..<(query.startIndex + end)]))
            }
            start = end + 1
        }
        self.items = items
    }

    /// Reads an undecoded query; nil is for a target without one.
    public init(_ query: String?) throws(QueryError) {
        try self.init(Array((query ?? "").utf8)[...])
    }

    /// All values with this name.
    public func values(_ name: String) -> [String] {
        items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The value with this name, or nil without one. Throws for a repeated name:
    /// the choice of a value would be a guess.
    public func only(_ name: String) throws(QueryError) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw .repeated(name: name) }
        return values.first
    }

    private static func item(_ bytes: ArraySlice<UInt8>) throws(QueryError) -> (name: String, value: String) {
        let equals = bytes.firstIndex(of: .equals) ?? bytes.endIndex
        do throws(PercentDecoding.Failure) {
            let name = try PercentDecoding.decode(bytes[..<equals])
            return (name, try PercentDecoding.decode(bytes[equals...].dropFirst()))
        } catch {
            switch error {
            case .malformed: throw .invalidPercentEncoding
            case .encodedNUL: throw .encodedNUL
            case .invalidUTF8: throw .invalidUTF8
            }
        }
    }
}
