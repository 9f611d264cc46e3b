import NeuroViewsCrypto
import Postgres

/// Identifies the history of a collection up to one change, like a commit id: 16 bytes, as 32 hexadecimal digits.
struct ChainValue: Sendable, Equatable {
    /// In lower case.
    let digits: String
    private static let digitCount = 32
    private static let tagDigitCount = 12

    /// Nil unless `text` is 32 lower-case hexadecimal digits.
    init?(_ text: Substring) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(VersionTag.isDigit) else { return nil }
        digits = String(text)
    }

    /// Encodes 16 bytes.
    init(_ bytes: ArraySlice<UInt8>) { digits = Hex.encode(Array(bytes)) }

    /// A `bytea` parameter.
    var parameter: Parameter { .text("\\x" + digits) }

    /// A `bytea[]` parameter.
    static func parameter(_ chains: [ChainValue]) -> Parameter { .array(chains.map { "\"\\\\x\($0.digits)\"" }) }

    /// The digits that a version's tag contains.
    var tagDigits: Substring { digits.prefix(Self.tagDigitCount) }
}

extension ChainValue: ColumnValue {
    /// Reads a `bytea` in PostgreSQL's hexadecimal form.
    init?(_ row: Row, _ column: Int) {
        guard let text = row.text(column), text.hasPrefix("\\x") else { return nil }
        self.init(Substring(text.utf8.dropFirst(2)))
    }
}
