/// An account's usage in a range of days.
package struct Usage: Sendable {
    /// The figures of a day or of the whole range.
    package struct Figures: Sendable, Equatable {
        /// Reported events.
        package var events = 0
        /// Devices that reported at least one event.
        package var activeDevices = 0
        /// Recordings made.
        package var recordings = 0
        /// Their total duration.
        package var recordedMs = 0
        /// Bytes of files whose upload was completed.
        package var uploadedBytes = 0
        /// Changed configurations, each counted once.
        package var configurationsChanged = 0
    }

    /// The count of an event name.
    package struct EventName: Sendable, Equatable {
        /// The event's name, or `other`.
        package let name: String
        /// The number of events.
        package let count: Int
    }

    /// The recordings that share a property.
    package struct Share: Sendable, Equatable {
        /// The property; nil for recordings without it.
        package let value: String?
        /// The number of recordings.
        package let count: Int
        /// Their total duration.
        package let durationMs: Int
        /// The bytes of their files.
        package let bytes: Int
    }

    /// The use of a preset.
    package struct Preset: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Configurations that have it now.
        package let configurations: Int
        /// Recordings of the range made with such a configuration.
        package let recordings: Int
    }

    /// The days.
    package let range: DateRange
    /// The time zone of the days.
    package let zone: String
    /// The figures of the whole range.
    package internal(set) var totals = Figures()
    /// An entry for each day of the range.
    package internal(set) var days: [Figures]
    /// The most frequent first; the last one may be `other`.
    package internal(set) var eventsByName: [EventName] = []
    /// Recordings by `video_format`, the largest count first.
    package internal(set) var byFormat: [Share] = []
    /// Recordings by `resolution`.
    package internal(set) var byResolution: [Share] = []
    /// Recordings by their device.
    package internal(set) var byDevice: [Share] = []
    /// Presets of configurations, the most used first.
    package internal(set) var presets: [Preset] = []

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
