import CloudSync
import NeuroViewsJSON

enum UsageJSON {
    /// Members made from recordings and configurations. They need no consent.
    private static let derived = [
        "recordings", "recorded_seconds", "uploaded_bytes", "configurations_changed", "recordings_by_format",
        "recordings_by_resolution", "recordings_by_device", "presets",
    ]

    static func text(_ usage: Usage) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 2048 + usage.days.count * 160)
        writer.beginObject()
        writer.member("usage")
        writer.beginObject()
        writer.member("start_date", string: usage.range.first.text)
        writer.member("end_date", string: usage.range.last.text)
        writer.member("tz", string: usage.zone)
        writer.member("totals")
        writer.beginObject()
        write(usage.totals, to: &writer)
        writer.endObject()
        writeLists(of: usage, to: &writer)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private static func writeLists(of usage: Usage, to writer: inout JSONWriter) {
        writer.list("days", usage.days.enumerated()) { day, writer in
            writer.member("date", string: usage.range[day.offset].text)
            write(day.element, to: &writer)
        }
        writer.list("events_by_name", usage.eventsByName) { event, writer in
            writer.member("name", string: event.name)
            writer.member("count", integer: Int64(event.count))
        }
        writer.list("recordings_by_format", usage.byFormat, write)
        writer.list("recordings_by_resolution", usage.byResolution, write)
        writer.list("recordings_by_device", usage.byDevice, write)
        writer.list("presets", usage.presets) { preset, writer in
            writer.member("preset", string: preset.name)
            writer.member("configurations", integer: Int64(preset.configurations))
            writer.member("recordings", integer: Int64(preset.recordings))
        }
        writer.member("derived")
        writer.beginArray()
        for name in derived { writer.string(name) }
        writer.endArray()
    }

    private static func write(_ figures: Usage.Figures, to writer: inout JSONWriter) {
        writer.member("events", integer: Int64(figures.events))
        writer.member("active_devices", integer: Int64(figures.activeDevices))
        writer.member("recordings", integer: Int64(figures.recordings))
        writer.member("recorded_seconds", raw: Array(SecondsText.of(figures.recordedMs).utf8))
        writer.member("uploaded_bytes", integer: Int64(figures.uploadedBytes))
        writer.member("configurations_changed", integer: Int64(figures.configurationsChanged))
    }

    private static func write(_ share: Usage.Share, to writer: inout JSONWriter) {
        writer.member("value", optional: share.value)
        writer.member("count", integer: Int64(share.count))
        writer.member("seconds", raw: Array(SecondsText.of(share.durationMs).utf8))
        writer.member("bytes", integer: Int64(share.bytes))
    }
}

/// Milliseconds as seconds, with no more digits than they need.
enum SecondsText {
    static func of(_ milliseconds: Int) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return String(seconds) }
        var digits = String(String(1000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(seconds).\(digits)"
    }
}
