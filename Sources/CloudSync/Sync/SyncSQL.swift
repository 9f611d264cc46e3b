import Postgres

/// The statements that every collection has. Row-level security adds the user to each of them.
struct SyncSQL: Sendable {
    /// The newest change.
    let head: Query<SyncToken>
    /// The head, and the items after a cursor: see `DeltaHead`. For a client that names one change alone.
    let delta: Statement
    /// The same for a client that names none, or several.
    let deltaNaming: Statement
    /// A piece of a delta: see `DeltaPageColumn`.
    let page: Statement

    static let configurations = SyncSQL(.configurations)
    static let recordings = SyncSQL(.recordings)

    private init(_ collection: Collection) {
        head = Query(
            """
            SELECT h.seq, h.chain, h.salt # l.salt, h.item_id, h.item_version FROM sync_heads h, lineage l
            WHERE h.collection = '\(collection.name)'
            """
        ) { columns throws(UnexpectedResult) in try SyncToken(&columns) }
        let isOneHere = Self.isHere(["$1::bigint", "$2::bytea", "$3::bigint", "$4::uuid", "$5::int"], collection)
        delta = Statement(Self.delta(collection, isKnown: "(\(isOneHere)) IS TRUE"))
        let isHere = Self.isHere(["t.seq", "t.chain", "t.salt", "t.id", "t.version"], collection)
        deltaNaming = Statement(
            Self.delta(
                collection,
                isKnown: """
                    NOT EXISTS (
                        SELECT FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::uuid[], $5::int[])
                            t(seq, chain, salt, id, version)
                        WHERE (\(isHere)) IS NOT TRUE
                    )
                    """
            )
        )
        page = Statement(Self.page(collection))
    }

    /// Whether the history of the head `h` has that chain at that seq. One comparison with the head, or one look-up of the version that
    /// the change made.
    private static func holds(seq: String, chain: String, id: String, version: String, _ collection: Collection)
        -> String
    {
        """
        CASE \(seq) WHEN h.seq THEN \(chain) = h.chain WHEN 0 THEN \(chain) = h.genesis ELSE EXISTS (
            SELECT FROM \(collection.versions) v WHERE v.user_id = h.user_id AND v.id = \(id)
                AND v.version = \(version) AND v.seq = \(seq) AND v.chain = \(chain)
        ) END
        """
    }

    /// Whether this history has the change with that seq, chain, salt, id and version.
    private static func isHere(_ change: [String], _ collection: Collection) -> String {
        "\(change[2]) = h.salt # l.salt AND "
            + holds(seq: change[0], chain: change[1], id: change[3], version: change[4], collection)
    }

    /// All from one snapshot. `is_known`: this history has every change that the client names. `since` is NULL for the full set. The item's
    /// columns are NULL when there are none, and so are documents that are too large to come along. OFFSET 0 has the planner work out
    /// `start` first: under row-level security only a plain comparison with it can use the index.
    ///
    /// $1 to $5 seq, chain, salt, id and version of the change that the client names, or arrays of them; $6 seq of a sync_token; $7 last_sync
    /// (microseconds), $8 the overlap in seconds; $9 rows at most; $10 the state that the client has an answer for; $11 bytes of a
    /// document at most.
    private static func delta(_ collection: Collection, isKnown: String) -> String {
        """
        SELECT h.seq, h.chain, h.total_salt, h.item_id, h.item_version, h.since IS NULL, h.is_known, h.state,
            rfc3339(h.effective_at), encode(h.state_hash, 'hex'),
            c.spelled_id, c.version, c.chain, c.deleted, c.seq, c.document
        FROM (
            SELECT *, coalesce(since, 0) AS start FROM (
                SELECT *, CASE
                    WHEN NOT is_known OR state = $10::text THEN NULL
                    WHEN $6::bigint IS NOT NULL THEN $6::bigint
                    WHEN 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
                        BETWEEN began_at AND greatest(now(), effective_at) + interval '24 hours'
                    THEN coalesce((
                        SELECT i.seq FROM \(collection.items) i
                        WHERE i.user_id = head.user_id AND i.changed_at < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
                            - $8::int * interval '1 second'
                        ORDER BY i.seq DESC LIMIT 1), 0)
                    END AS since
                FROM (
                    SELECT h.*, h.salt # l.salt AS total_salt, l.began_at, greatest(h.changed_at, l.began_at) AS effective_at,
                        encode(h.chain, 'hex') || '.' || to_hex(h.salt # l.salt) || '.'
                            || extract(epoch FROM l.began_at)::bigint AS state,
                        \(isKnown) AS is_known
                    FROM sync_heads h, lineage l WHERE h.collection = '\(collection.name)' OFFSET 0
                ) head OFFSET 0
            ) cursor OFFSET 0
        ) h
        LEFT JOIN LATERAL (
            SELECT spelled_id, version, chain, deleted, seq,
                CASE WHEN octet_length(document) <= $11::int THEN document END AS document
            FROM \(collection.items)
            WHERE user_id = h.user_id AND seq > h.start AND h.state IS DISTINCT FROM $10::text
            ORDER BY seq LIMIT $9::int
        ) c ON true
        """
    }

