import CloudSync
import Postgres

/// The tables' contents for one user, read without the service.
struct FinalState {
    let replica: Replica
    /// Documents by id and version; nil for deletions.
    let history: [String: [Int: String?]]
    /// Documents of `configuration_conflicts`.
    let losers: Set<String>
    /// Descriptions of violated table rules.
    let irregularities: [String]

    init(of userID: String, in world: World) async throws {
        let items = try await world.sql(
            "SELECT spelled_id, version || '-' || encode(substr(chain, 1, 6), 'hex'), document FROM configurations WHERE user_id = '\(userID)'"
        )
        replica = Replica(
            Dictionary(
                uniqueKeysWithValues: (0..<items.count).map { index in
                    let row = items[index]
                    let version = row.text(1).flatMap { VersionTag($0) }
                    return (row.text(0) ?? "", Replica.Item(version: version, document: row.text(2)))
                }
            )
        )
        let versions = try await world.sql(
            "SELECT id, version, document FROM configuration_versions WHERE user_id = '\(userID)'"
        )
        var history: [String: [Int: String?]] = [:]
        for index in 0..<versions.count {
            let row = versions[index]
            history[row.text(0) ?? "", default: [:]][row.int(1) ?? 0] = .some(row.text(2))
        }
        self.history = history
        let conflicts = try await world.sql(
            "SELECT document FROM configuration_conflicts WHERE user_id = '\(userID)'"
        )
        losers = Set((0..<conflicts.count).compactMap { conflicts[$0].text(0) })
        let found = try await world.sql(
            Self.rules.map { "(\($0)) " }.joined(separator: " UNION ALL ")
                .replacing("USER", with: "'\(userID)'")
        )
        let stateHash = try StateHash(of: replica).text
        let kept = try await world.sql(
            "SELECT encode(state_hash, 'hex') FROM sync_heads WHERE collection = 'configurations' AND user_id = '\(userID)'"
        )
        .first?.text(0)
        irregularities =
            (0..<found.count).compactMap { found[$0].text(0) }
            + (kept == stateHash ? [] : ["state_hash is \(kept ?? "-"), of the items it is \(stateHash)"])
    }

    /// Queries with one row for each violation.
    private static let rules = [
        """
        SELECT 'the head stands at ' || h.seq || ' after ' || v.count || ' changes' FROM (SELECT * FROM sync_heads WHERE collection = 'configurations') h,
            (SELECT count(*) FROM configuration_versions WHERE user_id = USER) v
        WHERE h.user_id = USER AND h.seq <> v.count
        """,
        """
        SELECT 'several changes at ' || changed_at FROM configuration_versions WHERE user_id = USER
        GROUP BY changed_at HAVING count(*) > 1
        """,
        """
        SELECT 'seq ' || seq || ' is not later than the one before' FROM (
            SELECT seq, changed_at <= lag(changed_at) OVER (ORDER BY seq) AS is_early FROM configuration_versions
            WHERE user_id = USER) s
        WHERE is_early
        """,
        """
        SELECT 'item ' || id || ' has ' || count(*) || ' versions up to ' || max(version) FROM configuration_versions
        WHERE user_id = USER GROUP BY id HAVING count(*) <> max(version)
        """,
        """
        SELECT 'item ' || c.id || ' is not its newest version' FROM configurations c WHERE user_id = USER
            AND (version, seq, chain, deleted, document, digest, changed_at) IS DISTINCT FROM (
                SELECT (version, seq, chain, deleted, document, digest, changed_at::timestamptz(3))::record
                FROM configuration_versions v WHERE v.user_id = c.user_id AND v.id = c.id ORDER BY version DESC LIMIT 1)
        """,
        """
        SELECT 'the head is not the newest change' FROM (SELECT * FROM sync_heads WHERE collection = 'configurations') h LEFT JOIN LATERAL (
            SELECT * FROM configuration_versions v WHERE v.user_id = h.user_id ORDER BY seq DESC LIMIT 1) v ON true
        WHERE h.user_id = USER AND (h.seq, h.chain, h.item_id, h.item_version)
            IS DISTINCT FROM (coalesce(v.seq, 0), coalesce(v.chain, h.genesis), v.id, v.version)
        """,
        """
        SELECT 'two changes have the same seq or chain' FROM configuration_versions v JOIN (SELECT * FROM sync_heads WHERE collection = 'configurations') h USING (user_id)
        WHERE user_id = USER GROUP BY h.genesis
        HAVING count(DISTINCT v.seq) <> count(*) OR count(DISTINCT v.chain) <> count(*) OR bool_or(v.chain = h.genesis)
        """,
        """
        SELECT 'the head''s changed_at is not the last one' FROM (SELECT * FROM sync_heads WHERE collection = 'configurations') h WHERE user_id = USER AND changed_at
            <> (SELECT max(changed_at) FROM configuration_versions WHERE user_id = USER)
        """,
        """
        SELECT 'the head counts ' || h.items || ' items and ' || h.tombstones || ' tombstones' FROM (SELECT * FROM sync_heads WHERE collection = 'configurations') h
        WHERE user_id = USER AND (items, tombstones) <> (
            SELECT count(*) FILTER (WHERE NOT deleted), count(*) FILTER (WHERE deleted) FROM configurations
            WHERE user_id = USER)
        """,
        """
        SELECT 'the head counts ' || h.history_bytes || ' bytes' FROM (SELECT * FROM sync_heads WHERE collection = 'configurations') h WHERE user_id = USER AND history_bytes
            <> (SELECT coalesce(sum(bytes), 0) FROM (
                SELECT octet_length(document) AS bytes FROM configuration_versions WHERE user_id = USER
                UNION ALL SELECT octet_length(document) FROM configuration_conflicts WHERE user_id = USER
                UNION ALL SELECT bytes FROM idempotency_keys WHERE user_id = USER) kept)
        """,
    ]
}
