import Media
import Postgres

/// The statements of `RecordingService` besides those of every collection. $1 is the user in all of them.
enum RecordingSQL {
    /// A recording's file, locked until the transaction ends. The head must be locked before. $2 id.
    static let lockFile = Query(
        "SELECT \(RecordingFile.columns) FROM recording_files f WHERE f.user_id = $1::uuid AND f.id = $2::uuid FOR UPDATE"
    ) { columns throws(UnexpectedResult) in try RecordingFile(&columns) }

    /// The caller's device, as it describes itself; no row without one.
    static let sender = Query(
        """
        SELECT name, model, app_version FROM devices
        WHERE user_id = $1::uuid AND id = (SELECT nullif(current_setting('app.device_id', true), ''))
        """
    ) { columns throws(UnexpectedResult) in
        DeviceDescription(name: try columns.next(), model: try columns.next(), appVersion: try columns.next())
    }

    /// The account's use: bytes of stored and reserved files with their thumbnails, the reserved part, and the number of
    /// uncompleted uploads. The first is in the primary key alone, and only uploads have no time of recording.
    static let use = Query(
        """
        SELECT held.bytes, reserved.bytes, reserved.uploads
        FROM (
            SELECT coalesce(sum(size + thumbnail_bytes), 0)::bigint AS bytes FROM recording_files WHERE user_id = $1::uuid
        ) held CROSS JOIN (
            SELECT coalesce(sum(size + thumbnail_bytes), 0)::bigint AS bytes, count(*) AS uploads FROM recording_files
            WHERE user_id = $1::uuid AND recorded_at IS NULL AND state = 'uploading'
        ) reserved
        """
    ) { columns throws(UnexpectedResult) in
        (bytes: try columns.next() as Int, reserved: try columns.next() as Int, open: try columns.next() as Int)
    }

    /// Deletes the account's ended uploads, and enqueues the removal of their bytes. Otherwise their rows would be
    /// unlimited. A recording that was sent again stays failed. $2 its id: the sweep ends the others of that kind.
    static let dropEnded = Query<Void>(
        """
        WITH gone AS (
            DELETE FROM recording_files
            WHERE user_id = $1::uuid AND recorded_at IS NULL AND state = 'uploading' AND \(hasEnded)
            RETURNING id, object_key
        ), kept AS (
            UPDATE recording_files SET upload = 'expired', \(secondUploadEnded)
            WHERE user_id = $1::uuid AND id = $2::uuid AND is_sent_again AND \(hasEnded)
            RETURNING id, object_key
        ), ended AS (SELECT * FROM gone UNION ALL SELECT * FROM kept)
        INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT $1::uuid, id, object_key, 'remove' FROM ended
        ON CONFLICT DO NOTHING
        """
    )

    private static let noPictures = "has_thumbnail = false, thumbnail_bytes = 0, has_preview = false"

    /// New values of a failed recording that stays behind its second upload. The objects are removed.
    static let secondUploadEnded = "epoch = epoch + 1, is_sent_again = false, \(noPictures)"

    /// Uploads that end by a clock that is not trusted stay, and are refused.
    private static let hasEnded =
        "(upload IN ('cancelled', 'failed', 'expired') OR expires_at <= now() AND clock_is_trusted())"

    /// Inserts an upload. $2 id, $3 object, $4 size, $5 type, $6 digest, $7 envelope, $8 device, $9 configuration, $10
    /// its version, $11 seconds until it expires, $12 bytes of a part, $13 the id's spelling.
    static let insertFile = Query(
        """
        INSERT INTO recording_files AS f (user_id, id, object_key, size, content_type, sha256, encryption, device_id,
            configuration_id, configuration_version, expires_at, part_bytes, spelled_id)
        VALUES ($1::uuid, $2::uuid, $3::text, $4::bigint, $5::text, $6::bytea, $7::json, $8::text, $9::uuid, $10::text,
            now() + $11::bigint * interval '1 second', $12::bigint, $13::text)
        RETURNING \(RecordingFile.columns)
        """
    ) { columns throws(UnexpectedResult) in try RecordingFile(&columns) }

