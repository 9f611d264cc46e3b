-- The clock of the database. A clock that jumps ahead must delete nothing: whatever deletes by age asks here first, in the
-- same transaction. now() is the time of the transaction, so the time that was judged is the time by which it deletes.

-- Returns true if the clock is at most a day ahead of the last note and, with `server_time`, an hour ahead of that server.
-- CloudSync/Clock/ClockNote.swift has the same rule, and moves the note. No lock: the note is a time that was trusted,
-- whichever server wrote it last.
CREATE OR REPLACE FUNCTION clock_is_trusted(server_time timestamptz DEFAULT NULL) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce((
        SELECT now() <= n.noted_at + interval '24 hours'
            AND (server_time IS NULL OR now() <= server_time + n.accepted_lead_seconds * interval '1 second' + interval '1 hour')
        FROM neuroviews.clock_note n), false)
$$;

-- Returns false for a time that a clock left which was ahead and is right again: whatever counts the newest rows leaves it
-- out, or it would count for days. A minute is allowed, for transactions that began later. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION is_past(moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT moment <= now() + interval '1 minute' $$;

-- Raises NV060 if the clock is not trusted. Runs before the statement that deletes by age.
CREATE OR REPLACE FUNCTION require_trusted_clock(server_time timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT neuroviews.clock_is_trusted(server_time) THEN
        RAISE EXCEPTION 'the clock is not trusted, so nothing is deleted by age' USING ERRCODE = 'NV060';
    END IF;
END
$$;

GRANT EXECUTE ON FUNCTION clock_is_trusted, is_past TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION require_trusted_clock TO neuroviews_background;
