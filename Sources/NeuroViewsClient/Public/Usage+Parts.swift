import NeuroViewsJSON

extension Usage {
    /// What is counted.
    public struct Figures: Hashable, Sendable {
        /// Events that devices reported with consent.
        public let events: Int64
        /// Devices that reported any; over several days each counts once.
        public let activeDevices: Int64
        /// Recordings.
        public let recordings: Int64
        /// The length of the recordings, in seconds.
        public let recordedSeconds: Double
        /// The bytes of uploads that were completed.
        public let uploadedBytes: Int64
        /// Configurations with a new version; over several days each counts once.
        public let configurationsChanged: Int64

        init?(_ json: JSON) {
            guard let events = json["events"]?.number?.int64, let devices = json["active_devices"]?.number?.int64,
                let recordings = json["recordings"]?.number?.int64, let seconds = json["recorded_seconds"]?.number,
                let bytes = json["uploaded_bytes"]?.number?.int64,
                let changed = json["configurations_changed"]?.number?.int64
            else { return nil }
            (self.events, activeDevices, self.recordings) = (events, devices, recordings)
            (recordedSeconds, uploadedBytes, configurationsChanged) = (seconds.double, bytes, changed)
        }
    }

    /// One day.
    public struct Day: Hashable, Sendable {
        /// The day.
        public let date: CalendarDay
        /// Its figures.
        public let figures: Figures

        init?(_ json: JSON) {
            guard let date = json["date"]?.string.flatMap({ CalendarDay($0) }), let figures = Figures(json) else {
                return nil
            }
            (self.date, self.figures) = (date, figures)
        }
    }

    /// The number of events of one name.
    public struct EventCount: Hashable, Sendable {
        /// The name; `other` for the rest.
        public let name: String
        /// The number.
        public let count: Int64

        init?(_ json: JSON) {
            guard let name = json["name"]?.string, let count = json["count"]?.number?.int64 else { return nil }
            (self.name, self.count) = (name, count)
        }
    }

    /// Recordings that have something in common.
    public struct Share: Hashable, Sendable {
        /// What they have in common; nil for those that do not have it.
        public let value: String?
        /// The number of recordings.
        public let count: Int64
        /// Their length, in seconds.
        public let seconds: Double
        /// The bytes of their files.
        public let bytes: Int64

        init?(_ json: JSON) {
            guard let value = json["value"], let count = json["count"]?.number?.int64,
                let seconds = json["seconds"]?.number, let bytes = json["bytes"]?.number?.int64
            else { return nil }
            (self.value, self.count, self.seconds, self.bytes) = (value.string, count, seconds.double, bytes)
        }
    }

    /// The use of a preset.
    public struct PresetUse: Hashable, Sendable {
        /// The preset.
        public let preset: String
        /// Configurations that have it now.
        public let configurations: Int64
        /// Recordings of the range that were made with such a configuration.
        public let recordings: Int64

        init?(_ json: JSON) {
            guard let preset = json["preset"]?.string, let configurations = json["configurations"]?.number?.int64,
                let recordings = json["recordings"]?.number?.int64
            else { return nil }
            (self.preset, self.configurations, self.recordings) = (preset, configurations, recordings)
        }
    }
}
