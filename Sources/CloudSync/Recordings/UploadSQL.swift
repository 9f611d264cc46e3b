import Postgres

/// The statements of `UploadService`, in the background role. $1 is the object in all but `sweep`.
enum UploadSQL {
    /// The lifetime of a disabled account's upload reads as over. The row is found all the same: the bytes of an upload
    /// without a row are deleted.
    static let load = Query(
        """
        SELECT f.user_id, f.id, f.size, f.upload, f.upload_offset, f.epoch, f.boot_id,
            CASE WHEN \(RecordingSQL.isOfUsableAccount) THEN ceil(extract(epoch FROM f.expires_at - now()))::bigint ELSE 0 END,
            f.sha256
        FROM recording_files f WHERE f.object_key = $1::text
        """
    ) { columns throws(UnexpectedResult) in try StoredUpload(&columns) }

    /// $2 the epoch that the upload must still have. New values: $3 state, $4 offset, $5 epoch, $6 boot (null:
    /// unchanged), $7 digest (an earlier one is kept). A complete upload gets another lifetime, in which the recording
    /// must be completed. It is as long as the upload's whole one, prolonged or not. A disabled account's uploads
    /// don't change.
    static let store = Query(
        """
        UPDATE recording_files f SET upload = $3::upload_state, upload_offset = $4::bigint, epoch = $5::bigint,
            boot_id = coalesce($6::uuid, boot_id), sha256 = coalesce(sha256, $7::bytea),
            uploaded_at = CASE $3::upload_state WHEN 'complete' THEN now() END,
            expires_at = CASE $3::upload_state WHEN 'complete' THEN now() + (expires_at - asked_at) ELSE expires_at END
        WHERE object_key = $1::text AND epoch = $2::bigint AND upload = 'open' AND \(RecordingSQL.isOfUsableAccount)
        RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Deletes the upload and enqueues the removal of its bytes. A recording that was sent again stays failed. $2 the
    /// epoch that the upload must still have.
    static let cancel = Query(ending("object_key = $1::text AND epoch = $2::bigint AND upload = 'open'")) {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    /// Ends the open or complete upload of a recording. The row must be locked before. $1 account, $2 id.
    static let replace = Query(ending("user_id = $1::uuid AND id = $2::uuid")) {
        columns throws(UnexpectedResult) -> Bool in try columns.next()
    }

    private static func ending(_ uploads: String) -> String {
        """
        WITH gone AS (
            DELETE FROM recording_files WHERE \(uploads) AND state = 'uploading'
            RETURNING user_id, id, object_key
        ), kept AS (
            UPDATE recording_files SET upload = 'cancelled', \(RecordingSQL.secondUploadEnded)
            WHERE \(uploads) AND is_sent_again
            RETURNING user_id, id, object_key
        ), cancelled AS (SELECT * FROM gone UNION ALL SELECT * FROM kept), removal AS (
            INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'remove' FROM cancelled
            ON CONFLICT DO NOTHING
        )
        SELECT true FROM cancelled
        """
    }

    /// Skips uploads whose row or account is locked by a writer; a later step or run ends them. A recording that was
    /// sent again stays failed. $1 limit of rows.
    static let sweep = Query(
        """
        WITH old AS MATERIALIZED (
            SELECT user_id, id FROM recording_files WHERE (state = 'uploading' OR is_sent_again) AND expires_at < now()
            ORDER BY expires_at LIMIT $1::int
        ), free AS MATERIALIZED (
            SELECT h.user_id FROM sync_heads h
            WHERE h.collection = 'recordings' AND h.user_id IN (SELECT user_id FROM old) FOR UPDATE SKIP LOCKED
        ), due AS MATERIALIZED (
            SELECT f.user_id, f.id, f.is_sent_again FROM old o JOIN recording_files f ON f.user_id = o.user_id AND f.id = o.id
            WHERE f.user_id IN (SELECT user_id FROM free) AND (f.state = 'uploading' OR f.is_sent_again) AND f.expires_at < now()
            FOR UPDATE OF f SKIP LOCKED
        ), gone AS (
            DELETE FROM recording_files f USING due d WHERE f.user_id = d.user_id AND f.id = d.id AND NOT d.is_sent_again
            RETURNING f.user_id, f.id, f.object_key
        ), kept AS (
            UPDATE recording_files f SET upload = 'expired', \(RecordingSQL.secondUploadEnded)
            FROM due d WHERE f.user_id = d.user_id AND f.id = d.id AND d.is_sent_again
            RETURNING f.user_id, f.id, f.object_key
        ), ended AS (SELECT * FROM gone UNION ALL SELECT * FROM kept), removal AS (
            INSERT INTO jobs (user_id, recording_id, object_key, kind)
            SELECT user_id, id, object_key, 'remove' FROM ended ON CONFLICT DO NOTHING
        )
        SELECT count(*) FROM ended
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }
}
