-- Sessions: the first statement of each request, the rotation of tokens, and the rules for usable sessions.

-- Returns true if a session is usable: it has not ended, was used within 90 days, and began within 365 days. PostgreSQL
-- inlines it.
CREATE OR REPLACE FUNCTION is_live(s sessions) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT s.ended_at IS NULL AND s.last_used_at >= now() - interval '90 days' AND s.created_at >= now() - interval '365 days'
$$;

-- Returns true if a token that is not the newest is outdated for requests other than a refresh. The token before the newest
-- stays valid until 60 s after the first use of the newest, and at most 5 minutes after the newest was made. It is outdated
-- at once if a clock that was ahead made the newest.
CREATE OR REPLACE FUNCTION is_outdated(s sessions, token_counter integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT token_counter IS DISTINCT FROM s.counter - 1 OR s.token_made_at < now() - interval '5 minutes'
        OR NOT neuroviews.is_past(s.token_made_at)
        OR coalesce(s.confirmed_at < now() - interval '60 seconds', false)
$$;

-- Returns true if a refresh with an older token is no retry, so that two clients have the session. The token before the
-- newest may be sent again at any time by the attempt that made the newest, within 5 minutes without an attempt, and within
-- 60 s by another attempt.
CREATE OR REPLACE FUNCTION is_reused(s sessions, token_counter integer, attempt uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT token_counter IS DISTINCT FROM s.counter - 1 OR NOT (coalesce(attempt = s.token_made_by, false)
        OR s.token_made_at >= now() - CASE WHEN attempt IS NULL THEN interval '5 minutes' ELSE interval '60 seconds' END)
$$;

-- Returns true if the use of the newest token is already recorded. It is recorded once for each token and at most
-- hourly, so that a poll stays a read.
CREATE OR REPLACE FUNCTION is_noted(s sessions) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT s.confirmed_at IS NOT NULL AND s.last_used_at >= now() - interval '1 hour' $$;

-- The first statement of every request of a user. Checks that the session is the account's and live, and that the token is
-- not outdated. Sets the user for the rest of the transaction. NV001: the account has no such session, or it has ended.
-- NV002: a newer token was used. NV005: an operator has disabled the account, which ended its sessions. NV006: the session
-- has signed by a higher version.
--
-- `token_counter` is NULL for a refresh, whose token `rotate_token` checks in the same transaction.
--
-- `signed_by` is the version of the request's signature: 0 without one, NULL to skip this check. After a session has
-- signed by version 3, its unsigned requests are rejected; after versions 1 and 2, the setting decides. The row's
-- version only rises. Each statement has its own snapshot, so a request that begins after the commit of a rise is
-- checked against it on every server.
--
-- It has no SET search_path, because setting and restoring it would cost time in every request; its names are
-- qualified. For most requests one statement does everything. It finds a row only if nothing has to be written, and it
-- sets the user only for a row that meets every condition. `judge_session` decides about the others.
CREATE OR REPLACE FUNCTION enter_session(account uuid, session uuid, token_counter integer, signed_by integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    judged neuroviews.sessions%ROWTYPE;
    entered text;
BEGIN
    SELECT set_config('app.user_id', s.user_id::text, true)
        || set_config('app.device_id', coalesce(s.device_id, ''), true) INTO entered
    FROM neuroviews.sessions s
    WHERE s.user_id = account AND s.id = session AND neuroviews.is_live(s) AND neuroviews.is_noted(s)
        AND s.counter = token_counter AND s.signature_version = signed_by;
    IF NOT FOUND THEN
        judged := neuroviews.judge_session(account, session, token_counter, signed_by);
        entered := set_config('app.user_id', judged.user_id::text, true)
            || set_config('app.device_id', coalesce(judged.device_id, ''), true);
    END IF;
END
$$;

-- Returns the row of a session whose request is valid, and raises the error for others. Records the use of the token. If
-- another transaction holds the row, that is left to it or to a later request: a read that waited would keep other accounts
-- from the connection that they share. Only the first request of a higher signature version waits.
CREATE OR REPLACE FUNCTION judge_session(account uuid, session uuid, token_counter integer, signed_by integer) RETURNS sessions
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE user_id = account AND id = session;
    IF NOT FOUND OR NOT neuroviews.is_live(s) THEN
        IF EXISTS (SELECT FROM neuroviews.users u WHERE u.id = s.user_id AND u.disabled_at IS NOT NULL) THEN
            RAISE EXCEPTION 'the account is disabled' USING ERRCODE = 'NV005';
        END IF;
        RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'NV001';
    END IF;
    IF signed_by <> s.signature_version THEN
        IF signed_by > s.signature_version THEN
            UPDATE neuroviews.sessions SET signature_version = signed_by
            WHERE user_id = account AND id = session AND signature_version < signed_by;
        ELSIF s.signature_version > 1 THEN
            RAISE EXCEPTION 'the session has signed by version %', s.signature_version USING ERRCODE = 'NV006';
        END IF;
    END IF;
    IF token_counter = s.counter THEN
        IF NOT neuroviews.is_noted(s) THEN
            PERFORM FROM neuroviews.sessions WHERE user_id = account AND id = session AND counter = token_counter
            FOR NO KEY UPDATE SKIP LOCKED;
            IF FOUND THEN
                UPDATE neuroviews.sessions SET confirmed_at = coalesce(confirmed_at, now()), last_used_at = now()
                WHERE user_id = account AND id = session;
            END IF;
        END IF;
    ELSIF token_counter IS NOT NULL AND neuroviews.is_outdated(s, token_counter) THEN
        RAISE EXCEPTION 'a newer token was used' USING ERRCODE = 'NV002';
    END IF;
    RETURN s;
END
$$;

-- Limits the wait for each lock of the rest of the transaction.
CREATE OR REPLACE FUNCTION limit_lock_wait(milliseconds integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM set_config('lock_timeout', milliseconds::text, true);
END
$$;

-- Returns the counter of the session's newest token: a new counter for the newest token, and the same one again for the token
-- before it, since the response may be lost. Returns NULL if it has ended the session, because the token was reused
-- (`is_reused`). `attempt` is a value that a client repeats until it has the new token; NULL without one. `site` is the range
-- of one customer that `client` belongs to. NV002: the token is newer than the newest, so it belongs to a history before a
-- restore.
--
-- The owner of the tables runs it, so `note_event` and `note_repeatable` need no right of the application. The row is locked
-- first: each later statement has a snapshot of its own and sees the counter of every rotation before.
CREATE OR REPLACE FUNCTION rotate_token(
    account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE user_id = account AND id = session FOR UPDATE;
    -- The signature was checked before. The session may have ended since.
    PERFORM neuroviews.enter_session(account, session, NULL, NULL);
    IF token_counter = s.counter THEN
        UPDATE neuroviews.sessions SET counter = s.counter + 1, token_made_at = now(), token_made_by = attempt, token_made_from = site,
            confirmed_at = NULL, last_used_at = now(), address = client
        WHERE user_id = account AND id = session;
        RETURN s.counter + 1;
    ELSIF token_counter > s.counter IS NOT FALSE THEN
        RAISE EXCEPTION 'the token is newer than the newest' USING ERRCODE = 'NV002';
    ELSIF neuroviews.is_reused(s, token_counter, attempt) THEN
        UPDATE neuroviews.sessions SET ended_at = now() WHERE user_id = account AND id = session;
        PERFORM neuroviews.note_event(account, 'token-reused', session, s.device_id, client);
        RETURN NULL;
    END IF;
    IF NOT coalesce(attempt = s.token_made_by, false) AND site IS DISTINCT FROM s.token_made_from THEN
        PERFORM neuroviews.note_repeatable(account, 'token-elsewhere', session, s.device_id, client);
    END IF;
    -- The client gets the newest token again: the list of sessions must show its address.
    UPDATE neuroviews.sessions SET address = client
    WHERE user_id = account AND id = session AND address IS DISTINCT FROM client;
    RETURN s.counter;
END
$$;

-- If the account's session is live, locks the account, then its live sessions in the order of their ids. Run it before
-- `enter_session` to end several sessions: that may lock the session of the request.
CREATE OR REPLACE FUNCTION lock_sessions_of(account uuid, session uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.users u WHERE u.id = account
        AND EXISTS (SELECT FROM neuroviews.sessions s WHERE s.user_id = account AND s.id = session AND neuroviews.is_live(s))
    FOR NO KEY UPDATE;
    IF FOUND THEN
        PERFORM FROM neuroviews.sessions s WHERE s.user_id = account AND s.ended_at IS NULL ORDER BY s.id FOR NO KEY UPDATE;
    END IF;
END
$$;

-- Ends all sessions of an account and returns their number. The caller has locked the account.
CREATE OR REPLACE FUNCTION end_sessions(account uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended bigint;
BEGIN
    PERFORM FROM neuroviews.sessions s WHERE s.user_id = account AND s.ended_at IS NULL ORDER BY s.id FOR NO KEY UPDATE;
    UPDATE neuroviews.sessions s SET ended_at = now() WHERE s.user_id = account AND s.ended_at IS NULL;
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;

-- Sets an account's password, ends all its sessions, and deletes its mailed tokens. Returns the number of ended
-- sessions; NULL if there is no such account. `session` and `client` identify the actor, as far as known.
CREATE OR REPLACE FUNCTION replace_password(account uuid, hash text, session uuid DEFAULT NULL, client inet DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE neuroviews.users SET password_hash = hash, has_password = true WHERE id = account;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    ended := neuroviews.end_sessions(account);
    PERFORM neuroviews.forget_mailed(account);
    PERFORM neuroviews.note_event(account, 'password-changed', session,
        (SELECT s.device_id FROM neuroviews.sessions s WHERE s.user_id = account AND s.id = session), client);
    RETURN ended;
END
$$;

-- Returns true if the session's user has given a password or another proof within 10 minutes.
CREATE OR REPLACE FUNCTION is_proven(s sessions) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT s.proven_at > now() - interval '10 minutes' AND neuroviews.is_past(s.proven_at)
$$;

-- The account that `enter_session` has set for the transaction.
CREATE OR REPLACE FUNCTION entered_account() RETURNS uuid
LANGUAGE sql STABLE AS $$ SELECT current_setting('app.user_id')::uuid $$;

-- Raises NV004 unless the session's user has given a password or another proof within 10 minutes. Runs after
-- `enter_session`.
CREATE OR REPLACE FUNCTION require_confirmation(session uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.sessions s
    WHERE s.user_id = neuroviews.entered_account() AND s.id = session AND neuroviews.is_proven(s);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the person must confirm' USING ERRCODE = 'NV004';
    END IF;
END
$$;

-- Raises NV004 if an unproven session would end another session (by its id or its device) whose user has just logged in
-- or confirmed. Otherwise a thief with a token could end each new session of the owner, before the owner ends the
-- thief's.
CREATE OR REPLACE FUNCTION require_standing(session uuid, target uuid, device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.sessions a JOIN neuroviews.sessions t ON t.user_id = a.user_id AND t.id <> a.id
    WHERE a.user_id = neuroviews.entered_account() AND a.id = session AND NOT neuroviews.is_proven(a) AND (t.id = target OR t.device_id = device)
        AND neuroviews.is_live(t) AND neuroviews.is_proven(t);
    IF FOUND THEN
        RAISE EXCEPTION 'the person must confirm' USING ERRCODE = 'NV004';
    END IF;
END
$$;

GRANT EXECUTE ON FUNCTION enter_session, limit_lock_wait, rotate_token, require_confirmation, require_standing TO neuroviews_app;
GRANT EXECUTE ON FUNCTION is_live, is_outdated, is_proven, lock_sessions_of TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION replace_password TO neuroviews_background;
