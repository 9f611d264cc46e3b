import NeuroViewsJSON
import Postgres

extension OperatorUsage {
    /// Reads the figures in one snapshot. A server may be running. Blocks.
    package static func read(_ range: DateRange, _ connectionString: String) throws -> OperatorUsage {
        let session = try BlockingSession(connectionString)
        try session.execute(
            """
            SET ROLE \(DatabaseRole.ownerName); SET search_path = neuroviews, pg_temp; SET jit = off;
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
            """
        )
        var reader = try OperatorUsageReader(session, range)
        try reader.readDays()
        try reader.readLists()
        try session.execute("COMMIT")
        return reader.usage
    }
}

/// Reads one sum after the other.
private struct OperatorUsageReader {
    private let session: BlockingSession
    private let ends: [String]
    private(set) var usage: OperatorUsage

    init(_ session: BlockingSession, _ range: DateRange) throws {
        self.session = session
        ends = [range.first.text, range.last.text]
        let rows = try session.execute(Self.present)
        guard let row = rows.first else { throw UnexpectedResult("nothing is counted") }
        var columns = Columns(row)
        usage = OperatorUsage(
            range,
            OperatorUsage.Present(
                accounts: try columns.next(),
                consentingAccounts: try columns.next(),
                devices: try columns.next(),
                configurations: try columns.next(),
                recordings: try columns.next(),
                storedBytes: try columns.next()
            )
        )
    }

    mutating func readDays() throws {
        try each(Self.events) { usage, columns throws(UnexpectedResult) in
            let (day, events, devices, accounts): (Int?, Int, Int, Int) = (
                try columns.next(), try columns.next(), try columns.next(), try columns.next()
            )
            usage.change(day) {
                $0.usage.events = events
                $0.usage.activeDevices = devices
                $0.activeAccounts = accounts
            }
        }
        try each(Self.uploads) { usage, columns throws(UnexpectedResult) in
            let (day, bytes): (Int?, Int) = (try columns.next(), try columns.next())
            usage.change(day) { $0.usage.uploadedBytes = bytes }
        }
        try each(Self.changes) { usage, columns throws(UnexpectedResult) in
            let (day, count): (Int?, Int) = (try columns.next(), try columns.next())
            usage.change(day) { $0.usage.configurationsChanged = count }
        }
        try each(Self.newAccounts) { usage, columns throws(UnexpectedResult) in
            let (day, count): (Int?, Int) = (try columns.next(), try columns.next())
            usage.change(day) { $0.newAccounts = count }
        }
    }

    mutating func readLists() throws {
        try each(Self.recordings) { usage, columns throws(UnexpectedResult) in
            let (kind, day, value): (Int, Int?, String?) = (
                try columns.next(), try columns.next(), try columns.next()
            )
            let share = Usage.Share(
                value: value,
                count: try columns.next(),
                durationMs: try columns.next(),
                bytes: try columns.next()
            )
            switch kind {
            case 0b101: usage.byFormat.append(share)
            case 0b110: usage.byResolution.append(share)
            default:
                usage.change(day) {
                    $0.usage.recordings = share.count
                    $0.usage.recordedMs = share.durationMs
                }
            }
        }
        usage.byFormat = Usage.Share.list(usage.byFormat)
        usage.byResolution = Usage.Share.list(usage.byResolution)
        var names: [ByteKey: Int] = [:]
        try each(Self.names) { _, columns throws(UnexpectedResult) in
            names[ByteKey(string: try columns.next())] = try columns.next()
        }
        usage.eventsByName = Usage.EventName.list(names)
        try each(Self.presets) { usage, columns throws(UnexpectedResult) in
            usage.presets.append(
                Usage.Preset(
                    name: try columns.next(),
                    configurations: try columns.next(),
                    recordings: try columns.next()
                )
            )
        }
        usage.presets = Usage.Preset.list(usage.presets)
    }

    private mutating func each(
        _ sql: String,
        _ body: (inout OperatorUsage, inout Columns) throws(UnexpectedResult) -> Void
    ) throws {
        let rows = try session.execute(sql, ends)
        for index in 0..<rows.count {
            var columns = Columns(rows[index])
            try body(&usage, &columns)
        }
    }
}

// $1 and $2 are the first and the last day. Days are indexes from the first one; NULL is the whole range.
extension OperatorUsageReader {
    private static let present = """
        SELECT (SELECT count(*) FROM users),
            (SELECT count(*) FROM consents WHERE category = 'analytics' AND granted),
            (SELECT count(*) FROM devices), (SELECT count(*) FROM configurations WHERE NOT deleted),
            (SELECT count(*) FROM recording_files WHERE recorded_at IS NOT NULL),
            (SELECT coalesce(sum(size), 0)::bigint FROM recording_files WHERE uploaded_at IS NOT NULL)
        """

    private static let events = """
        SELECT day - $1::date, coalesce(sum(events), 0)::bigint, count(DISTINCT (user_id, device_id)), count(DISTINCT user_id)
        FROM analytics_device_days WHERE day BETWEEN $1::date AND $2::date GROUP BY GROUPING SETS ((day), ())
        """

    private static let names = """
        SELECT name, sum(events)::bigint FROM analytics_name_days WHERE day BETWEEN $1::date AND $2::date GROUP BY name
        """

    private static let uploads = """
        SELECT day, coalesce(sum(size), 0)::bigint
        FROM (SELECT uploaded_at::date - $1::date AS day, size FROM recording_files WHERE \(within("uploaded_at"))) upload
        GROUP BY GROUPING SETS ((day), ())
        """

    private static let changes = """
        SELECT day, count(DISTINCT (user_id, id))
        FROM (SELECT changed_at::date - $1::date AS day, user_id, id FROM configuration_versions WHERE \(within("changed_at"))) change
        GROUP BY GROUPING SETS ((day), ())
        """

    private static let newAccounts = """
        SELECT day, count(*) FROM (SELECT created_at::date - $1::date AS day FROM users WHERE \(within("created_at"))) account
        GROUP BY GROUPING SETS ((day), ())
        """

    private static let recordings = """
        SELECT GROUPING(day, video_format, resolution), day, coalesce(video_format, resolution), count(*),
            coalesce(sum(coalesce(measured_ms, stated_ms, 0)), 0)::bigint, coalesce(sum(size), 0)::bigint
        FROM (
            SELECT recorded_at::date - $1::date AS day, video_format, resolution, measured_ms, stated_ms, size
            FROM recording_files WHERE \(within("recorded_at"))
        ) recording
        GROUP BY GROUPING SETS ((day), (video_format), (resolution), ())
        """

    private static let presets = """
        SELECT preset, sum(configurations)::bigint, sum(recordings)::bigint
        FROM (
            SELECT preset, 1 AS configurations, 0 AS recordings
            FROM configurations WHERE NOT deleted
            UNION ALL
            SELECT coalesce(version.preset, item.preset), 0, 1
            FROM (
                SELECT user_id, configuration_id, \(ItemUsageSQL.versionParts)
                FROM recording_files WHERE \(within("recorded_at"))
            ) made
            LEFT JOIN configurations item ON item.user_id = made.user_id AND item.id = made.configuration_id
            LEFT JOIN configuration_versions version ON version.user_id = made.user_id
                AND \(ItemUsageSQL.isVersion("version", of: "made"))
        ) used
        WHERE preset IS NOT NULL GROUP BY preset
        """

    private static func within(_ column: String) -> String { "\(column) >= $1::date AND \(column) < $2::date + 1" }
}
