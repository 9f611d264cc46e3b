-- Retention of the history: empties documents of old versions and deletes old conflicts. The functions run with the
-- owner's rights, so that the background role sees no document.
--
-- A walk reads the changes in the order of their times. It reads each change once, when the change is old enough to
-- push a document out. So it searches nothing, and a call without new changes reads one row.
--
-- Each call is one transaction that changes a limited number of rows. It locks its row of `sweeps` first, which no
-- request uses. Then it locks as all writes do: the users' heads before the rows. It waits for none of these locks. A
-- walk stops before the first user who is writing, and continues there at the next call. It skips a locked row. `busy`
-- is true if such a user cut the step short: 0 seen rows alone would look like the end of the walk.

-- Locks a walk and returns its position; NULL if another server holds it. A walk starts again for another `keep`.
CREATE OR REPLACE FUNCTION sweep_begin(walk text, keep integer) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s neuroviews.sweeps%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sweeps WHERE name = walk FOR UPDATE SKIP LOCKED;
    IF s.kept <> keep THEN
        s.reached = '-infinity';
        UPDATE neuroviews.sweeps SET kept = keep, began_at = now(), reached = s.reached WHERE name = walk;
    END IF;
    RETURN s.reached;
END
$$;

-- Moves a walk on to `seen_until`, unless that is NULL. A walk that began 30 days ago and has reached the newest change begins
-- again with the oldest, because a clock that jumped or a locked row leaves rows behind. The caller holds its row.
CREATE OR REPLACE FUNCTION sweep_advance(walk text, seen_until timestamptz, is_end boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE neuroviews.sweeps s SET reached = seen_until WHERE s.name = walk AND seen_until IS NOT NULL;
    UPDATE neuroviews.sweeps s SET reached = '-infinity', began_at = now()
    WHERE s.name = walk AND is_end AND s.began_at < now() - interval '30 days';
END
$$;

-- One step of a walk over the versions of a collection: the change to version n empties the document of version n -
-- keep. An emptied version always has a newer one, so the current document stays with any setting. Returns the numbers
-- of emptied documents and of changes seen.
CREATE OR REPLACE FUNCTION sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer)
RETURNS TABLE (emptied bigint, seen bigint, busy boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    start timestamptz := neuroviews.sweep_begin(walk, keep);
    swept neuroviews.collection := (SELECT s.collection FROM neuroviews.sweeps s WHERE s.name = walk);
    versions regclass := CASE swept WHEN 'recordings' THEN 'neuroviews.recording_versions'::regclass
        ELSE 'neuroviews.configuration_versions'::regclass END;
    reached timestamptz;
BEGIN
    EXECUTE format($query$
        WITH change AS (
            SELECT c.user_id, c.id, c.version - $1 AS version, c.changed_at FROM %1$s c
            WHERE c.version > 1 AND c.changed_at > $2 AND c.changed_at < now() - $3 * interval '1 second'
            ORDER BY c.changed_at FETCH FIRST ($4) ROWS WITH TIES
        ), free AS MATERIALIZED (
            SELECT h.user_id FROM neuroviews.sync_heads h
            WHERE h.collection = $5 AND h.user_id IN (SELECT c.user_id FROM change c)
            FOR UPDATE SKIP LOCKED
        ), ready AS (
            SELECT c.* FROM change c, (
                SELECT min(b.changed_at) AS changed_at FROM change b WHERE b.user_id NOT IN (SELECT f.user_id FROM free f)
            ) busy
            WHERE busy.changed_at IS NULL OR c.changed_at < busy.changed_at
        ), due AS (
            SELECT v.user_id, v.id, v.version FROM ready c JOIN %1$s v
                ON v.user_id = c.user_id AND v.id = c.id AND v.version = c.version
            WHERE v.document IS NOT NULL FOR UPDATE OF v SKIP LOCKED
        ), emptied AS (
            UPDATE %1$s v SET document = NULL FROM due d
            WHERE v.user_id = d.user_id AND v.id = d.id AND v.version = d.version RETURNING true
        )
        SELECT (SELECT count(*) FROM emptied), (SELECT count(*) FROM ready),
            (SELECT count(*) FROM ready) < (SELECT count(*) FROM change), (SELECT max(changed_at) FROM ready)
        $query$, versions) INTO emptied, seen, busy, reached USING keep, start, age_seconds, changes_max, swept;
    PERFORM neuroviews.sweep_advance(walk, reached, start IS NOT NULL AND NOT busy AND seen < changes_max);
    RETURN NEXT;
END
$$;

-- One step of a walk over the conflicts in the order of their arrival. For each item with a new conflict, deletes all
-- but the newest `keep`, 1,000 at a time. Returns the numbers of deleted conflicts and of arrivals seen.
CREATE OR REPLACE FUNCTION sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer)
RETURNS TABLE (deleted bigint, seen bigint, busy boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    start timestamptz := neuroviews.sweep_begin(walk, keep);
    reached timestamptz;
BEGIN
    WITH arrival AS (
        SELECT user_id, id, received_at FROM neuroviews.configuration_conflicts
        WHERE received_at > start AND received_at < now() - age_seconds * interval '1 second'
        ORDER BY received_at FETCH FIRST (arrivals_max) ROWS WITH TIES
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h
        WHERE h.collection = 'configurations' AND h.user_id IN (SELECT a.user_id FROM arrival a)
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
    )
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM ready),
        (SELECT count(*) FROM ready) < (SELECT count(*) FROM arrival), (SELECT max(received_at) FROM ready)
    INTO deleted, seen, busy, reached;
    PERFORM neuroviews.sweep_advance(walk, reached, start IS NOT NULL AND NOT busy AND seen < arrivals_max);
    RETURN NEXT;
END
$$;

-- Deletes conflicts that arrived longer ago. Returns their number twice, as deleted and as seen.
CREATE OR REPLACE FUNCTION sweep_old_conflicts(age_seconds bigint, deletions_max integer)
RETURNS TABLE (deleted bigint, seen bigint, busy boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, id, digest FROM neuroviews.configuration_conflicts
        WHERE received_at < now() - age_seconds * interval '1 second' ORDER BY received_at LIMIT deletions_max
    ), free AS MATERIALIZED (
        SELECT h.user_id FROM neuroviews.sync_heads h
        WHERE h.collection = 'configurations' AND h.user_id IN (SELECT user_id FROM old)
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

GRANT EXECUTE ON FUNCTION sweep_versions, sweep_conflicts, sweep_old_conflicts TO neuroviews_background;
