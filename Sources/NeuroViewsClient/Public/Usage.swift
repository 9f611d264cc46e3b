import NeuroViewsJSON

/// How the account was used in a range of days.
///
/// Figures of events need the person's consent; without it they are zero. The others are made of stored recordings and
/// configurations, and ``derived`` names them.
public struct Usage: Hashable, Sendable {
    /// The first day.
    public let from: CalendarDay
    /// The last day, which is included.
    public let to: CalendarDay
    /// The time zone of the days.
    public let timeZone: String
    /// The figures of the whole range.
    public let totals: Figures
    /// Each day of the range, also those without anything.
    public let days: [Day]
    /// Events by name, largest first, at most 100 and the rest as `other`.
    public let eventsByName: [EventCount]
    /// Recordings by their format.
    public let recordingsByFormat: [Share]
    /// Recordings by their resolution.
    public let recordingsByResolution: [Share]
    /// Recordings by the device that made them.
    public let recordingsByDevice: [Share]
    /// Presets, most recordings first.
    public let presets: [PresetUse]
    /// The names of the figures that need no consent, as the interface has them.
    public let derived: [String]
    /// The figures as the server sent them.
    public let json: JSONValue

    /// Reads an answer; nil if it is not as the OpenAPI document has it.
    init?(_ answer: JSON) {
        guard let json = answer["usage"], let from = json["start_date"]?.string.flatMap({ CalendarDay($0) }),
            let to = json["end_date"]?.string.flatMap({ CalendarDay($0) }), let timeZone = json["tz"]?.string,
            let totals = json["totals"].flatMap({ Figures($0) }), let days = json.all("days", { Day($0) }),
            let eventsByName = json.all("events_by_name", { EventCount($0) }),
            let formats = json.all("recordings_by_format", { Share($0) }),
            let resolutions = json.all("recordings_by_resolution", { Share($0) }),
            let devices = json.all("recordings_by_device", { Share($0) }),
            let presets = json.all("presets", { PresetUse($0) }), let derived = json.all("derived", { $0.string })
        else { return nil }
        (self.from, self.to, self.timeZone, self.totals, self.days) = (from, to, timeZone, totals, days)
        (self.eventsByName, self.presets, self.derived) = (eventsByName, presets, derived)
        (recordingsByFormat, recordingsByResolution, recordingsByDevice) = (formats, resolutions, devices)
        self.json = JSONValue(json)
    }
}
