-- The one write path as functions, what is counted of each account, and the answers that an Idempotency-Key asks for again.

-- What an account has, kept by the writes, so that quotas and integrity cost no scan. state_hash is the XOR over the live
-- items of SHA-256(id in lower case || digest): a client that holds the same items comes to the same value, in any order.
-- history_bytes counts the documents of all versions and of the losers, and the answers kept for an Idempotency-Key.
ALTER TABLE sync_heads
    ADD COLUMN state_hash bit(256) NOT NULL DEFAULT repeat('0', 256)::bit(256),
    ADD COLUMN items integer NOT NULL DEFAULT 0,
    ADD COLUMN tombstones integer NOT NULL DEFAULT 0,
    ADD COLUMN history_bytes bigint NOT NULL DEFAULT 0;

-- An item's part of state_hash.
CREATE FUNCTION item_hash(id uuid, digest bytea) RETURNS bit(256)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(sha256(id::text::bytea || digest), 'hex'))::bit(256);

-- Accounts that are older than the heads have none yet.
INSERT INTO sync_heads (user_id) SELECT id FROM users ON CONFLICT DO NOTHING;
UPDATE sync_heads h SET state_hash = coalesce(c.state_hash, h.state_hash), items = c.items, tombstones = c.tombstones
FROM (
    SELECT user_id, bit_xor(item_hash(id, digest)) FILTER (WHERE NOT deleted) AS state_hash,
        count(*) FILTER (WHERE NOT deleted) AS items, count(*) FILTER (WHERE deleted) AS tombstones
    FROM configurations GROUP BY user_id
) c
WHERE c.user_id = h.user_id;
UPDATE sync_heads h SET history_bytes = k.bytes
FROM (
    SELECT user_id, sum(octet_length(document)) AS bytes FROM (
        SELECT user_id, document FROM configuration_versions WHERE document IS NOT NULL
        UNION ALL SELECT user_id, document FROM configuration_conflicts
    ) kept GROUP BY user_id
) k
WHERE k.user_id = h.user_id;

-- The writes add what they store; whoever empties or deletes it afterwards, with the user's head locked first, need not
-- know of the counter. The writes only insert here, so these triggers cost them nothing.
CREATE FUNCTION release_history() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes - r.bytes
    FROM (SELECT user_id, sum(octet_length(document)) AS bytes FROM released GROUP BY user_id) r
    WHERE h.user_id = r.user_id AND r.bytes <> 0;
    IF TG_OP = 'UPDATE' THEN
        UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + k.bytes
        FROM (SELECT user_id, sum(octet_length(document)) AS bytes FROM kept GROUP BY user_id) k
        WHERE h.user_id = k.user_id AND k.bytes <> 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER release_changed AFTER UPDATE ON configuration_versions
    REFERENCING OLD TABLE AS released NEW TABLE AS kept FOR EACH STATEMENT EXECUTE FUNCTION release_history();
CREATE TRIGGER release_deleted AFTER DELETE ON configuration_versions
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_history();
CREATE TRIGGER release_deleted AFTER DELETE ON configuration_conflicts
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_history();

-- What became of one write. verdict: accepted; repeated (the item has had this document: version and changed_at are those
-- of then); unknown (no such item); deleted, mismatch, exists, outdated (a conflict with the current document); quota (of
-- that name, of which so much is used).
CREATE TYPE write_result AS (
    verdict text, spelled_id text, version integer, changed_at text, document text, deleted boolean, quota text, used bigint
);

-- The rules of conflicts and retries, in their order. Inlined where it is used.
CREATE FUNCTION write_verdict(
    kind text, has_if_match boolean, is_any boolean, is_named boolean, is_excluded boolean, edited_at timestamptz,
    stored_version integer, is_deleted boolean, stored_edited_at timestamptz, seen_version integer
) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN stored_version IS NULL AND kind = 'create' THEN CASE WHEN has_if_match THEN 'mismatch' ELSE 'accepted' END
    WHEN stored_version IS NULL THEN 'unknown'
    WHEN is_deleted AND kind = 'delete' THEN 'repeated'
    -- A retry, unless If-Match says which version is the current one; '*' does not.
    WHEN seen_version IS NOT NULL AND (seen_version = stored_version OR NOT is_named OR is_any) THEN 'repeated'
    WHEN is_deleted AND NOT is_named THEN 'deleted'
    WHEN has_if_match AND NOT is_named OR is_excluded THEN 'mismatch'
    WHEN kind = 'create' AND NOT is_deleted THEN 'exists'
    WHEN kind = 'replace' AND NOT has_if_match AND edited_at < stored_edited_at THEN 'outdated'
    ELSE 'accepted' END;

