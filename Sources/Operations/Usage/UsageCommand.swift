import CloudSync
import Machine
import Postgres
import PrivateCluster
import Settings

/// `usage`: reports the use of the server by all accounts together.
package struct UsageCommand {
    /// The default number of days without `--from`.
    private static let daysUsual = 30
    let options: UsageOptions
    let settings: Settings
    /// Unix seconds.
    let now: @Sendable () -> Int

    package init(options: UsageOptions, settings: Settings, now: @escaping @Sendable () -> Int = Clock.now) {
        self.options = options
        self.settings = settings
        self.now = now
    }

    package func run() throws { StandardStreams.print(try text()) }

    /// The report. Blocks.
    func text() throws -> String {
        let range = try range()
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        return try output(range, database.ownerLogin)
    }

    private func output(_ range: DateRange, _ connectionString: String) throws -> String {
        guard options.areCrashes else {
            let usage = try read { try OperatorUsage.read(range, connectionString) }
            return try options.form == .json ? UsageReport(usage).json() : UsageText(usage).text
        }
        let reports = try read { try CrashReport.read(range, connectionString) }
        let list = CrashList(range: range, reports: reports)
        return options.form == .json ? list.json : list.text
    }

    /// The requested days.
    func range() throws -> DateRange {
        let today = CalendarDate(on: Timestamp(seconds: now()))
        let last = try date(options.to, "--to") ?? today
        let first = try date(options.from, "--from") ?? CalendarDate(number: last.number - Self.daysUsual + 1)
        guard let range = DateRange(first, last) else {
            throw CommandFailure("--to is \(last.text), before --from: write a later day.", status: .data)
        }
        guard range.count <= UsageService.daysMax else {
            throw CommandFailure(
                "From \(first.text) to \(last.text) are \(range.count) days: write at most \(UsageService.daysMax).",
                status: .data
            )
        }
        return range
    }

    private func date(_ text: String?, _ flag: String) throws -> CalendarDate? {
        guard let text else { return nil }
        guard let date = CalendarDate(text) else {
            throw CommandFailure("\(flag) is \"\(text)\": write a date, such as 2026-03-01.", status: .data)
        }
        return date
    }

    private func read<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw CommandFailure("The figures could not be read: \(error.sentence)")
        }
    }
}
