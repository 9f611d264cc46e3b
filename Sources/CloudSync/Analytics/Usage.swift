/// An account's usage in a range of days.
public struct Usage: Sendable {
    /// The figures of a day or of the whole range.
    public struct Figures: Sendable, Equatable {
        /// Reported events.
        public var events = 0
        /// Devices that reported at least one event.
        public var activeDevices = 0
        /// Recordings made.
        public var recordings = 0
        /// Their total duration.
        public var recordedMs = 0
        /// Bytes of files whose upload was completed.
        public var uploadedBytes = 0
        /// Changed configurations, each counted once.
        public var configurationsChanged = 0
    }

    /// The count of an event name.
    public struct EventName: Sendable, Equatable {
        /// The event's name, or `other`.
        public let name: String
        /// The number of events.
        public let count: Int
    }

    /// The recordings that share a property.
    public struct Share: Sendable, Equatable {
        /// The property; nil for recordings without it.
        public let value: String?
        /// The number of recordings.
        public let count: Int
        /// Their total duration.
        public let durationMs: Int
        /// The bytes of their files.
        public let bytes: Int
    }

    /// The use of a preset.
    public struct Preset: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Configurations that have it now.
        public let configurations: Int
        /// Recordings of the range made with such a configuration.
        public let recordings: Int
    }

    /// The days.
    public let range: DateRange
    /// The time zone of the days.
    public let zone: String
    /// The figures of the whole range.
    public internal(set) var totals = Figures()
    /// An entry for each day of the range.
    public internal(set) var days: [Figures]
    /// The most frequent first; the last one may be `other`.
    public internal(set) var eventsByName: [EventName] = []
    /// Recordings by `video_format`, the largest count first.
    public internal(set) var byFormat: [Share] = []
    /// Recordings by `resolution`.
    public internal(set) var byResolution: [Share] = []
    /// Recordings by their device.
    public internal(set) var byDevice: [Share] = []
    /// Presets of configurations, the most used first.
    public internal(set) var presets: [Preset] = []

    init(_ range: DateRange, _ zone: String) {
        self.range = range
        self.zone = zone
        days = Array(repeating: Figures(), count: range.count)
    }
}

extension Usage {
    /// Limit of list entries, without the entry for the rest.
    static let entriesMax = 100
    /// The name of the entry for the rest. Clients can't use it as a name.
    static let other = "other"
}
