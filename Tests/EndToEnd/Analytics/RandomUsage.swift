import Foundation
import TestSupport

/// Rows of one account as from 400 days of use by clients, written into the database.
struct RandomUsage {
    let userID: String
    let server: ServerProcess

    /// The limits of the generated rows.
    struct Size {
        var devices = 3
        var sessions = 200
        var names = 12
        /// The number of names with counts of their own. All others are counted as `other`.
        var countedNames = 12
        var recordings = 40
        var configurations = 6
        var versions = 40
    }

    /// Writes rows; the same seed writes the same rows.
    func fill(_ size: Size = Size(), seed: Double) throws {
        try server.sql(Self.partitions)
        try server.sql(events(size, seed))
        try server.sql(Self.rollups(of: userID))
        try server.sql(configurations(size, seed))
        try server.sql(recordings(size, seed))
    }

    /// Creates the partitions of the months that events may be in.
    static let partitions = "SELECT create_analytics_months((now() - interval '410 days')::date, now()::date)"

    /// Sessions with pauses of about half an hour, and sometimes many events at once.
    private func events(_ size: Size, _ seed: Double) -> String {
        """
        DO $$
        DECLARE
            at timestamptz;
            device text;
        BEGIN
            PERFORM setseed(\(seed));
            FOR session IN 1..\(size.sessions) LOOP
                at := date_trunc('milliseconds', now() - interval '1 day' - random() * interval '390 days');
                device := CASE WHEN random() < 0.02 THEN '' ELSE 'device-' || floor(random() * \(size.devices)) END;
                FOR event IN 1..1 + floor(random() * 12)::int LOOP
                    INSERT INTO analytics_events (user_id, device_id, occurred_at, id, name, parameters)
                    VALUES ('\(userID)', device, at, gen_random_uuid(), 'event-' || floor(\(size.names) * random() ^ 2), '{}');
                    at := at + CASE WHEN random() < 0.2 THEN 0 WHEN random() < 0.1 THEN 1800
                        WHEN random() < 0.1 THEN 1799.999 ELSE floor(random() * 600) END * interval '1 second';
                END LOOP;
            END LOOP;
            INSERT INTO analytics_names SELECT DISTINCT user_id, date_trunc('month', occurred_at AT TIME ZONE 'UTC')::date, name
            FROM analytics_events WHERE user_id = '\(userID)' AND substr(name, 7)::int < \(size.countedNames);
        END
        $$
        """
    }

    /// Computes the rollups of an account's events again from the events.
    static func rollups(of userID: String) -> String {
        let slots = """
            SELECT user_id, (occurred_at AT TIME ZONE 'UTC')::date AS day, device_id,
                coalesce((SELECT n.name FROM analytics_names n WHERE n.user_id = e.user_id AND n.name = e.name
                    AND n.month = date_trunc('month', occurred_at AT TIME ZONE 'UTC')), 'other') AS name,
                floor(extract(epoch FROM occurred_at) / 900)::bigint % 96 AS quarter
            FROM analytics_events e WHERE user_id = '\(userID)'
            """
        return ["device": "device_id", "name": "name"].map { kind, column in
            """
            DELETE FROM analytics_\(kind)_days WHERE user_id = '\(userID)';
            INSERT INTO analytics_\(kind)_days (user_id, day, \(column), events, quarters, counts)
            SELECT user_id, day, \(column), sum(count), array_agg(quarter ORDER BY quarter), array_agg(count ORDER BY quarter)
            FROM (
                SELECT user_id, day, \(column), quarter, count(*) AS count FROM (\(slots)) slot GROUP BY 1, 2, 3, 4
            ) counted
            GROUP BY 1, 2, 3
            """
        }.joined(separator: ";\n")
    }

    /// Items with versions in the order of time. Some items were deleted, and some versions were emptied.
    private func configurations(_ size: Size, _ seed: Double) -> String {
        """
        DO $$
        DECLARE
            item uuid;
            items uuid[] := ARRAY(SELECT gen_random_uuid() FROM generate_series(1, \(size.configurations)));
            at timestamptz;
            number int;
            is_deletion boolean;
            made text;
        BEGIN
            PERFORM setseed(\(seed));
            FOR change IN 1..\(size.versions) LOOP
                at := date_trunc('milliseconds', now() - interval '395 days' * (1 - change / \(size.versions + 1).0));
                item := items[1 + floor(random() * \(size.configurations))::int];
                number := 1 + coalesce((SELECT version FROM configurations WHERE user_id = '\(userID)' AND id = item), 0);
                is_deletion := number > 1 AND random() < 0.1;
                made := CASE WHEN NOT is_deletion THEN json_build_object('preset',
                    (ARRAY['auto', 'portrait', 'macro', 'night'])[1 + floor(random() * 4)::int])::text END;
                INSERT INTO configurations (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, deleted,
                    preset)
                VALUES ('\(userID)', item, item, made, CASE WHEN made IS NOT NULL THEN '\\x00'::bytea END, number, change,
                    uuid_send(gen_random_uuid()), at, at, is_deletion, made::json ->> 'preset')
                ON CONFLICT (user_id, id) DO UPDATE SET document = excluded.document, digest = excluded.digest,
                    version = excluded.version, seq = excluded.seq, chain = excluded.chain, changed_at = excluded.changed_at,
                    deleted = excluded.deleted, preset = excluded.preset;
                INSERT INTO configuration_versions (user_id, id, version, seq, chain, document, sent_digest, changed_at, edited_at,
                    author, by_device, deleted, preset)
                SELECT user_id, id, version, seq, chain, CASE WHEN random() < 0.8 THEN document END, '', changed_at, changed_at, 'a',
                    true, deleted, preset
                FROM configurations WHERE user_id = '\(userID)' AND id = item;
            END LOOP;
        END
        $$
        """
    }

