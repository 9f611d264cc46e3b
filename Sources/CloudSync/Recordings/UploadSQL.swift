import Postgres

/// The statements of `UploadService`, in the background role. $1 is the object in all of them.
enum UploadSQL {
    static let load = Query(
        """
        SELECT f.user_id, f.id, f.size, f.upload, f.upload_offset, f.epoch, f.boot_id,
            floor(extract(epoch FROM f.expires_at - now()))::bigint, f.sha256
        FROM recording_files f WHERE f.object_key = $1::text
        """
    ) { columns throws(UnexpectedResult) in try StoredUpload(&columns) }

    /// $2 the epoch that must still be the upload's; what it becomes: $3 standing, $4 offset, $5 epoch, $6 boot or null for the one before,
    /// $7 digest, unless there is one. A complete upload has its lifetime once more, until the recording is completed.
    static let store = Query(
        """
        UPDATE recording_files SET upload = $3::upload_state, upload_offset = $4::bigint, epoch = $5::bigint,
            boot_id = coalesce($6::uuid, boot_id), sha256 = coalesce(sha256, $7::bytea),
            uploaded_at = CASE $3::upload_state WHEN 'complete' THEN now() END,
            expires_at = CASE $3::upload_state WHEN 'complete' THEN now() + (expires_at - asked_at) ELSE expires_at END
        WHERE object_key = $1::text AND epoch = $2::bigint AND upload = 'open'
        RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// Has what there is of it removed. $2 the epoch that must still be the upload's.
    static let cancel = Query(
        """
        WITH cancelled AS (
            DELETE FROM recording_files WHERE object_key = $1::text AND epoch = $2::bigint AND upload = 'open'
            RETURNING user_id, id, object_key
        ), removal AS (
            INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'remove' FROM cancelled
            ON CONFLICT DO NOTHING
        )
        SELECT true FROM cancelled
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }
}
