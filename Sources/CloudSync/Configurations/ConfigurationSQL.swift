import Postgres

/// The statements of `ConfigurationService`, besides those that every collection has. $1 is the user in all of them.
enum ConfigurationSQL {
    /// The current document. $2 id.
    static let get = Query(
        "SELECT version, chain, document FROM configurations WHERE user_id = $1::uuid AND id = $2::uuid AND NOT deleted"
    ) { columns throws(UnexpectedResult) in try StoredConfiguration(&columns) }

    /// Reads the versions that a derived write (a merge, a patch, a restore) may need. These are the current one, its
    /// base, and the one to restore; the one that the same request made earlier, and its predecessor; and the newest
    /// ones since the base, whose documents together have at most $8 bytes. No row means no such item.
    ///
    /// With a base, the version of the same request is the first one since the base by the same author with the same
    /// sent digest. Without a base, it is the author's newest version, if its sent digest is the same.
    ///
    /// $2 id, $3 number of the base, $4 sent digest of the request, $5 session, $6 number of the version to restore, $7
    /// limit of versions since the base, $8 limit of bytes.
    static let sources = Query(
        """
        SELECT v.version, v.chain, v.document, v.digest = c.digest, (extract(epoch FROM v.edited_at) * 1000000)::bigint,
            rfc3339(v.changed_at), v.deleted, v.version = c.version, coalesce(v.version = c.made, false),
            c.spelled_id, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        FROM (
            SELECT i.*, m.version AS made FROM (
                SELECT user_id, id, spelled_id, version, digest,
                    coalesce(nullif(current_setting('app.device_id', true), ''), $5::text) AS sender
                FROM configurations WHERE user_id = $1::uuid AND id = $2::uuid OFFSET 0
            ) i
            LEFT JOIN LATERAL (
                SELECT seq FROM configuration_versions
                WHERE user_id = i.user_id AND id = i.id AND version = $3::int OFFSET 0
            ) base ON true
            LEFT JOIN LATERAL (
                (SELECT version FROM configuration_versions
                WHERE user_id = i.user_id AND id = i.id AND author = i.sender AND seq > base.seq AND sent_digest = $4::bytea
                ORDER BY seq LIMIT 1)
                UNION ALL
                SELECT newest.version FROM (
                    SELECT version, sent_digest FROM configuration_versions
                    WHERE user_id = i.user_id AND id = i.id AND author = i.sender ORDER BY seq DESC LIMIT 1
                ) newest
                WHERE $3::int IS NULL AND newest.sent_digest = $4::bytea
            ) m ON true OFFSET 0
        ) c
        CROSS JOIN LATERAL (
            SELECT version FROM unnest(ARRAY[c.version, $3::int, c.made - 1, c.made, $6::int]) version
            UNION
            SELECT version FROM (
                SELECT version, sum(octet_length(document)) OVER (ORDER BY version DESC) AS bytes FROM (
                    SELECT version, document FROM configuration_versions
                    WHERE user_id = c.user_id AND id = c.id AND version > $3::int ORDER BY version DESC LIMIT $7::int
                ) newest
            ) recent
            WHERE bytes <= $8::int
        ) wanted
        CROSS JOIN LATERAL (
            SELECT version, chain, document, digest, edited_at, changed_at, deleted FROM configuration_versions
            WHERE user_id = c.user_id AND id = c.id AND version = wanted.version OFFSET 0
        ) v
        """
    ) { columns throws(UnexpectedResult) in try ItemSources.Row(&columns) }
}
