import Postgres

/// The statements of `ConfigurationService`. Row-level security adds the user to each of them.
enum ConfigurationSQL {
    /// Taken by every write and held to the commit: seq, changed_at and commits of one user have one order.
    static let lockHead = Statement("SELECT FROM sync_heads FOR UPDATE")

    static let get = Statement("SELECT version, document FROM configurations WHERE id = $1 AND NOT deleted")

    /// One write: what is there, the verdict, and what follows from it. Runs after `lockHead` as a statement of its own, so
    /// that its snapshot is taken after the wait. An edit counts as received when it has the lock, not when its transaction
    /// began: of two that wait, the one that comes second is the later one.
    ///
    /// $1 id, $2 spelled id, $3 and $4 the document before and after the id, $5 digest, $6 edited at (microseconds),
    /// $7 kind, $8 If-Match given, $9 its versions, $10 If-Match is *, $11 versions of If-None-Match, $12 If-None-Match is *.
    static let write = Statement(
        """
        WITH head AS (
            SELECT user_id, seq + 1 AS seq,
                greatest(date_trunc('milliseconds', clock_timestamp()), changed_at + interval '1 ms') AS changed_at
            FROM sync_heads
        ), current AS (
            SELECT id, spelled_id, version, document, digest, changed_at, edited_at, deleted,
                $8::bool AND (coalesce(version = ANY ($9::int[]), false) OR ($10::bool AND NOT deleted)) AS named,
                coalesce(version = ANY ($11::int[]), false) OR ($12::bool AND NOT deleted) AS excluded
            FROM configurations WHERE id = $1::uuid
        ), seen AS (
            SELECT version, changed_at FROM (
                SELECT version, changed_at FROM configuration_versions WHERE id = $1::uuid AND digest = $5::bytea OFFSET 0
            ) same ORDER BY version DESC LIMIT 1
        ), edit AS (
            SELECT CASE $7::text WHEN 'delete' THEN clock_timestamp()
                ELSE least('epoch'::timestamptz + $6::bigint * interval '1 microsecond', clock_timestamp())
                END AS edited_at
        ), verdict AS (
            SELECT CASE
                WHEN c.id IS NULL AND $7::text = 'create' THEN CASE WHEN $8::bool THEN 'mismatch' ELSE 'accepted' END
                WHEN c.id IS NULL THEN 'unknown'
                WHEN c.deleted AND $7::text = 'delete' THEN 'repeated'
                WHEN s.version IS NOT NULL AND (s.version = c.version OR NOT c.named) THEN 'repeated'
                WHEN c.deleted AND NOT c.named THEN 'deleted'
                WHEN $8::bool AND NOT c.named OR c.excluded THEN 'mismatch'
                WHEN $7::text = 'create' AND NOT c.deleted THEN 'exists'
                WHEN $7::text = 'replace' AND NOT $8::bool AND e.edited_at < c.edited_at THEN 'outdated'
                ELSE 'accepted' END AS verdict
            FROM edit e LEFT JOIN current c ON true LEFT JOIN seen s ON true
        ), item AS (
            INSERT INTO configurations AS c
                (user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at, deleted)
            SELECT h.user_id, $1::uuid, coalesce(p.spelled_id, $2::text),
                $3::text || coalesce(p.spelled_id, $2::text) || $4::text, $5::bytea, coalesce(p.version, 0) + 1,
                h.seq, h.changed_at, e.edited_at, $7::text = 'delete'
            FROM verdict v CROSS JOIN head h CROSS JOIN edit e LEFT JOIN current p ON true
            WHERE v.verdict = 'accepted'
            ON CONFLICT (user_id, id) DO UPDATE SET document = excluded.document, digest = excluded.digest,
                version = excluded.version, seq = excluded.seq, changed_at = excluded.changed_at,
                edited_at = excluded.edited_at, deleted = excluded.deleted
            RETURNING user_id, id, spelled_id, version, document, digest, seq, changed_at, edited_at, deleted
        ), history AS (
            INSERT INTO configuration_versions
                (user_id, id, version, document, digest, changed_at, edited_at, device_id, deleted)
            SELECT user_id, id, version, document, digest, changed_at, edited_at,
                nullif(current_setting('app.device_id', true), ''), deleted
            FROM item
        ), advance AS (
            UPDATE sync_heads h SET seq = item.seq, changed_at = item.changed_at FROM item WHERE h.user_id = item.user_id
        ), loser AS (
            INSERT INTO configuration_conflicts (user_id, id, digest, document, base_version, edited_at, device_id)
            SELECT h.user_id, c.id, $5::bytea, $3::text || c.spelled_id || $4::text, c.version, e.edited_at,
                nullif(current_setting('app.device_id', true), '')
            FROM verdict v CROSS JOIN head h CROSS JOIN edit e CROSS JOIN current c
            WHERE v.verdict IN ('exists', 'outdated', 'deleted') AND $5::bytea IS NOT NULL
            ON CONFLICT DO NOTHING
        )
        SELECT v.verdict, coalesce(i.spelled_id, c.spelled_id),
            coalesce(i.version, CASE WHEN v.verdict = 'repeated' THEN s.version END, c.version),
            to_char(coalesce(i.changed_at, CASE WHEN v.verdict = 'repeated' THEN s.changed_at END, c.changed_at),
                'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
            CASE WHEN v.verdict IN ('mismatch', 'exists', 'outdated', 'deleted') THEN c.document END, c.deleted
        FROM verdict v LEFT JOIN item i ON true LEFT JOIN current c ON true LEFT JOIN seen s ON true
        """
    )

    /// The head and the rows after a cursor, from one snapshot. The rows' columns are NULL when there are none, and so are
    /// documents that are too large to come along. OFFSET 0 makes the planner work out `start` first: under row-level security
    /// only a plain comparison with it can use the index. What is said of the head is put into text once, not for each row.
    ///
    /// $1 and $2 epoch and seq of a sync_token, $3 last_sync (microseconds), $4 the overlap in seconds, $5 rows at most,
    /// $6 and $7 epoch and seq of the head that the client has an answer for, $8 bytes of a document at most.
    static let delta = Statement(
        """
        SELECT h.epoch_text, h.seq, h.since IS NULL, h.server_time, h.exact_time,
            c.spelled_id, c.version, c.deleted, c.changed_at, c.seq, c.document
        FROM (
            SELECT *, coalesce(since, 0) AS start FROM (
                SELECT user_id, epoch, seq, changed_at, CASE
                    WHEN $1::uuid IS NOT NULL THEN CASE WHEN epoch = $1::uuid AND $2::bigint <= seq THEN $2::bigint END
                    WHEN $3::bigint IS NOT NULL AND 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
                        <= greatest(now(), changed_at) + interval '24 hours'
                    THEN coalesce((
                        SELECT p.seq FROM configurations p
                        WHERE p.changed_at < 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
                            - $4::int * interval '1 second'
                        ORDER BY p.changed_at DESC LIMIT 1), 0)
                    END AS since,
                    epoch::text AS epoch_text, to_char(changed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS server_time,
                    changed_at::text AS exact_time
                FROM sync_heads OFFSET 0
            ) cursor OFFSET 0
        ) h
        LEFT JOIN LATERAL (
            SELECT spelled_id, version, deleted, changed_at, seq,
                CASE WHEN octet_length(document) <= $8::int THEN document END AS document
            FROM configurations
            WHERE user_id = h.user_id AND seq > h.start
                AND (h.epoch, h.seq) IS DISTINCT FROM ($6::uuid, $7::bigint)
            ORDER BY seq LIMIT $5::int
        ) c ON true
        """
    )
}
