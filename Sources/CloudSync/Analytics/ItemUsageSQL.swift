import Postgres

/// Figures of usage that are derived from stored recordings and configurations. $1 user, $2 and $3 first and last day
/// (days since 1970-01-01), $4 time zone.
enum ItemUsageSQL {
    /// The sum of the recordings that share a property.
    enum RecordingRow: Sendable {
        case day(Int, Sum)
        case format(String?, Sum)
        case resolution(String?, Sum)
        case device(String?, Sum)
    }

    /// Figures of some recordings.
    struct Sum: Sendable {
        let count: Int
        let durationMs: Int
        let bytes: Int
    }

    /// Recordings by the day they were made, and by their properties.
    static let recordings = Query(
        """
        SELECT GROUPING(day, video_format, resolution, device_id), day, video_format, resolution, device_id, count(*),
            sum(coalesce(measured_ms, stated_ms, 0))::bigint, sum(size)::bigint
        FROM (
            SELECT \(day("recorded_at")) AS day, video_format, resolution, device_id, measured_ms, stated_ms, size
            FROM recording_files WHERE \(about("recorded_at"))
        ) recording
        WHERE day BETWEEN 0 AND $3::int - $2::int
        GROUP BY GROUPING SETS ((day), (video_format), (resolution), (device_id))
        """
    ) { columns throws(UnexpectedResult) in
        let (kind, day): (Int, Int?) = (try columns.next(), try columns.next())
        let (format, resolution, device): (String?, String?, String?) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        let sum = Sum(count: try columns.next(), durationMs: try columns.next(), bytes: try columns.next())
        // A bit is set for each column that does not belong to the row's key.
        switch (kind, day) {
        case (0b0111, let day?): return RecordingRow.day(day, sum)
        case (0b1011, _): return .format(format, sum)
        case (0b1101, _): return .resolution(resolution, sum)
        case (0b1110, _): return .device(device, sum)
        default: throw UnexpectedResult("a sum of recordings is of no known kind")
        }
    }

    /// Bytes of files by the day their upload was completed.
    static let uploads = Query(
        """
        SELECT day, sum(size)::bigint
        FROM (SELECT \(day("uploaded_at")) AS day, size FROM recording_files WHERE \(about("uploaded_at"))) upload
        WHERE day BETWEEN 0 AND $3::int - $2::int GROUP BY day
        """
    ) { columns throws(UnexpectedResult) in (day: try columns.next() as Int, bytes: try columns.next() as Int) }

    /// Configurations changed by day; the NULL day is the whole range. Skips items and versions from before the range:
    /// an account's changes are ordered by `seq`, an item's by `version`. Row-level security allows only values in
    /// index conditions. So each bound is a SELECT of its own, and because of OFFSET 0 that of an item runs once.
    static let changes = Query(
        """
        SELECT day, count(DISTINCT id)
        FROM (
            SELECT item.id, \(day("version.changed_at")) AS day
            FROM configurations item CROSS JOIN LATERAL (
                SELECT changed_at FROM configuration_versions v WHERE v.user_id = $1::uuid AND v.id = item.id
                    AND v.version > (SELECT coalesce((
                        SELECT older.version FROM configuration_versions older WHERE older.user_id = $1::uuid
                            AND older.id = item.id AND older.changed_at < \(start) ORDER BY older.version DESC LIMIT 1), 0))
                ORDER BY v.version OFFSET 0
            ) version
            WHERE item.user_id = $1::uuid AND item.seq > (SELECT coalesce((
                SELECT older.seq FROM configurations older WHERE older.user_id = $1::uuid AND older.changed_at < \(start)
                ORDER BY older.seq DESC LIMIT 1), 0))
        ) change
        WHERE day BETWEEN 0 AND $3::int - $2::int GROUP BY GROUPING SETS ((day), ())
        """
    ) { columns throws(UnexpectedResult) in (day: try columns.next() as Int?, count: try columns.next() as Int) }

    /// Presets with their current configurations, and the recordings made with them. A recording's preset is that of
    /// the version it names. If that is unknown, it is the configuration's current preset.
    static let presets = Query(
        """
        SELECT preset, sum(configurations)::bigint, sum(recordings)::bigint
        FROM (
            SELECT preset, 1 AS configurations, 0 AS recordings
            FROM configurations WHERE user_id = $1::uuid AND NOT deleted
            UNION ALL
            SELECT coalesce(version.preset, item.preset), 0, made.count
            FROM (
                SELECT configuration_id, \(versionParts), count(*) AS count
                FROM recording_files WHERE \(about("recorded_at")) AND configuration_id IS NOT NULL
                    AND \(day("recorded_at")) BETWEEN 0 AND $3::int - $2::int
                GROUP BY configuration_id, number, digits
            ) made
            LEFT JOIN configurations item ON item.user_id = $1::uuid AND item.id = made.configuration_id
            LEFT JOIN configuration_versions version ON version.user_id = $1::uuid AND \(isVersion("version", of: "made"))
        ) used
        WHERE preset IS NOT NULL GROUP BY preset
        """
    ) { columns throws(UnexpectedResult) in
        Usage.Preset(name: try columns.next(), configurations: try columns.next(), recordings: try columns.next())
    }

    /// Columns: the parts of the tag in a recording. A subquery makes them values before the join, as index conditions
    /// must be.
    static let versionParts = """
        substring(configuration_version FROM '^([0-9]{1,9})-')::int AS number,
        substring(configuration_version FROM '-(.*)$') AS digits
        """

    /// A condition: a row of configuration_versions is the version in the `versionParts` of a recording.
    static func isVersion(_ version: String, of recording: String) -> String {
        """
        \(version).id = \(recording).configuration_id AND \(version).version = \(recording).number
            AND encode(substr(\(version).chain, 1, 6), 'hex') = \(recording).digits
        """
    }

    /// No zone's day begins more than a day before or after the UTC day.
    private static let start = "'epoch'::timestamptz + ($2::int - 1) * interval '1 day'"

    /// The user's rows with a time in or near the range.
    private static func about(_ column: String) -> String {
        """
        user_id = $1::uuid AND \(column) IS NOT NULL AND \(column) >= \(start)
            AND \(column) < 'epoch'::timestamptz + ($3::int + 2) * interval '1 day'
        """
    }

    /// The day of a time as an index in the range.
    private static func day(_ column: String) -> String {
        "(\(column) AT TIME ZONE $4::text)::date - 'epoch'::date - $2::int"
    }
}
