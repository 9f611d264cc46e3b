import Postgres

/// The statements of `ConfigurationService`, beside those that every collection has. Row-level security adds the user to each of them.
enum ConfigurationSQL {
    static let get = Query("SELECT version, chain, document FROM configurations WHERE id = $1 AND NOT deleted") {
        columns throws(UnexpectedResult) in try StoredConfiguration(&columns)
    }

    /// Versions that a derived write may need (a merge, a patch, a restore): the current one; the one that it is based on; the one that
    /// the same request has made before, and the one that this replaced; one to restore; and the newest ones since the base, whose
    /// documents have so many bytes together. No row: no such item.
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
                SELECT seq FROM configuration_versions
                WHERE user_id = i.user_id AND id = i.id AND version = $2::int OFFSET 0
            ) base ON true
            LEFT JOIN LATERAL (
                (SELECT version FROM configuration_versions
                WHERE user_id = i.user_id AND id = i.id AND author = i.sender AND seq > base.seq AND sent_digest = $3::bytea
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
            SELECT version FROM unnest(ARRAY[c.version, $2::int, c.made - 1, c.made, $5::int]) version
            UNION
            SELECT version FROM (
                SELECT version, sum(octet_length(document)) OVER (ORDER BY version DESC) AS bytes FROM (
                    SELECT version, document FROM configuration_versions
                    WHERE user_id = c.user_id AND id = c.id AND version > $2::int ORDER BY version DESC LIMIT $6::int
                ) newest
            ) recent
            WHERE bytes <= $7::int
        ) wanted
        CROSS JOIN LATERAL (
            SELECT version, chain, document, digest, edited_at, changed_at, deleted FROM configuration_versions
            WHERE user_id = c.user_id AND id = c.id AND version = wanted.version OFFSET 0
        ) v
        """
    ) { columns throws(UnexpectedResult) in try Standing.Part(&columns) }
}
