import Net
import Postgres

/// The monthly partitions of events and of their counts. They are created before events arrive, and dropped when the
/// whole month is older than the retention time. See Migrations/functions/analytics.sql.
package struct AnalyticsMonths: Sendable {
    private let database: CallerDatabase
    private let settings: EventService.Settings

    /// Two months ahead: the server may be down for weeks.
    private static let aheadDays = 62
    /// A bound of the loop. Even after years without a server there are fewer months to drop.
    private static let dropsMax = 1000

    private static let create = Query("SELECT create_analytics_months($1::date, $2::date)") {
        columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
    /// Keeps all months until the session ends. PostgreSQL's programs find a table first and lock it later. Waits for a drop under way.
    package static let keep = "SELECT pg_advisory_lock_shared(hashtext('neuroviews.kept_months'))"

    private static let drop = Query("SELECT drop_analytics_month($1)::text") {
        columns throws(UnexpectedResult) -> String in
        try columns.next()
    }

    /// Takes the database, and the settings of the service that writes events.
    package init(database: Database, settings: EventService.Settings) {
        self.database = CallerDatabase(database)
        self.settings = settings
    }

    /// Creates the partitions for events of the recent, present and next months. Returns the number of new months.
    @discardableResult
    package func create() async throws -> Int {
        let today = EventDay(of: Timestamp(seconds: settings.now()))
        let (first, last) = (today.adding(days: -settings.daysMax), today.adding(days: Self.aheadDays))
        return try await database.background(Self.create(.text(first.text), .text(last.text))).first ?? 0
    }

    /// Drops expired months, the oldest first. Returns their first days. Throws if it waits too long for a lock; the
    /// next run continues. Throws `ClockDoubted`.
    package func drop() async throws -> [String] {
        guard settings.keptDays > 0 else { return [] }
        var months: [String] = []
        for _ in 0..<Self.dropsMax {
            guard let month = try await database.sweep(Self.drop(.int(settings.keptDays))).first else { break }
            months.append(month)
        }
        return months
    }
}
