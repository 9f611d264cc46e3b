import Postgres

/// Ends expired uploads: their ids can be used again, the reserved room is free, and a job deletes the bytes.
package struct UploadSweep: Sendable {
    private let database: CallerDatabase
    private static let stepMax = 200

    /// Skips uploads whose row or account is locked by a writer; a later step or run ends them. $1 limit of rows.
    private static let sweep = Query(
        """
        WITH old AS MATERIALIZED (
            SELECT user_id, id FROM recording_files WHERE state = 'uploading' AND expires_at < now()
            ORDER BY expires_at LIMIT $1::int
        ), free AS MATERIALIZED (
            SELECT h.user_id FROM sync_heads h
            WHERE h.collection = 'recordings' AND h.user_id IN (SELECT user_id FROM old) FOR UPDATE SKIP LOCKED
        ), due AS MATERIALIZED (
            SELECT f.user_id, f.id FROM old o JOIN recording_files f ON f.user_id = o.user_id AND f.id = o.id
            WHERE f.user_id IN (SELECT user_id FROM free) AND f.state = 'uploading' AND f.expires_at < now()
            FOR UPDATE OF f SKIP LOCKED
        ), gone AS (
            DELETE FROM recording_files f USING due d WHERE f.user_id = d.user_id AND f.id = d.id
            RETURNING f.user_id, f.id, f.object_key
        ), removal AS (
            INSERT INTO jobs (user_id, recording_id, object_key, kind)
            SELECT user_id, id, object_key, 'remove' FROM gone ON CONFLICT DO NOTHING
        )
        SELECT count(*) FROM gone
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Sweeps in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// To be called now and then, on any number of servers. Returns the number of ended uploads.
    package func run() async throws -> Int {
        var (ended, count) = (0, 0)
        repeat {
            count = try await database.background(Self.sweep(.int(Self.stepMax))).first ?? 0
            ended += count
        } while count > 0
        return ended
    }
}
