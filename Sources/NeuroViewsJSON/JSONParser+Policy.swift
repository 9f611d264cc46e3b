extension JSONParser {
    /// The rules of a parser beyond RFC 8259. Invalid UTF-8 is always rejected.
    public struct Policy: Sendable {
        /// The most nested arrays and objects.
        public var maxDepth: Int
        /// The most values, including the containers.
        public var maxValues: Int
        /// The longest literal of a number, in bytes.
        public var maxNumberBytes: Int
        /// Rejects an object that has a name twice; otherwise the last value counts.
        public var refusesDuplicateNames: Bool
        /// Rejects `\uD800` and the like without the other half; otherwise they become U+FFFD.
        public var refusesLoneSurrogates: Bool
        /// Rejects U+0000 in strings and names.
        public var refusesNUL: Bool
        /// Rejects numbers that a double can't hold, which most readers would turn into infinity.
        public var refusesUnboundedNumbers: Bool

        /// Makes a policy.
        public init(
            maxDepth: Int,
            maxValues: Int = .max,
            maxNumberBytes: Int = .max,
            refusesDuplicateNames: Bool,
            refusesLoneSurrogates: Bool,
            refusesNUL: Bool,
            refusesUnboundedNumbers: Bool
        ) {
            self.maxDepth = maxDepth
            self.maxValues = maxValues
            self.maxNumberBytes = maxNumberBytes
            self.refusesDuplicateNames = refusesDuplicateNames
            self.refusesLoneSurrogates = refusesLoneSurrogates
            self.refusesNUL = refusesNUL
            self.refusesUnboundedNumbers = refusesUnboundedNumbers
        }

        /// For texts from clients: depth 64, 100,000 values, numbers of 1,000 bytes, and nothing that two
        /// readers could understand differently.
        public static let requestBody = Policy(
            maxDepth: 64,
            maxValues: 100_000,
            maxNumberBytes: 1000,
            refusesDuplicateNames: true,
            refusesLoneSurrogates: true,
            refusesNUL: true,
            refusesUnboundedNumbers: true
        )

        /// Everything that RFC 8259 allows, to a depth of 1,000. Also for texts that were accepted
        /// before, under stricter or earlier limits.
        public static let rfc8259 = Policy(
            maxDepth: 1000,
            refusesDuplicateNames: false,
            refusesLoneSurrogates: false,
            refusesNUL: false,
            refusesUnboundedNumbers: false
        )
    }
}
