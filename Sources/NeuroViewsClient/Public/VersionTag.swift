/// The name of one version of an item, such as `2-60303ae22b99`: the text of an ETag without its quotes.
public struct VersionTag: Hashable, Sendable {
    private static let lengthMax = 512

    /// The tag.
    public let text: String

    /// Takes a tag. Returns nil for text that no header field can have between quotes.
    public init?(_ text: String) {
        guard (1...Self.lengthMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return nil }
        self.text = text
    }

    /// Takes a tag that was checked when it was read.
    init(checked text: String) { self.text = text }

    /// The number of the version, counted from 1, deletions included; nil if the tag does not begin with one.
    public var number: Int64? {
        let digits = text.prefix { $0 != "-" }
        guard digits.utf8.count < text.utf8.count, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(digits)
    }
}

extension VersionTag: CustomStringConvertible {
    /// The tag.
    public var description: String { text }
}
