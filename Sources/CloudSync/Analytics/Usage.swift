/// How an account was used in a range of days.
public struct Usage: Sendable {
    /// What is counted for a day, and for all of them.
    public struct Figures: Sendable, Equatable {
        /// Events that were reported.
        public var events = 0
        /// Devices that reported at least one.
        public var activeDevices = 0
        /// Recordings made.
        public var recordings = 0
        /// How long they are.
        public var recordedMs = 0
        /// Bytes of files whose upload was completed.
        public var uploadedBytes = 0
        /// Configurations that were changed, each once.
        public var configurationsChanged = 0
    }

    /// How often an event was reported.
    public struct EventName: Sendable, Equatable {
        /// The event's name, or `other`.
        public let name: String
        /// How many of them.
        public let count: Int
    }

    /// The recordings that have a property in common.
    public struct Share: Sendable, Equatable {
        /// The property; nil for recordings without it.
        public let value: String?
        /// How many recordings.
        public let count: Int
        /// How long they are.
        public let durationMs: Int
        /// The bytes of their files.
        public let bytes: Int
    }

    /// What a preset is used for.
    public struct Preset: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Configurations that have it now.
        public let configurations: Int
        /// Recordings of the range that were made with such a configuration.
        public let recordings: Int
    }

    /// The days.
    public let range: DateRange
    /// The time zone that they are days of.
    public let zone: String
    /// Over all days.
    public internal(set) var totals = Figures()
    /// An entry for each day of the range.
    public internal(set) var days: [Figures]
    /// Largest first; the last one may be `other`.
    public internal(set) var eventsByName: [EventName] = []
    /// Recordings by `video_format`, largest first.
    public internal(set) var byFormat: [Share] = []
    /// By `resolution`.
    public internal(set) var byResolution: [Share] = []
    /// By the device that made them.
    public internal(set) var byDevice: [Share] = []
    /// Presets of configurations, most used first.
    public internal(set) var presets: [Preset] = []

    init(_ range: DateRange, _ zone: String) {
        self.range = range
        self.zone = zone
        days = Array(repeating: Figures(), count: range.count)
    }
}

extension Usage {
    /// Lists have so many entries, and one for the rest.
    static let entriesMax = 100
    /// What the rest is called. Clients can't use it as a name.
    static let other = "other"
}