-- Whether a condition (NULL for none, '*', or versions as '{1,2}') names a stored version; '*' names what is not deleted.
CREATE FUNCTION names_version(condition text, stored_version integer, is_deleted boolean) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN condition IS NULL OR stored_version IS NULL THEN false
    WHEN condition = '*' THEN NOT is_deleted
    ELSE stored_version = ANY (condition::integer[]) END;

-- The quota that a write which the rules accept would exceed; NULL when there is room. A limit of 0 is none. is_live says
-- whether the item is there and not deleted, NULL that it never was. Deleting is never refused: what grows by it is
-- bounded by refusing ids that never were.
CREATE FUNCTION write_quota(
    kind text, is_live boolean, bytes integer, items integer, tombstones integer, history_bytes bigint,
    items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint
) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN kind = 'delete' THEN NULL
    WHEN document_max_bytes > 0 AND bytes > document_max_bytes THEN 'document_bytes'
    WHEN items_max > 0 AND items >= items_max AND is_live IS NOT TRUE THEN 'items'
    WHEN tombstones_max > 0 AND tombstones >= tombstones_max AND is_live IS NULL THEN 'tombstones'
    WHEN history_max_bytes > 0 AND history_bytes + bytes > history_max_bytes THEN 'history_bytes' END;

-- Writes one item of the user's: kind is 'create', 'replace' or 'delete'; the document comes as the text before and after
-- its id; edited_us is the time of the edit in microseconds; the conditions are as in names_version.
--
-- The user's head is locked first and to the commit, so that seq, changed_at and commits of one user have one order. Each
-- statement behind it has a snapshot of its own (VOLATILE at READ COMMITTED), taken after the wait. An edit counts as
-- received when it has the lock: of two that wait, the one that comes second is the later one.
--
-- Names are qualified instead of SET search_path, which costs a sixth of the function. Row-level security holds: SECURITY
-- INVOKER. That the user is compared all the same lets each statement use its index.
CREATE FUNCTION write_configuration(
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

-- Keeps the document of a write that lost a conflict, once, and gives its result back: with the quota when there is no
-- room for it. A deletion that lost has no document.
CREATE FUNCTION keep_loser(
    result neuroviews.write_result, head_user uuid, item_id uuid, new_digest bytea, new_document text, edited timestamptz,
    history_max_bytes bigint
) RETURNS neuroviews.write_result
LANGUAGE plpgsql AS $$
DECLARE
    head_bytes bigint;
BEGIN
    IF new_digest IS NULL OR EXISTS (
        SELECT FROM neuroviews.configuration_conflicts l
        WHERE l.user_id = head_user AND l.id = item_id AND l.digest = new_digest
    ) THEN
        RETURN result;
    END IF;
    head_bytes := (SELECT h.history_bytes FROM neuroviews.sync_heads h WHERE h.user_id = head_user);
    IF history_max_bytes > 0 AND head_bytes + octet_length(new_document) > history_max_bytes THEN
        result.verdict := 'quota';
        result.document := NULL;
        result.quota := 'history_bytes';
        result.used := head_bytes;
        RETURN result;
    END IF;
    INSERT INTO neuroviews.configuration_conflicts (user_id, id, digest, document, base_version, edited_at, device_id)
    VALUES (head_user, item_id, new_digest, new_document, result.version, edited,
        nullif(current_setting('app.device_id', true), ''));
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + octet_length(new_document)
    WHERE h.user_id = head_user;
    RETURN result;
END
$$;

-- Writes several items of the user's, whose ids differ, by the same rules and in one transaction: an array has one element
-- an operation, and the results come in their order. Verdicts come from one query and rows are stored by one statement a
-- table, so that an operation costs a fraction of a write of its own. Of an atomic batch nothing is written when one is
-- refused; then the verdicts are what each operation alone would have got. The current documents of conflicts are left out
-- from current_max_bytes on.
CREATE FUNCTION write_configurations(
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
            SELECT same.version, same.changed_at FROM (
                SELECT v.version, v.changed_at FROM neuroviews.configuration_versions v
                WHERE v.user_id = head.user_id AND v.id = o.id AND v.digest = o.digest OFFSET 0
            ) same ORDER BY same.version DESC LIMIT 1
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

-- What became of the writes that an Idempotency-Key came with: answers are made of it anew, on every server, for as long as
-- the key is kept. request_digest tells whether the key comes with the same request.
CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL REFERENCES sync_heads ON DELETE CASCADE,
    key text NOT NULL,
    request_digest bytea NOT NULL,
    results write_result[] NOT NULL,
    bytes integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_created_key ON idempotency_keys (created_at);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON idempotency_keys TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON idempotency_keys TO neuroviews_app;

CREATE FUNCTION release_answers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes - r.bytes
    FROM (SELECT user_id, sum(bytes) AS bytes FROM released GROUP BY user_id) r WHERE h.user_id = r.user_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER release_deleted AFTER DELETE ON idempotency_keys
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_answers();

-- write_configurations once for each key: again gives the first results again, and waits for them at the head's lock while
-- they are being made. verdict 'reused': the key came with another request. Key and writes are one transaction. What a
-- quota refused is not kept when nothing was written: later there may be room.
CREATE FUNCTION write_configurations_once(
    idempotency_key text, request bytea, lifetime_s integer,
    kinds text[], ids uuid[], spellings text[], prefixes text[], suffixes text[], digests bytea[], edited_us bigint[],
    if_match text[], if_none_match text[], is_atomic boolean,
    items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint,
    current_max_bytes bigint
) RETURNS SETOF neuroviews.write_result
LANGUAGE plpgsql AS $$
DECLARE
    head_user uuid;
    kept_request bytea;
    results neuroviews.write_result[];
    size integer;
    is_written boolean;
    is_full boolean;
    result neuroviews.write_result;
BEGIN
    SELECT h.user_id INTO head_user FROM neuroviews.sync_heads h FOR UPDATE;
    SELECT k.request_digest, k.results INTO kept_request, results FROM neuroviews.idempotency_keys k
    WHERE k.user_id = head_user AND k.key = idempotency_key
        AND k.created_at > clock_timestamp() - lifetime_s * interval '1 second';
    IF FOUND AND kept_request <> request THEN
        result.verdict := 'reused';
        RETURN NEXT result;
        RETURN;
    ELSIF FOUND THEN
        RETURN QUERY SELECT * FROM unnest(results);
        RETURN;
    END IF;

    results := ARRAY(SELECT w FROM neuroviews.write_configurations(
        kinds, ids, spellings, prefixes, suffixes, digests, edited_us, if_match, if_none_match, is_atomic,
        items_max, tombstones_max, document_max_bytes, history_max_bytes, current_max_bytes) w);
    RETURN QUERY SELECT * FROM unnest(results);
    SELECT bool_or(r.verdict = 'accepted') AND NOT (is_atomic AND bool_or(r.verdict NOT IN ('accepted', 'repeated'))),
        bool_or(r.verdict = 'quota')
    INTO is_written, is_full FROM unnest(results) r;
    size := pg_column_size(results) + 200;
    is_full := is_full OR history_max_bytes > 0 AND history_max_bytes < size + (
        SELECT h.history_bytes FROM neuroviews.sync_heads h WHERE h.user_id = head_user);
    IF head_user IS NULL OR is_full AND NOT is_written THEN
        RETURN;
    END IF;
    IF is_full THEN
        -- What was written is known again, without the current documents of conflicts.
        results := ARRAY(
            SELECT ROW(r.verdict, r.spelled_id, r.version, r.changed_at, NULL, r.deleted, r.quota, r.used)::neuroviews.write_result
            FROM unnest(results) WITH ORDINALITY r ORDER BY r.ordinality);
        size := pg_column_size(results) + 200;
    END IF;
    -- An old one that has not been swept yet.
    DELETE FROM neuroviews.idempotency_keys k WHERE k.user_id = head_user AND k.key = idempotency_key;
    INSERT INTO neuroviews.idempotency_keys (user_id, key, request_digest, results, bytes, created_at)
    VALUES (head_user, idempotency_key, request, results, size, clock_timestamp());
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + size WHERE h.user_id = head_user;
END
$$;

-- Forgets keys that are older, `keys_max` at most, of accounts that nobody is writing to at the moment: heads are locked
-- before what hangs on them, and never waited for. Gives how many went.
CREATE FUNCTION sweep_idempotency_keys(lifetime_s integer, keys_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, key FROM neuroviews.idempotency_keys
        WHERE created_at < clock_timestamp() - lifetime_s * interval '1 second' ORDER BY created_at LIMIT keys_max
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h WHERE h.user_id IN (SELECT user_id FROM old)
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM neuroviews.idempotency_keys k USING old o
        WHERE k.user_id = o.user_id AND k.key = o.key AND o.user_id IN (SELECT user_id FROM free) RETURNING true
    )
    SELECT count(*) FROM gone
$$;

-- None of these is on a write's way: what they call can't be put in front of PostgreSQL's own.
ALTER FUNCTION release_history() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION release_answers() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION sweep_idempotency_keys(integer, integer) SET search_path = pg_catalog, pg_temp;

REVOKE EXECUTE ON FUNCTION release_history, item_hash, write_verdict, names_version, write_quota, write_configuration,
    keep_loser, write_configurations, release_answers, write_configurations_once, sweep_idempotency_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION item_hash, write_verdict, names_version, write_quota, write_configuration, keep_loser,
    write_configurations, write_configurations_once TO neuroviews_app;
GRANT EXECUTE ON FUNCTION sweep_idempotency_keys TO neuroviews_background;