    /// In the state that the account had at the delta's head, whatever was written since: what has changed after it is looked up in the
    /// history. Each item has one place in that state's order, so that the pieces together hold it once. A piece ends before the
    /// first row that is not within its limits; that row tells where the next one begins.
    ///
    /// $1 seq, $2 chain, $3 item and $4 version of the head, $5 and $6 the first and the last seq, $7 rows at most, $8 bytes at most (a
    /// first document comes whatever its size), $9 deleted: documents only (false), tombstones only (true), or all of both without
    /// documents (NULL).
    private static func page(_ collection: Collection) -> String {
        let holds = holds(seq: "$1::bigint", chain: "$2::bytea", id: "$3::uuid", version: "$4::int", collection)
        return """
            SELECT h.is_same, p.spelled_id, p.version, p.chain, p.deleted, p.seq,
                CASE WHEN p.is_within THEN p.document END, p.is_within
            FROM (
                SELECT h.user_id, \(holds) AS is_same FROM sync_heads h WHERE h.collection = '\(collection.name)' OFFSET 0
            ) h
            LEFT JOIN LATERAL (
                SELECT *, row_number() OVER before <= $7::int
                    AND coalesce(sum(octet_length(document)) OVER before, 0) < $8::int AS is_within
                FROM (
                    (SELECT spelled_id, version, chain, deleted, seq, CASE WHEN $9::bool IS FALSE THEN document END AS document
                    FROM \(collection.items)
                    WHERE user_id = h.user_id AND seq >= $5::bigint AND seq <= $6::bigint
                        AND deleted = coalesce($9::bool, deleted)
                    ORDER BY seq LIMIT $7::int + 1)
                    UNION ALL
                    (SELECT c.spelled_id, v.version, v.chain, v.deleted, v.seq, CASE WHEN $9::bool IS FALSE THEN v.document END
                    FROM \(collection.items) c JOIN LATERAL (
                        SELECT version, chain, deleted, seq, document FROM \(collection.versions)
                        WHERE user_id = c.user_id AND id = c.id AND seq <= $1::bigint
                        ORDER BY version DESC LIMIT 1
                    ) v ON v.seq >= $5::bigint AND v.seq <= $6::bigint AND v.deleted = coalesce($9::bool, v.deleted)
                    WHERE c.user_id = h.user_id AND c.seq > $1::bigint
                    ORDER BY v.seq LIMIT $7::int + 1)
                    ORDER BY seq LIMIT $7::int + 1
                ) found
                WINDOW before AS (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            ) p ON true
            """
    }
}

/// The first columns of `SyncSQL.delta`, behind which the item's begin.
struct DeltaHead {
    let head: SyncToken
    let isFullSet: Bool
    let isKnown: Bool
    let state: String
    let serverTime: String
    let stateHash: String

    init(_ row: Row) throws(UnexpectedResult) {
        var columns = Columns(row)
        head = try SyncToken(&columns)
        isFullSet = try columns.next()
        isKnown = try columns.next()
        state = try columns.next()
        serverTime = try columns.next()
        stateHash = try columns.next()
    }

    static let columnCount = 10
}

extension SyncToken {
    /// Reads seq, chain, salt, and the item that changed.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        let (seq, chain, salt): (Int, ChainValue, Int) = (try columns.next(), try columns.next(), try columns.next())
        let (id, version): (String?, Int?) = (try columns.next(), try columns.next())
        var item: Item?
        if let id, let version { item = Item(id: id, version: version) }
        self.init(seq: seq, chain: chain, salt: salt, item: item)
    }
}
