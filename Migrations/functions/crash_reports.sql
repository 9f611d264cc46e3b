-- Crash reports: their limits.

-- Stores crash reports, without anything that leads to an account. It runs in a transaction of its own, after that of
-- the caller, which checks the session and the consent: PostgreSQL marks each row with the number of its transaction
-- (xmin), and each locked row too (xmax). One transaction for both would join a report to its consent for ever.
--
-- The table keeps 10,000 rows, and the oldest go. The number is a constant: as an argument, it would let an injected
-- statement delete all. The lock makes the count right; it belongs to nobody's rows.
CREATE OR REPLACE FUNCTION keep_crash_reports(report_days date[], report_names text[], report_parameters text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    excess bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.crash_reports'));
    INSERT INTO neuroviews.crash_reports (day, name, parameters)
    SELECT r.day, r.name, r.parameters::json
    FROM unnest(report_days, report_names, report_parameters) r(day, name, parameters);
    excess := (SELECT count(*) FROM neuroviews.crash_reports) - 10000;
    IF excess > 0 THEN
        DELETE FROM neuroviews.crash_reports c
        WHERE c.ctid = ANY (ARRAY(SELECT o.ctid FROM neuroviews.crash_reports o ORDER BY o.day LIMIT excess));
    END IF;
END
$$;

-- Deletes crash reports of days more than `kept_days` ago. Returns their number. Skips locked rows.
CREATE OR REPLACE FUNCTION sweep_crash_reports(kept_days integer, rows_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH due AS MATERIALIZED (
        SELECT c.ctid AS place FROM neuroviews.crash_reports c
        WHERE c.day < (now() AT TIME ZONE 'UTC')::date - kept_days ORDER BY c.day LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.crash_reports c WHERE c.ctid = ANY (ARRAY(SELECT d.place FROM due d)) RETURNING true
    )
    SELECT count(*) FROM deleted
$$;

GRANT EXECUTE ON FUNCTION keep_crash_reports, sweep_crash_reports TO neuroviews_background;
