-- Sweeps: merges are forgotten, and nobody who writes all the time holds the others up. One order of locks for sessions and
-- devices. Idempotency-Keys of restores. The search_path of the older functions.

-- What was put together when, so that it can be forgotten. Of those that are there already nobody knows: they count from now.
ALTER TABLE configuration_merges ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX configuration_merges_created_key ON configuration_merges (created_at);

-- Forgets what was put together longer ago, `merges_max` at most, and waits for nobody. It counts for no quota, so no head is
-- locked. Gives how many went.
CREATE FUNCTION sweep_merges(age_seconds bigint, merges_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH due AS MATERIALIZED (
        SELECT user_id, id, digest, base_version, stored_version FROM neuroviews.configuration_merges
        WHERE created_at < now() - age_seconds * interval '1 second' ORDER BY created_at LIMIT merges_max
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM neuroviews.configuration_merges m USING due d
        WHERE m.user_id = d.user_id AND m.id = d.id AND m.digest = d.digest AND m.base_version = d.base_version
            AND m.stored_version = d.stored_version
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;
REVOKE EXECUTE ON FUNCTION sweep_merges FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_merges TO neuroviews_background;

-- The steps of retention as in 0004, and whether one was cut short: `busy` tells that a user who is writing stood in the way,
-- so that trying again in a moment goes on, where 'nothing seen' alone would look like the end. A column more is another
-- function for PostgreSQL.
DROP FUNCTION sweep_versions(text, integer, bigint, integer);
CREATE FUNCTION sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer)
RETURNS TABLE (emptied bigint, seen bigint, busy boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    start timestamptz := neuroviews.sweep_begin(walk, keep);
BEGIN
    RETURN QUERY WITH change AS (
        SELECT c.user_id, c.id, c.version - keep AS version, c.changed_at FROM neuroviews.configuration_versions c
        WHERE c.version > 1 AND c.changed_at > start AND c.changed_at < now() - age_seconds * interval '1 second'
        ORDER BY c.changed_at FETCH FIRST (changes_max) ROWS WITH TIES
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h WHERE h.user_id IN (SELECT c.user_id FROM change c)
        FOR UPDATE SKIP LOCKED
    ), ready AS (
        SELECT c.* FROM change c, (
            SELECT min(b.changed_at) AS changed_at FROM change b WHERE b.user_id NOT IN (SELECT f.user_id FROM free f)
        ) busy
        WHERE busy.changed_at IS NULL OR c.changed_at < busy.changed_at
    ), due AS (
        SELECT v.user_id, v.id, v.version FROM ready c JOIN neuroviews.configuration_versions v
            ON v.user_id = c.user_id AND v.id = c.id AND v.version = c.version
        WHERE v.document IS NOT NULL FOR UPDATE OF v SKIP LOCKED
    ), emptied AS (
        UPDATE neuroviews.configuration_versions v SET document = NULL FROM due d
        WHERE v.user_id = d.user_id AND v.id = d.id AND v.version = d.version RETURNING true
    ), advance AS (
        UPDATE neuroviews.sweeps s SET reached = l.reached FROM (SELECT max(changed_at) AS reached FROM ready) l
        WHERE s.name = walk AND l.reached IS NOT NULL
    )
    SELECT (SELECT count(*) FROM emptied), (SELECT count(*) FROM ready),
        (SELECT count(*) FROM ready) < (SELECT count(*) FROM change);
END
$$;

DROP FUNCTION sweep_conflicts(text, integer, bigint, integer);
CREATE FUNCTION sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer)
RETURNS TABLE (deleted bigint, seen bigint, busy boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    start timestamptz := neuroviews.sweep_begin(walk, keep);
BEGIN
    RETURN QUERY WITH arrival AS (
        SELECT user_id, id, received_at FROM neuroviews.configuration_conflicts
        WHERE received_at > start AND received_at < now() - age_seconds * interval '1 second'
        ORDER BY received_at FETCH FIRST (arrivals_max) ROWS WITH TIES
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h WHERE h.user_id IN (SELECT a.user_id FROM arrival a)
        FOR UPDATE SKIP LOCKED
    ), ready AS (
        SELECT a.* FROM arrival a, (
            SELECT min(b.received_at) AS received_at FROM arrival b WHERE b.user_id NOT IN (SELECT f.user_id FROM free f)
        ) busy
        WHERE busy.received_at IS NULL OR a.received_at < busy.received_at
    ), surplus AS (
        SELECT s.user_id, s.id, s.digest FROM (SELECT DISTINCT user_id, id FROM ready) i CROSS JOIN LATERAL (
            SELECT user_id, id, digest FROM neuroviews.configuration_conflicts
            WHERE user_id = i.user_id AND id = i.id
            ORDER BY received_at DESC, digest DESC OFFSET keep LIMIT 1000
        ) s
    ), due AS (
        SELECT c.user_id, c.id, c.digest FROM surplus s JOIN neuroviews.configuration_conflicts c
            ON c.user_id = s.user_id AND c.id = s.id AND c.digest = s.digest
        FOR UPDATE OF c SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.configuration_conflicts c USING due d
        WHERE c.user_id = d.user_id AND c.id = d.id AND c.digest = d.digest RETURNING true
    ), advance AS (
        UPDATE neuroviews.sweeps s SET reached = l.reached FROM (SELECT max(received_at) AS reached FROM ready) l
        WHERE s.name = walk AND l.reached IS NOT NULL
    )
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM ready),
        (SELECT count(*) FROM ready) < (SELECT count(*) FROM arrival);
END
$$;

DROP FUNCTION sweep_old_conflicts(bigint, integer);
CREATE FUNCTION sweep_old_conflicts(age_seconds bigint, deletions_max integer)
RETURNS TABLE (deleted bigint, seen bigint, busy boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, id, digest FROM neuroviews.configuration_conflicts
        WHERE received_at < now() - age_seconds * interval '1 second' ORDER BY received_at LIMIT deletions_max
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h WHERE h.user_id IN (SELECT user_id FROM old)
        FOR UPDATE SKIP LOCKED
    ), due AS (
        SELECT c.user_id, c.id, c.digest FROM old o JOIN neuroviews.configuration_conflicts c
            ON c.user_id = o.user_id AND c.id = o.id AND c.digest = o.digest
        WHERE o.user_id IN (SELECT user_id FROM free) FOR UPDATE OF c SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.configuration_conflicts c USING due d
        WHERE c.user_id = d.user_id AND c.id = d.id AND c.digest = d.digest RETURNING true
    )
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM deleted),
        (SELECT count(*) FROM deleted) < (SELECT count(*) FROM old)
