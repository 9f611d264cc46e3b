import NeuroViewsJSON

extension JSONValue {
    /// A number with the digits that it was written with.
    public struct Number: Hashable, Comparable, Sendable {
        let exact: JSONNumber

        init(_ exact: JSONNumber) { self.exact = exact }

        /// Takes the text of a JSON number, such as `4e2` or `0.020`. Returns nil for any other text.
        public init?(literal: String) {
            guard let exact = JSONNumber(literal) else { return nil }
            self.exact = exact
        }

        /// Takes an integer.
        public init(_ integer: Int64) { exact = JSONNumber(integer) }

        /// Takes the shortest text of a double. Returns nil for infinities and for what is no number.
        public init?(_ double: Double) { self.init(literal: "\(double)") }

        /// The text of the number.
        public var literal: String { exact.literal }

        /// The value, if it is an integer that fits.
        public var int64: Int64? { exact.int64 }

        /// The nearest double; infinite if the number is larger than any.
        public var double: Double { exact.double }

        /// Compares the exact values.
        public static func < (left: Number, right: Number) -> Bool { left.exact < right.exact }
    }
}

extension JSONValue.Number: CustomStringConvertible {
    /// The text of the number.
    public var description: String { literal }
}
