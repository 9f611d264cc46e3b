import Postgres

/// The statements that every collection has. $1 is the user in all of them.
struct SyncSQL: Sendable {
    /// The newest change.
    let head: Query<SyncToken>
    /// The state of a delta of now: see `Delta.state`.
    let state: Query<String>
    /// The changes after a token, for a client that names no other change. The head's row is first, then the items'
    /// rows: see `DeltaHead`.
    let deltaAfterToken: Statement
    /// The changes after any cursor, with any number of named changes.
    let delta: Statement
    /// One page of a delta: see `DeltaPage`.
    let page: Statement

    static let configurations = SyncSQL(.configurations)
    static let recordings = SyncSQL(.recordings)

    /// Locks the head of configurations. A change of data that count for a quota locks it first.
    static let lockConfigurationsHead = Query(
        "SELECT FROM sync_heads WHERE user_id = $1::uuid AND collection = 'configurations' FOR UPDATE"
    )

    private init(_ collection: Collection) {
        head = Query(
            """
            SELECT h.salt # l.salt, h.seq, h.chain, h.item_id, h.item_version FROM sync_heads h, lineage l
            WHERE h.user_id = $1::uuid AND h.collection = '\(collection.name)'
            """
        ) { columns throws(UnexpectedResult) in
            let salt: Int = try columns.next()
            return try SyncToken(&columns, salt: salt)
        }
        state = Query(
            "SELECT \(Self.state) FROM sync_heads h, lineage l WHERE h.user_id = $1::uuid AND h.collection = '\(collection.name)'"
        ) { columns throws(UnexpectedResult) in try columns.next() }
        let isOneHere = Self.isHere(["$4::bigint", "$5::bytea", "$6::bigint", "$7::uuid", "$8::int"], collection)
        deltaAfterToken = Statement(Self.delta(collection, isKnown: "(\(isOneHere)) IS TRUE", since: "$4::bigint"))
        delta = Statement(
            Self.delta(collection, isKnown: Self.areHere(collection), since: Self.anyCursor(collection))
        )
        page = Statement(Self.page(collection))
    }

    /// True if the history of the head `h` has that chain at that seq. Compares with the head, or looks up the version
    /// that the change made.
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

    /// True if this history has the change with that seq, chain, salt, id and version.
    private static func isHere(_ change: [String], _ collection: Collection) -> String {
        "\(change[2]) = h.salt # l.salt AND "
            + holds(seq: change[0], chain: change[1], id: change[3], version: change[4], collection)
    }

    /// True if this history has every change in the arrays.
    private static func areHere(_ collection: Collection) -> String {
        """
        NOT EXISTS (
            SELECT FROM unnest($4::bigint[], $5::bytea[], $6::bigint[], $7::uuid[], $8::int[]) t(seq, chain, salt, id, version)
            WHERE (\(isHere(["t.seq", "t.chain", "t.salt", "t.id", "t.version"], collection))) IS NOT TRUE
        )
        """
    }

    /// The seq of a cursor; NULL for the full set. $9 seq of a sync_token; $10 last_sync (microseconds); $11 overlap in
    /// seconds.
    private static func anyCursor(_ collection: Collection) -> String {
        """
        CASE
            WHEN $9::bigint IS NOT NULL THEN $9::bigint
            WHEN 'epoch'::timestamptz + $10::bigint * interval '1 microsecond'
                BETWEEN valid_from AND greatest(now(), effective_at) + interval '24 hours'
            THEN coalesce((
                SELECT i.seq FROM \(collection.items) i
                WHERE i.user_id = h.user_id AND i.changed_at < 'epoch'::timestamptz + $10::bigint * interval '1 microsecond'
                    - $11::int * interval '1 second'
                ORDER BY i.seq DESC LIMIT 1), 0)
        END
        """
    }

    /// The state of a collection: besides its parameters, a response depends only on this.
    private static let state = """
        encode(h.chain, 'hex') || '.' || to_hex(h.salt # l.salt) || '.' || extract(epoch FROM l.began_at)::bigint
        """

    /// Reads everything from one snapshot. `is_known`: this history has every change that the client names. Documents
    /// larger than $3 are NULL. `start` is a column because row-level security lets only a plain comparison use the
    /// index.
    ///
    /// $2 limit of rows; $3 limit of a document's bytes; $4 to $8 seq, chain, salt, id and version of the named change,
    /// or arrays of them.
    private static func delta(_ collection: Collection, isKnown: String, since: String) -> String {
        """
        WITH head AS MATERIALIZED (
            SELECT *, coalesce(since, 0) AS start FROM (
                SELECT *, CASE WHEN is_known THEN \(since) END AS since FROM (
                    SELECT h.*, h.salt # l.salt AS total_salt, greatest(l.began_at, h.began_at) AS valid_from,
                        greatest(h.changed_at, l.began_at, h.began_at) AS effective_at,
                        \(state) AS state, \(isKnown) AS is_known
                    FROM sync_heads h, lineage l
                    WHERE h.user_id = $1::uuid AND h.collection = '\(collection.name)' OFFSET 0
                ) h OFFSET 0
            ) h
        )
        SELECT seq, chain, item_id::text, item_version, NULL, NULL, NULL,
            total_salt, since IS NULL, is_known, state, rfc3339(effective_at), encode(state_hash, 'hex')
        FROM head
        UNION ALL
        SELECT c.*, NULL, NULL, NULL, NULL, NULL, NULL
        FROM head h, LATERAL (
            SELECT seq, chain, spelled_id, version, deleted,
                CASE WHEN octet_length(document) <= $3::int THEN document END AS document,
                \(collection.thumbnail(of: collection.items)) AS thumbnail
            FROM \(collection.items)
            WHERE user_id = h.user_id AND seq > h.start
            ORDER BY seq LIMIT $2::int
        ) c
        """
    }

