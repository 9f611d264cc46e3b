/// How all accounts together use the server, for its operator. Days are those of UTC.
public struct OperatorUsage: Sendable {
    /// What there is now.
    public struct Present: Sendable {
        /// Accounts.
        public let accounts: Int
        /// Those that have agreed to analytics.
        public let consentingAccounts: Int
        /// Devices that were seen.
        public let devices: Int
        /// Configurations.
        public let configurations: Int
        /// Recordings.
        public let recordings: Int
        /// Bytes of their files.
        public let storedBytes: Int
    }

    /// What is counted for a day, and for all of them.
    public struct Figures: Sendable {
        /// What is counted for an account, too.
        public var usage = Usage.Figures()
        /// Accounts that reported an event.
        public var activeAccounts = 0
        /// Accounts that were made.
        public var newAccounts = 0
    }

    /// The days.
    public let range: DateRange
    /// What there is now.
    public let present: Present
    /// Over all days.
    public internal(set) var totals = Figures()
    /// An entry for each day of the range.
    public internal(set) var days: [Figures]
    /// Largest first; the last one may be `other`.
    public internal(set) var eventsByName: [Usage.EventName] = []
    /// Recordings by `video_format`, largest first.
    public internal(set) var byFormat: [Usage.Share] = []
    /// By `resolution`.
    public internal(set) var byResolution: [Usage.Share] = []
    /// Presets of configurations, and of the configurations that recordings name.
    public internal(set) var presets: [Usage.Preset] = []

    init(_ range: DateRange, _ present: Present) {
        self.range = range
        self.present = present
        days = Array(repeating: Figures(), count: range.count)
    }

    /// Changes the figures of a day, or of all of them for nil.
    mutating func change(_ day: Int?, _ body: (inout Figures) -> Void) {
        guard let day else { return body(&totals) }
        if days.indices.contains(day) { body(&days[day]) }
    }
}
