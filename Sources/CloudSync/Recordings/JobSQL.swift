import Postgres

/// The statements of `RecordingJobs`; those that claim a job are in `JobTurnSQL`. In those that end a job: $1 user,
/// $2 object, $3 kind, $4 the token of its lease.
enum JobSQL {
    private static let insert = Statement(
        """
        INSERT INTO jobs (user_id, recording_id, object_key, kind)
        VALUES ($1::uuid, $2::uuid, $3::text, $4::job_kind) ON CONFLICT DO NOTHING
        """
    )

    /// Enqueues a job, unless it is there. It takes effect at the commit.
    static func enqueue(_ kind: JobKind, _ file: RecordingFile, of user: Parameter, _ item: Parameter) -> Step {
        insert(user, item, .text(file.objectKey), .text(kind.rawValue))
    }

    /// Enqueues a preview job, unless there is a preview.
    static func enqueuePreview(_ user: Parameter, _ item: Parameter) -> Step { insertPreview(user, item) }

    private static let insertPreview = Statement(
        """
        INSERT INTO jobs (user_id, recording_id, object_key, kind)
        SELECT user_id, id, object_key, 'preview' FROM recording_files
        WHERE user_id = $1::uuid AND id = $2::uuid AND NOT has_preview ON CONFLICT DO NOTHING
        """
    )

    /// True if the client has stored a thumbnail or is storing one: room is reserved before it is stored. Until the
    /// transaction ends, no client can reserve room, and the recording can't be deleted. $1 object.
    static let lockThumbnail = Query(
        "SELECT has_thumbnail OR thumbnail_bytes > 0 FROM recording_files WHERE object_key = $1::text FOR UPDATE"
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    /// Returns a row if the object still belongs to a recording. $1 object.
    static let hasFile = Query("SELECT true FROM recording_files WHERE object_key = $1::text") {
        columns throws(UnexpectedResult) in try columns.next() as Bool
    }

    /// True if a preview is still to be made. $1 object.
    static let hasPreviewJob = Query(
        """
        SELECT EXISTS (SELECT FROM recording_files f JOIN jobs j ON j.user_id = f.user_id AND j.object_key = f.object_key
            WHERE f.object_key = $1::text AND j.kind = 'preview')
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    private static let held =
        "user_id = $1::uuid AND object_key = $2::text AND kind = $3::job_kind AND lease = $4::uuid"

    /// Returns a row if the lease is still valid. No server can claim the job until the transaction ends.
    static let hold = Query("SELECT true FROM jobs WHERE \(held) FOR UPDATE") { columns throws(UnexpectedResult) in
        try columns.next() as Bool
    }

    /// Prolongs the lease. $5 seconds from now.
    static let renew = Query(
        "UPDATE jobs SET run_at = now() + $5::bigint * interval '1 second' WHERE \(held) RETURNING true"
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    static let end = Statement("DELETE FROM jobs WHERE \(held)")

    /// Cancels the preview job of a removed object. $1 user, $2 object.
    static let endPreview = Statement(
        "DELETE FROM jobs WHERE user_id = $1::uuid AND object_key = $2::text AND kind = 'preview'"
    )

    /// Notes that a preview exists. $1 user, $2 id, $3 object.
    static let notePreview = Statement(
        """
        UPDATE recording_files SET has_preview = true
        WHERE user_id = $1::uuid AND id = $2::uuid AND object_key = $3::text
        """
    )

    /// Postpones a job after a failure. $5 limit of the pause in seconds; $6 is 1 when the attempt does not count.
    static let postpone = Query(
        """
        UPDATE jobs SET lease = NULL, excused = excused + $6::int, run_at = now()
            + least($5::bigint, 10 * 2 ^ least(attempts - 1, 30)) * (0.75 + random() / 2) * interval '1 second'
        WHERE \(held)
        """
    )

    /// Releases a job as if the attempt had not begun.
    static let release = Query("UPDATE jobs SET lease = NULL, attempts = attempts - 1, run_at = now() WHERE \(held)")

    /// A recording's file. $2 id.
    static let file = Query(
        "SELECT \(RecordingFile.columns) FROM recording_files f WHERE f.user_id = $1::uuid AND f.id = $2::uuid"
    ) { columns throws(UnexpectedResult) in try RecordingFile(&columns) }

    /// Stores the outcome of a job. $2 id, $3 state, $4 failure, $5 digest, $6 time of the verification (microseconds),
    /// $7 probe, $8 bytes of the thumbnail, if one was made.
    static let note = Statement(
        """
        UPDATE recording_files SET state = $3::recording_state, failure = $4::text, verified_sha256 = $5::bytea,
            verified_at = 'epoch'::timestamptz + $6::bigint * interval '1 microsecond', probe = $7::jsonb,
            has_thumbnail = has_thumbnail OR $8::bigint IS NOT NULL, thumbnail_bytes = greatest(thumbnail_bytes, $8::bigint)
        WHERE user_id = $1::uuid AND id = $2::uuid
        """
    )

    static let clock = Query("SELECT \(Timestamp.sql("date_trunc('second', clock_timestamp())"))") {
        columns throws(UnexpectedResult) in try columns.next() as Timestamp
    }
}

extension RecordingJob {
    /// $1 to $4 of the statements that end a job.
    var held: [Parameter] { [.text(userID), .text(objectKey), .text(kind.rawValue), .text(lease)] }
}
