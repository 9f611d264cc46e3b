import Postgres

/// The statements of `ConfigurationService`, beside those that every collection has. Row-level security adds the user to each of them.
enum ConfigurationSQL {
    static let get = Query("SELECT version, chain, document FROM configurations WHERE id = $1 AND NOT deleted") {
        columns throws(UnexpectedResult) in try StoredConfiguration(&columns)
    }

    /// Current documents in one answer, from which on conflicts come without them.
    private static let currentMaxBytes = 4 << 20

    /// Writes; the rules are in Migrations/functions/write_configurations.sql.
    ///
    /// $1 session; $2 Idempotency-Key, $3 the request's digest, $4 seconds that the key is kept; $5 to $17 arrays with an element a
    /// write: see `ConfigurationWrite.parameters`; $18 whether all or nothing; $19 to $22 the quotas.
    static let write = Query(
        """
        SELECT \(WriteResult.columns) FROM write_configurations(
            $1::uuid, $2::text, $3::bytea, $4::integer, $5::write_kind[], $6::uuid[], $7::text[], $8::text[], $9::text[],
            $10::bytea[], $11::bytea[], $12::bigint[], $13::text[], $14::text[], $15::bytea[], $16::text[], $17::text[],
            $18::bool, $19::integer, $20::integer, $21::integer, $22::bigint, \(currentMaxBytes)) ORDER BY number
        """
    ) { columns throws(UnexpectedResult) in try WriteResult(&columns) }

    /// Keeps the loser of a merge that wrote nothing: Migrations/functions/configuration_conflicts.sql.
    ///
    /// $1 item, $2 the number of the version that it lost against, $3 the loser's digest, $4 and $5 its text before and after the id, $6
    /// when it was edited, in microseconds, $7 the quota of the history's bytes.
    static let keepMergedLoser = Query(
        """
        SELECT \(WriteResult.columns)
        FROM keep_merged_loser($1::uuid, $2::int, $3::bytea, $4::text, $5::text, $6::bigint, $7::bigint)
        """
    ) { columns throws(UnexpectedResult) in try WriteResult(&columns) }

    /// What the same request has written before; no row: nothing is kept. $1 the key, $2 the request's digest, $3 seconds that the key
    /// is kept.
    static let keptAnswer = Query(
        """
        SELECT \(WriteResult.columns)
        FROM jsonb_array_elements(
            kept_answer(nullif(current_setting('app.user_id', true), '')::uuid, $1::text, $2::bytea, $3::int)
        ) a, jsonb_populate_record(NULL::write_result, a.value)
        """
    ) { columns throws(UnexpectedResult) in try WriteResult(&columns) }

    /// Versions that a derived write may need (a merge, a patch, a restore): the current one; the one that it is based on; the one that
    /// the same request has made before, and the one that this replaced; one to restore; and the newest ones since the base, whose
    /// documents have so many bytes together. A version may come twice. No row: no such item.
    ///
    /// With a base the same request has made the first version since then that was sent by the same author and says the same;
    /// without, the author's newest, if it says the same.
    ///
    /// $1 id, $2 the base's number, $3 the request's sent digest, $4 session, $5 the number of the version to restore, $6 versions since
    /// the base at most, $7 bytes at most.
    static let standing = Query(
        """
        SELECT v.version, v.chain, v.document, v.digest = c.digest, (extract(epoch FROM v.edited_at) * 1000000)::bigint,
            rfc3339(v.changed_at), v.deleted, v.version = c.version, coalesce(v.version = c.made, false),
            c.spelled_id, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        FROM (
            SELECT i.*, m.version AS made FROM (
                SELECT user_id, id, spelled_id, version, digest,
                    coalesce(nullif(current_setting('app.device_id', true), ''), $4::text) AS sender
                FROM configurations WHERE id = $1::uuid OFFSET 0
            ) i
            LEFT JOIN LATERAL (
                (SELECT version FROM configuration_versions
                WHERE user_id = i.user_id AND id = i.id AND author = i.sender AND version > $2::int AND sent_digest = $3::bytea
                ORDER BY seq LIMIT 1)
                UNION ALL
                SELECT newest.version FROM (
                    SELECT version, sent_digest FROM configuration_versions
                    WHERE user_id = i.user_id AND id = i.id AND author = i.sender ORDER BY seq DESC LIMIT 1
                ) newest
                WHERE $2::int IS NULL AND newest.sent_digest = $3::bytea
            ) m ON true OFFSET 0
        ) c
        CROSS JOIN LATERAL (
            SELECT version, chain, document, digest, edited_at, changed_at, deleted FROM configuration_versions
            WHERE user_id = c.user_id AND id = c.id AND version = ANY (ARRAY[c.version, $2::int, c.made - 1, c.made, $5::int])
            UNION ALL
            SELECT version, chain, document, digest, edited_at, changed_at, deleted FROM (
                SELECT *, sum(octet_length(document)) OVER (ORDER BY version DESC) AS bytes FROM configuration_versions
                WHERE user_id = c.user_id AND id = c.id AND version > $2::int ORDER BY version DESC LIMIT $6::int
            ) recent
            WHERE bytes <= $7::int
        ) v
        """
    ) { columns throws(UnexpectedResult) in try Standing.Part(&columns) }
}
