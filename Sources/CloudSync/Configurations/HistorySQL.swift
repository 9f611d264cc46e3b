import Postgres

/// The statements about an item's past. $1 is the user and $2 the item in all of them but `accountConflicts`. A cursor
/// is the value of a SELECT of its own: row-level security allows no expressions in index conditions.
enum HistorySQL {
    /// Clients cannot read years before year 1.
    private static func time(_ column: String) -> String { "rfc3339(greatest(\(column), '0001-01-01'))" }

    /// One row with NULLs for an item without versions before $3; no row for an unknown item.
    ///
    /// $3 only versions before this one, $4 limit of rows.
    static let versions = Query(
        """
        SELECT v.version, v.chain, \(time("v.changed_at")), \(time("v.edited_at")), v.device_id, d.name, v.deleted, v.is_held
        FROM configurations c
        LEFT JOIN LATERAL (
            SELECT version, chain, changed_at, edited_at, CASE WHEN by_device THEN author END AS device_id, deleted,
                document IS NOT NULL AS is_held
            FROM configuration_versions
            WHERE user_id = c.user_id AND id = c.id AND version < (SELECT coalesce($3::bigint, 1::bigint << 32))
            ORDER BY version DESC LIMIT $4::int
        ) v ON true
        LEFT JOIN devices d ON d.user_id = c.user_id AND d.id = v.device_id
        WHERE c.user_id = $1::uuid AND c.id = $2::uuid ORDER BY v.version DESC
        """
    ) { columns throws(UnexpectedResult) in try ConfigurationVersion.next(&columns) }

    /// $3 version.
    static let version = Query(
        """
        SELECT version, chain, document, deleted FROM configuration_versions
        WHERE user_id = $1::uuid AND id = $2::uuid AND version = $3::int
        """
    ) { columns throws(UnexpectedResult) in
        (
            tag: VersionTag(try columns.next(), try columns.next()), document: try columns.next() as [UInt8]?,
            isDeletion: try columns.next() as Bool
        )
    }

    /// Documents beyond the limit of bytes are NULL. Losers that became a version later are left out. One row with
    /// NULLs for an item without conflicts; no row for an unknown item.
    ///
    /// $3 and $4 time (microseconds) and digest of the last loser of the previous page, $5 limit of rows, $6 limit of
    /// bytes.
    static let conflicts = Query(
        """
        SELECT encode(l.digest, 'hex'), b.version, b.chain, \(time("l.edited_at")), \(time("l.received_at")), l.device_id, d.name,
            CASE WHEN l.bytes_before < $6::bigint THEN l.document END,
            (extract(epoch FROM l.received_at) * 1000000)::bigint
        FROM configurations c
        LEFT JOIN LATERAL (
            SELECT digest, base_version, edited_at, received_at, device_id, document,
                sum(octet_length(document)) OVER (ORDER BY received_at DESC, digest DESC) - octet_length(document)
                    AS bytes_before
            FROM configuration_conflicts
            WHERE user_id = c.user_id AND id = c.id
                AND ($3::bigint IS NULL OR (received_at, digest)
                    < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4::bytea))
                AND digest NOT IN (
                    SELECT v.digest FROM configuration_versions v
                    WHERE v.user_id = c.user_id AND v.id = c.id AND v.digest IS NOT NULL)
            ORDER BY received_at DESC, digest DESC LIMIT $5::int
        ) l ON true
        LEFT JOIN configuration_versions b ON b.user_id = c.user_id AND b.id = c.id AND b.version = l.base_version
        LEFT JOIN devices d ON d.user_id = c.user_id AND d.id = l.device_id
        WHERE c.user_id = $1::uuid AND c.id = $2::uuid ORDER BY l.received_at DESC, l.digest DESC
        """
    ) { columns throws(UnexpectedResult) in try LostDocument.next(&columns) }

    /// The same of all items, without the documents. An item's versions are read once for all of its losers: NOT IN
    /// makes a hash table of their digests. Each item is read once for its name, up to a limit of bytes; the rows of
    /// items beyond it have NULLs.
    ///
    /// $2 and $3 item and digest of the last loser of the previous page, $4 limit of rows, $5 limit of bytes.
    static let accountConflicts = Query(
        """
        WITH page AS MATERIALIZED (
            SELECT i.id, l.*
            FROM (
                SELECT DISTINCT id FROM configuration_conflicts
                WHERE user_id = $1::uuid
                    AND id >= (SELECT coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY id
            ) i
            CROSS JOIN LATERAL (
                SELECT digest, base_version, edited_at, received_at, device_id FROM configuration_conflicts
                WHERE user_id = $1::uuid AND id = i.id AND ($2::uuid IS NULL OR (id, digest) > ($2::uuid, $3::bytea))
                    AND digest NOT IN (
                        SELECT v.digest FROM configuration_versions v
                        WHERE v.user_id = $1::uuid AND v.id = i.id AND v.digest IS NOT NULL)
                OFFSET 0
            ) l
            ORDER BY i.id, l.digest LIMIT $4::int
        ), sized AS (
            SELECT c.id, c.spelled_id, c.document,
                sum(coalesce(octet_length(c.document), 0)) OVER (ORDER BY c.id) - coalesce(octet_length(c.document), 0)
                    AS bytes_before
            FROM configurations c WHERE c.user_id = $1::uuid AND c.id IN (SELECT id FROM page)
        ), named AS MATERIALIZED (
            SELECT id, spelled_id, document::json->>'name' AS name FROM sized WHERE bytes_before < $5::bigint
        )
        SELECT n.spelled_id, p.id, encode(p.digest, 'hex'), n.name, b.version, b.chain, \(time("p.edited_at")),
            \(time("p.received_at")), p.device_id, d.name
        FROM page p
        LEFT JOIN named n ON n.id = p.id
        LEFT JOIN configuration_versions b ON b.user_id = $1::uuid AND b.id = p.id AND b.version = p.base_version
        LEFT JOIN devices d ON d.user_id = $1::uuid AND d.id = p.device_id
        ORDER BY p.id, p.digest
        """
    ) { columns throws(UnexpectedResult) in try AccountConflict.next(&columns) }

    /// $3 digest.
    static let deleteConflict = Query(
        "DELETE FROM configuration_conflicts WHERE user_id = $1::uuid AND id = $2::uuid AND digest = $3::bytea RETURNING true"
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }
}