    /// Reads the state of the account at the delta's head; later writes do not matter. Items that changed after the
    /// head are looked up in the history. Each item has one position in the order of that state, so the pages together
    /// contain it once. A page ends before the first row beyond its limits; that row is the start of the next page.
    ///
    /// $2 seq, $3 chain, $4 item and $5 version of the head, $6 and $7 the first and last seq, $8 limit of rows, $9
    /// limit of bytes (the first document is always included), $10 deleted: documents only (false), tombstones only
    /// (true), or all items without documents (NULL).
    private static func page(_ collection: Collection) -> String {
        let holds = holds(seq: "$2::bigint", chain: "$3::bytea", id: "$4::uuid", version: "$5::int", collection)
        return """
            SELECT p.seq, p.chain, p.spelled_id, p.version, p.deleted, CASE WHEN p.is_within THEN p.document END,
                p.thumbnail, h.is_same, p.is_within
            FROM (
                SELECT h.user_id, \(holds) AS is_same FROM sync_heads h
                WHERE h.user_id = $1::uuid AND h.collection = '\(collection.name)' OFFSET 0
            ) h
            LEFT JOIN LATERAL (
                SELECT *, row_number() OVER before <= $8::int
                    AND coalesce(sum(octet_length(document)) OVER before, 0) < $9::int AS is_within
                FROM (
                    (SELECT seq, chain, spelled_id, version, deleted, CASE WHEN $10::bool IS FALSE THEN document END AS document,
                        CASE WHEN $10::bool IS FALSE THEN \(collection.thumbnail(of: collection.items)) END AS thumbnail
                    FROM \(collection.items)
                    WHERE user_id = h.user_id AND seq >= $6::bigint AND seq <= $7::bigint
                        AND deleted = coalesce($10::bool, deleted)
                    ORDER BY seq LIMIT $8::int + 1)
                    UNION ALL
                    (SELECT v.seq, v.chain, c.spelled_id, v.version, v.deleted, CASE WHEN $10::bool IS FALSE THEN v.document END,
                        CASE WHEN $10::bool IS FALSE THEN \(collection.thumbnail(of: "c")) END
                    FROM \(collection.items) c JOIN LATERAL (
                        SELECT version, chain, deleted, seq, document FROM \(collection.versions)
                        WHERE user_id = c.user_id AND id = c.id AND seq <= $2::bigint
                        ORDER BY version DESC LIMIT 1
                    ) v ON v.seq >= $6::bigint AND v.seq <= $7::bigint AND v.deleted = coalesce($10::bool, v.deleted)
                    WHERE c.user_id = h.user_id AND c.seq > $2::bigint
                    ORDER BY v.seq LIMIT $8::int + 1)
                    ORDER BY seq LIMIT $8::int + 1
                ) found
                WINDOW before AS (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            ) p ON true
            """
    }
}

/// The first row of `SyncSQL.delta`: the head's change in the columns of an item, then the columns of the head.
struct DeltaHead {
    let head: SyncToken
    let isFullSet: Bool
    let isKnown: Bool
    let state: String
    let serverTime: String
    let stateHash: String

    init(_ row: Row) throws(UnexpectedResult) {
        var item = Columns(row)
        var columns = Columns(row, from: DeltaItem.columnCount)
        let salt: Int = try columns.next()
        head = try SyncToken(&item, salt: salt)
        isFullSet = try columns.next()
        isKnown = try columns.next()
        state = try columns.next()
        serverTime = try columns.next()
        stateHash = try columns.next()
    }
}

extension SyncToken {
    /// Reads seq, chain, and the id and version of the item that changed; NULL at seq 0.
    init(_ columns: inout Columns, salt: Int) throws(UnexpectedResult) {
        let (seq, chain): (Int, ChainValue) = (try columns.next(), try columns.next())
        let (id, version): (String?, Int?) = (try columns.next(), try columns.next())
        var item: Item?
        if let id, let version { item = Item(id: id.lowercased(), version: version) }
        self.init(seq: seq, chain: chain, salt: salt, item: item)
    }
}
