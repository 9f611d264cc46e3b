-- Security events of accounts.

-- Returns true if the account gets a mail about such an event: it changes the access to the account or exports its
-- data. The first login of a new account causes no mail.
CREATE OR REPLACE FUNCTION is_mailed(account uuid, kind text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE kind
        WHEN 'device-new' THEN EXISTS (SELECT FROM neuroviews.users u WHERE u.id = account AND u.created_at < now() - interval '1 day')
            OR EXISTS (SELECT FROM neuroviews.account_events e WHERE e.user_id = account AND e.kind = 'login')
        ELSE kind IN ('password-changed', 'second-factor-failed', 'passkey-counter', 'totp-added', 'totp-removed', 'passkey-added', 'passkey-removed', 'identity-added', 'identity-removed',
            'token-reused', 'token-elsewhere', 'export')
    END
$$;

-- Records an event in the caller's transaction. Every change of access to an account calls it. `session`, `device`
-- and `client` identify the actor, as far as known.
CREATE OR REPLACE FUNCTION note_event(account uuid, kind text, session uuid, device text, client inet) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO neuroviews.account_events (user_id, kind, session_id, device_id, address, mail_due)
    VALUES (account, kind, session, device, client, neuroviews.is_mailed(account, kind))
$$;

-- Records an event that the clients of a session can cause again and again. Those of one session and hour share a row, so that
-- they cannot fill the list. The caller has locked the session.
CREATE OR REPLACE FUNCTION note_repeatable(account uuid, what text, session uuid, device text, client inet) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE neuroviews.account_events e SET count = e.count + 1, address = CASE WHEN e.address = client THEN client END
    WHERE e.user_id = account AND e.kind = what AND e.session_id = session AND e.at >= date_trunc('hour', now()) AND neuroviews.is_past(e.at);
    IF NOT FOUND THEN
        PERFORM neuroviews.note_event(account, what, session, device, client);
    END IF;
END
$$;

-- Returns true for a login from a new place: from a device that has never logged in, or without a listed device from an
-- unknown address. Runs after the device is listed, and before its login and its address are noted.
CREATE OR REPLACE FUNCTION is_new_login(account uuid, device text, client inet) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(
        (SELECT d.logged_in_at IS NULL FROM neuroviews.devices d WHERE d.user_id = account AND d.id = device),
        NOT EXISTS (SELECT FROM neuroviews.known_addresses k WHERE k.user_id = account AND k.address = client))
$$;

-- Records the session that this transaction has begun, and its place. `client` is the address in the form of
-- `known_addresses`. Runs after the rows of the session and its device are written.
CREATE OR REPLACE FUNCTION note_login(account uuid, client inet, addresses_max integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    s record;
BEGIN
    SELECT id, device_id, address INTO s FROM neuroviews.sessions
    WHERE user_id = account AND xmin = pg_current_xact_id()::xid AND ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF neuroviews.is_new_login(account, s.device_id, client) THEN
        PERFORM neuroviews.note_event(account, 'device-new', s.id, s.device_id, s.address);
    END IF;
    PERFORM neuroviews.note_event(account, 'login', s.id, s.device_id, s.address);
    UPDATE neuroviews.devices d SET logged_in_at = now() WHERE d.user_id = account AND d.id = s.device_id;
    PERFORM neuroviews.note_address(account, client, addresses_max);
END
$$;

-- Records a wrong password (`login-failed`) or a wrong second factor. Failures of one hour share a row, so that
-- guesses cannot fill the list. `session` is the one that failed to prove its person; NULL for a login. `account` is a
-- row of `stand_ins` if the address has no account: both take the same statements and wait for the same commit.
--
-- Statistics of a new table would choose a full scan, which takes other times for few rows than for many.
CREATE OR REPLACE FUNCTION note_failure(account uuid, what text, client inet, session uuid DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    device text := (SELECT s.device_id FROM neuroviews.sessions s WHERE s.user_id = account AND s.id = session);
BEGIN
    IF account < uuid '00000000-0000-0000-0000-000000001000' THEN
        UPDATE neuroviews.stand_in_events e SET count = e.count + 1, address = CASE WHEN e.address = client THEN client END,
            session_id = CASE WHEN e.session_id = session THEN session END, device_id = CASE WHEN e.device_id = device THEN device END
        WHERE e.stand_in = account AND e.kind = what AND e.at >= date_trunc('hour', now()) AND neuroviews.is_past(e.at);
        IF NOT FOUND THEN
            -- Without the client's address, which belongs to nobody here.
            INSERT INTO neuroviews.stand_in_events (stand_in, kind, mail_due)
            SELECT s.id, what, neuroviews.is_mailed(s.id, what) FROM neuroviews.stand_ins s WHERE s.id = account;
        END IF;
        RETURN;
    END IF;
    UPDATE neuroviews.account_events e SET count = e.count + 1, address = CASE WHEN e.address = client THEN client END,
        session_id = CASE WHEN e.session_id = session THEN session END, device_id = CASE WHEN e.device_id = device THEN device END
    WHERE e.user_id = account AND e.kind = what AND e.at >= date_trunc('hour', now()) AND neuroviews.is_past(e.at);
    IF NOT FOUND THEN
        INSERT INTO neuroviews.account_events (user_id, kind, session_id, device_id, address, mail_due)
        SELECT u.id, what, session, device, client, neuroviews.is_mailed(u.id, what) FROM neuroviews.users u WHERE u.id = account;
    END IF;
END
$$;

-- An account keeps the newest 300 events of each kind, so no kind displaces another. Those of a clock that was ahead go first.
CREATE OR REPLACE FUNCTION trim_account_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Looked for once, and not for each event again.
    WITH former AS MATERIALIZED (
        SELECT f.* FROM (SELECT DISTINCT n.user_id, n.kind FROM added n) a, LATERAL (
            SELECT o.user_id, o.kind, o.at, o.id FROM neuroviews.account_events o
            WHERE o.user_id = a.user_id AND o.kind = a.kind
            ORDER BY neuroviews.is_past(o.at) DESC, o.at DESC, o.id DESC OFFSET 300) f
    )
    DELETE FROM neuroviews.account_events e USING former f
    WHERE e.user_id = f.user_id AND e.kind = f.kind AND e.at = f.at AND e.id = f.id;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER trimmed AFTER INSERT ON account_events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION trim_account_events();

-- The same for stand-ins, which keep the added row alone. It is not the newest after a clock was ahead.
CREATE OR REPLACE FUNCTION trim_stand_in_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM neuroviews.stand_in_events e USING added a
    WHERE e.stand_in = a.stand_in AND e.kind = a.kind AND e.id <> a.id;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER trimmed AFTER INSERT ON stand_in_events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION trim_stand_in_events();

-- Deletes events older than `kept_days`, at most `events_max`. Returns their number.
CREATE OR REPLACE FUNCTION sweep_account_events(kept_days integer, events_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM neuroviews.account_events e WHERE (e.user_id, e.kind, e.at, e.id) IN (
            SELECT o.user_id, o.kind, o.at, o.id FROM neuroviews.account_events o
            WHERE o.at < now() - kept_days * interval '1 day' ORDER BY o.at LIMIT events_max FOR UPDATE SKIP LOCKED)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;

GRANT EXECUTE ON FUNCTION is_mailed, note_event TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION is_new_login, note_login, note_failure, sweep_account_events TO neuroviews_background;
