import Postgres

/// The statements of a transaction that writes to a collection, in order. The first one locks the head until the
/// commit. The data for the verdict are read by later statements, whose snapshots begin after the wait. $1 is always
/// the user.
struct WriteSQL: Sendable {
    /// Locks the head: see `AccountHead`.
    let lock: Query<AccountHead>
    /// The current state of an item: see `StoredItem`. $2 id, $3 digest of the sent content (NULL: If-Match names
    /// versions), $4 session.
    let item: Query<StoredItem.Numbered>
    /// The same for several items: $2 and $3 are arrays.
    let items: Query<StoredItem.Numbered>
    /// More data for contested writes: see `Contest`. $2 ids, $3 digests of the sent contents, $4 the tags in If-Match,
    /// as text of an array, $5 digests of the possible losers, $6 session, $7 limit of current documents in bytes.
    let contests: Query<Contest>
    /// Store one new item, one change of a stored item, or several of both, with the head. $2 to $10 as in
    /// `updateHead`, $11 author, $12 true if that is a device, $13 to $23 of each change: see `WritePlan.Change`. They
    /// are values for one change, arrays for several.
    let storeNew: Statement
    let storeChanged: Statement
    let storeSeveral: Statement
    /// Stores losing documents; nil if the collection keeps none: see `WritePlan.Loser`.
    let keepLosers: Statement?
    /// $2 seq, $3 chain, $4 item, $5 its version, $6 time, $7 state_hash, $8 items, $9 tombstones, $10 bytes of the history.
    let updateHead: Statement
    /// The earlier writes of the same request. $2 the key, $3 the request's digest. A key of another request is an
    /// error.
    let kept: Query<KeptWrite>
    /// Stores the receipts. $2 and $3 as in `kept`, $4 the lifetime of a new key in seconds, $5 the response.
    let keep: Statement

    static let configurations = WriteSQL(.configurations)
    static let recordings = WriteSQL(.recordings)

    private init(_ collection: Collection) {
        lock = Query(Self.lock(collection)) { columns throws(UnexpectedResult) in try AccountHead(&columns) }
        let decode: Query<StoredItem.Numbered>.Decode = { columns throws(UnexpectedResult) in try .init(&columns) }
        item = Query(Self.items(collection, "(SELECT $2::uuid, $3::bytea, 1)"), decode)
        items = Query(Self.items(collection, "unnest($2::uuid[], $3::bytea[]) WITH ORDINALITY"), decode)
        contests = Query(Self.contests(collection)) { columns throws(UnexpectedResult) in try Contest(&columns) }
        storeNew = Statement(Self.store(collection, Self.one, [Self.add]))
        storeChanged = Statement(Self.store(collection, Self.one, [Self.change]))
        storeSeveral = Statement(Self.store(collection, Self.several, [Self.add, Self.change]))
        keepLosers = collection.losers.map { Statement(Self.keepLosers($0)) }
        updateHead = Statement(Self.updateHead(collection))
        kept = Query(Self.kept) { columns throws(UnexpectedResult) in try KeptWrite(&columns) }
        keep = Statement("SELECT keep_answer($1::uuid, '\(collection.name)', $2::text, $3::bytea, $4::int, $5::jsonb)")
    }
}

extension WriteSQL {
    private static func lock(_ collection: Collection) -> String {
        """
        SELECT h.salt, h.seq, h.chain, h.item_id, h.item_version,
            \(Timestamp.sql("greatest(h.changed_at, h.began_at)")), h.state_hash, h.items, h.tombstones, h.history_bytes,
            nullif(current_setting('app.device_id', true), '')
        FROM sync_heads h WHERE h.user_id = $1::uuid AND h.collection = '\(collection.name)' FOR UPDATE
        """
    }

    /// The author of a version: the device, or the session if there is none. A subquery, since row-level security lets
    /// only plain values use an index.
    private static func author(session: String) -> String {
        "(SELECT coalesce(nullif(current_setting('app.device_id', true), ''), \(session)::text))"
    }

    /// Without tags, a retry is the author's newest version of the item, if it has the same digest. So switching off,
    /// on and off again is three edits.
    private static func items(_ collection: Collection, _ sent: String) -> String {
        """
        SELECT u.number, \(Timestamp.sql("clock_timestamp()")), l.salt, \(Timestamp.sql("l.began_at")), c.spelled_id, c.version, c.chain, c.digest,
            \(Timestamp.sql("c.changed_at")), \(Timestamp.sql("c.edited_at")), c.deleted,
            m.version, m.chain, \(Timestamp.sql("m.changed_at"))
        FROM \(sent) u(id, sent, number)
        CROSS JOIN lineage l
        LEFT JOIN LATERAL \(item(collection)) c ON true
        LEFT JOIN LATERAL (
            SELECT version, chain, changed_at, sent_digest FROM \(collection.versions)
            WHERE user_id = $1::uuid AND id = u.id AND author = \(author(session: "$4"))
            ORDER BY seq DESC LIMIT 1
        ) m ON m.sent_digest = u.sent
        """
    }

    /// The row of one item. The planner always uses the primary key, regardless of statistics.
    private static func item(_ collection: Collection) -> String {
        "(SELECT * FROM \(collection.items) WHERE user_id = $1::uuid AND id = u.id OFFSET 0)"
    }

    /// The row of one version, by the primary key: the index of authors would have to be filtered.
    private static func version(_ number: String, _ collection: Collection) -> String {
        "(SELECT * FROM \(collection.versions) WHERE user_id = $1::uuid AND id = u.id AND version = \(number) OFFSET 0)"
    }