    /// Opens another upload for a failed recording, and enqueues the removal of its old objects. The recording stays as
    /// it is until it is completed again. $1 to $12 as in `insertFile`.
    static let sendAgain = Query(
        """
        WITH removal AS (
            INSERT INTO jobs (user_id, recording_id, object_key, kind)
            SELECT user_id, id, object_key, 'remove' FROM recording_files WHERE user_id = $1::uuid AND id = $2::uuid
            ON CONFLICT DO NOTHING
        )
        UPDATE recording_files AS f SET object_key = $3::text, size = $4::bigint, content_type = $5::text, sha256 = $6::bytea,
            encryption = $7::json, device_id = $8::text, configuration_id = $9::uuid, configuration_version = $10::text,
            expires_at = now() + $11::bigint * interval '1 second', part_bytes = $12::bigint, is_sent_again = true,
            upload = 'open', upload_offset = 0, epoch = 0, boot_id = NULL, multipart_id = NULL, asked_at = now(),
            uploaded_at = NULL, verified_sha256 = NULL, verified_at = NULL, probe = NULL, \(noPictures)
        WHERE f.user_id = $1::uuid AND f.id = $2::uuid
        RETURNING \(RecordingFile.columns)
        """
    ) { columns throws(UnexpectedResult) in try RecordingFile(&columns) }

    /// Moves the end of an upload. $1 account, $2 id, $3 seconds until it expires.
    static let prolong = Query(
        """
        UPDATE recording_files AS f SET expires_at = now() + $3::bigint * interval '1 second'
        WHERE f.user_id = $1::uuid AND f.id = $2::uuid
        RETURNING \(RecordingFile.columns)
        """
    ) { columns throws(UnexpectedResult) in try RecordingFile(&columns) }

    static let deleteFile = Statement("DELETE FROM recording_files WHERE user_id = $1::uuid AND id = $2::uuid")

    /// Run at `complete` and at patches: the columns for filters of lists and for usage. $2 id, $3 time (microseconds),
    /// $4 format, $5 tags, $6 resolution, $7 duration (ms), $8 true at `complete`.
    static let list = Statement(
        """
        UPDATE recording_files SET recorded_at = 'epoch'::timestamptz + $3::bigint * interval '1 microsecond',
            video_format = $4::text, tags = $5::text[], resolution = $6::text, stated_ms = $7::integer,
            state = CASE WHEN $8::boolean THEN 'pending' ELSE state END,
            failure = CASE WHEN NOT $8::boolean THEN failure END, is_sent_again = is_sent_again AND NOT $8::boolean
        WHERE user_id = $1::uuid AND id = $2::uuid
        """
    )

    /// True unless the account of a file `f` is disabled.
    static let isOfUsableAccount = "EXISTS (SELECT FROM users u WHERE u.id = f.user_id AND u.disabled_at IS NULL)"

    private static let picturedTypes = MediaFormat.picturedTypes.map { "'\($0)'" }.joined(separator: ", ")

    /// The object of a file `f` that has a thumbnail, or may still get one from the server; NULL for others. It is the
    /// recording's object, because a link names that.
    private static let shownObject = """
        CASE WHEN f.has_thumbnail OR f.encryption IS NULL AND f.state IN ('uploading', 'pending', 'processing')
            AND f.content_type IN (\(picturedTypes)) THEN f.object_key END
        """

    /// The same for a row of `recordings` with that name.
    static func thumbnail(of row: String) -> String {
        "(SELECT \(shownObject) FROM recording_files f WHERE f.user_id = \(row).user_id AND f.id = \(row).id)"
    }

