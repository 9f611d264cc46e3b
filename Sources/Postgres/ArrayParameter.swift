/// The element types of array parameters, by their numbers in PostgreSQL's catalog.
public enum ArrayElement: Int32, Sendable {
    /// `bytea`
    case bytes = 17
    /// `text`
    case text = 25
}

extension Parameter {
    /// A one-dimensional array in PostgreSQL's binary form, in which nothing has to be escaped; nil stands for NULL. U+0000 in a
    /// text is refused by PostgreSQL.
    public static func array(of type: ArrayElement, _ elements: [ArraySlice<UInt8>?]) -> Parameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        // Dimensions, whether there are NULLs, the type, then the dimension's length and first index.
        bytes.append(bigEndian: elements.isEmpty ? 0 : 1)
        bytes.append(bigEndian: elements.contains { $0 == nil } ? 1 : 0)
        bytes.append(bigEndian: type.rawValue)
        guard !elements.isEmpty else { return .bytes(bytes) }
        bytes.append(bigEndian: Int32(elements.count))
        bytes.append(bigEndian: 1)
        for element in elements {
            bytes.append(bigEndian: element.map { Int32($0.count) } ?? -1)
            if let element { bytes.append(contentsOf: element) }
        }
        return .bytes(bytes)
    }

    /// A `text[]`; nil stands for NULL.
    public static func texts(_ values: [String?]) -> Parameter {
        .array(of: .text, values.map { $0.map { Array($0.utf8)[...] } })
    }

    /// A `bigint[]`; nil stands for NULL.
    public static func integers(_ values: [Int?]) -> Parameter { .array(values.map { $0.map(String.init) }) }

    /// An array of values in PostgreSQL's text form that need no escapes, or have them; nil stands for NULL.
    public static func array(_ values: [String?]) -> Parameter {
        .text("{" + values.map { $0 ?? "NULL" }.joined(separator: ",") + "}")
    }

    /// A `uuid[]` of valid UUIDs.
    public static func uuids(_ values: [String]) -> Parameter { .text("{" + values.joined(separator: ",") + "}") }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: Int32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> Int32(shift))) }
    }
}
