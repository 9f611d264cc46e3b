-- Responses stored for an Idempotency-Key, of any POST that writes to a collection.

-- Returns the earlier writes of the request with that key, or NULL. NV011: the key was used for another request.
CREATE OR REPLACE FUNCTION kept_answer(owner uuid, idempotency_key text, request bytea) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    kept record;
BEGIN
    SELECT k.request_digest, k.answer INTO kept FROM neuroviews.idempotency_keys k
    WHERE k.user_id = owner AND k.key = idempotency_key AND k.expires_at > now();
    IF kept.request_digest <> request THEN
        RAISE EXCEPTION 'the key came with another request' USING ERRCODE = 'NV011';
    END IF;
    RETURN kept.answer;
END
$$;

-- Stores the writes of a request, and replaces them when more of the request is written later: the key then keeps its
-- expiry. Runs with the head locked. An expired key that no sweep has deleted yet starts a new lifetime. The head counts
-- the bytes.
CREATE OR REPLACE FUNCTION keep_answer(
    owner uuid, kept_in collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    size integer := pg_column_size(new_answer) + 200;
    former integer := coalesce((
        SELECT k.bytes FROM neuroviews.idempotency_keys k WHERE k.user_id = owner AND k.key = idempotency_key), 0);
BEGIN
    INSERT INTO neuroviews.idempotency_keys AS k (user_id, key, collection, request_digest, answer, bytes, expires_at)
    VALUES (owner, idempotency_key, kept_in, request, new_answer, size, now() + lifetime_s * interval '1 second')
    ON CONFLICT (user_id, key) DO UPDATE SET request_digest = excluded.request_digest, answer = excluded.answer,
        bytes = excluded.bytes, expires_at = CASE WHEN k.expires_at > now() THEN k.expires_at ELSE excluded.expires_at END;
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + size - former
    WHERE h.user_id = owner AND h.collection = kept_in;
END
$$;

CREATE OR REPLACE FUNCTION release_answers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes - r.bytes
    FROM (SELECT user_id, collection, sum(bytes) AS bytes FROM released GROUP BY user_id, collection) r
    WHERE h.user_id = r.user_id AND h.collection = r.collection;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER release_deleted AFTER DELETE ON idempotency_keys
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_answers();

-- Deletes at most `keys_max` expired keys, of accounts without a write in progress: heads are locked first, without
-- waiting. Returns the number.
CREATE OR REPLACE FUNCTION sweep_idempotency_keys(keys_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, collection, key FROM neuroviews.idempotency_keys
        WHERE expires_at < now() ORDER BY expires_at LIMIT keys_max
    ), free AS MATERIALIZED (
        SELECT h.user_id, h.collection FROM neuroviews.sync_heads h
        WHERE (h.user_id, h.collection) IN (SELECT user_id, collection FROM old)
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM neuroviews.idempotency_keys k USING old o
        WHERE k.user_id = o.user_id AND k.key = o.key AND k.expires_at < now()
            AND (o.user_id, o.collection) IN (SELECT user_id, collection FROM free)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;

GRANT EXECUTE ON FUNCTION kept_answer, keep_answer TO neuroviews_app;
GRANT EXECUTE ON FUNCTION sweep_idempotency_keys TO neuroviews_background;
