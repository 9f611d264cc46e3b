import Postgres

/// The statements of `ConfigurationService`. Row-level security adds the user to each of them.
enum ConfigurationSQL {
    static let get = Statement("SELECT version, document FROM configurations WHERE id = $1 AND NOT deleted")

    /// For what is no write of a configuration but counts for the account: whoever locks more locks this first.
    static let lockHead = Statement("SELECT FROM sync_heads FOR UPDATE")

    /// One write; the rules are in the function (Migrations/0008_writes.sql).
    ///
    /// $1 kind, $2 id, $3 its spelling, $4 and $5 the document before and after the id, $6 digest, $7 edited at
    /// (microseconds), $8 If-Match and $9 If-None-Match, $10 to $13 the quotas.
    static let write = Statement(
        """
        SELECT verdict, spelled_id, version, changed_at, document, quota, used FROM write_configuration(
            $1::text, $2::uuid, $3::text, $4::text, $5::text, $6::bytea, $7::bigint, $8::text, $9::text,
            $10::integer, $11::integer, $12::integer, $13::bigint)
        """
    )

    /// Current documents in one answer, from which on conflicts come without them.
    private static let currentMaxBytes = 4 << 20

    /// Several writes. $1 to $9 arrays of what `write` takes, $10 whether all or nothing, $11 to $14 the quotas.
    static let writeBatch = Statement(
        """
        SELECT verdict, spelled_id, version, changed_at, document, quota, used FROM write_configurations(
            $1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::bigint[], $8::text[], $9::text[],
            $10::bool, $11::integer, $12::integer, $13::integer, $14::bigint, \(currentMaxBytes))
        """
    )

    /// The same once for a key: $1 the key, $2 the request's digest, $3 seconds that the key is kept, then as `writeBatch`.
    static let writeBatchOnce = Statement(
        """
        SELECT verdict, spelled_id, version, changed_at, document, quota, used FROM write_configurations_once(
            $1::text, $2::bytea, $3::integer,
            $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::bigint[], $11::text[],
            $12::text[], $13::bool, $14::integer, $15::integer, $16::integer, $17::bigint, \(currentMaxBytes))
        """
    )

    /// The first result that is kept for a key, as `writeBatchOnce` would give it again; no row: none is. $1 the key, $2 the
    /// request's digest, $3 seconds that the key is kept.
    static let keptAnswer = Statement(
        """
        SELECT CASE WHEN request_digest = $2::bytea THEN (results[1]).verdict ELSE 'reused' END,
            (results[1]).spelled_id, (results[1]).version, (results[1]).changed_at, (results[1]).document,
            (results[1]).quota, (results[1]).used
        FROM idempotency_keys
        WHERE key = $1::text AND created_at > clock_timestamp() - $3::int * interval '1 second'
        """
    )

    /// False when the key was taken meanwhile. $1 to $3 as `keptAnswer`, $4 verdict, $5 id, $6 version, $7 time, $8 the current
    /// document of a conflict, $9 the quota of the history in bytes.
    static let keepAnswer = Statement(
        """
        SELECT keep_answer($1::text, $2::bytea, $3::int,
            ROW($4::text, $5::text, $6::int, $7::text, $8::text, NULL, NULL, NULL)::write_result, $9::bigint)
        """
    )

    /// Ends the transaction when another version than $2 of the item $1 is the current one.
    static let expectVersion = Statement("SELECT expect_version($1::uuid, $2::int)")

    /// The head and the rows after a cursor, from one snapshot. The rows' columns are NULL when there are none, and so are
    /// documents that are too large to come along. OFFSET 0 makes the planner work out `start` first: under row-level security
    /// only a plain comparison with it can use the index. What is said of the head is put into text once, not for each row; a
    /// bit string is sent as its length, in four bytes, and its bits.
    ///
    /// $1 and $2 epoch and seq of a sync_token, $3 last_sync (microseconds), $4 the overlap in seconds, $5 rows at most,
    /// $6 and $7 epoch and seq of the head that the client has an answer for, $8 bytes of a document at most.
    static let delta = Statement(
        """
        SELECT h.epoch_text, h.seq, h.since IS NULL, h.server_time, h.exact_time, h.hash_text,
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
                    changed_at::text AS exact_time, encode(substr(bit_send(state_hash), 5), 'hex') AS hash_text
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
