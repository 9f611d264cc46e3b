import Postgres
import Tracing

/// Keeps crash reports of people who agreed: name, parameters and day, and nothing that leads to the person. See
/// Migrations/functions/crash_reports.sql.
struct CrashReports: Sendable {
    /// Days that a report is kept.
    static let keptDays = 90

    private let database: CallerDatabase
    private let shares = CrashShares()
    /// Unix seconds.
    private let now: @Sendable () -> Int

    /// Keeps reports in `database`.
    init(database: Database, now: @escaping @Sendable () -> Int) {
        self.database = CallerDatabase(database)
        self.now = now
    }

    /// Keeps the first reports, as many as the account has left today. Returns their number. Throws `.consentRequired`,
    /// and then keeps none. A repetition is kept again, since nothing recognises it. Reports on their way during a
    /// withdrawal may be kept.
    func keep(_ part: EventPart, for caller: Caller) async throws -> Int {
        let consent = CrashReportSQL.consent(.text(caller.userID))
        try await database.transaction(for: caller) { transaction in
            let agreed = try await transaction.run(consent)
            guard agreed.first == true else { throw CloudSyncError.problem(.consentRequired) }
            try await transaction.commit([])
        }
        let today = EventDay(of: Timestamp(seconds: now()))
        let count = shares.take(part.events.count, of: caller.userID, on: today)
        guard count > 0 else { return 0 }
        do {
            try await keep(part.events.prefix(count), caller.record)
        } catch {
            shares.giveBack(count, of: caller.userID, on: today)
            throw error
        }
        return count
    }

    /// In a transaction without the caller: a common one would lead from the reports to the account.
    private func keep(_ reports: ArraySlice<AnalyticsEvent>, _ record: RequestRecord?) async throws {
        let keep = CrashReportSQL.keep(
            .array(reports.map { EventDay(of: $0.occurredAt).text }),
            .texts(reports.map(\.name)),
            .array(of: .text, reports.map { $0.parameters[...] })
        )
        _ = try await database.background(keep, record: record)
    }
}

/// The statements of crash reports.
enum CrashReportSQL {
    /// Returns a row if the account has agreed. Locks nothing: a lock would leave the transaction's number in the row.
    ///
    /// $1 user.
    static let consent = Query(
        "SELECT granted FROM consents WHERE user_id = $1::uuid AND category = 'crash_reports' AND granted"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// $1 days, $2 names, $3 parameters.
    static let keep = Query("SELECT keep_crash_reports($1, $2, $3)")

    /// $1 days that a report is kept, $2 limit of rows. Returns the number of deleted rows.
    static let sweep = Query("SELECT sweep_crash_reports($1, $2)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
}
