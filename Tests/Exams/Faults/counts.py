"""The counters of heads against a full count of the rows, and heads, items and versions against one another."""

# Of each collection its tables of items and of versions, and the rows besides whose bytes count.
COLLECTIONS = {
    "configurations": ("configurations", "configuration_versions",
                       "SELECT user_id, octet_length(document) FROM configuration_conflicts"),
    "recordings": ("recordings", "recording_versions", "SELECT NULL::uuid, 0"),
}
PART = "('x' || encode(sha256(convert_to(i.id::text, 'UTF8') || i.digest), 'hex'))::bit(256)"
# SQL that is true where something is wrong with head h.
RULES = {
    "the head is not the newest change, or counts other changes than there are":
        "(h.seq, h.chain, h.item_id, h.item_version) IS DISTINCT FROM (SELECT (count(*) OVER (), v.chain, v.id, v.version)::record "
        "FROM {versions} v WHERE v.user_id = h.user_id ORDER BY v.seq DESC LIMIT 1) AND (h.seq > 0 OR EXISTS "
        "(SELECT FROM {versions} v WHERE v.user_id = h.user_id))",
    "an item is not the newest of its versions":
        "EXISTS (SELECT FROM {items} i WHERE i.user_id = h.user_id AND (i.version, i.seq, i.chain, i.deleted) IS DISTINCT FROM "
        "(SELECT (v.version, v.seq, v.chain, v.deleted)::record FROM {versions} v WHERE (v.user_id, v.id) = (i.user_id, i.id) "
        "ORDER BY v.version DESC LIMIT 1))",
    "the counts of items and tombstones are not those of the rows":
        "(h.items, h.tombstones) IS DISTINCT FROM (SELECT (count(*) FILTER (WHERE NOT i.deleted)::int, "
        "count(*) FILTER (WHERE i.deleted)::int)::record FROM {items} i WHERE i.user_id = h.user_id)",
    "state_hash is not that of the items":
        f"('x' || encode(h.state_hash, 'hex'))::bit(256) <> coalesce((SELECT bit_xor({PART}) FROM {{items}} i "
        "WHERE i.user_id = h.user_id AND NOT i.deleted), repeat('0', 256)::bit(256))",
    "history_bytes are not those of the documents":
        "h.history_bytes <> (SELECT coalesce(sum(bytes), 0) FROM (SELECT octet_length(v.document) AS bytes FROM {versions} v "
        "WHERE v.user_id = h.user_id UNION ALL SELECT o.bytes FROM ({others}) o (user_id, bytes) WHERE o.user_id = h.user_id "
        "UNION ALL SELECT k.bytes FROM idempotency_keys k WHERE k.user_id = h.user_id AND k.collection = h.collection) kept)",
}


def judge(address, findings):
    """10: in one statement for each rule, which has one snapshot."""
    for collection, (items, versions, others) in COLLECTIONS.items():
        for text, rule in RULES.items():
            condition = rule.format(items=items, versions=versions, others=others)
            for (email,) in address.query("SELECT u.email FROM sync_heads h JOIN users u ON u.id = h.user_id "
                                          f"WHERE h.collection = '{collection}' AND ({condition})"):
                findings.breach(10, f"{email}, {collection}: {text}")
        findings.count("recounted heads", len(address.query(f"SELECT FROM sync_heads WHERE collection = '{collection}'")))
