-- Retention of the history: old versions' documents are emptied and old conflicts deleted, by functions of the owner, so that
-- the background role sees no document.

-- How far each walk over the changes has come. A change is looked at once, when it is old enough to push a version out:
-- nothing has to be searched for, and a run that finds nothing new reads one row. `kept` is the number that the walk was
-- made for, `began_at` when it began.
CREATE TABLE sweeps (
    name text PRIMARY KEY,
    kept integer NOT NULL DEFAULT 0,
    reached timestamptz NOT NULL DEFAULT '-infinity',
    began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO sweeps (name) VALUES ('versions by count'), ('versions by age'), ('conflicts by count');

-- The walks' order. Items that were never changed push nothing out, and are not in it.
CREATE INDEX configuration_versions_sweep_key ON configuration_versions (changed_at) WHERE version > 1;
CREATE INDEX configuration_conflicts_sweep_key ON configuration_conflicts (received_at);

-- Each call of the functions below is one transaction that changes a bounded number of rows. It locks in the order of all
-- writes, the users' heads before the rows, behind a row of sweeps that no request touches, and waits for none of them: a
-- walk stops before the first user who is writing and goes on there the next time; a row that is locked is passed over.

-- Where a walk stands, and that it is taken; NULL: another server is at it. It begins anew for another number, and every
-- 30 days: a clock that jumped, or a row that was locked, leaves something behind.
CREATE FUNCTION sweep_begin(walk text, keep integer) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    s neuroviews.sweeps%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sweeps WHERE name = walk FOR UPDATE SKIP LOCKED;
    IF s.kept <> keep OR s.began_at < now() - interval '30 days' THEN
        s.reached = '-infinity';
        UPDATE neuroviews.sweeps SET kept = keep, began_at = now(), reached = s.reached WHERE name = walk;
    END IF;
    RETURN s.reached;
END
$$;

-- One step of a walk over the versions in the order of their changes: the change of version n pushes version n - keep out.
-- What is emptied always has a newer version, so the current document stays whatever the settings. Gives how many documents
-- were emptied and how many changes were looked at.
CREATE FUNCTION sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer)
RETURNS TABLE (emptied bigint, seen bigint)
LANGUAGE plpgsql SECURITY DEFINER AS $$
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
    SELECT (SELECT count(*) FROM emptied), (SELECT count(*) FROM ready);
END
$$;

-- One step of a walk over the conflicts in the order of their arrival: of each item that one came for, all but the newest go,
-- 1,000 at a time.
CREATE FUNCTION sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer)
RETURNS TABLE (deleted bigint, seen bigint)
LANGUAGE plpgsql SECURITY DEFINER AS $$
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
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM ready);
END
$$;

-- Deletes conflicts that came longer ago: how many, twice.
CREATE FUNCTION sweep_old_conflicts(age_seconds bigint, deletions_max integer)
RETURNS TABLE (deleted bigint, seen bigint)
LANGUAGE sql SECURITY DEFINER AS $$
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
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM deleted)
$$;

ALTER FUNCTION sweep_begin(text, integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION sweep_versions(text, integer, bigint, integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION sweep_conflicts(text, integer, bigint, integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION sweep_old_conflicts(bigint, integer) SET search_path = pg_catalog, pg_temp;
REVOKE EXECUTE ON FUNCTION sweep_begin, sweep_versions, sweep_conflicts, sweep_old_conflicts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_versions, sweep_conflicts, sweep_old_conflicts TO neuroviews_background;

-- Whoever has resolved a conflict takes it off the list.
GRANT DELETE ON configuration_conflicts TO neuroviews_app;
