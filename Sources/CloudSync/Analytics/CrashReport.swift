import Postgres

/// A crash report, for the operator.
package struct CrashReport: Sendable {
    /// The UTC day of the crash: `2026-03-01`.
    package let day: String
    /// The report's name.
    package let name: String
    /// JSON text, as it was sent.
    package let parameters: String
    /// The whole report as a JSON object.
    package let json: String

    /// Reads the reports of these days, the newest day first. A server may be running. Blocks.
    package static func read(_ range: DateRange, _ connectionString: String) throws -> [CrashReport] {
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(DatabaseRole.ownerName); SET search_path = neuroviews, pg_temp")
        let rows = try session.execute(list, [range.first.text, range.last.text])
        return try (0..<rows.count).map { index in
            var columns = Columns(rows[index])
            return CrashReport(
                day: try columns.next(),
                name: try columns.next(),
                parameters: try columns.next(),
                json: try columns.next()
            )
        }
    }

    /// $1 first and $2 last day.
    private static let list = """
        SELECT to_char(day, 'YYYY-MM-DD'), name, parameters::text,
            json_build_object('day', day, 'name', name, 'parameters', parameters)::text
        FROM crash_reports WHERE day BETWEEN $1::date AND $2::date ORDER BY crash_reports.day DESC, name, parameters::text
        """
}