$$;
REVOKE EXECUTE ON FUNCTION sweep_versions, sweep_conflicts, sweep_old_conflicts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_versions, sweep_conflicts, sweep_old_conflicts TO neuroviews_background;

-- Said before `enter` by what ends the sessions of a device: locks the asking session and those of the device, in the order of
-- their ids. `enter` may lock the asking one, and two that remove each other's devices would wait for each other. Everybody
-- else locks one session, its own, before all else.
CREATE FUNCTION lock_device_sessions(session uuid, device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.sessions s
    WHERE s.user_id = (SELECT a.user_id FROM neuroviews.sessions a WHERE a.id = session)
        AND (s.id = session OR s.device_id = device AND s.ended_at IS NULL)
    ORDER BY s.id FOR NO KEY UPDATE;
END
$$;

-- Locks the user's head, and ends the transaction (NV010) when another version than that is the current one: what was worked
-- out from a version must not be kept for an Idempotency-Key when it is too late.
CREATE FUNCTION expect_version(item_id uuid, expected integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM neuroviews.sync_heads FOR UPDATE;
    IF NOT EXISTS (SELECT FROM neuroviews.configurations c WHERE c.id = item_id AND c.version = expected) THEN
        RAISE EXCEPTION 'another version is current' USING ERRCODE = 'NV010';
    END IF;
END
$$;

-- Keeps an answer that needed no write for its Idempotency-Key, as write_configurations_once keeps those of writes: not where
-- there is no room. False: the key was taken meanwhile, and has an answer.
CREATE FUNCTION keep_answer(
    idempotency_key text, request bytea, lifetime_s integer, answer neuroviews.write_result, history_max_bytes bigint
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    head_user uuid;
    head_bytes bigint;
    answers neuroviews.write_result[] := ARRAY[answer];
    size integer := pg_column_size(answers) + 200;
BEGIN
    SELECT h.user_id, h.history_bytes INTO head_user, head_bytes FROM neuroviews.sync_heads h FOR UPDATE;
    IF EXISTS (
        SELECT FROM neuroviews.idempotency_keys k WHERE k.user_id = head_user AND k.key = idempotency_key
            AND k.created_at > clock_timestamp() - lifetime_s * interval '1 second'
    ) THEN
        RETURN false;
    END IF;
    IF head_user IS NULL OR history_max_bytes > 0 AND head_bytes + size > history_max_bytes THEN
        RETURN true;
    END IF;
    -- An old one that has not been swept yet.
    DELETE FROM neuroviews.idempotency_keys k WHERE k.user_id = head_user AND k.key = idempotency_key;
    INSERT INTO neuroviews.idempotency_keys (user_id, key, request_digest, results, bytes, created_at)
    VALUES (head_user, idempotency_key, request, answers, size, clock_timestamp());
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + size WHERE h.user_id = head_user;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION lock_device_sessions, expect_version, keep_answer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_device_sessions, expect_version, keep_answer TO neuroviews_app;

-- What these call can't be put in front of PostgreSQL's own either. `enter` and `enter_signed` are left as they are: every
-- request says one of them, and setting and restoring a path is a cost that the writes do without, too. Their names are
-- qualified, or PostgreSQL's own, which the server's search_path looks up first.
ALTER FUNCTION refresh_session(uuid, integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION sweep_nonces() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION verify_lineage() SET search_path = pg_catalog, pg_temp;
