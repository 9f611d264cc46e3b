-- Sessions: the first statement of each request, and the rotation of tokens.

-- The first statement of every request of a user: checks that the session lives and the token is not outdated, and sets
-- the user for the rest of the transaction. NV001: no such session, or it has ended. NV002: a newer token was used.
--
-- Every request runs it, so it has no SET search_path, whose setting and restoring has a cost: its names are qualified.
CREATE OR REPLACE FUNCTION enter(session uuid, token_counter integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE id = session;
    IF NOT FOUND OR s.ended_at IS NOT NULL OR s.last_used_at < now() - interval '90 days' THEN
        RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'NV001';
    END IF;
    IF token_counter = s.counter THEN
        -- Written once a token and at most hourly, so that a poll stays a read.
        IF s.confirmed_at IS NULL OR s.last_used_at < now() - interval '1 hour' THEN
            UPDATE neuroviews.sessions SET confirmed_at = coalesce(confirmed_at, now()), last_used_at = now()
            WHERE id = session AND counter = token_counter;
        END IF;
    ELSIF token_counter IS DISTINCT FROM s.counter - 1 OR s.confirmed_at < now() - interval '60 seconds' THEN
        -- The token before the newest stays good until 60 s after the newest was first used.
        RAISE EXCEPTION 'a newer token was used' USING ERRCODE = 'NV002';
    END IF;
    PERFORM set_config('app.user_id', s.user_id::text, true);
    PERFORM set_config('app.device_id', coalesce(s.device_id, ''), true);
END
$$;

-- Returns a new rotation counter, or the same one again while the newest token has not been used for 60 s: the answer with it
-- may be lost.
CREATE OR REPLACE FUNCTION refresh_session(session uuid, token_counter integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE id = session FOR UPDATE;
    PERFORM neuroviews.enter(session, token_counter);
    IF token_counter = s.counter THEN
        UPDATE neuroviews.sessions SET counter = s.counter + 1, confirmed_at = NULL, last_used_at = now()
        WHERE id = session;
        RETURN s.counter + 1;
    END IF;
    RETURN s.counter;
END
$$;

GRANT EXECUTE ON FUNCTION enter, refresh_session TO neuroviews_app;