    /// Recordings with more or less metadata, and uploads that are not completed.
    private func recordings(_ size: Size, _ seed: Double) -> String {
        """
        DO $$
        DECLARE
            item uuid;
            at timestamptz;
            metadata jsonb;
            configuration record;
            is_complete boolean;
        BEGIN
            PERFORM setseed(\(seed));
            FOR recording IN 1..\(size.recordings) LOOP
                item := gen_random_uuid();
                at := date_trunc('milliseconds', now() - random() * interval '390 days');
                is_complete := random() < 0.9;
                metadata := jsonb_strip_nulls(jsonb_build_object('filename', 'a.mov',
                    'video_format', (ARRAY['H.264', 'H.265', NULL])[1 + floor(random() * 3)::int],
                    'resolution', (ARRAY['4K UHD', 'HD 720p', NULL])[1 + floor(random() * 3)::int],
                    'duration', CASE WHEN random() < 0.7 THEN floor(random() * 600000) / 1000 END));
                SELECT id, version || '-' || left(encode(chain, 'hex'), 12) AS tag INTO configuration FROM configuration_versions
                WHERE user_id = '\(userID)' AND random() < 0.3 LIMIT 1;
                INSERT INTO recordings (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
                SELECT '\(userID)', item, item, metadata, '\\x00', 1, recording, uuid_send(item), now(), now() WHERE is_complete;
                INSERT INTO recording_files (user_id, id, spelled_id, object_key, size, content_type, expires_at, upload, state,
                    recorded_at, uploaded_at, device_id, configuration_id, configuration_version, video_format, resolution,
                    stated_ms, probe)
                VALUES ('\(userID)', item, item, item, floor(random() * 1e9), 'video/quicktime', now() + interval '1 day',
                    CASE WHEN is_complete THEN 'complete' ELSE 'open' END::upload_state,
                    CASE WHEN is_complete THEN 'ready' ELSE 'uploading' END::recording_state, CASE WHEN is_complete THEN at END,
                    CASE WHEN is_complete OR random() < 0.5 THEN at + random() * interval '3 days' END,
                    (ARRAY['device-0', 'device-1', NULL])[1 + floor(random() * 3)::int],
                    CASE WHEN random() < 0.8 THEN configuration.id WHEN random() < 0.5 THEN gen_random_uuid() END,
                    CASE WHEN random() < 0.8 THEN configuration.tag WHEN random() < 0.5 THEN '1-0123456789ab' END,
                    CASE WHEN is_complete THEN metadata ->> 'video_format' END, CASE WHEN is_complete THEN metadata ->> 'resolution' END,
                    CASE WHEN is_complete THEN (metadata ->> 'duration')::numeric * 1000 END,
                    CASE WHEN random() < 0.5 THEN jsonb_build_object('duration', floor(random() * 600000) / 1000) END);
            END LOOP;
        END
        $$
        """
    }

    /// The rows behind the figures, as JSON for recount.py.
    func rows() throws -> String {
        func us(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000000)::bigint" }
        func list(_ members: String, _ from: String) -> String {
            "(SELECT json_agg(\(members)) FROM \(from) WHERE t.user_id = '\(userID)')"
        }
        let lists = [
            "events": list(
                "json_build_object('us', \(us("occurred_at")), 'device', device_id, 'name', name)",
                "analytics_events t"
            ),
            "names": list("json_build_array(month, name)", "analytics_names t"),
            "recordings": list(
                """
                json_build_object('recorded_us', \(us("recorded_at")), 'uploaded_us', \(us("uploaded_at")), 'size', size,
                    'device', device_id, 'probe', probe, 'configuration_id', configuration_id,
                    'configuration_version', configuration_version,
                    'document', (SELECT document FROM recordings r WHERE r.user_id = t.user_id AND r.id = t.id))
                """,
                "recording_files t"
            ),
            "configurations": list("json_build_object('id', id, 'document', document)", "configurations t"),
            "versions": list(
                """
                json_build_object('id', id, 'version', version, 'chain', encode(chain, 'hex'), 'document', document,
                    'preset', preset, 'changed_us', \(us("changed_at")))
                """,
                "configuration_versions t"
            ),
        ]
        let members = lists.map { "'\($0)', \($1)" }.joined(separator: ", ")
        return try server.sql("SELECT json_build_object(\(members))").joined(separator: "\n")
    }
}
