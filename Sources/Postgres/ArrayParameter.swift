/// The element types of array parameters, by their numbers in PostgreSQL's catalog.
public enum ArrayElement: Int32, Sendable {
    /// `bytea`
    case bytes = 17
    /// `integer`
    case int = 23
    /// `text`
    case text = 25
    /// `timestamptz`
    case time = 1184
    /// `uuid`
    case uuid = 2950
}

extension Parameter {
    /// A one-dimensional array in PostgreSQL's binary form, in which nothing has to be escaped; nil stands for NULL. `append` appends the
    /// binary form of an element.
    private static func array<Element>(
        of type: ArrayElement,
        _ elements: [Element?],
        append: (Element, inout [UInt8]) -> Void
    ) -> Parameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + 20 * elements.count)
        // Dimensions, whether there are NULLs, the type, then the dimension's length and first index.
        bytes.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(elements.contains { $0 == nil } ? 1 : 0))
        bytes.append(bigEndian: type.rawValue)
        guard !elements.isEmpty else { return .bytes(bytes) }
        bytes.append(bigEndian: Int32(elements.count))
        bytes.append(bigEndian: Int32(1))
        for element in elements {
            let start = bytes.count
            bytes.append(bigEndian: Int32(-1))
            guard let element else { continue }
            append(element, &bytes)
            bytes.set(bigEndian: Int32(bytes.count - start - 4), at: start)
        }
        return .bytes(bytes)
    }

    /// The same of elements in their binary form. U+0000 in a text is refused by PostgreSQL.
    public static func array(of type: ArrayElement, _ elements: [ArraySlice<UInt8>?]) -> Parameter {
        array(of: type, elements) { element, bytes in bytes.append(contentsOf: element) }
    }

    /// A `text[]`; nil stands for NULL.
    public static func texts(_ values: [String?]) -> Parameter {
        array(of: .text, values) { value, bytes in bytes.append(contentsOf: value.utf8) }
    }

    /// A `uuid[]` of valid UUIDs in their text form; nil stands for NULL.
    public static func uuids(_ values: [String?]) -> Parameter {
        array(of: .uuid, values) { value, bytes in
            var high: UInt8?
            for digit in value.utf8 where digit != UInt8(ascii: "-") {
                // A letter's low bits count from 1, in either case.
                let number = (digit & 0x0F) + (digit >> 6) * 9
                if let first = high { bytes.append(first << 4 | number) }
                high = high == nil ? number : nil
            }
        }
    }

    /// An `integer[]`.
    public static func ints(_ values: [Int32]) -> Parameter {
        array(of: .int, values) { value, bytes in bytes.append(bigEndian: value) }
    }

    /// A `timestamptz[]` of microseconds since the Unix epoch.
    public static func times(microseconds values: [Int]) -> Parameter {
        // PostgreSQL counts from 2000-01-01.
        array(of: .time, values) { value, bytes in bytes.append(bigEndian: Int64(value) - 946_684_800_000_000) }
    }

    /// A `bigint[]`; nil stands for NULL.
    public static func integers(_ values: [Int?]) -> Parameter { .array(values.map { $0.map(String.init) }) }

    /// An array of values in PostgreSQL's text form that need no escapes, or have them; nil stands for NULL.
    public static func array(_ values: [String?]) -> Parameter {
        .text("{" + values.map { $0 ?? "NULL" }.joined(separator: ",") + "}")
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func set(bigEndian value: Int32, at index: Int) {
        Swift.withUnsafeBytes(of: value.bigEndian) { replaceSubrange(index..<(index + 4), with: $0) }
    }
}
