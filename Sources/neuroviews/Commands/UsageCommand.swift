import FoundationEssentials
import NeuroViewsClient

/// `usage`: how the account used its cameras.
enum UsageCommand {
    static let columns = ["DAY", "EVENTS", "DEVICES", "RECORDINGS", "SECONDS", "UPLOADED", "CONFIGURATIONS"]
    private static let standardDays = 30

    static func show(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let last = try day(call, "--to") ?? CalendarDay(utc: Date())
        let first = try day(call, "--from") ?? last.adding(days: 1 - standardDays)
        guard first <= last else { throw .usage("--from \(first) is after --to \(last).") }
        let zone = call.value("--tz") ?? "UTC"
        let usage = try await asking { () async throws(ClientError) in
            try await device.usage(from: first, to: last, timeZone: zone)
        }
        call.output.result(["usage": usage.json], table(usage))
        return .done
    }

    private static func day(_ call: CommandCall, _ flag: String) throws(Failure) -> CalendarDay? {
        guard let text = call.value(flag) else { return nil }
        guard let day = CalendarDay(text) else {
            throw .usage("\(flag) is \"\(text)\": write a day such as 2026-11-28.")
        }
        return day
    }

    private static func table(_ usage: Usage) -> Table {
        Table(
            columns,
            usage.days.map { row($0.date.text, $0.figures) } + [row("total", usage.totals)]
        )
    }

    private static func row(_ name: String, _ figures: Usage.Figures) -> [String] {
        [
            name, "\(figures.events)", "\(figures.activeDevices)", "\(figures.recordings)",
            "\(figures.recordedSeconds)",
            "\(figures.uploadedBytes)", "\(figures.configurationsChanged)",
        ]
    }
}
