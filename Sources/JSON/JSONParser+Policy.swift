extension JSONParser {
    /// What a parser refuses beyond what RFC 8259 forbids. Invalid UTF-8 is always refused.
    public struct Policy: Sendable {
        /// How many arrays and objects may be nested.
        public var maxDepth: Int
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
            refusesDuplicateNames: Bool,
            refusesLoneSurrogates: Bool,
            refusesNUL: Bool,
            refusesUnboundedNumbers: Bool
        ) {
            self.maxDepth = maxDepth
            self.refusesDuplicateNames = refusesDuplicateNames
            self.refusesLoneSurrogates = refusesLoneSurrogates
            self.refusesNUL = refusesNUL
            self.refusesUnboundedNumbers = refusesUnboundedNumbers
        }

        /// For what a client sends: depth 64, and nothing that two readers could understand differently.
        public static let requestBody = Policy(
            maxDepth: 64,
            refusesDuplicateNames: true,
            refusesLoneSurrogates: true,
            refusesNUL: true,
            refusesUnboundedNumbers: true
        )

        /// Everything RFC 8259 allows, to a depth of 1,000.
        public static let rfc8259 = Policy(
            maxDepth: 1000,
            refusesDuplicateNames: false,
            refusesLoneSurrogates: false,
            refusesNUL: false,
            refusesUnboundedNumbers: false
        )
    }
}
