import CloudSync
import FoundationEssentials

/// The figures as JSON.
struct UsageReport: Encodable {
    struct Figures: Encodable {
        /// The day; nil in the totals.
        let date: String?
        let newAccounts: Int
        let activeAccounts: Int
        let activeDevices: Int
        let events: Int
        let recordings: Int
        let recordedSeconds: Double
        let uploadedBytes: Int
        let configurationsChanged: Int

        init(_ date: String?, _ figures: OperatorUsage.Figures) {
            self.date = date
            newAccounts = figures.newAccounts
            activeAccounts = figures.activeAccounts
            activeDevices = figures.usage.activeDevices
            events = figures.usage.events
            recordings = figures.usage.recordings
            recordedSeconds = Double(figures.usage.recordedMs) / 1000
            uploadedBytes = figures.usage.uploadedBytes
            configurationsChanged = figures.usage.configurationsChanged
        }
    }

    struct Event: Encodable {
        let name: String
        let count: Int
    }

    struct Share: Encodable {
        /// Null for recordings without the property.
        let value: String?
        let count: Int
        let seconds: Double
        let bytes: Int

        init(_ share: Usage.Share) {
            value = share.value
            count = share.count
            seconds = Double(share.durationMs) / 1000
            bytes = share.bytes
        }

        private enum CodingKeys: CodingKey { case value, count, seconds, bytes }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .value)
            try container.encode(count, forKey: .count)
            try container.encode(seconds, forKey: .seconds)
            try container.encode(bytes, forKey: .bytes)
        }
    }

    struct Preset: Encodable {
        let preset: String
        let configurations: Int
        let recordings: Int
    }

    struct Now: Encodable {
        let accounts: Int
        let consentingAccounts: Int
        let devices: Int
        let configurations: Int
        let recordings: Int
        let storedBytes: Int
    }

    let startDate: String
    let endDate: String
    let tz = "UTC"
    let now: Now
    let totals: Figures
    let days: [Figures]
    let eventsByName: [Event]
    let recordingsByFormat: [Share]
    let recordingsByResolution: [Share]
    let presets: [Preset]

    init(_ usage: OperatorUsage) {
        startDate = usage.range.first.text
        endDate = usage.range.last.text
        now = Now(
            accounts: usage.present.accounts,
            consentingAccounts: usage.present.consentingAccounts,
            devices: usage.present.devices,
            configurations: usage.present.configurations,
            recordings: usage.present.recordings,
            storedBytes: usage.present.storedBytes
        )
        totals = Figures(nil, usage.totals)
        days = usage.days.enumerated().map { Figures(usage.range[$0].text, $1) }
        eventsByName = usage.eventsByName.map { Event(name: $0.name, count: $0.count) }
        recordingsByFormat = usage.byFormat.map(Share.init)
        recordingsByResolution = usage.byResolution.map(Share.init)
        presets = usage.presets.map {
            Preset(preset: $0.name, configurations: $0.configurations, recordings: $0.recordings)
        }
    }

    /// Returns indented JSON with members sorted by name.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(["usage": self]), as: UTF8.self) + "\n"
    }
}
