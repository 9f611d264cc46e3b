import Postgres

/// The statements about an item's past. Row-level security adds the user to each of them.
enum HistorySQL {
    private static let format = "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'"

    /// No client can read years before the first.
    private static func time(_ column: String) -> String { "to_char(greatest(\(column), '0001-01-01'), \(format))" }

    /// One row with NULLs for an item without versions before $2; none for an unknown item.
    ///
    /// $1 id, $2 only versions before this one, $3 rows at most.
    static let versions = Statement(
        """
        SELECT v.version, \(time("v.changed_at")), \(time("v.edited_at")), v.device_id, d.name, v.deleted, v.is_held
        FROM configurations c
        LEFT JOIN LATERAL (
            SELECT version, changed_at, edited_at, device_id, deleted, document IS NOT NULL AS is_held
            FROM configuration_versions
            WHERE user_id = c.user_id AND id = c.id AND version < coalesce($2::bigint, 1::bigint << 32)
            ORDER BY version DESC LIMIT $3::int
        ) v ON true
        LEFT JOIN devices d ON d.user_id = c.user_id AND d.id = v.device_id
        WHERE c.id = $1::uuid ORDER BY v.version DESC
        """
    )

    /// $1 id, $2 version.
    static let version = Statement(
        "SELECT document, deleted FROM configuration_versions WHERE id = $1 AND version = $2"
    )

    /// What restoring a version needs to know, from one snapshot: what is current, the version, and the version that the same
    /// request has made before, if it is a retry.
    ///
    /// With If-Match a restore made the version after the one it named. Without, it is the device's own last write: whoever
    /// has written the item again since had the answer. Of sessions that name no device nobody can tell, so there every
    /// restore to that document is a retry.
    ///
    /// $1 id, $2 version, $3 whether versions are named, $4 the versions of If-Match.
    static let restore = Statement(
        """
        SELECT c.spelled_id, c.version, c.deleted, c.document, coalesce(c.digest = v.digest, false),
            \(time("c.changed_at")), v.version, v.deleted, v.document, r.version, \(time("r.changed_at"))
        FROM (
            SELECT *, nullif(current_setting('app.device_id', true), '') AS asking_device_id
            FROM configurations WHERE id = $1::uuid
        ) c
        LEFT JOIN configuration_versions v ON v.user_id = c.user_id AND v.id = c.id AND v.version = $2::int
        LEFT JOIN LATERAL (
            SELECT made.version, made.changed_at FROM configuration_versions made
            WHERE made.user_id = c.user_id AND made.id = c.id AND made.digest = v.digest AND made.version > v.version
                AND CASE WHEN $3::bool
                    THEN made.version - 1 = ANY ($4::int[]) AND NOT c.version = ANY ($4::int[])
                    ELSE (c.asking_device_id IS NULL OR made.device_id = c.asking_device_id)
                        AND NOT EXISTS (
                            SELECT FROM configuration_versions later
                            WHERE later.user_id = c.user_id AND later.id = c.id AND later.version > made.version
                                AND later.device_id = c.asking_device_id)
                    END
            ORDER BY made.version DESC LIMIT 1
        ) r ON true
        """
    )

    /// A page is cut where its documents would become too many bytes: those have no document here. A loser that became a
    /// version after all is none any more. One row with NULLs for an item without conflicts; none for an unknown item.
    ///
    /// $1 id, $2 and $3 time (microseconds) and digest of the last one of the page before, $4 rows at most, $5 bytes at most.
    static let conflicts = Statement(
        """
        SELECT encode(l.digest, 'hex'), l.base_version, \(time("l.edited_at")), \(time("l.received_at")), l.device_id, d.name,
            CASE WHEN l.bytes_before < $5::bigint THEN l.document END,
            (extract(epoch FROM l.received_at) * 1000000)::bigint
        FROM configurations c
        LEFT JOIN LATERAL (
            SELECT digest, base_version, edited_at, received_at, device_id, document,
                sum(octet_length(document)) OVER (ORDER BY received_at DESC, digest DESC) - octet_length(document)
                    AS bytes_before
            FROM configuration_conflicts k
            WHERE user_id = c.user_id AND id = c.id
                AND ($2::bigint IS NULL OR (received_at, digest)
                    < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3::bytea))
                AND NOT EXISTS (
                    SELECT FROM configuration_versions v
                    WHERE v.user_id = k.user_id AND v.id = k.id AND v.digest = k.digest)
            ORDER BY received_at DESC, digest DESC LIMIT $4::int
        ) l ON true
        LEFT JOIN devices d ON d.user_id = c.user_id AND d.id = l.device_id
        WHERE c.id = $1::uuid ORDER BY l.received_at DESC, l.digest DESC
        """
    )

    /// $1 id, $2 digest.
    static let deleteConflict = Statement(
        "DELETE FROM configuration_conflicts WHERE id = $1 AND digest = $2 RETURNING true"
    )
}