    /// With tags, a retry is a version that directly replaced one with such a tag, by the same author and with the same
    /// digest. Of several, the newest counts.
    private static func contests(_ collection: Collection) -> String {
        """
        SELECT u.number, m.version, m.chain, \(Timestamp.sql("m.changed_at")),
            \(isLoserKept(collection)),
            CASE WHEN m.version IS NULL
                AND coalesce(sum(octet_length(c.document)) FILTER (WHERE m.version IS NULL) OVER before, 0) < $7::bigint
                THEN c.document END
        FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::bytea[]) WITH ORDINALITY u(id, sent, tags, loser, number)
        CROSS JOIN LATERAL \(item(collection)) c
        LEFT JOIN LATERAL (
            SELECT v.version, v.chain, v.changed_at
            FROM (SELECT split_part(tag, '-', 1)::int AS version, split_part(tag, '-', 2) AS digits
                FROM unnest(u.tags::text[]) tag OFFSET 0) named
            JOIN LATERAL \(version("named.version + 1", collection)) v
                ON v.sent_digest = u.sent AND v.author = \(author(session: "$6"))
            JOIN LATERAL \(version("named.version", collection)) base
                ON encode(substr(base.chain, 1, 6), 'hex') = named.digits
            ORDER BY v.version DESC LIMIT 1
        ) m ON true
        WINDOW before AS (ORDER BY u.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ORDER BY u.number
        """
    }

    private static let types = [
        "uuid", "text", "text", "bytea", "bytea", "int", "bigint", "bytea", "bigint", "bigint", "text",
    ]
    private static let one =
        "NOT MATERIALIZED (SELECT " + types.enumerated().map { "$\($0 + 13)::\($1)" }.joined(separator: ", ") + ")"
    private static let several =
        "(SELECT * FROM unnest(" + types.enumerated().map { "$\($0 + 13)::\($1)[]" }.joined(separator: ", ") + "))"

    /// `changes` is the source of the changes; `writes` store the items.
    private static func store(_ collection: Collection, _ changes: String, _ writes: [(Collection) -> String]) -> String
    {
        let writes = writes.enumerated().map { "item\($0) AS (\($1(collection)))" }.joined(separator: ", ")
        return """
            WITH written(id, spelled_id, document, digest, sent_digest, version, seq, chain, changed_us, edited_us, preset) AS
            \(changes),
            \(writes), head AS (\(updateHead(collection)))
            INSERT INTO \(collection.versions) (user_id, id, version, seq, chain, document, digest, sent_digest, changed_at,
                edited_at, author, by_device, deleted\(preset(collection)))
            SELECT $1::uuid, id, version, seq, chain, document, digest, sent_digest, \(time("changed_us")), \(time("edited_us")),
                $11::text, $12::bool, digest IS NULL\(preset(collection))
            FROM written
            """
    }

    private static func add(_ collection: Collection) -> String {
        """
        INSERT INTO \(collection.items)
            (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, deleted\(preset(collection)))
        SELECT $1::uuid, id, spelled_id, document, digest, version, seq, chain, \(time("changed_us")), \(time("edited_us")),
            digest IS NULL\(preset(collection))
        FROM written WHERE version = 1
        """
    }

    private static func change(_ collection: Collection) -> String {
        """
        UPDATE \(collection.items) c SET document = w.document, digest = w.digest, version = w.version, seq = w.seq,
            chain = w.chain, changed_at = \(time("w.changed_us")), edited_at = \(time("w.edited_us")), deleted = w.digest IS NULL
            \(setPreset(collection))
        FROM written w WHERE c.user_id = $1::uuid AND c.id = w.id AND w.version > 1
        """
    }

    /// The column in a list, if the collection has it.
    private static func preset(_ collection: Collection) -> String { collection.hasPresets ? ", preset" : "" }

    private static func setPreset(_ collection: Collection) -> String {
        collection.hasPresets ? ", preset = w.preset" : ""
    }

    private static func time(_ us: String) -> String { "'epoch'::timestamptz + \(us) * interval '1 microsecond'" }

    /// True without a table of losers, so that none is stored.
    private static func isLoserKept(_ collection: Collection) -> String {
        guard let losers = collection.losers else { return "true" }
        return "EXISTS (SELECT FROM \(losers) l WHERE l.user_id = $1::uuid AND l.id = u.id AND l.digest = u.loser)"
    }

    /// $2 device, $3 time of arrival; $4 to $8 of each: id, digest, document, version that won, time of the edit.
    private static func keepLosers(_ losers: String) -> String {
        """
        INSERT INTO \(losers) (user_id, id, digest, document, base_version, edited_at, received_at, device_id)
        SELECT $1::uuid, l.id, l.digest, l.document, l.base, \(time("l.edited_us")), \(time("$3::bigint")), $2::text
        FROM unnest($4::uuid[], $5::bytea[], $6::text[], $7::int[], $8::bigint[]) l(id, digest, document, base, edited_us)
        """
    }

    private static func updateHead(_ collection: Collection) -> String {
        """
        UPDATE sync_heads SET seq = $2::bigint, chain = $3::bytea, item_id = $4::uuid, item_version = $5::int,
            changed_at = \(time("$6::bigint")), state_hash = $7::bytea, items = $8::int, tombstones = $9::int,
            history_bytes = $10::bigint
        WHERE user_id = $1::uuid AND collection = '\(collection.name)'
        """
    }

    private static let kept = """
        SELECT k.number, k.write->>'id', k.write->>'version', k.write->>'changed_at'
        FROM jsonb_array_elements(kept_answer($1::uuid, $2::text, $3::bytea)) WITH ORDINALITY k(write, number)
        WHERE k.write <> 'null'
        """
}
