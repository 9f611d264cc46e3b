/// A JSON number: the literal exactly as it was written, compared by its exact value.
///
/// `1`, `1.0` and `10e-1` are equal, `-0` equals `0`, and integers beyond 2^53 stay distinct.
public struct JSONNumber: Sendable {
    /// The literal as it was written.
    public let literal: String

    /// Takes a literal that the parser has accepted.
    init(accepted literal: String) {
        self.literal = literal
    }

    /// Makes a number of a literal that follows RFC 8259, with at most 18 significant digits in the exponent; nil
    /// otherwise.
    public init?(_ literal: String) {
        let scan = literal.withBytes { NumberScan.scan($0.span, from: 0) }
        guard scan.failure == nil, scan.end == literal.utf8.count else { return nil }
        self.literal = literal
    }

    /// Makes a number of an integer.
    public init(_ integer: Int64) {
        literal = String(integer)
    }

    /// The exact value, normalised.
    public var decimal: ExactDecimal { ExactDecimal(accepted: literal) }

    /// True if the value has no fraction in any spelling (`1.0` and `10e-1` are integers).
    public var isInteger: Bool {
        isPlainInteger || decimal.isInteger
    }

    /// The value when it's an integer that fits; exact.
    public var int64: Int64? {
        isPlainInteger ? Int64(literal) : decimal.int64
    }

    /// The nearest double; infinite beyond the range of doubles.
    public var double: Double { Double(literal) ?? .nan }

    /// Returns true if the value is a whole multiple of the divisor, exactly. Nothing is a multiple of zero.
    public func isMultiple(of divisor: JSONNumber) -> Bool {
        decimal.isMultiple(of: divisor.decimal)
    }

    /// Written with an optional sign and digits only.
    private var isPlainInteger: Bool {
        literal.utf8.allSatisfy { $0 <= Byte.nine && $0 != Byte.point }
    }
}

extension JSONNumber: Hashable, Comparable {
    /// Returns true if both have the same exact value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.literal.hasSameBytes(as: right.literal) || left.decimal == right.decimal
    }

    /// Compares the exact values.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.isPlainInteger, right.isPlainInteger, let left = left.int64, let right = right.int64 {
            return left < right
        }
        return left.decimal < right.decimal
    }

    /// Hashes the exact value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(decimal)
    }
}
