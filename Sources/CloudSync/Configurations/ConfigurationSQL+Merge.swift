import Postgres

extension ConfigurationSQL {
    /// What a merge or a patch stands on, from one snapshot: the item, then the versions asked for and the one that the same
    /// request was put together with before. The array has its length in the text: it tells the planner that the index is
    /// worth it.
    ///
    /// $1 id, $2 digest of what was sent, $3 the version it was sent for, $4 and $5 versions.
    static let standing = Statement(
        """
        WITH merged AS (
            SELECT max(stored_version) AS version FROM configuration_merges
            WHERE id = $1::uuid AND digest = $2::bytea AND base_version = $3::int
        )
        SELECT c.version, c.document, (extract(epoch FROM c.edited_at) * 1000000)::bigint,
            to_char(c.changed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), c.deleted, true, m.version,
            EXISTS (SELECT FROM configuration_versions WHERE id = $1::uuid AND digest = $2::bytea),
            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        FROM configurations c CROSS JOIN merged m WHERE c.id = $1::uuid
        UNION ALL
        SELECT v.version, v.document, (extract(epoch FROM v.edited_at) * 1000000)::bigint,
            to_char(v.changed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), v.deleted, false, NULL, NULL, NULL
        FROM configuration_versions v
        WHERE v.id = $1::uuid AND v.version = ANY (ARRAY[$4::int, $5::int, (SELECT version FROM merged)])
        """
    )

    /// $1 id, $2 digest of what is sent, $3 the version it is sent for, $4 the version it is put together with.
    static let recordMerge = Statement(
        """
        INSERT INTO configuration_merges (user_id, id, digest, base_version, stored_version)
        SELECT user_id, id, $2::bytea, $3::int, $4::int FROM configurations WHERE id = $1::uuid
        ON CONFLICT DO NOTHING
        """
    )

    /// Behind `lockHead`: what is kept counts for the account's history. $1 id, $2 digest, $3 and $4 the document before and after
    /// the id, $5 the version it lost against, $6 edited at (microseconds), $7 the quota of the history in bytes.
    static let keepLoser = Statement(
        """
        SELECT (k.kept).verdict, (k.kept).spelled_id, (k.kept).version, (k.kept).changed_at, (k.kept).document,
            (k.kept).quota, (k.kept).used
        FROM (
            SELECT keep_loser(
                ROW('accepted', c.spelled_id, $5::int, '', NULL, false, NULL, NULL)::write_result, c.user_id, c.id, $2::bytea,
                $3::text || c.spelled_id || $4::text,
                least('epoch'::timestamptz + $6::bigint * interval '1 microsecond', clock_timestamp()), $7::bigint) AS kept
            FROM configurations c WHERE c.id = $1::uuid OFFSET 0
        ) k
        """
    )
}
