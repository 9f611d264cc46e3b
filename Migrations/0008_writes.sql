-- The writes again, with one rule more: a deletion that is repeated after somebody brought the item back is known, as a
-- repeated document is.

-- The newest deletion of an item that replaced one of the versions which If-Match names: the one that a repeated deletion
-- made the first time. '*' and no condition name none. Inlined where it is used.
CREATE FUNCTION deletion_made(kind text, owner uuid, item uuid, if_match text)
RETURNS TABLE (version integer, changed_at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT v.version, v.changed_at FROM neuroviews.configuration_versions v
    WHERE kind = 'delete' AND v.user_id = owner AND v.id = item AND v.deleted AND v.version = ANY (
        ARRAY(SELECT named + 1 FROM unnest(CASE WHEN if_match <> '*' THEN if_match::bigint[] END) named)
    )
    ORDER BY v.version DESC LIMIT 1
$$;

-- Writes one item of the user's: kind is 'create', 'replace' or 'delete'; the document comes as the text before and after
-- its id; edited_us is the time of the edit in microseconds; the conditions are as in names_version.
--
-- The user's head is locked first and to the commit, so that seq, changed_at and commits of one user have one order. Each
-- statement behind it has a snapshot of its own (VOLATILE at READ COMMITTED), taken after the wait. An edit counts as
-- received when it has the lock: of two that wait, the one that comes second is the later one.
--
-- Names are qualified instead of SET search_path, which costs a sixth of the function. Row-level security holds: SECURITY
-- INVOKER. That the user is compared all the same lets each statement use its index.
CREATE OR REPLACE FUNCTION write_configuration(
    kind text, item_id uuid, spelling text, prefix text, suffix text, new_digest bytea, edited_us bigint,
    if_match text, if_none_match text,
    items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint
) RETURNS neuroviews.write_result
LANGUAGE plpgsql AS $$
DECLARE
    head_user uuid; head_seq bigint; head_changed timestamptz; head_hash bit(256);
    head_items integer; head_tombstones integer; head_bytes bigint;
    stored_version integer; stored_digest bytea; stored_changed timestamptz; stored_edited timestamptz;
    stored_deleted boolean; seen_version integer; seen_changed timestamptz;
    edited timestamptz;
    is_named boolean := false; is_excluded boolean := false;
    new_document text;
    bytes integer;
    device text := nullif(current_setting('app.device_id', true), '');
    result neuroviews.write_result;
BEGIN
    SELECT h.user_id, h.seq, h.changed_at, h.state_hash, h.items, h.tombstones, h.history_bytes
    INTO head_user, head_seq, head_changed, head_hash, head_items, head_tombstones, head_bytes
    FROM neuroviews.sync_heads h FOR UPDATE;
    SELECT c.spelled_id, c.version, c.digest, c.changed_at, c.edited_at, c.deleted, s.version, s.changed_at
    INTO result.spelled_id, stored_version, stored_digest, stored_changed, stored_edited, stored_deleted, seen_version,
        seen_changed
    FROM neuroviews.configurations c LEFT JOIN LATERAL (
        -- OFFSET 0: or the planner may walk the history backwards instead of asking the index of digests.
        SELECT same.version, same.changed_at FROM (
            SELECT v.version, v.changed_at FROM neuroviews.configuration_versions v
            WHERE v.user_id = head_user AND v.id = item_id AND v.digest = new_digest OFFSET 0
        ) same ORDER BY same.version DESC LIMIT 1
    ) s ON true
    WHERE c.user_id = head_user AND c.id = item_id;

    edited := clock_timestamp();
    IF kind <> 'delete' THEN
        edited := least('epoch'::timestamptz + edited_us * interval '1 microsecond', edited);
    ELSIF if_match IS NOT NULL THEN
        SELECT d.version, d.changed_at INTO seen_version, seen_changed
        FROM neuroviews.deletion_made(kind, head_user, item_id, if_match) d;
    END IF;
    IF if_match IS NOT NULL OR if_none_match IS NOT NULL THEN
        is_named := neuroviews.names_version(if_match, stored_version, stored_deleted);
        is_excluded := neuroviews.names_version(if_none_match, stored_version, stored_deleted);
    END IF;
    result.verdict := neuroviews.write_verdict(
        kind, if_match IS NOT NULL, coalesce(if_match = '*', false), is_named, is_excluded, edited, stored_version,
        stored_deleted, stored_edited, seen_version);
    result.version := stored_version;
    result.deleted := stored_deleted;
    IF result.verdict = 'repeated' THEN
        result.version := coalesce(seen_version, stored_version);
        result.changed_at := to_char(coalesce(seen_changed, stored_changed), 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
        RETURN result;
    ELSIF result.verdict IN ('mismatch', 'exists', 'outdated', 'deleted') THEN
        result.document := (
            SELECT c.document FROM neuroviews.configurations c WHERE c.user_id = head_user AND c.id = item_id);
    END IF;
    IF head_user IS NULL THEN
        -- The account has gone.
        result.verdict := 'unknown';
    END IF;
    IF result.verdict IN ('unknown', 'mismatch') THEN
        RETURN result;
    END IF;

    result.spelled_id := coalesce(result.spelled_id, spelling);
    new_document := prefix || result.spelled_id || suffix;
    bytes := coalesce(octet_length(new_document), 0);
    IF result.verdict <> 'accepted' THEN
        RETURN neuroviews.keep_loser(result, head_user, item_id, new_digest, new_document, edited, history_max_bytes);
    END IF;
    result.quota := neuroviews.write_quota(
        kind, NOT stored_deleted, bytes, head_items, head_tombstones, head_bytes,
        items_max, tombstones_max, document_max_bytes, history_max_bytes);
    IF result.quota IS NOT NULL THEN
        result.verdict := 'quota';
        result.used := CASE result.quota WHEN 'document_bytes' THEN bytes WHEN 'items' THEN head_items
            WHEN 'tombstones' THEN head_tombstones ELSE head_bytes END;
        RETURN result;
    END IF;

    head_seq := head_seq + 1;
    head_changed := greatest(date_trunc('milliseconds', clock_timestamp()), head_changed + interval '1 ms');
    head_bytes := head_bytes + bytes;
    result.version := coalesce(stored_version, 0) + 1;
    result.changed_at := to_char(head_changed, 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
    IF stored_version IS NULL THEN
        INSERT INTO neuroviews.configurations
            (user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at, deleted)
        VALUES (head_user, item_id, result.spelled_id, new_document, new_digest, result.version, head_seq, head_changed,
            edited, false);
    ELSE
        UPDATE neuroviews.configurations c SET document = new_document, digest = new_digest, version = result.version,
            seq = head_seq, changed_at = head_changed, edited_at = edited, deleted = kind = 'delete'
        WHERE c.user_id = head_user AND c.id = item_id;
    END IF;
    INSERT INTO neuroviews.configuration_versions
        (user_id, id, version, document, digest, changed_at, edited_at, device_id, deleted)
    VALUES (head_user, item_id, result.version, new_document, new_digest, head_changed, edited, device, kind = 'delete');
    IF stored_deleted THEN
        head_tombstones := head_tombstones - 1;
    ELSIF NOT stored_deleted THEN
        head_items := head_items - 1;
        head_hash := head_hash # neuroviews.item_hash(item_id, stored_digest);
    END IF;
    IF kind = 'delete' THEN
        head_tombstones := head_tombstones + 1;
    ELSE
        head_items := head_items + 1;
        head_hash := head_hash # neuroviews.item_hash(item_id, new_digest);
    END IF;
    UPDATE neuroviews.sync_heads h SET seq = head_seq, changed_at = head_changed, state_hash = head_hash,
        items = head_items, tombstones = head_tombstones, history_bytes = head_bytes
    WHERE h.user_id = head_user;
    RETURN result;
END
$$;

-- Writes several items of the user's, whose ids differ, by the same rules and in one transaction: an array has one element
-- an operation, and the results come in their order. Verdicts come from one query and rows are stored by one statement a
-- table, so that an operation costs a fraction of a write of its own. Of an atomic batch nothing is written when one is
-- refused; then the verdicts are what each operation alone would have got. The current documents of conflicts are left out
-- from current_max_bytes on.
CREATE OR REPLACE FUNCTION write_configurations(
    kinds text[], ids uuid[], spellings text[], prefixes text[], suffixes text[], digests bytea[], edited_us bigint[],
    if_match text[], if_none_match text[], is_atomic boolean,
    items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint,
    current_max_bytes bigint
) RETURNS SETOF neuroviews.write_result
LANGUAGE plpgsql AS $$
DECLARE
    head record;
    item record;
    received timestamptz;
    current_bytes bigint := 0;
    is_refused boolean := false;
    new_document text;
    bytes integer;
    result neuroviews.write_result;
    count integer := 0;
    new_ids uuid[]; new_spellings text[]; new_documents text[]; new_digests bytea[]; new_versions integer[];
    new_seqs bigint[]; new_changed timestamptz[]; new_edited timestamptz[]; new_deleted boolean[];
    losers integer := 0;
    lost_ids uuid[]; lost_digests bytea[]; lost_documents text[]; lost_versions integer[]; lost_edited timestamptz[];
BEGIN
    SELECT h.user_id, h.seq, h.changed_at, h.state_hash, h.items, h.tombstones, h.history_bytes INTO head
    FROM neuroviews.sync_heads h FOR UPDATE;
    received := clock_timestamp();
    FOR item IN
        SELECT o.number, o.kind, o.id, o.digest, o.edited_at, coalesce(c.spelled_id, o.spelling) AS spelling, c.version,
            c.digest AS stored_digest, c.deleted, coalesce(s.version, c.version) AS seen_version,
            to_char(coalesce(s.changed_at, c.changed_at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS seen_at,
            neuroviews.write_verdict(o.kind, o.if_match IS NOT NULL, coalesce(o.if_match = '*', false), n.named,
                n.excluded, o.edited_at, c.version, c.deleted, c.edited_at, s.version) AS verdict
        FROM (
            SELECT u.*, CASE u.kind WHEN 'delete' THEN received
                ELSE least('epoch'::timestamptz + u.us * interval '1 microsecond', received) END AS edited_at
            FROM unnest(kinds, ids, spellings, digests, edited_us, if_match, if_none_match)
                WITH ORDINALITY AS u(kind, id, spelling, digest, us, if_match, if_none_match, number)
        ) o
        LEFT JOIN neuroviews.configurations c ON c.user_id = head.user_id AND c.id = o.id
        LEFT JOIN LATERAL (
            (SELECT same.version, same.changed_at FROM (
                SELECT v.version, v.changed_at FROM neuroviews.configuration_versions v
                WHERE v.user_id = head.user_id AND v.id = o.id AND v.digest = o.digest OFFSET 0
            ) same ORDER BY same.version DESC LIMIT 1)
            UNION ALL SELECT d.version, d.changed_at
            FROM neuroviews.deletion_made(o.kind, head.user_id, o.id, o.if_match) d
        ) s ON true
        CROSS JOIN LATERAL (
            SELECT neuroviews.names_version(o.if_match, c.version, c.deleted) AS named,
                neuroviews.names_version(o.if_none_match, c.version, c.deleted) AS excluded OFFSET 0
        ) n
        WHERE head.user_id IS NOT NULL
        ORDER BY o.number
    LOOP
        result := (item.verdict, item.spelling, item.version, NULL, NULL, item.deleted, NULL, NULL);
        new_document := prefixes[item.number] || item.spelling || suffixes[item.number];
        bytes := coalesce(octet_length(new_document), 0);
        IF item.verdict = 'accepted' THEN
            result.quota := neuroviews.write_quota(
                item.kind, NOT item.deleted, bytes, head.items, head.tombstones, head.history_bytes,
                items_max, tombstones_max, document_max_bytes, history_max_bytes);
        ELSIF item.verdict IN ('exists', 'outdated', 'deleted') AND item.digest IS NOT NULL AND NOT EXISTS (
            SELECT FROM neuroviews.configuration_conflicts l
            WHERE l.user_id = head.user_id AND l.id = item.id AND l.digest = item.digest
        ) THEN
            IF history_max_bytes > 0 AND head.history_bytes + bytes > history_max_bytes THEN
                result.quota := 'history_bytes';
            ELSE
                head.history_bytes := head.history_bytes + bytes;
                losers := losers + 1;
                lost_ids[losers] := item.id;
                lost_digests[losers] := item.digest;
                lost_documents[losers] := new_document;
                lost_versions[losers] := item.version;
                lost_edited[losers] := item.edited_at;
            END IF;
        END IF;

        IF result.quota IS NOT NULL THEN
            result.verdict := 'quota';
            result.used := CASE result.quota WHEN 'document_bytes' THEN bytes WHEN 'items' THEN head.items
                WHEN 'tombstones' THEN head.tombstones ELSE head.history_bytes END;
        ELSIF item.verdict = 'repeated' THEN
            result.version := item.seen_version;
            result.changed_at := item.seen_at;
        ELSIF item.verdict = 'accepted' THEN
            head.seq := head.seq + 1;
            head.changed_at := greatest(date_trunc('milliseconds', received), head.changed_at + interval '1 ms');
            head.history_bytes := head.history_bytes + bytes;
            IF item.deleted THEN
                head.tombstones := head.tombstones - 1;
            ELSIF NOT item.deleted THEN
                head.items := head.items - 1;
                head.state_hash := head.state_hash # neuroviews.item_hash(item.id, item.stored_digest);
            END IF;
            IF item.kind = 'delete' THEN
                head.tombstones := head.tombstones + 1;
            ELSE
                head.items := head.items + 1;
                head.state_hash := head.state_hash # neuroviews.item_hash(item.id, item.digest);
            END IF;
            result.version := coalesce(item.version, 0) + 1;
            result.changed_at := to_char(head.changed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
            count := count + 1;
            new_ids[count] := item.id;
            new_spellings[count] := item.spelling;
            new_documents[count] := new_document;
            new_digests[count] := item.digest;
            new_versions[count] := result.version;
            new_seqs[count] := head.seq;
            new_changed[count] := head.changed_at;
            new_edited[count] := item.edited_at;
            new_deleted[count] := item.kind = 'delete';
        ELSIF item.verdict <> 'unknown' AND current_bytes < current_max_bytes THEN
            result.document := (
                SELECT c.document FROM neuroviews.configurations c WHERE c.user_id = head.user_id AND c.id = item.id);
            current_bytes := current_bytes + coalesce(octet_length(result.document), 0);
        END IF;
        is_refused := is_refused OR result.verdict NOT IN ('accepted', 'repeated');
        RETURN NEXT result;
    END LOOP;
    IF is_atomic AND is_refused OR count + losers = 0 THEN
        RETURN;
    END IF;

    INSERT INTO neuroviews.configurations AS c
        (user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at, deleted)
    SELECT head.user_id, w.* FROM unnest(
        new_ids, new_spellings, new_documents, new_digests, new_versions, new_seqs, new_changed, new_edited, new_deleted) w
    ON CONFLICT (user_id, id) DO UPDATE SET document = excluded.document, digest = excluded.digest,
        version = excluded.version, seq = excluded.seq, changed_at = excluded.changed_at, edited_at = excluded.edited_at,
        deleted = excluded.deleted;
    INSERT INTO neuroviews.configuration_versions
        (user_id, id, document, digest, version, changed_at, edited_at, deleted, device_id)
    SELECT head.user_id, w.*, nullif(current_setting('app.device_id', true), '')
    FROM unnest(new_ids, new_documents, new_digests, new_versions, new_changed, new_edited, new_deleted) w;
    IF losers > 0 THEN
        INSERT INTO neuroviews.configuration_conflicts
            (user_id, id, digest, document, base_version, edited_at, device_id)
        SELECT head.user_id, w.*, nullif(current_setting('app.device_id', true), '')
        FROM unnest(lost_ids, lost_digests, lost_documents, lost_versions, lost_edited) w;
    END IF;
    UPDATE neuroviews.sync_heads h SET seq = head.seq, changed_at = head.changed_at, state_hash = head.state_hash,
        items = head.items, tombstones = head.tombstones, history_bytes = head.history_bytes
    WHERE h.user_id = head.user_id;
END
$$;

REVOKE EXECUTE ON FUNCTION deletion_made FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deletion_made TO neuroviews_app;
