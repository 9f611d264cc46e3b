/// The name of an object or upload: 1 to 200 bytes of letters, digits and `-._/`. No segment is empty or begins with a
/// dot.
///
/// Such a name needs no escaping in URLs or XML, and can't leave the store's folder.
package struct ObjectKey: Sendable, Hashable, CustomStringConvertible {
    /// The name in the bucket.
    package let description: String

    /// The object that contains the store's id.
    package static let storeID = ObjectKey(own: "store-id")

    private init(own text: String) { description = text }

    /// Nil for any other text.
    package init?(_ text: String) {
        let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isValid = (1...200).contains(text.utf8.count) && segments.allSatisfy(Self.isSegment)
        guard isValid else { return nil }
        description = text
    }

    private static func isSegment(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
