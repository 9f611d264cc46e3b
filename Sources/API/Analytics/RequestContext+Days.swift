import CloudSync
import JSONSchema

/// Parameters of daily figures.
extension RequestContext {
    private static let utc = "UTC"
    private static let zoneMaxBytes = 64

    /// The query parameters `start_date` and `end_date`. Throws a problem, or `.unprocessable` when one is
    /// missing or they are in the wrong order.
    func days() throws -> DateRange {
        let (start, end) = (try date("start_date"), try date("end_date"))
        guard let start, let end else {
            let missing = [("start_date", start), ("end_date", end)].filter { $0.1 == nil }
            throw CloudSyncError.unprocessable(
                missing.map { Self.violation($0.0, "required", "is missing: write a date, such as 2026-03-01") }
            )
        }
        guard let range = DateRange(start, end) else {
            throw CloudSyncError.unprocessable([
                Self.violation("end_date", "minimum", "must not be before start_date, \(start.text)")
            ])
        }
        return range
    }

    /// The query parameter `tz`; UTC without it. The name is not looked up here.
    func zone() throws(Problem) -> String {
        let zone = try parameter("tz") ?? Self.utc
        guard (1...Self.zoneMaxBytes).contains(zone.utf8.count), !zone.utf8.contains(0) else {
            throw Problem(parameter: "tz", "must be the name of a time zone such as Europe/Berlin")
        }
        return zone
    }

    private func date(_ name: String) throws(Problem) -> CalendarDate? {
        guard let text = try parameter(name) else { return nil }
        guard let date = CalendarDate(text) else {
            throw Problem(parameter: name, "must be a date such as 2026-03-01")
        }
        return date
    }

    private static func violation(_ name: String, _ keyword: String, _ detail: String) -> Violation {
        Violation(pointer: "/\(name)", keyword: keyword, detail: detail)
    }
}
