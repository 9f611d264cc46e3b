-- The one write path of configurations: a batch, and a single write as a batch of one.

-- What to write, beside what is there. The snapshot must be taken behind the lock of the head. Operations that are `done` are left out.
CREATE OR REPLACE FUNCTION configuration_writes(
    owner uuid, received timestamptz, kinds write_kind[], ids uuid[], spellings text[], digests bytea[],
    sent_digests bytea[], edited_us bigint[], if_match text[], if_none_match text[], done boolean[]
) RETURNS TABLE (
    number bigint, kind write_kind, id uuid, digest bytea, sent_digest bytea, edited_at timestamptz,
    if_match text, is_any boolean, is_named boolean, is_excluded boolean,
    spelling text, version integer, chain bytea, stored_digest bytea, changed_at timestamptz, stored_edited_at timestamptz, deleted boolean
)
LANGUAGE sql STABLE AS $$
    -- Nothing was edited after it was received.
    SELECT u.number, u.kind, u.id, u.digest, u.sent_digest,
        CASE WHEN u.us IS NULL THEN received
            ELSE least('epoch'::timestamptz + u.us * interval '1 microsecond', received) END,
        u.if_match, coalesce(u.if_match = '*', false),
        neuroviews.names_version(u.if_match, c.version, c.chain, c.deleted),
        neuroviews.names_version(u.if_none_match, c.version, c.chain, c.deleted),
        coalesce(c.spelled_id, u.spelling), c.version, c.chain, c.digest, c.changed_at, c.edited_at, c.deleted
    FROM unnest(kinds, ids, spellings, digests, sent_digests, edited_us, if_match, if_none_match)
        WITH ORDINALITY AS u(kind, id, spelling, digest, sent_digest, us, if_match, if_none_match, number)
    LEFT JOIN neuroviews.configurations c ON c.user_id = owner AND c.id = u.id
    WHERE done[u.number] IS NOT TRUE
    ORDER BY u.number
$$;

-- Writes items of the user's, whose ids differ, in one transaction. Arrays have one element an operation, results have its number. The
-- document comes as the text before and after its id; edited_us is in microseconds, NULL for an edit of now; conditions are as in
-- names_version. A merge brings the document that it was made from (`lost_`), which is kept among the conflicts. Of an atomic batch nothing
-- is written when one operation is refused; then each has the verdict that it alone would have got. Current documents of conflicts are left
-- out from current_max_bytes on.
--
-- The user's head is locked first and to the commit, by a statement of its own: what a verdict needs is read by a later one, whose
-- snapshot is taken after the wait. Of two writes that wait, the second one was received later.
--
-- With a key, what the same request has written before is returned again, and the rest is judged anew.
--
-- Names are qualified: SET search_path would cost a sixth of the function. Row-level security holds (SECURITY INVOKER).
CREATE OR REPLACE FUNCTION write_configurations(
    session uuid, idempotency_key text, request_digest bytea, key_lifetime_s integer,
    kinds write_kind[], ids uuid[], spellings text[], prefixes text[], suffixes text[], digests bytea[],
    sent_digests bytea[], edited_us bigint[], if_match text[], if_none_match text[],
    lost_digests bytea[], lost_prefixes text[], lost_suffixes text[], is_atomic boolean,
    items_max integer, tombstones_max integer, document_max_bytes integer, history_max_bytes bigint,
    current_max_bytes bigint
) RETURNS SETOF write_result
LANGUAGE plpgsql AS $$
DECLARE
    head neuroviews.sync_heads;
    device text := nullif(current_setting('app.device_id', true), '');
    author text := coalesce(device, session::text);
    kept jsonb;
    done boolean[];
    written neuroviews.write_result[];
    received timestamptz;
    -- The time of the newest change, and of each one that follows.
    moment timestamptz;
    item record;
    made_version integer;
    made_chain bytea;
    made_at timestamptz;
    verdict neuroviews.write_verdict;
    result neuroviews.write_result;
    current_bytes bigint := 0;
    is_refused boolean := false;
    document text;
    bytes integer;
    loser_digest bytea;
    loser text;
    loser_bytes integer;
    changes neuroviews.configurations[];
    sent bytea[];
    losers neuroviews.configuration_conflicts[];
    count integer := 0;
    loser_count integer := 0;
