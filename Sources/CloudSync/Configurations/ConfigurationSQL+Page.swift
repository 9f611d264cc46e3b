import Postgres

extension ConfigurationSQL {
    /// A piece of a delta that is too large for one result, in the state that the account had at the delta's head, whatever
    /// was written since: what has changed after the head is looked up in the history. Each item has one place in that
    /// state's order, so that the pieces together hold it once. `is_same` is false when the counting began anew meanwhile.
    /// A piece ends before the first row that is not within its limits; that row tells where the next one begins.
    ///
    /// $1 epoch, $2 seq and $3 changed_at of the head, $4 and $5 the first and the last changed_at, $6 rows at most,
    /// $7 bytes at most (a first document comes whatever its size), $8 deleted: documents only (false), tombstones only
    /// (true), or all of both without documents (NULL).
    static let page = Statement(
        """
        SELECT h.is_same, p.spelled_id, p.version, p.deleted, p.changed_at, p.is_within,
            CASE WHEN p.is_within THEN p.document END
        FROM (SELECT user_id, epoch = $1::uuid AS is_same FROM sync_heads OFFSET 0) h
        LEFT JOIN LATERAL (
            SELECT *, row_number() OVER before <= $6::int
                AND coalesce(sum(octet_length(document)) OVER before, 0) < $7::int AS is_within
            FROM (
                (SELECT spelled_id, version, deleted, changed_at, CASE WHEN $8::bool IS FALSE THEN document END AS document
                FROM configurations
                WHERE user_id = h.user_id AND changed_at >= $4::timestamptz AND changed_at <= $5::timestamptz
                    AND seq <= $2::bigint AND deleted = coalesce($8::bool, deleted)
                ORDER BY changed_at LIMIT $6::int + 1)
                UNION ALL
                (SELECT c.spelled_id, v.version, v.deleted, v.changed_at, CASE WHEN $8::bool IS FALSE THEN v.document END
                FROM configurations c JOIN LATERAL (
                    SELECT version, deleted, changed_at, document FROM configuration_versions
                    WHERE user_id = c.user_id AND id = c.id AND changed_at <= $3::timestamptz
                    ORDER BY version DESC LIMIT 1
                ) v ON v.changed_at >= $4::timestamptz AND v.changed_at <= $5::timestamptz
                    AND v.deleted = coalesce($8::bool, v.deleted)
                WHERE c.user_id = h.user_id AND c.seq > $2::bigint
                ORDER BY v.changed_at LIMIT $6::int + 1)
                ORDER BY changed_at LIMIT $6::int + 1
            ) found
            WINDOW before AS (ORDER BY changed_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ) p ON true
        """
    )
}
