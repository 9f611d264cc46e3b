/// The use of the server by all accounts, for its operator. Days are UTC days.
package struct OperatorUsage: Sendable {
    /// The current totals.
    package struct Present: Sendable {
        /// Accounts.
        package let accounts: Int
        /// Accounts that have agreed to analytics.
        package let consentingAccounts: Int
        /// Known devices.
        package let devices: Int
        /// Configurations.
        package let configurations: Int
        /// Recordings.
        package let recordings: Int
        /// Bytes of the recordings' files.
        package let storedBytes: Int
    }

    /// The figures of a day or of the whole range.
    package struct Figures: Sendable {
        /// The figures that exist for an account, too.
        package var usage = Usage.Figures()
        /// Accounts that reported an event.
        package var activeAccounts = 0
        /// Accounts created.
        package var newAccounts = 0
    }

    /// The days.
    package let range: DateRange
    /// The current totals.
    package let present: Present
    /// The figures of the whole range.
    package internal(set) var totals = Figures()
    /// An entry for each day of the range.
    package internal(set) var days: [Figures]
    /// The most frequent first; the last one may be `other`.
    package internal(set) var eventsByName: [Usage.EventName] = []
    /// Recordings by `video_format`, the largest count first.
    package internal(set) var byFormat: [Usage.Share] = []
    /// Recordings by `resolution`.
    package internal(set) var byResolution: [Usage.Share] = []
    /// Presets of configurations, and of the configurations that recordings name.
    package internal(set) var presets: [Usage.Preset] = []

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
