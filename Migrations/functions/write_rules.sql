-- The rules of a write: conditions, conflicts, retries, quotas. PostgreSQL inlines these functions where they are used.

-- A version's tag, as clients write it: the number, and 12 digits of the chain, which tell two histories apart.
CREATE OR REPLACE FUNCTION version_tag(version integer, chain bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN version::text || '-' || encode(substr(chain, 1, 6), 'hex');

-- Whether a condition (NULL for none, '*', or tags as '{1-0a…,2-0b…}') names a stored version; '*' names any that is not deleted.
CREATE OR REPLACE FUNCTION names_version(condition text, stored_version integer, stored_chain bytea, is_deleted boolean) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN condition IS NULL OR stored_version IS NULL THEN false
    WHEN condition = '*' THEN NOT is_deleted
    ELSE neuroviews.version_tag(stored_version, stored_chain) = ANY (condition::text[]) END;

-- The version that the same request has made before, if it named tags in If-Match: the one that replaced a version with such a tag, sent by
-- the same author and saying the same. The author is the device, or the session where there is none. OFFSET 0: versions are looked up by
-- the primary key.
CREATE OR REPLACE FUNCTION version_made(owner uuid, item uuid, sender text, sent bytea, if_match text)
RETURNS TABLE (version integer, chain bytea, changed_at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT m.version, m.chain, m.changed_at
    FROM (
        SELECT tag, split_part(tag, '-', 1)::integer + 1 AS next FROM unnest(if_match::text[]) tag OFFSET 0
    ) named
    CROSS JOIN LATERAL (
        SELECT v.version, v.chain, v.changed_at FROM neuroviews.configuration_versions v
        WHERE v.user_id = owner AND v.id = item AND v.version = named.next AND v.sent_digest = sent AND v.author = sender
        OFFSET 0
    ) m
    CROSS JOIN LATERAL (
        SELECT FROM neuroviews.configuration_versions v
        WHERE v.user_id = owner AND v.id = item AND v.version = named.next - 1
            AND neuroviews.version_tag(v.version, v.chain) = named.tag OFFSET 0
    ) base
    ORDER BY m.version DESC LIMIT 1
$$;

-- The same without tags: the author's newest version of the item, if it says the same. So going off, on and off again is three edits.
CREATE OR REPLACE FUNCTION version_made_last(owner uuid, item uuid, sender text, sent bytea)
RETURNS TABLE (version integer, chain bytea, changed_at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT n.version, n.chain, n.changed_at FROM (
        SELECT v.version, v.chain, v.changed_at, v.sent_digest FROM neuroviews.configuration_versions v
        WHERE v.user_id = owner AND v.id = item AND v.author = sender
        ORDER BY v.seq DESC LIMIT 1
    ) n
    WHERE n.sent_digest = sent
$$;

-- The verdict on a write, before quotas. The stored values are NULL for an item that never existed.
CREATE OR REPLACE FUNCTION judge_write(
    kind write_kind, has_if_match boolean, is_any boolean, is_named boolean, is_excluded boolean, edited_at timestamptz,
    stored_version integer, is_deleted boolean, stored_edited_at timestamptz, is_retry boolean, is_same boolean
) RETURNS write_verdict
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN stored_version IS NULL AND kind = 'create'
        THEN CASE WHEN has_if_match THEN 'mismatch'::write_verdict ELSE 'accepted'::write_verdict END
    WHEN stored_version IS NULL THEN 'unknown'::write_verdict
    WHEN is_retry OR is_deleted AND kind = 'delete' THEN 'repeated'::write_verdict
    -- The current document again, unless If-Match says that it is to be replaced; '*' does not.
    WHEN is_same AND (NOT is_named OR is_any) THEN 'repeated'::write_verdict
    WHEN is_deleted AND NOT is_named THEN 'deleted'::write_verdict
    WHEN has_if_match AND NOT is_named OR is_excluded THEN 'mismatch'::write_verdict
    WHEN kind = 'create' AND NOT is_deleted THEN 'exists'::write_verdict
    WHEN kind = 'replace' AND NOT has_if_match AND edited_at < stored_edited_at THEN 'outdated'::write_verdict
    ELSE 'accepted'::write_verdict END;

-- The quota that an accepted write would exceed; NULL when there is room. A limit of 0 is none. `is_live` is NULL for an item that never
-- existed. Deleting is never refused: its rows are bounded by refusing new ids.
CREATE OR REPLACE FUNCTION exceeded_quota(
    kind write_kind, is_live boolean, document_bytes integer, added_bytes bigint, items integer, tombstones integer,
    history_bytes bigint, items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint
) RETURNS write_quota
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN kind = 'delete' THEN NULL
    WHEN document_max_bytes > 0 AND document_bytes > document_max_bytes THEN 'document_bytes'::write_quota
    WHEN items_max > 0 AND items >= items_max AND is_live IS NOT TRUE THEN 'items'::write_quota
    WHEN tombstones_max > 0 AND tombstones >= tombstones_max AND is_live IS NULL THEN 'tombstones'::write_quota
    WHEN history_max_bytes > 0 AND history_bytes + added_bytes > history_max_bytes THEN 'history_bytes'::write_quota END;

GRANT EXECUTE ON FUNCTION version_tag, names_version, version_made, version_made_last, judge_write, exceeded_quota TO neuroviews_app;
