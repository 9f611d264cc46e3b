import Postgres

/// The statements of `UsageService`. In all but `days`: $1 user, $2 and $3 first and last day (days since 1970-01-01).
enum UsageSQL {
    /// A row of the rollups.
    enum EventRow: Sendable {
        /// A device's events of a UTC day.
        case device(String, QuarterCounts)
        /// Events of a name on UTC days that are fully within the range in every zone.
        case name(String, Int)
        /// Events of a name on a UTC day at an end of the range.
        case nameAtAnEnd(String, QuarterCounts)
    }

    /// The beginning of each day of the zone, and the end of the last one. A day begins at the first of two midnights.
    /// If the clock is put forward at midnight, it begins after the gap. $1 zone, $2 and $3 days.
    static let days = Query(
        """
        SELECT array_agg(floor(extract(epoch FROM least(
            (midnight - interval '1 minute') AT TIME ZONE $1::text + interval '1 minute', midnight AT TIME ZONE $1::text
        )) / 900)::bigint ORDER BY midnight)::text
        FROM generate_series('epoch'::timestamp + $2::int * interval '1 day', 'epoch'::timestamp + ($3::int + 1) * interval '1 day',
            interval '1 day') midnight
        """
    ) { columns throws(UnexpectedResult) in
        guard let days = ZonedDays(starts: Array(IntegerArrayText(try columns.next()))) else {
            throw UnexpectedResult("the days of a zone are not in order")
        }
        return days
    }

    /// Events by device and by name, in one statement for a consistent snapshot. A day of any zone ends at most a day before
    /// or after the UTC day.
    static let events = Query(
        """
        SELECT day - 'epoch'::date, device_id, NULL::text, NULL::bigint, quarters::text, counts::text FROM analytics_device_days
        WHERE \(within("day", "$2::int - 1", "$3::int + 1"))
        UNION ALL SELECT NULL, NULL, name, sum(events), NULL, NULL FROM analytics_name_days
        WHERE \(within("day", "$2::int + 1", "$3::int - 1")) GROUP BY name
        UNION ALL SELECT day - 'epoch'::date, NULL, name, NULL, quarters::text, counts::text FROM analytics_name_days
        WHERE \(within("day", "$2::int - 1", "$2::int"))
        UNION ALL SELECT day - 'epoch'::date, NULL, name, NULL, quarters::text, counts::text FROM analytics_name_days
        WHERE \(within("day", "greatest($3::int, $2::int + 1)", "$3::int + 1"))
        """,
        eventRow
    )

    @Sendable
    private static func eventRow(_ columns: inout Columns) throws(UnexpectedResult) -> EventRow {
        let (day, device, name, sum): (Int?, String?, String?, Int?) = (
            try columns.next(), try columns.next(), try columns.next(), try columns.next()
        )
        if let name, let sum {
            columns.skip()
            return .name(name, sum)
        }
        guard let day, let id = device ?? name else {
            throw UnexpectedResult("a row of the rollups has no day or name")
        }
        let counts = QuarterCounts(day: day, quarters: try columns.next(), counts: try columns.next())
        return device == nil ? .nameAtAnEnd(id, counts) : .device(id, counts)
    }

    private static func within(_ column: String, _ first: String, _ last: String) -> String {
        "user_id = $1::uuid AND \(column) BETWEEN 'epoch'::date + (\(first)) AND 'epoch'::date + (\(last))"
    }
}
