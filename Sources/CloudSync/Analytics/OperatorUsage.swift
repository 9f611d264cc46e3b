/// The use of the server by all accounts, for its operator. Days are UTC days.
public struct OperatorUsage: Sendable {
    /// The current totals.
    public struct Present: Sendable {
        /// Accounts.
        public let accounts: Int
        /// Accounts that have agreed to analytics.
        public let consentingAccounts: Int
        /// Known devices.
        public let devices: Int
        /// Configurations.
        public let configurations: Int
        /// Recordings.
        public let recordings: Int
        /// Bytes of the recordings' files.
        public let storedBytes: Int
    }

    /// The figures of a day or of the whole range.
    public struct Figures: Sendable {
        /// The figures that exist for an account, too.
        public var usage = Usage.Figures()
        /// Accounts that reported an event.
        public var activeAccounts = 0
        /// Accounts created.
        public var newAccounts = 0
    }

    /// The days.
    public let range: DateRange
    /// The current totals.
    public let present: Present
    /// The figures of the whole range.
    public internal(set) var totals = Figures()
    /// An entry for each day of the range.
    public internal(set) var days: [Figures]
    /// The most frequent first; the last one may be `other`.
    public internal(set) var eventsByName: [Usage.EventName] = []
    /// Recordings by `video_format`, the largest count first.
    public internal(set) var byFormat: [Usage.Share] = []
    /// Recordings by `resolution`.
    public internal(set) var byResolution: [Usage.Share] = []
    /// Presets of configurations, and of the configurations that recordings name.
    public internal(set) var presets: [Usage.Preset] = []

    init(_ range: DateRange, _ present: Present) {
        self.range = range
        self.present = present
        days = Array(repeating: Figures(), count: range.count)
    }

    /// Changes the figures of a day, or the totals for nil.
    mutating func change(_ day: Int?, _ body: (inout Figures) -> Void) {
        guard let day else { return body(&totals) }
        if days.indices.contains(day) { body(&days[day]) }
    }
}
