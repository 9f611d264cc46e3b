extension JSONParser {
    /// What a parser refuses beyond what RFC 8259 forbids. Invalid UTF-8 is always refused.
    public struct Policy: Sendable {
        /// How many arrays and objects may be nested.
        public var maxDepth: Int
        /// How many values there may be, the containers among them.
        public var maxValues: Int
        /// How long the literal of a number may be, in bytes.
        public var maxNumberBytes: Int
        /// Refuses an object that has a name twice; otherwise the last value counts.
        public var refusesDuplicateNames: Bool
        /// Refuses `\uD800` and the like without the other half; otherwise they become U+FFFD.
        public var refusesLoneSurrogates: Bool
        /// Refuses U+0000 in strings and names.
        public var refusesNUL: Bool
        /// Refuses numbers that a double can't hold, which most readers would turn into infinity.
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

        /// For what a client sends: depth 64, 100,000 values, numbers of 1,000 bytes, and nothing that two readers could understand differently.
        public static let requestBody = Policy(
            maxDepth: 64,
            maxValues: 100_000,
            maxNumberBytes: 1000,
            refusesDuplicateNames: true,
            refusesLoneSurrogates: true,
            refusesNUL: true,
            refusesUnboundedNumbers: true
        )

        /// Everything RFC 8259 allows, to a depth of 1,000. For what was accepted before, too: under stricter limits, or those of another day.
        public static let rfc8259 = Policy(
            maxDepth: 1000,
            refusesDuplicateNames: false,
            refusesLoneSurrogates: false,
            refusesNUL: false,
            refusesUnboundedNumbers: false
        )
    }
}
