import Postgres

/// The statements of `Retention`, in the background role. Each is one transaction that changes a bounded number of rows and
/// waits for no lock: what another one holds is passed over. An account's head is locked with its rows, since what is emptied
/// is counted there (Migrations/0003_writes.sql); only `sweeps` is locked before, and no request touches that, so requests and
/// servers can't get in each other's way.
enum RetentionSQL {
    /// One step of a walk over the versions in the order of their changes. The change of version n pushes version n - $2 out.
    /// What is emptied therefore always has a newer version, so the current document stays whatever the settings.
    ///
    /// The walk begins anew with another $2, and every 30 days: a clock that jumped, or a row that was locked, leaves
    /// something behind. Returns how many were emptied and how many changes were looked at; 0 when there are none, or another
    /// server is at it.
    ///
    /// $1 the walk's name, $2 versions kept, $3 how old a change must be (seconds), $4 changes at most.
    static let versions = Statement(
        """
        WITH \(walk), change AS (
            SELECT c.user_id, c.id, c.version - $2::int AS version, c.changed_at FROM walk w CROSS JOIN LATERAL (
                SELECT user_id, id, version, changed_at FROM configuration_versions
                WHERE version > 1 AND changed_at > w.reached AND changed_at < now() - $3::bigint * interval '1 second'
                ORDER BY changed_at FETCH FIRST $4::int ROWS WITH TIES
            ) c
        ), due AS (
            SELECT v.user_id, v.id, v.version FROM change c JOIN configuration_versions v
                ON v.user_id = c.user_id AND v.id = c.id AND v.version = c.version
            JOIN sync_heads h ON h.user_id = c.user_id
            WHERE v.document IS NOT NULL FOR UPDATE OF h, v SKIP LOCKED
        ), emptied AS (
            UPDATE configuration_versions v SET document = NULL FROM due d
            WHERE v.user_id = d.user_id AND v.id = d.id AND v.version = d.version RETURNING true
        ), \(advance("change", "changed_at"))
        SELECT (SELECT count(*) FROM emptied), (SELECT count(*) FROM change)
        """
    )

    /// One step of a walk over the conflicts in the order of their arrival: of each item that one came for, all but the newest
    /// $2 go. Returns as `versions` does.
    ///
    /// $1 to $4 as in `versions`; $5 deletions at most of each item.
    static let surplusConflicts = Statement(
        """
        WITH \(walk), arrival AS (
            SELECT c.user_id, c.id, c.received_at FROM walk w CROSS JOIN LATERAL (
                SELECT user_id, id, received_at FROM configuration_conflicts
                WHERE received_at > w.reached AND received_at < now() - $3::bigint * interval '1 second'
                ORDER BY received_at FETCH FIRST $4::int ROWS WITH TIES
            ) c
        ), surplus AS (
            SELECT s.user_id, s.id, s.digest FROM (SELECT DISTINCT user_id, id FROM arrival) i CROSS JOIN LATERAL (
                SELECT user_id, id, digest FROM configuration_conflicts
                WHERE user_id = i.user_id AND id = i.id
                ORDER BY received_at DESC, digest DESC OFFSET $2::int LIMIT $5::int
            ) s
        ), \(deletion(of: "surplus")), \(advance("arrival", "received_at"))
        SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM arrival)
        """
    )

    /// Deletes conflicts that came longer ago; returns how many, twice.
    ///
    /// $1 how old (seconds), $2 rows at most.
    static let oldConflicts = Statement(
        """
        WITH old AS (
            SELECT user_id, id, digest FROM configuration_conflicts
            WHERE received_at < now() - $1::bigint * interval '1 second' ORDER BY received_at LIMIT $2::int
        ), \(deletion(of: "old"))
        SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM deleted)
        """
    )

    private static func deletion(of due: String) -> String {
        """
        free AS (
            SELECT c.user_id, c.id, c.digest FROM \(due) d JOIN configuration_conflicts c
                ON c.user_id = d.user_id AND c.id = d.id AND c.digest = d.digest
            JOIN sync_heads h ON h.user_id = d.user_id
            FOR UPDATE OF h, c SKIP LOCKED
        ), deleted AS (
            DELETE FROM configuration_conflicts c USING free f
            WHERE c.user_id = f.user_id AND c.id = f.id AND c.digest = f.digest RETURNING true
        )
        """
    }

    /// Where the walk stands: where it came to, or at the beginning.
    private static let walk = """
        walk AS (
            SELECT name, goes_on, CASE WHEN goes_on THEN reached ELSE '-infinity' END AS reached
            FROM (
                SELECT name, reached, kept = $2::int AND began_at > now() - interval '30 days' AS goes_on
                FROM sweeps WHERE name = $1::text FOR UPDATE SKIP LOCKED
            ) s
        )
        """

    /// Notes how far the walk has come; nothing when it stands where it stood.
    private static func advance(_ step: String, _ time: String) -> String {
        """
        advance AS (
            UPDATE sweeps s SET kept = $2::int, reached = coalesce(l.reached, w.reached),
                began_at = CASE WHEN w.goes_on THEN s.began_at ELSE now() END
            FROM walk w, (SELECT max(\(time)) AS reached FROM \(step)) l
            WHERE s.name = w.name AND (l.reached IS NOT NULL OR NOT w.goes_on)
        )
        """
    }
}
