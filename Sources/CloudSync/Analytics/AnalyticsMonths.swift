import Net
import Postgres

/// The partitions of events and of what is counted of them, a month each: created before events come, dropped when all of a month is older
/// than events are kept. See Migrations/functions/analytics.sql.
public struct AnalyticsMonths: Sendable {
    private let database: CallerDatabase
    private let settings: EventService.Settings

    /// Two months ahead: whole weeks without a running server change nothing.
    private static let aheadDays = 62
    /// More than a server that was away for years finds to drop.
    private static let dropsMax = 1000

    private static let create = Query("SELECT create_analytics_months($1::date, $2::date)") {
        columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
    private static let drop = Query("SELECT drop_analytics_month($1)::text") {
        columns throws(UnexpectedResult) -> String in
        try columns.next()
    }

    /// In `database`, by the settings of the service that writes there.
    public init(database: Database, settings: EventService.Settings) {
        self.database = CallerDatabase(database)
        self.settings = settings
    }

    /// Creates the partitions that events of the present and of the next months need. Returns the number of new months.
    @discardableResult
    public func create() async throws -> Int {
        let today = EventDay(of: Timestamp(seconds: settings.now()))
        let (first, last) = (today.adding(days: -settings.daysMax), today.adding(days: Self.aheadDays))
        return try await database.background(Self.create(.text(first.text), .text(last.text))).first ?? 0
    }

    /// Drops what is too old, the oldest first. Returns the first days of the months. Throws when others kept it from a lock for too long;
    /// the next run goes on.
    public func drop() async throws -> [String] {
        guard settings.keptDays > 0 else { return [] }
        var months: [String] = []
        for _ in 0..<Self.dropsMax {
            guard let month = try await database.background(Self.drop(.int(settings.keptDays))).first else { break }
            months.append(month)
        }
        return months
    }
}