    /// The same for one recording. $2 id.
    static let thumbnailObject = Query(
        "SELECT \(shownObject) FROM recording_files f WHERE f.user_id = $1::uuid AND f.id = $2::uuid"
    ) { columns throws(UnexpectedResult) in try columns.next() as String? }

    /// The current recording. $2 id.
    static let get = Query(
        """
        SELECT spelled_id, version, chain, document, \(thumbnail(of: "recordings"))
        FROM recordings WHERE user_id = $1::uuid AND id = $2::uuid AND NOT deleted
        """
    ) { columns throws(UnexpectedResult) in try StoredRecording(&columns) }

    /// A page ends after so many bytes of documents.
    private static let pageMaxBytes = 2 << 20

    /// A page of recordings, newest first: the columns of `DeltaItem`, and the cursor. Documents beyond the page's room
    /// are NULL. Skipped rows take no room. $2 and $3 time and id of the last row of the page before, $4 offset, $5
    /// limit of rows. Filters: $6 device, $7 from, $8 to (microseconds), $9 format, $10 tag, $11 state.
    static let page = Statement(
        """
        SELECT NULL::bigint, chain, spelled_id, version, NULL::boolean, CASE WHEN before < \(pageMaxBytes) THEN document END,
            thumbnail, \(Timestamp.sql("recorded_at")), id
        FROM (
            SELECT *, coalesce(sum(octet_length(document)) OVER (
                ORDER BY recorded_at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM (
                SELECT f.spelled_id, r.version, r.chain, r.document, \(shownObject) AS thumbnail, f.recorded_at, f.id
                FROM recording_files f JOIN recordings r ON r.user_id = f.user_id AND r.id = f.id
                WHERE f.user_id = $1::uuid AND f.recorded_at IS NOT NULL AND \(filters(from: 6))
                    AND (f.recorded_at, f.id) < (\(time("$2::bigint")), $3::uuid)
                ORDER BY f.recorded_at DESC, f.id DESC OFFSET $4::bigint LIMIT $5::int
            ) found
        ) page
        ORDER BY recorded_at DESC, id DESC
        """
    )

    /// The same for uncompleted uploads. They have no metadata, so a filter by metadata matches none.
    static let uploads = Query(
        """
        SELECT \(RecordingFile.columns), \(Timestamp.sql("f.asked_at")), f.id FROM recording_files f
        WHERE f.user_id = $1::uuid AND f.recorded_at IS NULL AND \(filters(from: 6))
            AND (f.asked_at, f.id) < (\(time("$2::bigint")), $3::uuid)
        ORDER BY f.asked_at DESC, f.id DESC OFFSET $4::bigint LIMIT $5::int
        """
    ) { columns throws(UnexpectedResult) in
        (upload: StoredRecording(try RecordingFile(&columns)), cursor: try RecordingCursor(&columns))
    }

    /// The number of rows that the same filters match.
    static let total = Query(
        """
        SELECT count(*) FROM recording_files f
        WHERE f.user_id = $1::uuid AND (f.recorded_at IS NULL) = ($7::text IS NOT DISTINCT FROM 'uploading') AND \(filters(from: 2))
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Uses six parameters from `number` on.
    private static func filters(from number: Int) -> String {
        let (device, from, to) = ("$\(number)::text", "$\(number + 1)::bigint", "$\(number + 2)::bigint")
        let (format, tag, state) = ("$\(number + 3)::text", "$\(number + 4)::text", "$\(number + 5)::text")
        return """
            (\(device) IS NULL OR f.device_id = \(device))
            AND (\(from) IS NULL OR f.recorded_at >= \(time(from))) AND (\(to) IS NULL OR f.recorded_at < \(time(to)))
            AND (\(format) IS NULL OR f.video_format = \(format)) AND (\(tag) IS NULL OR \(tag) = ANY (f.tags))
            AND (\(state) IS NULL OR f.state::text = \(state))
            """
    }

    private static func time(_ us: String) -> String { "'epoch'::timestamptz + \(us) * interval '1 microsecond'" }
}