BEGIN
    SELECT h.* INTO head FROM neuroviews.sync_heads h WHERE h.collection = 'configurations' FOR UPDATE;
    IF head.user_id IS NULL THEN
        -- The account has gone.
        RETURN;
    END IF;
    received := clock_timestamp();
    moment := greatest(
        head.changed_at, (SELECT l.began_at FROM neuroviews.lineage l), date_trunc('milliseconds', received) - interval '1 ms');
    IF idempotency_key IS NOT NULL THEN
        kept := neuroviews.kept_answer(head.user_id, idempotency_key, request_digest, key_lifetime_s);
        RETURN QUERY SELECT k.* FROM jsonb_array_elements(kept) a, jsonb_populate_record(NULL::neuroviews.write_result, a.value) k
            WHERE a.value <> 'null';
        done := ARRAY(SELECT a.value <> 'null' FROM jsonb_array_elements(kept) a);
    END IF;
    -- Its arguments are plain variables: a subquery among them would keep PostgreSQL from inlining it, an expression from using an index.
    FOR item IN
        SELECT * FROM neuroviews.configuration_writes(
            head.user_id, received, kinds, ids, spellings, digests, sent_digests, edited_us,
            if_match, if_none_match, done)
    LOOP
        -- A version that is named as the current one has not been replaced, neither by this request nor by another.
        IF item.version IS NULL OR item.is_named AND NOT item.is_any THEN
            made_version := NULL;
        ELSIF item.if_match IS NULL OR item.is_any THEN
            SELECT m.version, m.chain, m.changed_at INTO made_version, made_chain, made_at
            FROM neuroviews.version_made_last(head.user_id, item.id, author, item.sent_digest) m;
        ELSE
            SELECT m.version, m.chain, m.changed_at INTO made_version, made_chain, made_at
            FROM neuroviews.version_made(head.user_id, item.id, author, item.sent_digest, item.if_match) m;
        END IF;
        verdict := neuroviews.judge_write(
            item.kind, item.if_match IS NOT NULL, item.is_any, item.is_named, item.is_excluded, item.edited_at,
            item.version, item.deleted, item.stored_edited_at, made_version IS NOT NULL,
            coalesce(item.stored_digest = item.digest, false));
        result := (item.number, verdict, item.spelling, item.version, item.chain, NULL, NULL, NULL, NULL);
        document := prefixes[item.number] || item.spelling || suffixes[item.number];
        bytes := coalesce(octet_length(document), 0);
        -- A document that loses: the one of a write that is refused, or the one that a merge was made from.
        loser_digest := NULL;
        IF verdict IN ('exists', 'outdated', 'deleted') THEN
            loser_digest := item.digest;
            loser := document;
        ELSIF verdict = 'accepted' AND lost_digests[item.number] IS NOT NULL THEN
            loser_digest := lost_digests[item.number];
            loser := lost_prefixes[item.number] || item.spelling || lost_suffixes[item.number];
        END IF;
        loser_bytes := 0;
        IF loser_digest IS NOT NULL THEN
            IF EXISTS (
                SELECT FROM neuroviews.configuration_conflicts l
                WHERE l.user_id = head.user_id AND l.id = item.id AND l.digest = loser_digest
            ) THEN
                loser_digest := NULL;
            ELSE
                loser_bytes := octet_length(loser);
            END IF;
        END IF;
        IF verdict = 'accepted' THEN
            result.quota := neuroviews.exceeded_quota(
                item.kind, NOT item.deleted, bytes, bytes + loser_bytes, head.items, head.tombstones, head.history_bytes,
                items_max, tombstones_max, document_max_bytes, history_max_bytes);
        ELSIF loser_bytes > 0 AND history_max_bytes > 0 AND head.history_bytes + loser_bytes > history_max_bytes THEN
            -- A conflict promises that the loser was kept.
            result.quota := 'history_bytes';
        END IF;

        IF result.quota IS NOT NULL THEN
            result.verdict := 'quota';
            result.used := CASE result.quota WHEN 'document_bytes' THEN bytes WHEN 'items' THEN head.items
                WHEN 'tombstones' THEN head.tombstones ELSE head.history_bytes END;
            loser_digest := NULL;
        ELSIF verdict = 'repeated' THEN
            result.version := coalesce(made_version, item.version);
            result.chain := CASE WHEN made_version IS NULL THEN item.chain ELSE made_chain END;
            result.changed_at := neuroviews.rfc3339(CASE WHEN made_version IS NULL THEN item.changed_at ELSE made_at END);
        ELSIF verdict = 'accepted' THEN
            head.seq := head.seq + 1;
            moment := moment + interval '1 ms';
            head.changed_at := moment;
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
            head.item_id := item.id;
            head.item_version := coalesce(item.version, 0) + 1;
            head.chain := neuroviews.next_chain(
                head.chain, head.seq, item.id, head.item_version, item.kind, item.digest, head.changed_at);
            result.version := head.item_version;
            result.chain := head.chain;
            result.changed_at := neuroviews.rfc3339(head.changed_at);
            count := count + 1;
            changes[count] := (head.user_id, item.id, item.spelling, document, item.digest, head.item_version, head.seq,
                head.chain, moment, item.edited_at, item.digest IS NULL);
            sent[count] := item.sent_digest;
        ELSIF verdict <> 'unknown' AND current_bytes < current_max_bytes THEN
            result.document := (
                SELECT c.document FROM neuroviews.configurations c WHERE c.user_id = head.user_id AND c.id = item.id);
            current_bytes := current_bytes + coalesce(octet_length(result.document), 0);
        END IF;
        IF loser_digest IS NOT NULL THEN
            head.history_bytes := head.history_bytes + loser_bytes;
            loser_count := loser_count + 1;
            losers[loser_count] := (head.user_id, item.id, loser_digest, loser, item.version, item.edited_at, received, device);
        END IF;
        is_refused := is_refused OR result.verdict NOT IN ('accepted', 'repeated');
        IF idempotency_key IS NOT NULL AND result.verdict = 'accepted' THEN
            written[count] := result;
        END IF;
        RETURN NEXT result;
    END LOOP;
    IF is_atomic AND is_refused OR count + loser_count = 0 THEN
        RETURN;
    END IF;

    INSERT INTO neuroviews.configurations AS c SELECT w.* FROM unnest(changes) w
    ON CONFLICT (user_id, id) DO UPDATE SET document = excluded.document, digest = excluded.digest,
        version = excluded.version, seq = excluded.seq, chain = excluded.chain, changed_at = excluded.changed_at,
        edited_at = excluded.edited_at, deleted = excluded.deleted;
    INSERT INTO neuroviews.configuration_versions
    SELECT w.user_id, w.id, w.version, w.seq, w.chain, w.document, w.digest, w.sent_digest, w.changed_at, w.edited_at,
        author, device IS NOT NULL, w.deleted
    FROM unnest(changes, sent) w(
        user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, deleted, sent_digest);
    IF loser_count > 0 THEN
        INSERT INTO neuroviews.configuration_conflicts SELECT l.* FROM unnest(losers) l;
    END IF;
    IF idempotency_key IS NOT NULL AND count > 0 THEN
        head.history_bytes := head.history_bytes + neuroviews.keep_answer(
            head.user_id, 'configurations', idempotency_key, request_digest, key_lifetime_s,
            neuroviews.answer_with(kept, written, cardinality(ids)));
    END IF;
    UPDATE neuroviews.sync_heads h SET seq = head.seq, chain = head.chain, item_id = head.item_id,
        item_version = head.item_version, changed_at = head.changed_at, state_hash = head.state_hash,
        items = head.items, tombstones = head.tombstones, history_bytes = head.history_bytes
    WHERE h.user_id = head.user_id AND h.collection = 'configurations';
END
$$;

GRANT EXECUTE ON FUNCTION configuration_writes, write_configurations TO neuroviews_app;
