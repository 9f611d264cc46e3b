-- Functions that servers of the release before call, and such calls that still run. They name no account. The next release
-- deletes this file.

CREATE OR REPLACE FUNCTION account_of(session uuid) RETURNS uuid
LANGUAGE sql STABLE AS $$ SELECT s.user_id FROM neuroviews.sessions s WHERE s.id = session $$;

-- Their nonces get the account here.
CREATE OR REPLACE FUNCTION fill_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.user_id := (SELECT s.user_id FROM neuroviews.sessions s WHERE s.id = NEW.session_id);
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER fill_account BEFORE INSERT ON nonces
    FOR EACH ROW WHEN (NEW.user_id IS NULL) EXECUTE FUNCTION fill_account();

CREATE OR REPLACE FUNCTION enter_request(session uuid, token_counter integer, signed_by integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM neuroviews.enter_session(neuroviews.account_of(session), session, token_counter, signed_by);
END
$$;

CREATE OR REPLACE FUNCTION judge_request(session uuid, token_counter integer, signed_by integer) RETURNS sessions
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN neuroviews.judge_session(neuroviews.account_of(session), session, token_counter, signed_by);
END
$$;

CREATE OR REPLACE FUNCTION enter(session uuid, token_counter integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM neuroviews.enter_session(neuroviews.account_of(session), session, token_counter, NULL);
END
$$;

CREATE OR REPLACE FUNCTION enter_signed_request(
    session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM neuroviews.enter_signed_session(
        neuroviews.account_of(session), session, token_counter, signed_by, signed_at, nonce);
END
$$;

CREATE OR REPLACE FUNCTION rotate_session(session uuid, token_counter integer, client inet) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN neuroviews.rotate_token(neuroviews.account_of(session), session, token_counter, client);
END
$$;

CREATE OR REPLACE FUNCTION lock_sessions(session uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM neuroviews.lock_sessions_of(neuroviews.account_of(session), session);
END
$$;

CREATE OR REPLACE FUNCTION lock_device_sessions(session uuid, device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM neuroviews.lock_sessions_of_device(neuroviews.account_of(session), session, device);
END
$$;

CREATE OR REPLACE FUNCTION end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN neuroviews.end_session_of_reuse(neuroviews.account_of(session), session, token_counter, signed_at, nonce);
END
$$;

GRANT EXECUTE ON FUNCTION enter_request, enter, enter_signed_request, rotate_session, lock_device_sessions TO neuroviews_app;
GRANT EXECUTE ON FUNCTION lock_sessions TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION end_reused_session TO neuroviews_background;
