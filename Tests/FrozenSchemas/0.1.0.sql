--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: neuroviews; Type: SCHEMA; Schema: -; Owner: neuroviews_owner
--

CREATE SCHEMA neuroviews;


ALTER SCHEMA neuroviews OWNER TO neuroviews_owner;

--
-- Name: collection; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.collection AS ENUM (
    'configurations',
    'recordings'
);


ALTER TYPE neuroviews.collection OWNER TO neuroviews_owner;

--
-- Name: consent_category; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.consent_category AS ENUM (
    'analytics',
    'crash_reports',
    'usage_metrics'
);


ALTER TYPE neuroviews.consent_category OWNER TO neuroviews_owner;

--
-- Name: job_kind; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.job_kind AS ENUM (
    'verify',
    'process',
    'remove',
    'preview'
);


ALTER TYPE neuroviews.job_kind OWNER TO neuroviews_owner;

--
-- Name: mail_kind; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.mail_kind AS ENUM (
    'registration',
    'reset',
    'address',
    'address-changed',
    'event'
);


ALTER TYPE neuroviews.mail_kind OWNER TO neuroviews_owner;

--
-- Name: recording_state; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.recording_state AS ENUM (
    'uploading',
    'pending',
    'processing',
    'ready',
    'failed'
);


ALTER TYPE neuroviews.recording_state OWNER TO neuroviews_owner;

--
-- Name: token_purpose; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.token_purpose AS ENUM (
    'verify',
    'reset',
    'address',
    'invitation'
);


ALTER TYPE neuroviews.token_purpose OWNER TO neuroviews_owner;

--
-- Name: upload_state; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.upload_state AS ENUM (
    'open',
    'complete',
    'cancelled',
    'failed',
    'expired'
);


ALTER TYPE neuroviews.upload_state OWNER TO neuroviews_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: users; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    has_password boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp(3) with time zone
);


ALTER TABLE neuroviews.users OWNER TO neuroviews_owner;

--
-- Name: accept_invitation(bytea, text, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.accept_invitation(hash bytea, address text, password_hash text) RETURNS neuroviews.users
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{invitation}');
BEGIN
    IF lower(token.email) <> lower(address) THEN
        RAISE EXCEPTION 'the invitation is for another address' USING ERRCODE = 'NV030';
    END IF;
    RETURN neuroviews.open_account(token.email, password_hash);
END
$$;


ALTER FUNCTION neuroviews.accept_invitation(hash bytea, address text, password_hash text) OWNER TO neuroviews_owner;

--
-- Name: account_of(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.account_of(session uuid) RETURNS uuid
    LANGUAGE sql STABLE
    AS $$ SELECT s.user_id FROM neuroviews.sessions s WHERE s.id = session $$;


ALTER FUNCTION neuroviews.account_of(session uuid) OWNER TO neuroviews_owner;

--
-- Name: account_tables(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.account_tables() RETURNS TABLE(place text, relation text, owner text, is_current boolean, counted_as text, has_documents boolean, has_objects boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT n.nspname, c.relname, a.attname, n.nspname = 'neuroviews', coalesce(p.relname, c.relname),
        EXISTS (SELECT FROM pg_attribute d WHERE d.attrelid = c.oid AND d.attname = 'document' AND NOT d.attisdropped),
        EXISTS (SELECT FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'object_key' AND NOT o.attisdropped)
    FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
    JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attname = CASE
        WHEN c.relname = 'users' THEN 'id' WHEN c.relname IN ('account_erasures', 'erased_objects') THEN 'account' ELSE 'user_id' END
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
    WHERE n.nspname = 'neuroviews' AND c.relname NOT IN ('users', 'account_erasures', 'erased_objects')
        OR n.nspname LIKE 'neuroviews\_before\_%' AND pg_has_role(n.nspowner, 'USAGE')
    ORDER BY n.nspname <> 'neuroviews', n.nspname,
        (SELECT count(*) FROM pg_constraint r WHERE r.contype = 'f' AND r.confrelid = c.oid), c.relispartition, c.relname
$$;


ALTER FUNCTION neuroviews.account_tables() OWNER TO neuroviews_owner;

--
-- Name: add_to_erasure_ledger(boolean, bytea); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.add_to_erasure_ledger(is_key boolean, value bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    INSERT INTO neuroviews.erasure_ledger_keys SELECT value WHERE is_key ON CONFLICT DO NOTHING;
    INSERT INTO neuroviews.erasure_ledger SELECT value WHERE NOT is_key ON CONFLICT DO NOTHING
$$;


ALTER FUNCTION neuroviews.add_to_erasure_ledger(is_key boolean, value bytea) OWNER TO neuroviews_owner;

--
-- Name: analytics_partition(text, timestamp without time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.analytics_partition(parent text, month timestamp without time zone) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT parent || '_' || to_char(month, 'YYYY_MM')
$$;


ALTER FUNCTION neuroviews.analytics_partition(parent text, month timestamp without time zone) OWNER TO neuroviews_owner;

--
-- Name: announce_jobs(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.announce_jobs() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM added) THEN
        PERFORM pg_notify('neuroviews_jobs', '');
    END IF;
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.announce_jobs() OWNER TO neuroviews_owner;

--
-- Name: attempt_key(bytea, text[]); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.attempt_key(secret bytea, VARIADIC parts text[]) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
    SELECT sha256(secret || convert_to(parts::text, 'UTF8'))
$$;


ALTER FUNCTION neuroviews.attempt_key(secret bytea, VARIADIC parts text[]) OWNER TO neuroviews_owner;

--
-- Name: begin_account_erasure(uuid, bytea); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.begin_account_erasure(erased uuid, ledger_digest bytea) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.users u WHERE u.id = erased FOR NO KEY UPDATE;
    PERFORM neuroviews.forget_mailed(erased);
    INSERT INTO neuroviews.account_erasures (account) VALUES (erased) ON CONFLICT DO NOTHING;
    INSERT INTO neuroviews.erasure_ledger (digest) VALUES (ledger_digest) ON CONFLICT DO NOTHING;
    DELETE FROM neuroviews.sessions s WHERE s.user_id = erased AND s.id IN (
        SELECT o.id FROM neuroviews.sessions o WHERE o.user_id = erased ORDER BY o.id FOR UPDATE);
    -- Another account may now use the address.
    UPDATE neuroviews.users u SET email = 'erased ' || u.id WHERE u.id = erased;
    -- Another account may now use the identities.
    DELETE FROM neuroviews.identities i WHERE i.user_id = erased;
    PERFORM FROM neuroviews.sync_heads h WHERE h.user_id = erased ORDER BY h.collection FOR UPDATE;
    UPDATE neuroviews.recording_files f SET epoch = f.epoch + 1, expires_at = now(),
        upload = CASE f.upload WHEN 'open' THEN 'cancelled' ELSE f.upload END
    WHERE f.user_id = erased AND f.expires_at > now();
END
$$;


ALTER FUNCTION neuroviews.begin_account_erasure(erased uuid, ledger_digest bytea) OWNER TO neuroviews_owner;

--
-- Name: begin_analytics_batch(bigint); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.begin_analytics_batch(events_max bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    caller uuid := nullif(current_setting('app.user_id', true), '');
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = caller AND c.category = 'analytics' AND c.granted FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the account has not agreed to analytics' USING ERRCODE = 'NV012';
    END IF;
    IF events_max > 0 AND (SELECT sum(m.events) FROM neuroviews.analytics_months m WHERE m.user_id = caller) >= events_max THEN
        RAISE EXCEPTION 'the account has as many events as it may have' USING ERRCODE = 'NV013';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.begin_analytics_batch(events_max bigint) OWNER TO neuroviews_owner;

--
-- Name: change_address(uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.change_address(account_id uuid, address text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.enqueue_mails_of(account_id);
    -- The mail has no account, so that it is not deleted with the account.
    INSERT INTO neuroviews.mails (kind, email)
    SELECT 'address-changed', u.email FROM neuroviews.users u WHERE u.id = account_id;
    UPDATE neuroviews.users SET email = address WHERE id = account_id;
    PERFORM neuroviews.forget_mailed(account_id);
    PERFORM neuroviews.forget_registration(address);
END
$$;


ALTER FUNCTION neuroviews.change_address(account_id uuid, address text) OWNER TO neuroviews_owner;

--
-- Name: check_lineage(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.check_lineage() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    current_value text := (SELECT system_identifier::text FROM pg_control_system())
        || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
        || ' ' || (SELECT oid::text FROM pg_database WHERE datname = current_database())
        || ' ' || 'neuroviews.sync_heads'::regclass::oid::text;
    former_value text := (SELECT value FROM neuroviews.lineage);
BEGIN
    IF former_value = current_value THEN
        RETURN NULL;
    END IF;
    INSERT INTO neuroviews.lineage AS l (value) VALUES (current_value)
    ON CONFLICT (singleton) DO UPDATE SET value = excluded.value, began_at = neuroviews.next_begin(l.began_at)
    WHERE l.value <> excluded.value;
    -- Of several connections at once, one does it.
    RETURN CASE WHEN FOUND THEN former_value || ', is ' || current_value END;
END
$$;


ALTER FUNCTION neuroviews.check_lineage() OWNER TO neuroviews_owner;

--
-- Name: claim_mail(bytea, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) RETURNS TABLE(mail uuid, new_lease uuid, attempt integer, form text, recipient text, expires_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    m neuroviews.mails%ROWTYPE;
    content record;
BEGIN
    -- A mail without attempts is due at any `run_at`: it may have been created while the clock was ahead.
    SELECT * INTO m FROM neuroviews.mails d WHERE d.ended_at IS NULL AND (d.run_at <= now() OR d.attempts = 0)
    ORDER BY d.run_at LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF m.kind = 'reset' THEN
        -- A later change of the password or address deletes the token; an earlier change is visible here.
        PERFORM FROM neuroviews.users u WHERE lower(u.email) = lower(m.email) FOR SHARE;
    END IF;
    SELECT * INTO content FROM neuroviews.mail_content(m) WHERE m.created_at > now() - interval '1 day';
    IF NOT FOUND THEN
        UPDATE neuroviews.mails SET ended_at = now(), lease = NULL WHERE id = m.id;
        RETURN QUERY SELECT m.id, NULL::uuid, m.attempts, NULL::text, NULL::text, NULL::timestamptz;
        RETURN;
    END IF;
    m.lease := gen_random_uuid();
    UPDATE neuroviews.mails SET attempts = m.attempts + 1, lease = m.lease, run_at = now() + lease_seconds * interval '1 second'
    WHERE id = m.id;
    IF content.purpose IS NOT NULL THEN
        INSERT INTO neuroviews.mailed_tokens (token_hash, purpose, email, account, expires_at)
        VALUES (hash, content.purpose, content.recipient, content.account, now() + neuroviews.token_lifetime(content.purpose));
    END IF;
    RETURN QUERY SELECT m.id, m.lease, m.attempts + 1, content.form, content.recipient,
        now() + neuroviews.token_lifetime(content.purpose);
END
$$;


ALTER FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) OWNER TO neuroviews_owner;

--
-- Name: create_analytics_months(date, date); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.create_analytics_months(first_day date, last_day date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
DECLARE
    month timestamp;
    parent text;
    part text;
    bounds text;
    created integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.analytics_months'));
    FOR month IN SELECT generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, '1 month') LIMIT 60 LOOP
        CONTINUE WHEN to_regclass('neuroviews.' || neuroviews.analytics_partition('analytics_events', month)) IS NOT NULL;
        created := created + 1;
        FOREACH parent IN ARRAY ARRAY['analytics_events', 'analytics_device_days', 'analytics_name_days',
            'analytics_months', 'analytics_names'] LOOP
            part := neuroviews.analytics_partition(parent, month);
            bounds := CASE parent WHEN 'analytics_events' THEN 'YYYY-MM-DD 00:00:00+00' ELSE 'YYYY-MM-DD' END;
            EXECUTE format('CREATE TABLE neuroviews.%I (LIKE neuroviews.%I INCLUDING ALL)', part, parent);
            EXECUTE format('ALTER TABLE neuroviews.%I ENABLE ROW LEVEL SECURITY', part);
            EXECUTE format($sql$CREATE POLICY own_rows ON neuroviews.%I TO neuroviews_app
                USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid)$sql$, part);
            EXECUTE format('ALTER TABLE neuroviews.%I ATTACH PARTITION neuroviews.%I FOR VALUES FROM (%L) TO (%L)',
                parent, part, to_char(month, bounds), to_char(month + interval '1 month', bounds));
        END LOOP;
        -- Its rows are updated often, so pages have room for new versions.
        FOREACH parent IN ARRAY ARRAY['analytics_device_days', 'analytics_name_days'] LOOP
            EXECUTE format('ALTER TABLE neuroviews.%I SET (fillfactor = 80)', neuroviews.analytics_partition(parent, month));
        END LOOP;
    END LOOP;
    RETURN created;
END
$_$;


ALTER FUNCTION neuroviews.create_analytics_months(first_day date, last_day date) OWNER TO neuroviews_owner;

--
-- Name: drop_analytics_month(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.drop_analytics_month(kept_days integer) RETURNS SETOF date
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '500ms'
    AS $$
DECLARE
    month timestamp;
    parent text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.analytics_months'));
    SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') INTO month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'neuroviews.analytics_events'::regclass;
    IF month + interval '1 month' <= (clock_timestamp() AT TIME ZONE 'UTC') - kept_days * interval '1 day' THEN
        FOREACH parent IN ARRAY ARRAY['analytics_months', 'analytics_names', 'analytics_events',
            'analytics_device_days', 'analytics_name_days'] LOOP
            EXECUTE format('LOCK TABLE neuroviews.%I IN ACCESS EXCLUSIVE MODE', parent);
            EXECUTE format('DROP TABLE neuroviews.%I', neuroviews.analytics_partition(parent, month));
        END LOOP;
        RETURN NEXT month::date;
    END IF;
END
$$;


ALTER FUNCTION neuroviews.drop_analytics_month(kept_days integer) OWNER TO neuroviews_owner;

--
-- Name: end_compromised_keys(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.end_compromised_keys() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE neuroviews.receipt_keys r SET valid_until = coalesce(r.valid_until, now()), sealed_private_key = NULL
    WHERE r.sealed_private_key IS NOT NULL
        AND r.master_key_id IN (SELECT k.key_id FROM neuroviews.master_keys k WHERE k.state = 'compromised');
    UPDATE neuroviews.sessions s SET ended_at = now()
    WHERE s.ended_at IS NULL AND s.key_id IN (SELECT k.key_id FROM neuroviews.master_keys k WHERE k.state = 'compromised');
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;


ALTER FUNCTION neuroviews.end_compromised_keys() OWNER TO neuroviews_owner;

--
-- Name: end_reused_session(uuid, integer, bigint, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN neuroviews.end_session_of_reuse(neuroviews.account_of(session), session, token_counter, signed_at, nonce);
END
$$;


ALTER FUNCTION neuroviews.end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text) OWNER TO neuroviews_owner;

--
-- Name: end_session_of_reuse(uuid, uuid, integer, bigint, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.end_session_of_reuse(account uuid, session uuid, token_counter integer, signed_at bigint, nonce text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    UPDATE neuroviews.sessions s SET ended_at = now()
    WHERE s.user_id = account AND s.id = session AND s.ended_at IS NULL AND token_counter < s.counter
        AND neuroviews.is_outdated(s, token_counter);
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM neuroviews.note_event(account, 'token-reused', s.id, s.device_id, NULL) FROM neuroviews.sessions s
    WHERE s.user_id = account AND s.id = session;
    IF nonce IS NOT NULL THEN
        INSERT INTO neuroviews.nonces (slot, user_id, session_id, signed_at, nonce)
        VALUES ((signed_at / 900) % 4, account, session, signed_at, nonce);
    END IF;
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.end_session_of_reuse(account uuid, session uuid, token_counter integer, signed_at bigint, nonce text) OWNER TO neuroviews_owner;

--
-- Name: end_sessions(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.end_sessions(account uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    ended bigint;
BEGIN
    PERFORM FROM neuroviews.sessions s WHERE s.user_id = account AND s.ended_at IS NULL ORDER BY s.id FOR NO KEY UPDATE;
    UPDATE neuroviews.sessions s SET ended_at = now() WHERE s.user_id = account AND s.ended_at IS NULL;
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;


ALTER FUNCTION neuroviews.end_sessions(account uuid) OWNER TO neuroviews_owner;

--
-- Name: enqueue_event_mails(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enqueue_event_mails() RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    account_id uuid;
BEGIN
    SELECT e.user_id INTO account_id FROM neuroviews.account_events e JOIN neuroviews.users u ON u.id = e.user_id
    WHERE e.mail_due ORDER BY e.at LIMIT 1 FOR KEY SHARE OF u SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM neuroviews.enqueue_mails_of(account_id);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.enqueue_event_mails() OWNER TO neuroviews_owner;

--
-- Name: enqueue_mail(neuroviews.mail_kind, text, uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid DEFAULT NULL::uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    recent timestamptz := now() - interval '1 hour';
BEGIN
    PERFORM neuroviews.lock_address(address);
    -- A new address of accounts gets nine mails, three for each asking account: no account can use up another's
    -- share.
    IF (SELECT count(*) >= CASE WHEN asking IS NULL THEN 3 ELSE 9 END FROM neuroviews.mails m
            WHERE lower(m.email) = lower(address) AND m.kind = new_kind AND m.created_at > recent)
        OR (SELECT count(*) >= 3 FROM neuroviews.mails m
            WHERE m.account = asking AND m.kind = new_kind AND m.created_at > recent) THEN
        RETURN false;
    END IF;
    IF (SELECT count(*) >= 100000 FROM (SELECT FROM neuroviews.mails m WHERE m.ended_at IS NULL LIMIT 100000) m) THEN
        RAISE EXCEPTION 'too many mails wait' USING ERRCODE = 'NV034';
    END IF;
    INSERT INTO neuroviews.mails (kind, email, account) VALUES (new_kind, address, asking);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid) OWNER TO neuroviews_owner;

--
-- Name: enqueue_mails_of(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enqueue_mails_of(account_id uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH due AS (
        UPDATE neuroviews.account_events e SET mail_due = false WHERE e.user_id = account_id AND e.mail_due RETURNING e.kind, e.at
    )
    INSERT INTO neuroviews.mails (kind, event, email, account)
    SELECT 'event', d.kind, u.email, u.id FROM neuroviews.users u, (SELECT DISTINCT kind FROM due WHERE at > now() - interval '1 day') d
    WHERE u.id = account_id AND NOT EXISTS (SELECT FROM neuroviews.account_erasures a WHERE a.account = u.id)
        AND (SELECT count(*) < 3 FROM neuroviews.mails m
            WHERE m.account = u.id AND m.kind = 'event' AND m.event = d.kind AND m.created_at > now() - interval '1 hour')
$$;


ALTER FUNCTION neuroviews.enqueue_mails_of(account_id uuid) OWNER TO neuroviews_owner;

--
-- Name: enter(uuid, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enter(session uuid, token_counter integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.enter_session(neuroviews.account_of(session), session, token_counter, NULL);
END
$$;


ALTER FUNCTION neuroviews.enter(session uuid, token_counter integer) OWNER TO neuroviews_owner;

--
-- Name: enter_request(uuid, integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enter_request(session uuid, token_counter integer, signed_by integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.enter_session(neuroviews.account_of(session), session, token_counter, signed_by);
END
$$;


ALTER FUNCTION neuroviews.enter_request(session uuid, token_counter integer, signed_by integer) OWNER TO neuroviews_owner;

--
-- Name: enter_session(uuid, uuid, integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    AS $$
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


ALTER FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) OWNER TO neuroviews_owner;

--
-- Name: enter_signed_request(uuid, integer, integer, bigint, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enter_signed_request(session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.enter_signed_session(
        neuroviews.account_of(session), session, token_counter, signed_by, signed_at, nonce);
END
$$;


ALTER FUNCTION neuroviews.enter_signed_request(session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) OWNER TO neuroviews_owner;

--
-- Name: enter_signed_session(uuid, uuid, integer, integer, bigint, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.enter_signed_session(account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    AS $$
BEGIN
    PERFORM neuroviews.enter_session(account, session, token_counter, signed_by);
    IF abs(signed_at - extract(epoch FROM clock_timestamp())) > 900 THEN
        RAISE EXCEPTION 'the clocks of server and database differ' USING ERRCODE = 'NV003';
    END IF;
    INSERT INTO neuroviews.nonces (slot, user_id, session_id, signed_at, nonce)
    VALUES ((signed_at / 900) % 4, account, session, signed_at, nonce);
END
$$;


ALTER FUNCTION neuroviews.enter_signed_session(account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) OWNER TO neuroviews_owner;

--
-- Name: entered_account(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.entered_account() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$ SELECT current_setting('app.user_id')::uuid $$;


ALTER FUNCTION neuroviews.entered_account() OWNER TO neuroviews_owner;

--
-- Name: erase_account(bytea, uuid, inet, boolean); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    caller uuid := nullif(current_setting('app.user_id', true), '');
    device text := nullif(current_setting('app.device_id', true), '');
BEGIN
    PERFORM neuroviews.note_event(caller, 'deletion', session, device, client);
    -- The mail has no account, because it would be deleted with the account.
    INSERT INTO neuroviews.mails (kind, event, email) SELECT 'event', 'deletion', u.email FROM neuroviews.users u WHERE u.id = caller AND is_mailed;
    PERFORM neuroviews.begin_account_erasure(caller, ledger_digest);
END
$$;


ALTER FUNCTION neuroviews.erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean) OWNER TO neuroviews_owner;

--
-- Name: erase_account_step(uuid, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_account_step(erased uuid, rows_max integer) RETURNS TABLE(counted_as text, rows bigint, bytes bigint, is_done boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    t record;
    found_any boolean := false;
BEGIN
    PERFORM FROM neuroviews.account_erasures a WHERE a.account = erased FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT NULL, 0::bigint, 0::bigint, true;
        RETURN;
    END IF;
    FOR pass IN 1..2 LOOP
        IF pass = 1 THEN
            PERFORM FROM neuroviews.sync_heads h WHERE h.user_id = erased ORDER BY h.collection FOR UPDATE;
        ELSE
            -- Mails are deleted with the account. A server that sends a mail locks the mail's row before the
            -- account's.
            PERFORM FROM neuroviews.mails m WHERE m.account = erased ORDER BY m.id FOR UPDATE;
            PERFORM FROM neuroviews.users u WHERE u.id = erased FOR UPDATE;
        END IF;
        FOR t IN SELECT * FROM neuroviews.account_tables() LOOP
            IF t.is_current THEN
                SELECT e.rows, e.bytes INTO rows, bytes FROM neuroviews.erase_rows(
                    erased, t.place, t.relation, t.owner, true, t.has_documents, t.has_objects, rows_max) e;
                counted_as := t.counted_as;
            ELSE
                rows := neuroviews.erase_rows_aside(
                    erased, t.place, t.relation, t.owner, t.has_documents, t.has_objects, rows_max);
                counted_as := NULL;
                bytes := 0;
            END IF;
            CONTINUE WHEN rows = 0;
            found_any := true;
            is_done := false;
            RETURN NEXT;
            IF rows >= rows_max OR t.has_documents THEN
                RETURN;
            END IF;
        END LOOP;
        IF found_any THEN
            RETURN;
        END IF;
    END LOOP;
    DELETE FROM neuroviews.users u WHERE u.id = erased;
    DELETE FROM neuroviews.erasures e WHERE e.account = erased;
    DELETE FROM neuroviews.account_erasures a WHERE a.account = erased;
    RETURN QUERY SELECT NULL, 0::bigint, 0::bigint, true;
END
$$;


ALTER FUNCTION neuroviews.erase_account_step(erased uuid, rows_max integer) OWNER TO neuroviews_owner;

--
-- Name: erase_events(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_events(events_max integer) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT neuroviews.erase_events_of(nullif(current_setting('app.user_id', true), '')::uuid, events_max)
$$;


ALTER FUNCTION neuroviews.erase_events(events_max integer) OWNER TO neuroviews_owner;

--
-- Name: erase_events_of(uuid, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_events_of(erased uuid, events_max integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_sort TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    kept record;
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = 'analytics' FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = 'analytics' AND c.granted) THEN
        RETURN false;
    END IF;
    -- The first event that stays, in the order of the key. It is found by the index alone: a step must not read or
    -- sort all events, whatever the planner's statistics are.
    SELECT e.device_id, e.occurred_at, e.id INTO kept FROM neuroviews.analytics_events e WHERE e.user_id = erased
    ORDER BY e.device_id, e.occurred_at, e.id OFFSET events_max LIMIT 1;
    IF FOUND THEN
        DELETE FROM neuroviews.analytics_events e
        WHERE e.user_id = erased AND (e.device_id, e.occurred_at, e.id) < (kept.device_id, kept.occurred_at, kept.id);
        INSERT INTO neuroviews.erasures VALUES (erased) ON CONFLICT DO NOTHING;
        RETURN true;
    END IF;
    DELETE FROM neuroviews.analytics_events e WHERE e.user_id = erased;
    DELETE FROM neuroviews.erasures e WHERE e.account = erased;
    RETURN false;
END
$$;


ALTER FUNCTION neuroviews.erase_events_of(erased uuid, events_max integer) OWNER TO neuroviews_owner;

--
-- Name: erase_rows(uuid, text, text, text, boolean, boolean, boolean, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_rows(erased uuid, place text, relation text, owner text, is_current boolean, has_documents boolean, has_objects boolean, rows_max integer, OUT rows bigint, OUT bytes bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $_$
BEGIN
    EXECUTE format($query$
        WITH found AS MATERIALIZED (SELECT ctid AS place, %4$s AS bytes FROM %1$I.%2$I WHERE %3$I = $1 LIMIT $2), due AS MATERIALIZED (
            SELECT place FROM (SELECT place, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS before FROM found) f WHERE before < 32 << 20
        ), gone AS (
            DELETE FROM %1$I.%2$I WHERE ctid = ANY (ARRAY(SELECT place FROM due)) AND %3$I = $1 RETURNING %5$s AS bytes, %6$s AS object_key
        ), kept AS (
            INSERT INTO neuroviews.erased_objects (account, object_key) SELECT DISTINCT $1, object_key FROM gone WHERE object_key IS NOT NULL
            ON CONFLICT DO NOTHING
        )
        SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM gone
        $query$, place, relation, owner,
        CASE WHEN has_documents THEN 'coalesce(octet_length(document), 0)' ELSE '0' END,
        CASE WHEN is_current AND relation = 'recording_files' THEN 'upload_offset + thumbnail_bytes' ELSE '0' END,
        CASE WHEN has_objects THEN 'object_key' ELSE 'NULL::text' END
    ) INTO rows, bytes USING erased, rows_max;
END
$_$;


ALTER FUNCTION neuroviews.erase_rows(erased uuid, place text, relation text, owner text, is_current boolean, has_documents boolean, has_objects boolean, rows_max integer, OUT rows bigint, OUT bytes bigint) OWNER TO neuroviews_owner;

--
-- Name: erase_rows_aside(uuid, text, text, text, boolean, boolean, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_rows_aside(erased uuid, place text, relation text, owner text, has_documents boolean, has_objects boolean, rows_max integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $_$
DECLARE
    count bigint;
BEGIN
    EXECUTE format('SELECT 1 FROM %I.%I WHERE %I = $1 LIMIT 1', place, relation, owner) INTO count USING erased;
    IF count IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM neuroviews.turn_triggers_aside('DISABLE', place);
    SELECT e.rows INTO count
    FROM neuroviews.erase_rows(erased, place, relation, owner, false, has_documents, has_objects, rows_max) e;
    PERFORM neuroviews.turn_triggers_aside('ENABLE', place);
    RETURN count;
END
$_$;


ALTER FUNCTION neuroviews.erase_rows_aside(erased uuid, place text, relation text, owner text, has_documents boolean, has_objects boolean, rows_max integer) OWNER TO neuroviews_owner;

--
-- Name: erasure_ledger_entries(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erasure_ledger_entries() RETURNS TABLE(is_key boolean, value bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT true, k.key FROM neuroviews.erasure_ledger_keys k UNION ALL SELECT false, l.digest FROM neuroviews.erasure_ledger l ORDER BY 1 DESC, 2
$$;


ALTER FUNCTION neuroviews.erasure_ledger_entries() OWNER TO neuroviews_owner;

--
-- Name: fill_account(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.fill_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    NEW.user_id := (SELECT s.user_id FROM neuroviews.sessions s WHERE s.id = NEW.session_id);
    RETURN NEW;
END
$$;


ALTER FUNCTION neuroviews.fill_account() OWNER TO neuroviews_owner;

--
-- Name: follow_consent(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.follow_consent() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM neuroviews.note_consent(NEW);
    END IF;
    IF coalesce(NEW.category, OLD.category) <> 'analytics' THEN
        RETURN NULL;
    END IF;
    IF NEW.granted THEN
        IF EXISTS (SELECT FROM neuroviews.erasures e WHERE e.account = NEW.user_id) THEN
            RAISE EXCEPTION 'events of the time before are still being deleted' USING ERRCODE = 'NV014';
        END IF;
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.analytics_months m WHERE m.user_id = OLD.user_id;
    DELETE FROM neuroviews.analytics_names n WHERE n.user_id = OLD.user_id;
    DELETE FROM neuroviews.analytics_device_days d WHERE d.user_id = OLD.user_id;
    DELETE FROM neuroviews.analytics_name_days d WHERE d.user_id = OLD.user_id;
    PERFORM neuroviews.erase_events_of(OLD.user_id, 20000);
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.follow_consent() OWNER TO neuroviews_owner;

--
-- Name: forget_history(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.forget_history() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM neuroviews.configuration_versions v USING gone g WHERE v.user_id = g.user_id AND g.collection = 'configurations';
    DELETE FROM neuroviews.recording_versions v USING gone g WHERE v.user_id = g.user_id AND g.collection = 'recordings';
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.forget_history() OWNER TO neuroviews_owner;

--
-- Name: forget_mailed(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.forget_mailed(account_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    -- Before the tokens: a server that is sending such a mail has locked its row.
    UPDATE neuroviews.mails m SET ended_at = now() WHERE m.account = account_id AND m.kind = 'address' AND m.ended_at IS NULL;
    DELETE FROM neuroviews.mailed_tokens t WHERE t.account = account_id;
END
$$;


ALTER FUNCTION neuroviews.forget_mailed(account_id uuid) OWNER TO neuroviews_owner;

--
-- Name: forget_master_keys(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.forget_master_keys() RETURNS SETOF text
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DELETE FROM neuroviews.master_keys k WHERE k.state = 'previous' AND k.since < now() - interval '1 day 1 hour'
        AND NOT EXISTS (SELECT FROM neuroviews.sessions s WHERE s.key_id = k.key_id AND neuroviews.is_live(s))
        AND NOT EXISTS (SELECT FROM neuroviews.totp_secrets t WHERE t.master_key_id = k.key_id)
        AND NOT EXISTS (SELECT FROM neuroviews.receipt_keys r WHERE r.master_key_id = k.key_id AND r.sealed_private_key IS NOT NULL)
        AND NOT EXISTS (
            SELECT FROM neuroviews.recording_files f WHERE f.state = 'uploading' AND f.asked_at < k.since + interval '1 minute')
    RETURNING k.key_id
$$;


ALTER FUNCTION neuroviews.forget_master_keys() OWNER TO neuroviews_owner;

--
-- Name: forget_places(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.forget_places(account uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DELETE FROM neuroviews.known_addresses k WHERE k.user_id = account;
    WITH known AS MATERIALIZED (
        SELECT o.id FROM neuroviews.devices o WHERE o.user_id = account AND o.logged_in_at IS NOT NULL ORDER BY o.id FOR NO KEY UPDATE
    )
    UPDATE neuroviews.devices d SET logged_in_at = NULL FROM known WHERE d.user_id = account AND d.id = known.id
$$;


ALTER FUNCTION neuroviews.forget_places(account uuid) OWNER TO neuroviews_owner;

--
-- Name: forget_registration(text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.forget_registration(address text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM neuroviews.registrations r WHERE lower(r.email) = lower(address);
    DELETE FROM neuroviews.mailed_tokens t WHERE lower(t.email) = lower(address) AND t.account IS NULL;
END
$$;


ALTER FUNCTION neuroviews.forget_registration(address text) OWNER TO neuroviews_owner;

--
-- Name: has_other_login(uuid, text[], text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.has_other_login(removed uuid, issuers text[], domain text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM neuroviews.users u WHERE u.id = nullif(current_setting('app.user_id', true), '')::uuid AND u.has_password)
        OR EXISTS (
            SELECT FROM neuroviews.identities i
            WHERE i.user_id = nullif(current_setting('app.user_id', true), '')::uuid AND i.id <> removed AND i.issuer = ANY (issuers))
        OR EXISTS (
            SELECT FROM neuroviews.passkeys p
            WHERE p.user_id = nullif(current_setting('app.user_id', true), '')::uuid AND p.id <> removed AND p.domain = has_other_login.domain)
$$;


ALTER FUNCTION neuroviews.has_other_login(removed uuid, issuers text[], domain text) OWNER TO neuroviews_owner;

--
-- Name: invite(text, bytea); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.invite(address text, hash bytea) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    expiry timestamptz := now() + neuroviews.token_lifetime('invitation');
BEGIN
    PERFORM neuroviews.lock_address(address);
    IF EXISTS (SELECT FROM neuroviews.users u WHERE lower(u.email) = lower(address)) THEN
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.mailed_tokens t WHERE lower(t.email) = lower(address) AND t.purpose = 'invitation';
    INSERT INTO neuroviews.mailed_tokens (token_hash, purpose, email, expires_at) VALUES (hash, 'invitation', address, expiry);
    RETURN expiry;
END
$$;


ALTER FUNCTION neuroviews.invite(address text, hash bytea) OWNER TO neuroviews_owner;

--
-- Name: sessions; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    key_id text NOT NULL,
    counter integer DEFAULT 1 NOT NULL,
    confirmed_at timestamp with time zone,
    device_id text,
    address inet,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    proven_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    signature_version smallint DEFAULT 0 NOT NULL
);


ALTER TABLE neuroviews.sessions OWNER TO neuroviews_owner;

--
-- Name: is_live(neuroviews.sessions); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_live(s neuroviews.sessions) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT s.ended_at IS NULL AND s.last_used_at >= now() - interval '90 days' AND s.created_at >= now() - interval '365 days'
$$;


ALTER FUNCTION neuroviews.is_live(s neuroviews.sessions) OWNER TO neuroviews_owner;

--
-- Name: is_mailed(uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_mailed(account uuid, kind text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE kind
        WHEN 'device-new' THEN EXISTS (SELECT FROM neuroviews.users u WHERE u.id = account AND u.created_at < now() - interval '1 day')
            OR EXISTS (SELECT FROM neuroviews.account_events e WHERE e.user_id = account AND e.kind = 'login')
        ELSE kind IN ('password-changed', 'second-factor-failed', 'totp-added', 'totp-removed', 'passkey-added', 'passkey-removed', 'identity-added', 'identity-removed',
            'token-reused', 'export')
    END
$$;


ALTER FUNCTION neuroviews.is_mailed(account uuid, kind text) OWNER TO neuroviews_owner;

--
-- Name: is_new_login(uuid, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_new_login(account uuid, device text, client inet) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT coalesce(
        (SELECT d.xmin = pg_current_xact_id()::xid AND d.first_seen_at = now()::timestamptz(3)
        FROM neuroviews.devices d WHERE d.user_id = account AND d.id = device),
        NOT EXISTS (SELECT FROM neuroviews.known_addresses k WHERE k.user_id = account AND k.address = client))
$$;


ALTER FUNCTION neuroviews.is_new_login(account uuid, device text, client inet) OWNER TO neuroviews_owner;

--
-- Name: is_noted(neuroviews.sessions); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_noted(s neuroviews.sessions) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$ SELECT s.confirmed_at IS NOT NULL AND s.last_used_at >= now() - interval '1 hour' $$;


ALTER FUNCTION neuroviews.is_noted(s neuroviews.sessions) OWNER TO neuroviews_owner;

--
-- Name: is_outdated(neuroviews.sessions, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT token_counter IS DISTINCT FROM s.counter - 1 OR coalesce(s.confirmed_at < now() - interval '60 seconds', false)
$$;


ALTER FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) OWNER TO neuroviews_owner;

--
-- Name: is_proven(neuroviews.sessions); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_proven(s neuroviews.sessions) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$ SELECT s.proven_at > now() - interval '10 minutes' $$;


ALTER FUNCTION neuroviews.is_proven(s neuroviews.sessions) OWNER TO neuroviews_owner;

--
-- Name: judge_request(uuid, integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.judge_request(session uuid, token_counter integer, signed_by integer) RETURNS neuroviews.sessions
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN neuroviews.judge_session(neuroviews.account_of(session), session, token_counter, signed_by);
END
$$;


ALTER FUNCTION neuroviews.judge_request(session uuid, token_counter integer, signed_by integer) OWNER TO neuroviews_owner;

--
-- Name: judge_session(uuid, uuid, integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.judge_session(account uuid, session uuid, token_counter integer, signed_by integer) RETURNS neuroviews.sessions
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
        ELSIF signed_by > 0 OR s.signature_version > 2 THEN
            RAISE EXCEPTION 'the session has signed by version %', s.signature_version USING ERRCODE = 'NV006';
        END IF;
    END IF;
    IF token_counter = s.counter THEN
        IF NOT neuroviews.is_noted(s) THEN
            UPDATE neuroviews.sessions SET confirmed_at = coalesce(confirmed_at, now()), last_used_at = now()
            WHERE user_id = account AND id = session AND counter = token_counter;
        END IF;
    ELSIF neuroviews.is_outdated(s, token_counter) THEN
        RAISE EXCEPTION 'a newer token was used' USING ERRCODE = 'NV002';
    END IF;
    RETURN s;
END
$$;


ALTER FUNCTION neuroviews.judge_session(account uuid, session uuid, token_counter integer, signed_by integer) OWNER TO neuroviews_owner;

--
-- Name: keep_answer(uuid, neuroviews.collection, text, bytea, integer, jsonb); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    size integer := pg_column_size(new_answer) + 200;
    former integer := coalesce((
        SELECT k.bytes FROM neuroviews.idempotency_keys k WHERE k.user_id = owner AND k.key = idempotency_key), 0);
BEGIN
    INSERT INTO neuroviews.idempotency_keys AS k (user_id, key, collection, request_digest, answer, bytes, created_at)
    VALUES (owner, idempotency_key, kept_in, request, new_answer, size, clock_timestamp())
    ON CONFLICT (user_id, key) DO UPDATE SET request_digest = excluded.request_digest, answer = excluded.answer,
        bytes = excluded.bytes, created_at = CASE
            WHEN k.created_at > clock_timestamp() - lifetime_s * interval '1 second' THEN k.created_at
            ELSE excluded.created_at END;
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + size - former
    WHERE h.user_id = owner AND h.collection = kept_in;
END
$$;


ALTER FUNCTION neuroviews.keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb) OWNER TO neuroviews_owner;

--
-- Name: kept_answer(uuid, text, bytea, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea, lifetime_s integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    kept record;
BEGIN
    SELECT k.request_digest, k.answer INTO kept FROM neuroviews.idempotency_keys k
    WHERE k.user_id = owner AND k.key = idempotency_key
        AND k.created_at > clock_timestamp() - lifetime_s * interval '1 second';
    IF kept.request_digest <> request THEN
        RAISE EXCEPTION 'the key came with another request' USING ERRCODE = 'NV011';
    END IF;
    RETURN kept.answer;
END
$$;


ALTER FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea, lifetime_s integer) OWNER TO neuroviews_owner;

--
-- Name: limit_lock_wait(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.limit_lock_wait(milliseconds integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM set_config('lock_timeout', milliseconds::text, true);
END
$$;


ALTER FUNCTION neuroviews.limit_lock_wait(milliseconds integer) OWNER TO neuroviews_owner;

--
-- Name: identities; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.identities (
    user_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.identities OWNER TO neuroviews_owner;

--
-- Name: link_identity(text, text, text, integer, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.link_identity(new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) RETURNS neuroviews.identities
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    caller uuid := nullif(current_setting('app.user_id', true), '');
    device text := nullif(current_setting('app.device_id', true), '');
    identity neuroviews.identities%ROWTYPE;
BEGIN
    SELECT * INTO identity FROM neuroviews.identities i
    WHERE i.user_id = caller AND i.issuer = new_issuer AND i.subject = new_subject;
    IF FOUND THEN
        RETURN identity;
    END IF;
    IF (SELECT count(*) >= identities_max FROM neuroviews.identities i WHERE i.user_id = caller) THEN
        RAISE EXCEPTION 'the account has too many identities' USING ERRCODE = 'NV054';
    END IF;
    INSERT INTO neuroviews.identities (user_id, issuer, subject, email) VALUES (caller, new_issuer, new_subject, new_email)
    ON CONFLICT DO NOTHING RETURNING * INTO identity;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another account has the identity' USING ERRCODE = 'NV053';
    END IF;
    PERFORM neuroviews.note_event(caller, 'identity-added', session, device, client);
    RETURN identity;
END
$$;


ALTER FUNCTION neuroviews.link_identity(new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) OWNER TO neuroviews_owner;

--
-- Name: listed_accounts(text, text, uuid, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.listed_accounts(place text, relation text, after uuid, accounts_max integer) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
BEGIN
    IF relation NOT IN ('users', 'account_erasures', 'erased_objects')
        OR place <> 'neuroviews' AND NOT EXISTS (SELECT FROM neuroviews.account_tables() t WHERE t.place = listed_accounts.place) THEN
        RAISE EXCEPTION 'no table of accounts' USING ERRCODE = 'undefined_table';
    END IF;
    RETURN QUERY EXECUTE format(
        'SELECT DISTINCT %1$I FROM %2$I.%3$I WHERE %1$I > $1 ORDER BY 1 LIMIT $2',
        CASE relation WHEN 'users' THEN 'id' ELSE 'account' END, place, relation
    ) USING after, accounts_max;
END
$_$;


ALTER FUNCTION neuroviews.listed_accounts(place text, relation text, after uuid, accounts_max integer) OWNER TO neuroviews_owner;

--
-- Name: lock_address(text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_address(address text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('neuroviews.address ' || lower(address), 0))
$$;


ALTER FUNCTION neuroviews.lock_address(address text) OWNER TO neuroviews_owner;

--
-- Name: lock_device_sessions(uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_device_sessions(session uuid, device text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.lock_sessions_of_device(neuroviews.account_of(session), session, device);
END
$$;


ALTER FUNCTION neuroviews.lock_device_sessions(session uuid, device text) OWNER TO neuroviews_owner;

--
-- Name: lock_passkeys(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_passkeys(account uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('neuroviews.passkeys ' || account, 0))
$$;


ALTER FUNCTION neuroviews.lock_passkeys(account uuid) OWNER TO neuroviews_owner;

--
-- Name: lock_sessions(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_sessions(session uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.lock_sessions_of(neuroviews.account_of(session), session);
END
$$;


ALTER FUNCTION neuroviews.lock_sessions(session uuid) OWNER TO neuroviews_owner;

--
-- Name: lock_sessions_of(uuid, uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_sessions_of(account uuid, session uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.users u WHERE u.id = account
        AND EXISTS (SELECT FROM neuroviews.sessions s WHERE s.user_id = account AND s.id = session AND neuroviews.is_live(s))
    FOR NO KEY UPDATE;
    IF FOUND THEN
        PERFORM FROM neuroviews.sessions s WHERE s.user_id = account AND s.ended_at IS NULL ORDER BY s.id FOR NO KEY UPDATE;
    END IF;
END
$$;


ALTER FUNCTION neuroviews.lock_sessions_of(account uuid, session uuid) OWNER TO neuroviews_owner;

--
-- Name: lock_sessions_of_device(uuid, uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.lock_sessions_of_device(account uuid, session uuid, device text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.sessions s
    WHERE s.user_id = account
        AND EXISTS (SELECT FROM neuroviews.sessions a WHERE a.user_id = account AND a.id = session)
        AND (s.id = session OR s.device_id = device AND s.ended_at IS NULL)
    ORDER BY s.id FOR NO KEY UPDATE;
END
$$;


ALTER FUNCTION neuroviews.lock_sessions_of_device(account uuid, session uuid, device text) OWNER TO neuroviews_owner;

--
-- Name: mails; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.mails (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind neuroviews.mail_kind NOT NULL,
    event text,
    email text NOT NULL,
    account uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    lease uuid,
    ended_at timestamp with time zone,
    CONSTRAINT mails_check CHECK (((event IS NULL) = (kind <> 'event'::neuroviews.mail_kind)))
);


ALTER TABLE neuroviews.mails OWNER TO neuroviews_owner;

--
-- Name: mail_content(neuroviews.mails); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.mail_content(m neuroviews.mails) RETURNS TABLE(form text, recipient text, purpose neuroviews.token_purpose, account uuid)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH known AS (SELECT u.id, u.email FROM neuroviews.users u WHERE lower(u.email) = lower((m).email)),
    waiting AS (
        SELECT r.email, r.is_contested FROM neuroviews.registrations r
        WHERE lower(r.email) = lower((m).email) AND r.expires_at > now() AND NOT EXISTS (SELECT FROM known)
    )
    SELECT 'account-exists', k.email, NULL::neuroviews.token_purpose, NULL::uuid FROM known k
    WHERE (m).kind = 'registration' OR (m).kind = 'address' AND k.id <> (m).account
    UNION ALL SELECT 'verify', w.email, 'verify', NULL FROM waiting w WHERE (m).kind = 'registration' AND NOT w.is_contested
    UNION ALL SELECT 'choose-password', w.email, 'reset', NULL FROM waiting w
    WHERE (m).kind = 'registration' AND w.is_contested OR (m).kind = 'reset'
    UNION ALL SELECT 'reset', k.email, 'reset', k.id FROM known k WHERE (m).kind = 'reset'
    UNION ALL SELECT 'address', (m).email, 'address', (m).account
    WHERE (m).kind = 'address' AND NOT EXISTS (SELECT FROM known k WHERE k.id <> (m).account)
    UNION ALL SELECT 'address-changed', (m).email, NULL, NULL WHERE (m).kind = 'address-changed'
    UNION ALL SELECT (m).event, (m).email, NULL, NULL WHERE (m).kind = 'event'
$$;


ALTER FUNCTION neuroviews.mail_content(m neuroviews.mails) OWNER TO neuroviews_owner;

--
-- Name: next_begin(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.next_begin(former timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql
    RETURN (GREATEST(date_trunc('second'::text, clock_timestamp()), former) + '00:00:01'::interval);


ALTER FUNCTION neuroviews.next_begin(former timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: note_address(uuid, inet, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_address(account uuid, client inet, addresses_max integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO neuroviews.known_addresses (user_id, address) SELECT account, client WHERE client IS NOT NULL
    ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = now();
    DELETE FROM neuroviews.known_addresses WHERE user_id = account AND address IN (
        SELECT k.address FROM neuroviews.known_addresses k WHERE k.user_id = account ORDER BY k.last_login_at DESC OFFSET addresses_max);
END
$$;


ALTER FUNCTION neuroviews.note_address(account uuid, client inet, addresses_max integer) OWNER TO neuroviews_owner;

--
-- Name: consents; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.consents (
    user_id uuid NOT NULL,
    category neuroviews.consent_category NOT NULL,
    granted boolean NOT NULL,
    version text NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL
);


ALTER TABLE neuroviews.consents OWNER TO neuroviews_owner;

--
-- Name: note_consent(neuroviews.consents); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_consent(consent neuroviews.consents) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO neuroviews.consent_changes (user_id, category, changed_at, granted, version)
    VALUES (consent.user_id, consent.category, consent.changed_at, consent.granted, consent.version);
    DELETE FROM neuroviews.consent_changes c WHERE c.user_id = consent.user_id AND c.changed_at < (
        SELECT o.changed_at FROM neuroviews.consent_changes o WHERE o.user_id = consent.user_id
        ORDER BY o.changed_at DESC OFFSET 999 LIMIT 1);
END
$$;


ALTER FUNCTION neuroviews.note_consent(consent neuroviews.consents) OWNER TO neuroviews_owner;

--
-- Name: note_event(uuid, text, uuid, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_event(account uuid, kind text, session uuid, device text, client inet) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO neuroviews.account_events (user_id, kind, session_id, device_id, address, mail_due)
    VALUES (account, kind, session, device, client, neuroviews.is_mailed(account, kind))
$$;


ALTER FUNCTION neuroviews.note_event(account uuid, kind text, session uuid, device text, client inet) OWNER TO neuroviews_owner;

--
-- Name: note_failure(uuid, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_failure(account uuid, what text, client inet) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE neuroviews.account_events e SET count = e.count + 1, address = CASE WHEN e.address = client THEN client END
    WHERE e.user_id = account AND e.kind = what AND e.at >= date_trunc('hour', now());
    IF NOT FOUND THEN
        INSERT INTO neuroviews.account_events (user_id, kind, address, mail_due)
        SELECT u.id, what, client, neuroviews.is_mailed(u.id, what) FROM neuroviews.users u WHERE u.id = account;
    END IF;
    IF account IS NULL THEN
        PERFORM pg_logical_emit_message(true, 'neuroviews', repeat('-', 150));
    END IF;
END
$$;


ALTER FUNCTION neuroviews.note_failure(account uuid, what text, client inet) OWNER TO neuroviews_owner;

--
-- Name: note_login(uuid, inet, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
    PERFORM neuroviews.note_address(account, client, addresses_max);
END
$$;


ALTER FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) OWNER TO neuroviews_owner;

--
-- Name: open_account(text, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.open_account(address text, hash text) RETURNS neuroviews.users
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    account neuroviews.users%ROWTYPE;
BEGIN
    PERFORM neuroviews.lock_address(address);
    INSERT INTO neuroviews.users (email, password_hash) VALUES (address, hash) RETURNING * INTO account;
    -- OFFSET 0: the random value is computed once for each row.
    INSERT INTO neuroviews.sync_heads (user_id, collection, genesis, chain)
    SELECT account.id, h.collection, h.genesis, h.genesis FROM (
        SELECT c.collection, uuid_send(gen_random_uuid()) AS genesis
        FROM unnest(enum_range(NULL::neuroviews.collection)) c(collection) OFFSET 0
    ) h;
    PERFORM neuroviews.forget_registration(address);
    RETURN account;
END
$$;


ALTER FUNCTION neuroviews.open_account(address text, hash text) OWNER TO neuroviews_owner;

--
-- Name: open_invited_account(text, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.open_invited_account(address text, hash text) RETURNS neuroviews.users
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.lock_address(address);
    DELETE FROM neuroviews.mailed_tokens t
    WHERE lower(t.email) = lower(address) AND t.purpose = 'invitation' AND t.expires_at > now();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the address is not invited' USING ERRCODE = 'NV030';
    END IF;
    RETURN neuroviews.open_account(address, hash);
END
$$;


ALTER FUNCTION neuroviews.open_invited_account(address text, hash text) OWNER TO neuroviews_owner;

--
-- Name: random_salt(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.random_salt() RETURNS bigint
    LANGUAGE sql
    RETURN ((('x'::text || "left"(md5((gen_random_uuid())::text), 16)))::bit(64))::bigint;


ALTER FUNCTION neuroviews.random_salt() OWNER TO neuroviews_owner;

--
-- Name: reached_limit(bytea[], integer[]); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reached_limit(keys bytea[], limits integer[]) RETURNS TABLE(reached integer, seconds integer)
    LANGUAGE sql STABLE
    AS $$
    SELECT l.number, greatest(1, ceil(extract(epoch FROM o.ends_at - now())))::integer
    FROM unnest(keys, limits) l(key, number) CROSS JOIN LATERAL (
        SELECT a.ends_at FROM neuroviews.attempts a WHERE a.key = l.key AND a.ends_at > now()
        ORDER BY a.ends_at DESC OFFSET greatest(l.number, 1) - 1 LIMIT 1
    ) o
    WHERE l.number > 0 ORDER BY o.ends_at DESC LIMIT 1
$$;


ALTER FUNCTION neuroviews.reached_limit(keys bytea[], limits integer[]) OWNER TO neuroviews_owner;

--
-- Name: refuse_erased_account(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.refuse_erased_account() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.users u WHERE u.id = NEW.user_id FOR SHARE;
    IF EXISTS (SELECT FROM neuroviews.account_erasures a WHERE a.account = NEW.user_id) THEN
        RAISE EXCEPTION 'the account is being erased' USING ERRCODE = 'NV040';
    END IF;
    RETURN NEW;
END
$$;


ALTER FUNCTION neuroviews.refuse_erased_account() OWNER TO neuroviews_owner;

--
-- Name: release_answers(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.release_answers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes - r.bytes
    FROM (SELECT user_id, collection, sum(bytes) AS bytes FROM released GROUP BY user_id, collection) r
    WHERE h.user_id = r.user_id AND h.collection = r.collection;
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.release_answers() OWNER TO neuroviews_owner;

--
-- Name: release_attempt(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.release_attempt(attempt uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DELETE FROM neuroviews.attempts WHERE id = attempt
$$;


ALTER FUNCTION neuroviews.release_attempt(attempt uuid) OWNER TO neuroviews_owner;

--
-- Name: release_history(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.release_history() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes - r.bytes
    FROM (SELECT user_id, sum(octet_length(document)) AS bytes FROM released GROUP BY user_id) r
    WHERE h.user_id = r.user_id AND h.collection = TG_ARGV[0]::neuroviews.collection AND r.bytes <> 0;
    IF TG_OP = 'UPDATE' THEN
        UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + k.bytes
        FROM (SELECT user_id, sum(octet_length(document)) AS bytes FROM kept GROUP BY user_id) k
        WHERE h.user_id = k.user_id AND h.collection = TG_ARGV[0]::neuroviews.collection AND k.bytes <> 0;
    END IF;
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.release_history() OWNER TO neuroviews_owner;

--
-- Name: remove_passkey(uuid, text[], text, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.remove_passkey(passkey uuid, issuers text[], domain text, session uuid, client inet) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    caller uuid := nullif(current_setting('app.user_id', true), '');
    device text := nullif(current_setting('app.device_id', true), '');
BEGIN
    IF NOT EXISTS (SELECT FROM neuroviews.passkeys p WHERE p.user_id = caller AND p.id = passkey) THEN
        RETURN NULL;
    END IF;
    IF NOT neuroviews.has_other_login(passkey, issuers, domain) THEN
        RETURN false;
    END IF;
    DELETE FROM neuroviews.passkeys p WHERE p.user_id = caller AND p.id = passkey;
    PERFORM neuroviews.note_event(caller, 'passkey-removed', session, device, client);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.remove_passkey(passkey uuid, issuers text[], domain text, session uuid, client inet) OWNER TO neuroviews_owner;

--
-- Name: replace_password(uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.replace_password(account uuid, hash text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE neuroviews.users SET password_hash = hash, has_password = true WHERE id = account;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    ended := neuroviews.end_sessions(account);
    PERFORM neuroviews.forget_mailed(account);
    PERFORM neuroviews.note_event(account, 'password-changed', NULL, NULL, NULL);
    RETURN ended;
END
$$;


ALTER FUNCTION neuroviews.replace_password(account uuid, hash text) OWNER TO neuroviews_owner;

--
-- Name: request_address(text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.request_address(address text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    asking uuid := nullif(current_setting('app.user_id', true), '')::uuid;
BEGIN
    -- Requests of one account for several addresses are counted one after the other.
    PERFORM neuroviews.lock_address(asking::text);
    PERFORM neuroviews.enqueue_mail('address', address, asking);
END
$$;


ALTER FUNCTION neuroviews.request_address(address text) OWNER TO neuroviews_owner;

--
-- Name: request_registration(text, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.request_registration(address text, hash text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF neuroviews.enqueue_mail('registration', address) THEN
        -- The registration outlives all its tokens: a mail is sent within 24 hours, and its token is valid for 24
        -- hours.
        INSERT INTO neuroviews.registrations (email, password_hash, expires_at)
        VALUES (address, hash, now() + interval '3 days')
        ON CONFLICT (lower(email)) DO UPDATE SET email = excluded.email, password_hash = excluded.password_hash,
            is_contested = true, expires_at = excluded.expires_at;
    END IF;
END
$$;


ALTER FUNCTION neuroviews.request_registration(address text, hash text) OWNER TO neuroviews_owner;

--
-- Name: require_confirmation(uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.require_confirmation(session uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.sessions s
    WHERE s.user_id = neuroviews.entered_account() AND s.id = session AND neuroviews.is_proven(s);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the person must confirm' USING ERRCODE = 'NV004';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.require_confirmation(session uuid) OWNER TO neuroviews_owner;

--
-- Name: require_master_key(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.require_master_key() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    wanted text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
    PERFORM FROM neuroviews.master_keys k WHERE k.key_id = wanted
        AND (k.state = 'current' OR k.state = 'previous' AND k.since > now() - interval '1 minute') FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the master key % is not the current one', wanted USING ERRCODE = 'NV021';
    END IF;
    RETURN NEW;
END
$$;


ALTER FUNCTION neuroviews.require_master_key() OWNER TO neuroviews_owner;

--
-- Name: require_standing(uuid, uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.require_standing(session uuid, target uuid, device text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM neuroviews.sessions a JOIN neuroviews.sessions t ON t.user_id = a.user_id AND t.id <> a.id
    WHERE a.user_id = neuroviews.entered_account() AND a.id = session AND NOT neuroviews.is_proven(a) AND (t.id = target OR t.device_id = device)
        AND neuroviews.is_live(t) AND neuroviews.is_proven(t);
    IF FOUND THEN
        RAISE EXCEPTION 'the person must confirm' USING ERRCODE = 'NV004';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.require_standing(session uuid, target uuid, device text) OWNER TO neuroviews_owner;

--
-- Name: reserve_attempt(bytea[], integer[], integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reserve_attempt(keys bytea[], limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    number bigint;
BEGIN
    SELECT r.reached, r.seconds INTO reached, wait_seconds FROM neuroviews.reached_limit(keys, limits) r;
    IF FOUND THEN
        RETURN;
    END IF;
    FOR number IN SELECT DISTINCT hashtextextended(encode(k, 'hex'), 0) FROM unnest(keys) k ORDER BY 1 LOOP
        PERFORM pg_advisory_xact_lock(number);
    END LOOP;
    SELECT r.reached, r.seconds INTO reached, wait_seconds FROM neuroviews.reached_limit(keys, limits) r;
    IF FOUND THEN
        RETURN;
    END IF;
    attempt := gen_random_uuid();
    INSERT INTO neuroviews.attempts (id, key, ends_at)
    SELECT attempt, l.key, now() + window_seconds * interval '1 second' FROM unnest(keys, limits) l(key, number) WHERE l.number > 0;
END
$$;


ALTER FUNCTION neuroviews.reserve_attempt(keys bytea[], limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) OWNER TO neuroviews_owner;

--
-- Name: reserve_login(bytea, text, text, inet, integer[], integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reserve_login(secret bytea, email text, device text, address inet, limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    who text := lower(email);
    place text := coalesce(host(address), 'none');
    account uuid := coalesce((SELECT u.id FROM neuroviews.users u WHERE lower(u.email) = who), uuid '00000000-0000-0000-0000-000000000000');
    known_device boolean := EXISTS (
        SELECT FROM neuroviews.devices d WHERE d.user_id = account AND d.id = device AND d.logged_in_at IS NOT NULL);
    known_address boolean := EXISTS (
        SELECT FROM neuroviews.known_addresses k WHERE k.user_id = account AND k.address = reserve_login.address);
BEGIN
    is_known := false;
    IF known_device THEN
        SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
            ARRAY[neuroviews.attempt_key(secret, 'device', who, device)], limits[2:2], window_seconds) r;
        IF wait_seconds IS NULL THEN
            is_known := true;
            RETURN;
        END IF;
    END IF;
    IF known_address THEN
        SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
            ARRAY[neuroviews.attempt_key(secret, 'known address', who, place)], limits[3:3], window_seconds) r;
        IF wait_seconds IS NULL THEN
            is_known := true;
            RETURN;
        END IF;
    END IF;
    SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
        ARRAY[neuroviews.attempt_key(secret, 'account', who), neuroviews.attempt_key(secret, 'address', place)],
        ARRAY[limits[1], limits[4]], window_seconds) r;
END
$$;


ALTER FUNCTION neuroviews.reserve_login(secret bytea, email text, device text, address inet, limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean) OWNER TO neuroviews_owner;

--
-- Name: reserve_one(bytea, text, text, integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reserve_one(secret bytea, kind text, subject text, number integer, window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) RETURNS record
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT r.* FROM neuroviews.reserve_attempt(ARRAY[neuroviews.attempt_key(secret, kind, subject)], ARRAY[number], window_seconds) r
$$;


ALTER FUNCTION neuroviews.reserve_one(secret bytea, kind text, subject text, number integer, window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) OWNER TO neuroviews_owner;

--
-- Name: reset_all_clients(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reset_all_clients() RETURNS bigint
    LANGUAGE sql
    AS $$
    WITH reset AS (
        UPDATE neuroviews.lineage SET salt = neuroviews.random_salt(), began_at = neuroviews.next_begin(began_at)
    )
    SELECT count(*) FROM neuroviews.users
$$;


ALTER FUNCTION neuroviews.reset_all_clients() OWNER TO neuroviews_owner;

--
-- Name: reset_clients(text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reset_clients(address text) RETURNS bigint
    LANGUAGE sql
    AS $$
    WITH owner AS (SELECT id FROM neuroviews.users WHERE lower(email) = lower(address)), reset AS (
        UPDATE neuroviews.sync_heads h SET salt = neuroviews.random_salt() FROM owner o WHERE h.user_id = o.id
    )
    SELECT count(*) FROM owner
$$;


ALTER FUNCTION neuroviews.reset_clients(address text) OWNER TO neuroviews_owner;

--
-- Name: reset_password(bytea, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, client inet) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{reset}');
BEGIN
    IF token.account IS NULL THEN
        PERFORM neuroviews.open_account(token.email, new_password_hash);
    ELSIF EXISTS (SELECT FROM neuroviews.users u WHERE u.id = token.account AND lower(u.email) = lower(token.email)) THEN
        PERFORM neuroviews.replace_password(token.account, new_password_hash);
        PERFORM neuroviews.forget_places(token.account);
        PERFORM neuroviews.note_address(token.account, client, 1);
    ELSE
        -- The account's address changed after the mail was created.
        RAISE EXCEPTION 'the account has another address' USING ERRCODE = 'NV030';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, client inet) OWNER TO neuroviews_owner;

--
-- Name: rfc3339(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.rfc3339(moment timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'::text);


ALTER FUNCTION neuroviews.rfc3339(moment timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: rotate_session(uuid, integer, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.rotate_session(session uuid, token_counter integer, client inet) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN neuroviews.rotate_token(neuroviews.account_of(session), session, token_counter, client);
END
$$;


ALTER FUNCTION neuroviews.rotate_session(session uuid, token_counter integer, client inet) OWNER TO neuroviews_owner;

--
-- Name: rotate_token(uuid, uuid, integer, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, client inet) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE user_id = account AND id = session FOR UPDATE;
    -- The signature was checked before.
    PERFORM neuroviews.enter_session(account, session, token_counter, NULL);
    IF token_counter = s.counter THEN
        UPDATE neuroviews.sessions SET counter = s.counter + 1, confirmed_at = NULL, last_used_at = now(), address = client
        WHERE user_id = account AND id = session;
        RETURN s.counter + 1;
    END IF;
    -- The client gets the newest token again: the list of sessions must show its address.
    UPDATE neuroviews.sessions SET address = client
    WHERE user_id = account AND id = session AND address IS DISTINCT FROM client;
    RETURN s.counter;
END
$$;


ALTER FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, client inet) OWNER TO neuroviews_owner;

--
-- Name: spend_id_token(bytea, bigint); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.spend_id_token(token_digest bytea, accepted_until bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO neuroviews.used_id_tokens (digest, ends_at) VALUES (token_digest, to_timestamp(accepted_until))
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the ID token was used' USING ERRCODE = 'NV052';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.spend_id_token(token_digest bytea, accepted_until bigint) OWNER TO neuroviews_owner;

--
-- Name: sweep_account_events(integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_account_events(kept_days integer, events_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM neuroviews.account_events e WHERE (e.user_id, e.kind, e.at, e.id) IN (
            SELECT o.user_id, o.kind, o.at, o.id FROM neuroviews.account_events o
            WHERE o.at < now() - kept_days * interval '1 day' ORDER BY o.at LIMIT events_max FOR UPDATE SKIP LOCKED)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;


ALTER FUNCTION neuroviews.sweep_account_events(kept_days integer, events_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_advance(text, timestamp with time zone, boolean); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_advance(walk text, seen_until timestamp with time zone, is_end boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    UPDATE neuroviews.sweeps s SET reached = seen_until WHERE s.name = walk AND seen_until IS NOT NULL;
    UPDATE neuroviews.sweeps s SET reached = '-infinity', began_at = now()
    WHERE s.name = walk AND is_end AND s.began_at < now() - interval '30 days';
END
$$;


ALTER FUNCTION neuroviews.sweep_advance(walk text, seen_until timestamp with time zone, is_end boolean) OWNER TO neuroviews_owner;

--
-- Name: sweep_attempts(integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_attempts(longest_seconds integer, rows_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH due AS MATERIALIZED (
        SELECT a.id, a.key FROM neuroviews.attempts a
        WHERE a.ends_at <= now() OR a.ends_at > now() + 2 * longest_seconds * interval '1 second' LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.attempts a USING due d WHERE a.id = d.id AND a.key = d.key RETURNING true
    )
    SELECT count(*) FROM deleted
$$;


ALTER FUNCTION neuroviews.sweep_attempts(longest_seconds integer, rows_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_begin(text, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_begin(walk text, keep integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION neuroviews.sweep_begin(walk text, keep integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_conflicts(text, integer, bigint, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer) RETURNS TABLE(deleted bigint, seen bigint, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION neuroviews.sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_erasures(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_erasures(events_max integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    erased uuid := (SELECT e.account FROM neuroviews.erasures e LIMIT 1);
BEGIN
    PERFORM neuroviews.erase_events_of(erased, events_max) WHERE erased IS NOT NULL;
    RETURN erased IS NOT NULL;
END
$$;


ALTER FUNCTION neuroviews.sweep_erasures(events_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_idempotency_keys(integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_idempotency_keys(lifetime_s integer, keys_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, collection, key FROM neuroviews.idempotency_keys
        WHERE created_at < clock_timestamp() - lifetime_s * interval '1 second' ORDER BY created_at LIMIT keys_max
    ), free AS MATERIALIZED (
        SELECT h.user_id, h.collection FROM neuroviews.sync_heads h
        WHERE (h.user_id, h.collection) IN (SELECT user_id, collection FROM old)
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM neuroviews.idempotency_keys k USING old o
        WHERE k.user_id = o.user_id AND k.key = o.key
            AND (o.user_id, o.collection) IN (SELECT user_id, collection FROM free)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;


ALTER FUNCTION neuroviews.sweep_idempotency_keys(lifetime_s integer, keys_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_known_addresses(integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_known_addresses(kept_days integer, rows_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH due AS MATERIALIZED (
        SELECT k.user_id, k.address FROM neuroviews.known_addresses k
        WHERE k.last_login_at < now() - kept_days * interval '1 day' ORDER BY k.last_login_at LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.known_addresses k USING due d WHERE k.user_id = d.user_id AND k.address = d.address RETURNING true
    )
    SELECT count(*) FROM deleted
$$;


ALTER FUNCTION neuroviews.sweep_known_addresses(kept_days integer, rows_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_nonces(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_nonces() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    EXECUTE format('TRUNCATE neuroviews.nonces_%s', (floor(extract(epoch FROM clock_timestamp()) / 900)::bigint + 2) % 4);
END
$$;


ALTER FUNCTION neuroviews.sweep_nonces() OWNER TO neuroviews_owner;

--
-- Name: sweep_old_conflicts(bigint, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_old_conflicts(age_seconds bigint, deletions_max integer) RETURNS TABLE(deleted bigint, seen bigint, busy boolean)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION neuroviews.sweep_old_conflicts(age_seconds bigint, deletions_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_used_id_tokens(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_used_id_tokens(tokens_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM neuroviews.used_id_tokens u WHERE u.digest IN (
            SELECT o.digest FROM neuroviews.used_id_tokens o
            WHERE o.ends_at < now() - interval '1 hour' LIMIT tokens_max FOR UPDATE SKIP LOCKED)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;


ALTER FUNCTION neuroviews.sweep_used_id_tokens(tokens_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_versions(text, integer, bigint, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer) RETURNS TABLE(emptied bigint, seen bigint, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
$_$;


ALTER FUNCTION neuroviews.sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer) OWNER TO neuroviews_owner;

--
-- Name: mailed_tokens; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.mailed_tokens (
    token_hash bytea NOT NULL,
    purpose neuroviews.token_purpose NOT NULL,
    email text NOT NULL,
    account uuid,
    expires_at timestamp with time zone NOT NULL
);


ALTER TABLE neuroviews.mailed_tokens OWNER TO neuroviews_owner;

--
-- Name: take_token(bytea, neuroviews.token_purpose[]); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.take_token(hash bytea, purposes neuroviews.token_purpose[]) RETURNS neuroviews.mailed_tokens
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE;
BEGIN
    SELECT * INTO token FROM neuroviews.mailed_tokens t WHERE t.token_hash = hash;
    PERFORM neuroviews.lock_address(token.email);
    PERFORM FROM neuroviews.users u WHERE u.id = token.account FOR NO KEY UPDATE;
    DELETE FROM neuroviews.mailed_tokens t
    WHERE t.token_hash = hash AND t.purpose = ANY (purposes) AND t.expires_at > now() RETURNING * INTO token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the token is not good' USING ERRCODE = 'NV030';
    END IF;
    RETURN token;
END
$$;


ALTER FUNCTION neuroviews.take_token(hash bytea, purposes neuroviews.token_purpose[]) OWNER TO neuroviews_owner;

--
-- Name: token_lifetime(neuroviews.token_purpose); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.token_lifetime(purpose neuroviews.token_purpose) RETURNS interval
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT CASE purpose WHEN 'reset' THEN interval '1 hour' WHEN 'invitation' THEN interval '7 days' ELSE interval '1 day' END
$$;


ALTER FUNCTION neuroviews.token_lifetime(purpose neuroviews.token_purpose) OWNER TO neuroviews_owner;

--
-- Name: trim_account_events(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.trim_account_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM neuroviews.account_events e USING added a
    WHERE e.user_id = a.user_id AND e.kind = a.kind AND (e.at, e.id) < (
        SELECT o.at, o.id FROM neuroviews.account_events o WHERE o.user_id = a.user_id AND o.kind = a.kind
        ORDER BY o.at DESC, o.id DESC OFFSET 299 LIMIT 1);
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.trim_account_events() OWNER TO neuroviews_owner;

--
-- Name: turn_triggers_aside(text, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.turn_triggers_aside(verb text, place text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    relation text;
BEGIN
    FOR relation IN SELECT DISTINCT c.relname FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
        WHERE c.relnamespace = place::regnamespace AND c.relkind = 'r' AND NOT t.tgisinternal LOOP
        EXECUTE format('ALTER TABLE %I.%I %s TRIGGER USER', place, relation, verb);
    END LOOP;
END
$$;


ALTER FUNCTION neuroviews.turn_triggers_aside(verb text, place text) OWNER TO neuroviews_owner;

--
-- Name: unlink_identity(uuid, text[], text, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.unlink_identity(identity uuid, issuers text[], domain text, session uuid, client inet) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    caller uuid := nullif(current_setting('app.user_id', true), '');
    device text := nullif(current_setting('app.device_id', true), '');
BEGIN
    IF NOT EXISTS (SELECT FROM neuroviews.identities i WHERE i.user_id = caller AND i.id = identity) THEN
        RETURN NULL;
    END IF;
    IF NOT neuroviews.has_other_login(identity, issuers, domain) THEN
        RETURN false;
    END IF;
    DELETE FROM neuroviews.identities i WHERE i.user_id = caller AND i.id = identity;
    DELETE FROM neuroviews.second_factor_challenges c WHERE c.user_id = caller;
    PERFORM neuroviews.note_event(caller, 'identity-removed', session, device, client);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.unlink_identity(identity uuid, issuers text[], domain text, session uuid, client inet) OWNER TO neuroviews_owner;

--
-- Name: verify_address(bytea); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.verify_address(hash bytea) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{verify,address}');
    registered text;
BEGIN
    IF token.purpose = 'address' THEN
        PERFORM neuroviews.change_address(token.account, token.email);
        RETURN;
    END IF;
    -- The password of a contested registration may belong to another person.
    SELECT r.password_hash INTO registered FROM neuroviews.registrations r
    WHERE lower(r.email) = lower(token.email) AND NOT r.is_contested AND r.expires_at > now();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the address was registered again' USING ERRCODE = 'NV030';
    END IF;
    PERFORM neuroviews.open_account(token.email, registered);
END
$$;


ALTER FUNCTION neuroviews.verify_address(hash bytea) OWNER TO neuroviews_owner;

--
-- Name: verify_lineage(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.verify_lineage() RETURNS void
    LANGUAGE sql
    AS $$SELECT neuroviews.check_lineage()$$;


ALTER FUNCTION neuroviews.verify_lineage() OWNER TO neuroviews_owner;

--
-- Name: account_erasures; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.account_erasures (
    account uuid NOT NULL,
    began_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.account_erasures OWNER TO neuroviews_owner;

--
-- Name: account_events; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.account_events (
    user_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    count integer DEFAULT 1 NOT NULL,
    session_id uuid,
    device_id text,
    address inet,
    mail_due boolean DEFAULT false NOT NULL,
    CONSTRAINT account_events_kind_check CHECK ((kind ~ '^[a-z]+(-[a-z]+)*$'::text))
);


ALTER TABLE neuroviews.account_events OWNER TO neuroviews_owner;

--
-- Name: analytics_device_days; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_device_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    device_id text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL
)
PARTITION BY RANGE (day);


ALTER TABLE neuroviews.analytics_device_days OWNER TO neuroviews_owner;

--
-- Name: analytics_events; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_events (
    user_id uuid NOT NULL,
    device_id text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    parameters json NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (occurred_at);


ALTER TABLE neuroviews.analytics_events OWNER TO neuroviews_owner;

--
-- Name: analytics_months; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_months (
    user_id uuid NOT NULL,
    month date NOT NULL,
    events bigint NOT NULL
)
PARTITION BY RANGE (month);


ALTER TABLE neuroviews.analytics_months OWNER TO neuroviews_owner;

--
-- Name: analytics_name_days; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_name_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    name text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL
)
PARTITION BY RANGE (day);


ALTER TABLE neuroviews.analytics_name_days OWNER TO neuroviews_owner;

--
-- Name: analytics_names; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_names (
    user_id uuid NOT NULL,
    month date NOT NULL,
    name text NOT NULL
)
PARTITION BY RANGE (month);


ALTER TABLE neuroviews.analytics_names OWNER TO neuroviews_owner;

--
-- Name: attempts; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNLOGGED TABLE neuroviews.attempts (
    id uuid NOT NULL,
    key bytea NOT NULL,
    ends_at timestamp with time zone NOT NULL
);


ALTER TABLE neuroviews.attempts OWNER TO neuroviews_owner;

--
-- Name: configuration_conflicts; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.configuration_conflicts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    document text NOT NULL,
    base_version integer NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    device_id text
);


ALTER TABLE neuroviews.configuration_conflicts OWNER TO neuroviews_owner;

--
-- Name: configuration_versions; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.configuration_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    document text,
    digest bytea,
    sent_digest bytea NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    author text NOT NULL,
    by_device boolean NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    preset text
);


ALTER TABLE neuroviews.configuration_versions OWNER TO neuroviews_owner;

--
-- Name: configurations; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.configurations (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    document text,
    digest bytea,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    preset text,
    CONSTRAINT configurations_check CHECK (((deleted = (document IS NULL)) AND (deleted = (digest IS NULL))))
);


ALTER TABLE neuroviews.configurations OWNER TO neuroviews_owner;

--
-- Name: consent_changes; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.consent_changes (
    user_id uuid NOT NULL,
    category neuroviews.consent_category NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    granted boolean NOT NULL,
    version text NOT NULL
);


ALTER TABLE neuroviews.consent_changes OWNER TO neuroviews_owner;

--
-- Name: devices; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.devices (
    user_id uuid NOT NULL,
    id text NOT NULL,
    name text,
    model text,
    app_version text,
    first_seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    logged_in_at timestamp with time zone
);


ALTER TABLE neuroviews.devices OWNER TO neuroviews_owner;

--
-- Name: erased_objects; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erased_objects (
    object_key text NOT NULL,
    account uuid NOT NULL
);


ALTER TABLE neuroviews.erased_objects OWNER TO neuroviews_owner;

--
-- Name: erasure_ledger; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasure_ledger (
    digest bytea NOT NULL
);


ALTER TABLE neuroviews.erasure_ledger OWNER TO neuroviews_owner;

--
-- Name: erasure_ledger_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasure_ledger_keys (
    key bytea NOT NULL
);


ALTER TABLE neuroviews.erasure_ledger_keys OWNER TO neuroviews_owner;

--
-- Name: erasures; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasures (
    account uuid NOT NULL
);


ALTER TABLE neuroviews.erasures OWNER TO neuroviews_owner;

--
-- Name: idempotency_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL,
    collection neuroviews.collection NOT NULL,
    request_digest bytea NOT NULL,
    answer jsonb NOT NULL,
    bytes integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.idempotency_keys OWNER TO neuroviews_owner;

--
-- Name: jobs; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.jobs (
    user_id uuid NOT NULL,
    object_key text NOT NULL,
    kind neuroviews.job_kind NOT NULL,
    recording_id uuid NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    excused integer DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    lease uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.jobs OWNER TO neuroviews_owner;

--
-- Name: known_addresses; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.known_addresses (
    user_id uuid NOT NULL,
    address inet NOT NULL,
    last_login_at timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.known_addresses OWNER TO neuroviews_owner;

--
-- Name: lineage; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.lineage (
    singleton boolean DEFAULT true NOT NULL,
    value text NOT NULL,
    began_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    salt bigint DEFAULT 0 NOT NULL,
    CONSTRAINT lineage_singleton_check CHECK (singleton)
);


ALTER TABLE neuroviews.lineage OWNER TO neuroviews_owner;

--
-- Name: master_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.master_keys (
    key_id text NOT NULL,
    check_value text NOT NULL,
    state text DEFAULT 'current'::text NOT NULL,
    since timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT master_keys_state_check CHECK ((state = ANY (ARRAY['prepared'::text, 'current'::text, 'previous'::text, 'compromised'::text])))
);


ALTER TABLE neuroviews.master_keys OWNER TO neuroviews_owner;

--
-- Name: nonces; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    user_id uuid NOT NULL
)
PARTITION BY LIST (slot);


ALTER TABLE neuroviews.nonces OWNER TO neuroviews_owner;

--
-- Name: nonces_0; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_0 (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    user_id uuid NOT NULL
);


ALTER TABLE neuroviews.nonces_0 OWNER TO neuroviews_owner;

--
-- Name: nonces_1; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_1 (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    user_id uuid NOT NULL
);


ALTER TABLE neuroviews.nonces_1 OWNER TO neuroviews_owner;

--
-- Name: nonces_2; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_2 (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    user_id uuid NOT NULL
);


ALTER TABLE neuroviews.nonces_2 OWNER TO neuroviews_owner;

--
-- Name: nonces_3; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_3 (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    user_id uuid NOT NULL
);


ALTER TABLE neuroviews.nonces_3 OWNER TO neuroviews_owner;

--
-- Name: object_store; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.object_store (
    singleton boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    is_claimed boolean DEFAULT false NOT NULL,
    CONSTRAINT object_store_singleton_check CHECK (singleton)
);


ALTER TABLE neuroviews.object_store OWNER TO neuroviews_owner;

--
-- Name: operator_actions; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.operator_actions (
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    operator text NOT NULL,
    action text NOT NULL,
    account uuid
);


ALTER TABLE neuroviews.operator_actions OWNER TO neuroviews_owner;

--
-- Name: passkey_challenges; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.passkey_challenges (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


ALTER TABLE neuroviews.passkey_challenges OWNER TO neuroviews_owner;

--
-- Name: passkeys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.passkeys (
    user_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    domain text NOT NULL,
    name text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone
);


ALTER TABLE neuroviews.passkeys OWNER TO neuroviews_owner;

--
-- Name: receipt_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.receipt_keys (
    key_id text NOT NULL,
    public_key bytea NOT NULL,
    sealed_private_key bytea,
    master_key_id text NOT NULL,
    valid_from timestamp(3) with time zone DEFAULT now() NOT NULL,
    valid_until timestamp(3) with time zone
);


ALTER TABLE neuroviews.receipt_keys OWNER TO neuroviews_owner;

--
-- Name: recording_files; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.recording_files (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    state neuroviews.recording_state DEFAULT 'uploading'::neuroviews.recording_state NOT NULL,
    failure text,
    object_key text NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    sha256 bytea,
    verified_sha256 bytea,
    verified_at timestamp(3) with time zone,
    encryption json,
    device_id text,
    configuration_id uuid,
    configuration_version text,
    upload neuroviews.upload_state DEFAULT 'open'::neuroviews.upload_state NOT NULL,
    upload_offset bigint DEFAULT 0 NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    boot_id uuid,
    multipart_id text,
    asked_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    uploaded_at timestamp(3) with time zone,
    recorded_at timestamp with time zone,
    video_format text,
    tags text[],
    resolution text,
    stated_ms integer,
    measured_ms integer GENERATED ALWAYS AS (
CASE
    WHEN ((probe ->> 'duration'::text) IS NOT NULL) THEN (round((LEAST(GREATEST(((probe ->> 'duration'::text))::numeric, (0)::numeric), (604800)::numeric) * (1000)::numeric)))::integer
    ELSE NULL::integer
END) STORED,
    probe jsonb,
    has_thumbnail boolean DEFAULT false NOT NULL,
    thumbnail_bytes bigint DEFAULT 0 NOT NULL,
    has_preview boolean DEFAULT false NOT NULL
);


ALTER TABLE neuroviews.recording_files OWNER TO neuroviews_owner;

--
-- Name: recording_versions; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.recording_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    document text,
    digest bytea,
    sent_digest bytea NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    author text NOT NULL,
    by_device boolean NOT NULL,
    deleted boolean DEFAULT false NOT NULL
);


ALTER TABLE neuroviews.recording_versions OWNER TO neuroviews_owner;

--
-- Name: recordings; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.recordings (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    document text,
    digest bytea,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    CONSTRAINT recordings_check CHECK (((deleted = (document IS NULL)) AND (deleted = (digest IS NULL))))
);


ALTER TABLE neuroviews.recordings OWNER TO neuroviews_owner;

--
-- Name: recovery_codes; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.recovery_codes (
    user_id uuid NOT NULL,
    digest bytea NOT NULL
);


ALTER TABLE neuroviews.recovery_codes OWNER TO neuroviews_owner;

--
-- Name: registrations; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.registrations (
    email text NOT NULL,
    password_hash text NOT NULL,
    is_contested boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


ALTER TABLE neuroviews.registrations OWNER TO neuroviews_owner;

--
-- Name: schema_functions; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.schema_functions (
    name text NOT NULL,
    checksum text NOT NULL,
    release text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.schema_functions OWNER TO neuroviews_owner;

--
-- Name: schema_migrations; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    compatible_from integer
);


ALTER TABLE neuroviews.schema_migrations OWNER TO neuroviews_owner;

--
-- Name: second_factor_challenges; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.second_factor_challenges (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    password_digest bytea NOT NULL,
    device_id text,
    device_name text,
    attempts_left integer NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '00:05:00'::interval) NOT NULL
);


ALTER TABLE neuroviews.second_factor_challenges OWNER TO neuroviews_owner;

--
-- Name: server_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNLOGGED TABLE neuroviews.server_keys (
    server_id uuid NOT NULL,
    host text NOT NULL,
    process integer NOT NULL,
    key_ids text[] NOT NULL,
    missing_ids text[] NOT NULL,
    looked_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.server_keys OWNER TO neuroviews_owner;

--
-- Name: sweeps; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.sweeps (
    name text NOT NULL,
    collection neuroviews.collection NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    reached timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.sweeps OWNER TO neuroviews_owner;

--
-- Name: sync_heads; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.sync_heads (
    user_id uuid NOT NULL,
    collection neuroviews.collection NOT NULL,
    genesis bytea NOT NULL,
    salt bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    chain bytea NOT NULL,
    item_id uuid,
    item_version integer,
    changed_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    state_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    items integer DEFAULT 0 NOT NULL,
    tombstones integer DEFAULT 0 NOT NULL,
    history_bytes bigint DEFAULT 0 NOT NULL
);


ALTER TABLE neuroviews.sync_heads OWNER TO neuroviews_owner;

--
-- Name: totp_secrets; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.totp_secrets (
    user_id uuid NOT NULL,
    sealed_secret bytea NOT NULL,
    master_key_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp(3) with time zone,
    last_step bigint,
    failures integer DEFAULT 0 NOT NULL,
    failures_since timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.totp_secrets OWNER TO neuroviews_owner;

--
-- Name: used_id_tokens; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.used_id_tokens (
    digest bytea NOT NULL,
    ends_at timestamp with time zone NOT NULL
);


ALTER TABLE neuroviews.used_id_tokens OWNER TO neuroviews_owner;

--
-- Name: nonces_0; Type: TABLE ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces ATTACH PARTITION neuroviews.nonces_0 FOR VALUES IN ('0');


--
-- Name: nonces_1; Type: TABLE ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces ATTACH PARTITION neuroviews.nonces_1 FOR VALUES IN ('1');


--
-- Name: nonces_2; Type: TABLE ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces ATTACH PARTITION neuroviews.nonces_2 FOR VALUES IN ('2');


--
-- Name: nonces_3; Type: TABLE ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces ATTACH PARTITION neuroviews.nonces_3 FOR VALUES IN ('3');


--
-- Data for Name: account_erasures; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.account_erasures (account, began_at) FROM stdin;
\.


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.account_events (user_id, id, kind, at, count, session_id, device_id, address, mail_due) FROM stdin;
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.attempts (id, key, ends_at) FROM stdin;
\.


--
-- Data for Name: configuration_conflicts; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.configuration_conflicts (user_id, id, digest, document, base_version, edited_at, received_at, device_id) FROM stdin;
\.


--
-- Data for Name: configuration_versions; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.configuration_versions (user_id, id, version, seq, chain, document, digest, sent_digest, changed_at, edited_at, author, by_device, deleted, preset) FROM stdin;
\.


--
-- Data for Name: configurations; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.configurations (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, deleted, preset) FROM stdin;
\.


--
-- Data for Name: consent_changes; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.consent_changes (user_id, category, changed_at, granted, version) FROM stdin;
\.


--
-- Data for Name: consents; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.consents (user_id, category, granted, version, changed_at) FROM stdin;
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.devices (user_id, id, name, model, app_version, first_seen_at, last_seen_at, logged_in_at) FROM stdin;
\.


--
-- Data for Name: erased_objects; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.erased_objects (object_key, account) FROM stdin;
\.


--
-- Data for Name: erasure_ledger; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.erasure_ledger (digest) FROM stdin;
\.


--
-- Data for Name: erasure_ledger_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.erasure_ledger_keys (key) FROM stdin;
\.


--
-- Data for Name: erasures; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.erasures (account) FROM stdin;
\.


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.idempotency_keys (user_id, key, collection, request_digest, answer, bytes, created_at) FROM stdin;
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.identities (user_id, id, issuer, subject, email, created_at) FROM stdin;
\.


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.jobs (user_id, object_key, kind, recording_id, attempts, excused, run_at, lease, created_at) FROM stdin;
\.


--
-- Data for Name: known_addresses; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.known_addresses (user_id, address, last_login_at) FROM stdin;
\.


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.lineage (singleton, value, began_at, salt) FROM stdin;
\.


--
-- Data for Name: mailed_tokens; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.mailed_tokens (token_hash, purpose, email, account, expires_at) FROM stdin;
\.


--
-- Data for Name: mails; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.mails (id, kind, event, email, account, created_at, attempts, run_at, lease, ended_at) FROM stdin;
\.


--
-- Data for Name: master_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.master_keys (key_id, check_value, state, since) FROM stdin;
\.


--
-- Data for Name: nonces_0; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_0 (slot, session_id, signed_at, nonce, user_id) FROM stdin;
\.


--
-- Data for Name: nonces_1; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_1 (slot, session_id, signed_at, nonce, user_id) FROM stdin;
\.


--
-- Data for Name: nonces_2; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_2 (slot, session_id, signed_at, nonce, user_id) FROM stdin;
\.


--
-- Data for Name: nonces_3; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_3 (slot, session_id, signed_at, nonce, user_id) FROM stdin;
\.


--
-- Data for Name: object_store; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.object_store (singleton, id, is_claimed) FROM stdin;
t	4a92bab5-f36d-4ed1-978c-0b3b07dd826a	f
\.


--
-- Data for Name: operator_actions; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.operator_actions (at, operator, action, account) FROM stdin;
\.


--
-- Data for Name: passkey_challenges; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.passkey_challenges (user_id, digest, expires_at) FROM stdin;
\.


--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.passkeys (user_id, id, credential_id, public_key, counter, domain, name, created_at, last_used_at) FROM stdin;
\.


--
-- Data for Name: receipt_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.receipt_keys (key_id, public_key, sealed_private_key, master_key_id, valid_from, valid_until) FROM stdin;
\.


--
-- Data for Name: recording_files; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.recording_files (user_id, id, spelled_id, state, failure, object_key, size, content_type, sha256, verified_sha256, verified_at, encryption, device_id, configuration_id, configuration_version, upload, upload_offset, epoch, boot_id, multipart_id, asked_at, expires_at, uploaded_at, recorded_at, video_format, tags, resolution, stated_ms, probe, has_thumbnail, thumbnail_bytes, has_preview) FROM stdin;
\.


--
-- Data for Name: recording_versions; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.recording_versions (user_id, id, version, seq, chain, document, digest, sent_digest, changed_at, edited_at, author, by_device, deleted) FROM stdin;
\.


--
-- Data for Name: recordings; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.recordings (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, deleted) FROM stdin;
\.


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.recovery_codes (user_id, digest) FROM stdin;
\.


--
-- Data for Name: registrations; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.registrations (email, password_hash, is_contested, expires_at) FROM stdin;
\.


--
-- Data for Name: schema_functions; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.schema_functions (name, checksum, release, applied_at) FROM stdin;
functions/account_erasures.sql	246ce61837ee80d92688a35b52a6c85174038631c2470e98e37a93d3d2c7792d	0.1.0	2000-01-01 00:00:00+00
functions/account_events.sql	f08ac8318a7743fce7882fda97ba0d3a724fdfd220ead2439b4918afa78f94a8	0.1.0	2000-01-01 00:00:00+00
functions/addresses.sql	b053a3b3e931cde7cb63a1188f12c887e11aae2975aca8bc97956a4181ae26ec	0.1.0	2000-01-01 00:00:00+00
functions/analytics.sql	671abba8b660840ee4143359f973388c0226103f4b4b8e51c5661e41ca481d14	0.1.0	2000-01-01 00:00:00+00
functions/attempts.sql	728e0ed4365bfa2c166584f9f78685c089eed2b710bb90bb26b39e8f7b1f2c2e	0.1.0	2000-01-01 00:00:00+00
functions/consents.sql	a6a5b624add0ab7aa725653350e6793148290f201acd9e60848b99a6109cc76f	0.1.0	2000-01-01 00:00:00+00
functions/devices.sql	b3aef92a369b419586de552f444d9ddb919f726d3043b7b9c2f96145a01778ad	0.1.0	2000-01-01 00:00:00+00
functions/erasure_ledger.sql	70a19ad13ea541c775ddbd60067da481fbabc0a2304589b1c6179a0be7517c86	0.1.0	2000-01-01 00:00:00+00
functions/former.sql	bf23cd71a8e95bdacc4d91fa06635ebd261bb93948885cba1e605315466f89d4	0.1.0	2000-01-01 00:00:00+00
functions/idempotency_keys.sql	55c2840b9d6538a9c98d94477c136560fcba9e417630cbc6e4c575ddf3d44461	0.1.0	2000-01-01 00:00:00+00
functions/identities.sql	d3a8ae3f833721ed6e0a8d94ca8b441b56887b6d31ca52960b28588e2a6ecc82	0.1.0	2000-01-01 00:00:00+00
functions/jobs.sql	6e60a72044e90fbceb32b53f50666181fbf15019561bd10f94f1012942daa69a	0.1.0	2000-01-01 00:00:00+00
functions/mails.sql	7261335b762422ce723fdf8e828ea4793ccb74bba69340b823d4639e270407fb	0.1.0	2000-01-01 00:00:00+00
functions/master_keys.sql	80a35d26f0c96e91ac506732138dcf5cdcb0572def080e13122d0ee9431c6bd7	0.1.0	2000-01-01 00:00:00+00
functions/nonces.sql	06177bf4aaa1afa04a461c3814856327c863ea6d71467940712590202b2a76a8	0.1.0	2000-01-01 00:00:00+00
functions/passkeys.sql	f4d8f2f2ebde8cbee6eadab1a66dce4898b3a6bbf9321d22281f9a38eacac876	0.1.0	2000-01-01 00:00:00+00
functions/sessions.sql	cba34c483993bb3ed507c6b91ce4e37e579eefc241b56830d2c74eef7a68e18a	0.1.0	2000-01-01 00:00:00+00
functions/sweeps.sql	ebe4f6af6e8cb1ec779d7448ff845c374c6b7945b8320dc3a6fb4a66f844b6d6	0.1.0	2000-01-01 00:00:00+00
functions/sync_heads.sql	c8bab9e55dbb74d99f40b2a5e9fb4158eae0010442782f5cb52dedb9c3eb6a40	0.1.0	2000-01-01 00:00:00+00
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.schema_migrations (number, name, checksum, applied_at, compatible_from) FROM stdin;
1	0001_baseline.sql	8e1392f1e453792e565603baa04f62594080e234c395b20b4c9f68c98c287db7	2026-11-26 17:57:02.49+00	1
2	0002_signature_versions.sql	a01e3ea2210faca3a1cf6bbc5d83a47cc4a192f6fe0bd3502ecc924e9e58f3f7	2026-11-26 17:57:02.797+00	2
3	0003_history_of_heads.sql	3e670b78026319fbaeffa900006129f0798d72b077ee054923e35ac8d9d07b3e	2026-11-26 17:57:02.803+00	3
4	0004_keys_by_user.sql	eb4f7acef960b9db49fd06777d271711e9c35c77c2c4a6265c921f0012bd282a	2026-11-26 17:57:02.808+00	3
\.


--
-- Data for Name: second_factor_challenges; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.second_factor_challenges (digest, user_id, password_digest, device_id, device_name, attempts_left, expires_at) FROM stdin;
\.


--
-- Data for Name: server_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.server_keys (server_id, host, process, key_ids, missing_ids, looked_at, seen_at) FROM stdin;
\.


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.sessions (id, user_id, key_id, counter, confirmed_at, device_id, address, created_at, last_used_at, proven_at, ended_at, signature_version) FROM stdin;
\.


--
-- Data for Name: sweeps; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.sweeps (name, collection, kept, reached, began_at) FROM stdin;
versions by count	configurations	0	-infinity	2000-01-01 00:00:00+00
versions by age	configurations	0	-infinity	2000-01-01 00:00:00+00
conflicts by count	configurations	0	-infinity	2000-01-01 00:00:00+00
recording versions by count	recordings	0	-infinity	2000-01-01 00:00:00+00
recording versions by age	recordings	0	-infinity	2000-01-01 00:00:00+00
\.


--
-- Data for Name: sync_heads; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.sync_heads (user_id, collection, genesis, salt, seq, chain, item_id, item_version, changed_at, state_hash, items, tombstones, history_bytes) FROM stdin;
\.


--
-- Data for Name: totp_secrets; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.totp_secrets (user_id, sealed_secret, master_key_id, created_at, confirmed_at, last_step, failures, failures_since) FROM stdin;
\.


--
-- Data for Name: used_id_tokens; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.used_id_tokens (digest, ends_at) FROM stdin;
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.users (id, email, password_hash, has_password, created_at, disabled_at) FROM stdin;
\.


--
-- Name: account_erasures account_erasures_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.account_erasures
    ADD CONSTRAINT account_erasures_pkey PRIMARY KEY (account);


--
-- Name: account_events account_events_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.account_events
    ADD CONSTRAINT account_events_pkey PRIMARY KEY (user_id, kind, at, id);


--
-- Name: analytics_device_days analytics_device_days_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_device_days
    ADD CONSTRAINT analytics_device_days_pkey PRIMARY KEY (user_id, day, device_id);


--
-- Name: analytics_events analytics_events_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_events
    ADD CONSTRAINT analytics_events_pkey PRIMARY KEY (user_id, device_id, occurred_at, id);


--
-- Name: analytics_months analytics_months_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_months
    ADD CONSTRAINT analytics_months_pkey PRIMARY KEY (user_id, month);


--
-- Name: analytics_name_days analytics_name_days_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_name_days
    ADD CONSTRAINT analytics_name_days_pkey PRIMARY KEY (user_id, day, name);


--
-- Name: analytics_names analytics_names_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_names
    ADD CONSTRAINT analytics_names_pkey PRIMARY KEY (user_id, month, name);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id, key);


--
-- Name: configuration_conflicts configuration_conflicts_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configuration_conflicts
    ADD CONSTRAINT configuration_conflicts_pkey PRIMARY KEY (user_id, id, digest);


--
-- Name: configuration_versions configuration_versions_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configuration_versions
    ADD CONSTRAINT configuration_versions_pkey PRIMARY KEY (user_id, id, version);


--
-- Name: configurations configurations_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configurations
    ADD CONSTRAINT configurations_pkey PRIMARY KEY (user_id, id);


--
-- Name: configurations configurations_user_id_seq_key; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configurations
    ADD CONSTRAINT configurations_user_id_seq_key UNIQUE (user_id, seq);


--
-- Name: consent_changes consent_changes_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.consent_changes
    ADD CONSTRAINT consent_changes_pkey PRIMARY KEY (user_id, category, changed_at);


--
-- Name: consents consents_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (user_id, category);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (user_id, id);


--
-- Name: erased_objects erased_objects_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.erased_objects
    ADD CONSTRAINT erased_objects_pkey PRIMARY KEY (object_key);


--
-- Name: erasure_ledger_keys erasure_ledger_keys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.erasure_ledger_keys
    ADD CONSTRAINT erasure_ledger_keys_pkey PRIMARY KEY (key);


--
-- Name: erasure_ledger erasure_ledger_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.erasure_ledger
    ADD CONSTRAINT erasure_ledger_pkey PRIMARY KEY (digest);


--
-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (account);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key);


--
-- Name: identities identities_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (user_id, id);


--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (user_id, object_key, kind);


--
-- Name: known_addresses known_addresses_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.known_addresses
    ADD CONSTRAINT known_addresses_pkey PRIMARY KEY (user_id, address);


--
-- Name: lineage lineage_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.lineage
    ADD CONSTRAINT lineage_pkey PRIMARY KEY (singleton);


--
-- Name: mailed_tokens mailed_tokens_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.mailed_tokens
    ADD CONSTRAINT mailed_tokens_pkey PRIMARY KEY (token_hash);


--
-- Name: mails mails_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);


--
-- Name: master_keys master_keys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.master_keys
    ADD CONSTRAINT master_keys_pkey PRIMARY KEY (key_id);


--
-- Name: nonces nonces_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces
    ADD CONSTRAINT nonces_pkey PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);


--
-- Name: nonces_0 nonces_0_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces_0
    ADD CONSTRAINT nonces_0_pkey PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);


--
-- Name: nonces_1 nonces_1_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces_1
    ADD CONSTRAINT nonces_1_pkey PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);


--
-- Name: nonces_2 nonces_2_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces_2
    ADD CONSTRAINT nonces_2_pkey PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);


--
-- Name: nonces_3 nonces_3_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.nonces_3
    ADD CONSTRAINT nonces_3_pkey PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);


--
-- Name: object_store object_store_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.object_store
    ADD CONSTRAINT object_store_pkey PRIMARY KEY (singleton);


--
-- Name: passkey_challenges passkey_challenges_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (user_id, digest);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (user_id, id);


--
-- Name: receipt_keys receipt_keys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.receipt_keys
    ADD CONSTRAINT receipt_keys_pkey PRIMARY KEY (key_id);


--
-- Name: recording_files recording_files_object_key_key; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_files
    ADD CONSTRAINT recording_files_object_key_key UNIQUE (object_key);


--
-- Name: recording_files recording_files_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_files
    ADD CONSTRAINT recording_files_pkey PRIMARY KEY (user_id, id);


--
-- Name: recording_versions recording_versions_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_versions
    ADD CONSTRAINT recording_versions_pkey PRIMARY KEY (user_id, id, version);


--
-- Name: recordings recordings_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recordings
    ADD CONSTRAINT recordings_pkey PRIMARY KEY (user_id, id);


--
-- Name: recordings recordings_user_id_seq_key; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recordings
    ADD CONSTRAINT recordings_user_id_seq_key UNIQUE (user_id, seq);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, digest);


--
-- Name: schema_functions schema_functions_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);


--
-- Name: second_factor_challenges second_factor_challenges_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.second_factor_challenges
    ADD CONSTRAINT second_factor_challenges_pkey PRIMARY KEY (digest);


--
-- Name: server_keys server_keys_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (server_id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (user_id, id);


--
-- Name: sweeps sweeps_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.sweeps
    ADD CONSTRAINT sweeps_pkey PRIMARY KEY (name);


--
-- Name: sync_heads sync_heads_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.sync_heads
    ADD CONSTRAINT sync_heads_pkey PRIMARY KEY (user_id, collection);


--
-- Name: totp_secrets totp_secrets_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.totp_secrets
    ADD CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id);


--
-- Name: used_id_tokens used_id_tokens_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.used_id_tokens
    ADD CONSTRAINT used_id_tokens_pkey PRIMARY KEY (digest);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: account_events_at_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX account_events_at_key ON neuroviews.account_events USING btree (at);


--
-- Name: account_events_due_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX account_events_due_key ON neuroviews.account_events USING btree (at) WHERE mail_due;


--
-- Name: attempts_count_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX attempts_count_key ON neuroviews.attempts USING btree (key, ends_at);


--
-- Name: attempts_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX attempts_sweep_key ON neuroviews.attempts USING btree (ends_at);


--
-- Name: configuration_conflicts_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX configuration_conflicts_sweep_key ON neuroviews.configuration_conflicts USING btree (received_at);


--
-- Name: configuration_versions_author_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX configuration_versions_author_key ON neuroviews.configuration_versions USING btree (user_id, id, author, seq);


--
-- Name: configuration_versions_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX configuration_versions_sweep_key ON neuroviews.configuration_versions USING btree (changed_at) WHERE (version > 1);


--
-- Name: erased_objects_account_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX erased_objects_account_key ON neuroviews.erased_objects USING btree (account);


--
-- Name: idempotency_keys_created_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX idempotency_keys_created_key ON neuroviews.idempotency_keys USING btree (created_at);


--
-- Name: identities_subject_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX identities_subject_key ON neuroviews.identities USING btree (issuer, subject);


--
-- Name: jobs_preview_turn_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX jobs_preview_turn_key ON neuroviews.jobs USING btree (user_id, run_at) WHERE (kind = 'preview'::neuroviews.job_kind);


--
-- Name: jobs_turn_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX jobs_turn_key ON neuroviews.jobs USING btree (user_id, run_at) WHERE (kind <> 'preview'::neuroviews.job_kind);


--
-- Name: known_addresses_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX known_addresses_sweep_key ON neuroviews.known_addresses USING btree (last_login_at);


--
-- Name: mailed_tokens_account_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mailed_tokens_account_key ON neuroviews.mailed_tokens USING btree (account) WHERE (account IS NOT NULL);


--
-- Name: mailed_tokens_email_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mailed_tokens_email_key ON neuroviews.mailed_tokens USING btree (lower(email));


--
-- Name: mailed_tokens_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mailed_tokens_expiry_key ON neuroviews.mailed_tokens USING btree (expires_at);


--
-- Name: mails_account_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mails_account_key ON neuroviews.mails USING btree (account, kind, created_at) WHERE (account IS NOT NULL);


--
-- Name: mails_created_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mails_created_key ON neuroviews.mails USING btree (created_at);


--
-- Name: mails_email_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mails_email_key ON neuroviews.mails USING btree (lower(email), kind, created_at);


--
-- Name: mails_turn_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX mails_turn_key ON neuroviews.mails USING btree (run_at) WHERE (ended_at IS NULL);


--
-- Name: master_keys_single_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX master_keys_single_key ON neuroviews.master_keys USING btree (state) WHERE (state = ANY (ARRAY['prepared'::text, 'current'::text]));


--
-- Name: operator_actions_account_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX operator_actions_account_key ON neuroviews.operator_actions USING btree (account, at);


--
-- Name: operator_actions_at_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX operator_actions_at_key ON neuroviews.operator_actions USING btree (at);


--
-- Name: passkey_challenges_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX passkey_challenges_expiry_key ON neuroviews.passkey_challenges USING btree (expires_at);


--
-- Name: passkeys_credential_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX passkeys_credential_key ON neuroviews.passkeys USING btree (credential_id);


--
-- Name: receipt_keys_current_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX receipt_keys_current_key ON neuroviews.receipt_keys USING btree ((true)) WHERE (valid_until IS NULL);


--
-- Name: recording_files_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_expiry_key ON neuroviews.recording_files USING btree (expires_at) WHERE (state = 'uploading'::neuroviews.recording_state);


--
-- Name: recording_files_list_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_list_key ON neuroviews.recording_files USING btree (user_id, recorded_at DESC, id DESC) WHERE (recorded_at IS NOT NULL);


--
-- Name: recording_files_uploaded_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_uploaded_key ON neuroviews.recording_files USING btree (user_id, uploaded_at) WHERE (uploaded_at IS NOT NULL);


--
-- Name: recording_versions_author_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_versions_author_key ON neuroviews.recording_versions USING btree (user_id, id, author, seq);


--
-- Name: recording_versions_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_versions_sweep_key ON neuroviews.recording_versions USING btree (changed_at) WHERE (version > 1);


--
-- Name: registrations_email_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX registrations_email_key ON neuroviews.registrations USING btree (lower(email));


--
-- Name: registrations_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX registrations_expiry_key ON neuroviews.registrations USING btree (expires_at);


--
-- Name: second_factor_challenges_account; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX second_factor_challenges_account ON neuroviews.second_factor_challenges USING btree (user_id, expires_at);


--
-- Name: sessions_id_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX sessions_id_key ON neuroviews.sessions USING btree (id);


--
-- Name: sessions_live_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX sessions_live_key ON neuroviews.sessions USING btree (user_id) WHERE (ended_at IS NULL);


--
-- Name: used_id_tokens_end_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX used_id_tokens_end_key ON neuroviews.used_id_tokens USING btree (ends_at);


--
-- Name: users_email_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX users_email_key ON neuroviews.users USING btree (lower(email));


--
-- Name: nonces_0_pkey; Type: INDEX ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER INDEX neuroviews.nonces_pkey ATTACH PARTITION neuroviews.nonces_0_pkey;


--
-- Name: nonces_1_pkey; Type: INDEX ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER INDEX neuroviews.nonces_pkey ATTACH PARTITION neuroviews.nonces_1_pkey;


--
-- Name: nonces_2_pkey; Type: INDEX ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER INDEX neuroviews.nonces_pkey ATTACH PARTITION neuroviews.nonces_2_pkey;


--
-- Name: nonces_3_pkey; Type: INDEX ATTACH; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER INDEX neuroviews.nonces_pkey ATTACH PARTITION neuroviews.nonces_3_pkey;


--
-- Name: jobs announced; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER announced AFTER INSERT ON neuroviews.jobs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.announce_jobs();


--
-- Name: nonces fill_account; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER fill_account BEFORE INSERT ON neuroviews.nonces FOR EACH ROW WHEN ((new.user_id IS NULL)) EXECUTE FUNCTION neuroviews.fill_account();


--
-- Name: consents followed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER followed AFTER INSERT OR DELETE OR UPDATE ON neuroviews.consents FOR EACH ROW EXECUTE FUNCTION neuroviews.follow_consent();


--
-- Name: sync_heads forget_history; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER forget_history AFTER DELETE ON neuroviews.sync_heads REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.forget_history();


--
-- Name: receipt_keys master_key; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER master_key BEFORE INSERT ON neuroviews.receipt_keys FOR EACH ROW EXECUTE FUNCTION neuroviews.require_master_key('master_key_id');


--
-- Name: sessions master_key; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER master_key BEFORE INSERT ON neuroviews.sessions FOR EACH ROW EXECUTE FUNCTION neuroviews.require_master_key('key_id');


--
-- Name: totp_secrets master_key; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER master_key BEFORE INSERT ON neuroviews.totp_secrets FOR EACH ROW EXECUTE FUNCTION neuroviews.require_master_key('master_key_id');


--
-- Name: sessions refuse_erased; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER refuse_erased BEFORE INSERT ON neuroviews.sessions FOR EACH ROW EXECUTE FUNCTION neuroviews.refuse_erased_account();


--
-- Name: configuration_versions release_changed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_changed AFTER UPDATE ON neuroviews.configuration_versions REFERENCING OLD TABLE AS released NEW TABLE AS kept FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_history('configurations');


--
-- Name: recording_versions release_changed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_changed AFTER UPDATE ON neuroviews.recording_versions REFERENCING OLD TABLE AS released NEW TABLE AS kept FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_history('recordings');


--
-- Name: configuration_conflicts release_deleted; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_deleted AFTER DELETE ON neuroviews.configuration_conflicts REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_history('configurations');


--
-- Name: configuration_versions release_deleted; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_deleted AFTER DELETE ON neuroviews.configuration_versions REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_history('configurations');


--
-- Name: idempotency_keys release_deleted; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_deleted AFTER DELETE ON neuroviews.idempotency_keys REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_answers();


--
-- Name: recording_versions release_deleted; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER release_deleted AFTER DELETE ON neuroviews.recording_versions REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.release_history('recordings');


--
-- Name: account_events trimmed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER trimmed AFTER INSERT ON neuroviews.account_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.trim_account_events();


--
-- Name: account_events account_events_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.account_events
    ADD CONSTRAINT account_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: configuration_conflicts configuration_conflicts_user_id_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configuration_conflicts
    ADD CONSTRAINT configuration_conflicts_user_id_id_fkey FOREIGN KEY (user_id, id) REFERENCES neuroviews.configurations(user_id, id) ON DELETE CASCADE;


--
-- Name: configurations configurations_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.configurations
    ADD CONSTRAINT configurations_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: consent_changes consent_changes_user_id_category_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.consent_changes
    ADD CONSTRAINT consent_changes_user_id_category_fkey FOREIGN KEY (user_id, category) REFERENCES neuroviews.consents(user_id, category) ON DELETE CASCADE;


--
-- Name: consents consents_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.consents
    ADD CONSTRAINT consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: devices devices_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: idempotency_keys idempotency_keys_user_id_collection_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.idempotency_keys
    ADD CONSTRAINT idempotency_keys_user_id_collection_fkey FOREIGN KEY (user_id, collection) REFERENCES neuroviews.sync_heads(user_id, collection) ON DELETE CASCADE;


--
-- Name: identities identities_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: jobs jobs_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.jobs
    ADD CONSTRAINT jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: known_addresses known_addresses_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.known_addresses
    ADD CONSTRAINT known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: mailed_tokens mailed_tokens_account_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.mailed_tokens
    ADD CONSTRAINT mailed_tokens_account_fkey FOREIGN KEY (account) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: mails mails_account_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.mails
    ADD CONSTRAINT mails_account_fkey FOREIGN KEY (account) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: passkey_challenges passkey_challenges_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.passkey_challenges
    ADD CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: passkeys passkeys_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: recording_files recording_files_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_files
    ADD CONSTRAINT recording_files_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: recordings recordings_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recordings
    ADD CONSTRAINT recordings_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: recovery_codes recovery_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.totp_secrets(user_id) ON DELETE CASCADE;


--
-- Name: second_factor_challenges second_factor_challenges_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.second_factor_challenges
    ADD CONSTRAINT second_factor_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: sync_heads sync_heads_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.sync_heads
    ADD CONSTRAINT sync_heads_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: totp_secrets totp_secrets_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.totp_secrets
    ADD CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


--
-- Name: account_events; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.account_events ENABLE ROW LEVEL SECURITY;

--
-- Name: account_events all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.account_events TO neuroviews_background USING (true);


--
-- Name: configuration_versions all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.configuration_versions TO neuroviews_background USING (true);


--
-- Name: devices all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.devices TO neuroviews_background USING (true);


--
-- Name: identities all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.identities TO neuroviews_background USING (true);


--
-- Name: jobs all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.jobs TO neuroviews_background USING (true);


--
-- Name: passkey_challenges all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.passkey_challenges TO neuroviews_background USING (true);


--
-- Name: passkeys all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.passkeys TO neuroviews_background USING (true);


--
-- Name: recording_files all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.recording_files TO neuroviews_background USING (true);


--
-- Name: recording_versions all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.recording_versions TO neuroviews_background USING (true);


--
-- Name: recordings all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.recordings TO neuroviews_background USING (true);


--
-- Name: recovery_codes all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.recovery_codes TO neuroviews_background USING (true);


--
-- Name: second_factor_challenges all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.second_factor_challenges TO neuroviews_background USING (true);


--
-- Name: sessions all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.sessions TO neuroviews_background USING (true);


--
-- Name: sync_heads all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.sync_heads TO neuroviews_background USING (true);


--
-- Name: totp_secrets all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.totp_secrets TO neuroviews_background USING (true);


--
-- Name: users all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.users TO neuroviews_background USING (true);


--
-- Name: analytics_device_days; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.analytics_device_days ENABLE ROW LEVEL SECURITY;

--
-- Name: analytics_events; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.analytics_events ENABLE ROW LEVEL SECURITY;

--
-- Name: analytics_months; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.analytics_months ENABLE ROW LEVEL SECURITY;

--
-- Name: analytics_name_days; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.analytics_name_days ENABLE ROW LEVEL SECURITY;

--
-- Name: analytics_names; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.analytics_names ENABLE ROW LEVEL SECURITY;

--
-- Name: configuration_conflicts; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.configuration_conflicts ENABLE ROW LEVEL SECURITY;

--
-- Name: configuration_versions; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.configuration_versions ENABLE ROW LEVEL SECURITY;

--
-- Name: configurations; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.configurations ENABLE ROW LEVEL SECURITY;

--
-- Name: consent_changes; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.consent_changes ENABLE ROW LEVEL SECURITY;

--
-- Name: consents; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.consents ENABLE ROW LEVEL SECURITY;

--
-- Name: devices; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.devices ENABLE ROW LEVEL SECURITY;

--
-- Name: idempotency_keys; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.idempotency_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: identities; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.identities ENABLE ROW LEVEL SECURITY;

--
-- Name: jobs; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.jobs ENABLE ROW LEVEL SECURITY;

--
-- Name: known_addresses; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.known_addresses ENABLE ROW LEVEL SECURITY;

--
-- Name: nonces; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.nonces ENABLE ROW LEVEL SECURITY;

--
-- Name: nonces_0; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.nonces_0 ENABLE ROW LEVEL SECURITY;

--
-- Name: nonces_1; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.nonces_1 ENABLE ROW LEVEL SECURITY;

--
-- Name: nonces_2; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.nonces_2 ENABLE ROW LEVEL SECURITY;

--
-- Name: nonces_3; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.nonces_3 ENABLE ROW LEVEL SECURITY;

--
-- Name: account_events own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.account_events TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: analytics_device_days own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.analytics_device_days TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: analytics_events own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.analytics_events TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: analytics_months own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.analytics_months TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: analytics_name_days own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.analytics_name_days TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: analytics_names own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.analytics_names TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: configuration_conflicts own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.configuration_conflicts TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: configuration_versions own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.configuration_versions TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: configurations own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.configurations TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: consent_changes own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.consent_changes TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: consents own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.consents TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: devices own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.devices TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: idempotency_keys own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.idempotency_keys TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: identities own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.identities TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: jobs own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.jobs TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: known_addresses own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.known_addresses TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: nonces own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.nonces TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: nonces_0 own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.nonces_0 TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: nonces_1 own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.nonces_1 TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: nonces_2 own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.nonces_2 TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: nonces_3 own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.nonces_3 TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: passkey_challenges own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.passkey_challenges TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: passkeys own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.passkeys TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: recording_files own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.recording_files TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: recording_versions own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.recording_versions TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: recordings own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.recordings TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: recovery_codes own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.recovery_codes TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: second_factor_challenges own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.second_factor_challenges TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: sessions own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.sessions TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: sync_heads own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.sync_heads TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: totp_secrets own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.totp_secrets TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: users own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.users TO neuroviews_app USING ((id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: passkey_challenges; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.passkey_challenges ENABLE ROW LEVEL SECURITY;

--
-- Name: passkeys; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.passkeys ENABLE ROW LEVEL SECURITY;

--
-- Name: recording_files; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.recording_files ENABLE ROW LEVEL SECURITY;

--
-- Name: recording_versions; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.recording_versions ENABLE ROW LEVEL SECURITY;

--
-- Name: recordings; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.recordings ENABLE ROW LEVEL SECURITY;

--
-- Name: recovery_codes; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.recovery_codes ENABLE ROW LEVEL SECURITY;

--
-- Name: second_factor_challenges; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.second_factor_challenges ENABLE ROW LEVEL SECURITY;

--
-- Name: sessions; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.sessions ENABLE ROW LEVEL SECURITY;

--
-- Name: sync_heads; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.sync_heads ENABLE ROW LEVEL SECURITY;

--
-- Name: totp_secrets; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.totp_secrets ENABLE ROW LEVEL SECURITY;

--
-- Name: users; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.users ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA neuroviews; Type: ACL; Schema: -; Owner: neuroviews_owner
--

GRANT USAGE ON SCHEMA neuroviews TO neuroviews_app;
GRANT USAGE ON SCHEMA neuroviews TO neuroviews_background;


--
-- Name: TABLE users; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.users TO neuroviews_background;


--
-- Name: COLUMN users.id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(id) ON TABLE neuroviews.users TO neuroviews_app;


--
-- Name: COLUMN users.email; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(email) ON TABLE neuroviews.users TO neuroviews_app;


--
-- Name: COLUMN users.password_hash; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(password_hash) ON TABLE neuroviews.users TO neuroviews_background;


--
-- Name: COLUMN users.has_password; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(has_password) ON TABLE neuroviews.users TO neuroviews_app;
GRANT UPDATE(has_password) ON TABLE neuroviews.users TO neuroviews_background;


--
-- Name: COLUMN users.created_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(created_at) ON TABLE neuroviews.users TO neuroviews_app;


--
-- Name: FUNCTION accept_invitation(hash bytea, address text, password_hash text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.accept_invitation(hash bytea, address text, password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.accept_invitation(hash bytea, address text, password_hash text) TO neuroviews_background;


--
-- Name: FUNCTION account_of(session uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.account_of(session uuid) FROM PUBLIC;


--
-- Name: FUNCTION account_tables(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.account_tables() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.account_tables() TO neuroviews_background;


--
-- Name: FUNCTION add_to_erasure_ledger(is_key boolean, value bytea); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.add_to_erasure_ledger(is_key boolean, value bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.add_to_erasure_ledger(is_key boolean, value bytea) TO neuroviews_background;


--
-- Name: FUNCTION analytics_partition(parent text, month timestamp without time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.analytics_partition(parent text, month timestamp without time zone) FROM PUBLIC;


--
-- Name: FUNCTION announce_jobs(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.announce_jobs() FROM PUBLIC;


--
-- Name: FUNCTION attempt_key(secret bytea, VARIADIC parts text[]); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.attempt_key(secret bytea, VARIADIC parts text[]) FROM PUBLIC;


--
-- Name: FUNCTION begin_account_erasure(erased uuid, ledger_digest bytea); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.begin_account_erasure(erased uuid, ledger_digest bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.begin_account_erasure(erased uuid, ledger_digest bytea) TO neuroviews_background;


--
-- Name: FUNCTION begin_analytics_batch(events_max bigint); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.begin_analytics_batch(events_max bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.begin_analytics_batch(events_max bigint) TO neuroviews_app;


--
-- Name: FUNCTION change_address(account_id uuid, address text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.change_address(account_id uuid, address text) FROM PUBLIC;


--
-- Name: FUNCTION check_lineage(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.check_lineage() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.check_lineage() TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.check_lineage() TO neuroviews_background;


--
-- Name: FUNCTION claim_mail(hash bytea, lease_seconds integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) TO neuroviews_background;


--
-- Name: FUNCTION create_analytics_months(first_day date, last_day date); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.create_analytics_months(first_day date, last_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.create_analytics_months(first_day date, last_day date) TO neuroviews_background;


--
-- Name: FUNCTION drop_analytics_month(kept_days integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.drop_analytics_month(kept_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.drop_analytics_month(kept_days integer) TO neuroviews_background;


--
-- Name: FUNCTION end_compromised_keys(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.end_compromised_keys() FROM PUBLIC;


--
-- Name: FUNCTION end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.end_reused_session(session uuid, token_counter integer, signed_at bigint, nonce text) TO neuroviews_background;


--
-- Name: FUNCTION end_session_of_reuse(account uuid, session uuid, token_counter integer, signed_at bigint, nonce text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.end_session_of_reuse(account uuid, session uuid, token_counter integer, signed_at bigint, nonce text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.end_session_of_reuse(account uuid, session uuid, token_counter integer, signed_at bigint, nonce text) TO neuroviews_background;


--
-- Name: FUNCTION end_sessions(account uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.end_sessions(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION enqueue_event_mails(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enqueue_event_mails() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enqueue_event_mails() TO neuroviews_background;


--
-- Name: FUNCTION enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid) TO neuroviews_background;


--
-- Name: FUNCTION enqueue_mails_of(account_id uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enqueue_mails_of(account_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION enter(session uuid, token_counter integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter(session uuid, token_counter integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter(session uuid, token_counter integer) TO neuroviews_app;


--
-- Name: FUNCTION enter_request(session uuid, token_counter integer, signed_by integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter_request(session uuid, token_counter integer, signed_by integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter_request(session uuid, token_counter integer, signed_by integer) TO neuroviews_app;


--
-- Name: FUNCTION enter_session(account uuid, session uuid, token_counter integer, signed_by integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) TO neuroviews_app;


--
-- Name: FUNCTION enter_signed_request(session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter_signed_request(session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter_signed_request(session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) TO neuroviews_app;


--
-- Name: FUNCTION enter_signed_session(account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter_signed_session(account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter_signed_session(account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text) TO neuroviews_app;


--
-- Name: FUNCTION entered_account(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.entered_account() FROM PUBLIC;


--
-- Name: FUNCTION erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean) TO neuroviews_app;


--
-- Name: FUNCTION erase_account_step(erased uuid, rows_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_account_step(erased uuid, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.erase_account_step(erased uuid, rows_max integer) TO neuroviews_background;


--
-- Name: FUNCTION erase_events(events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_events(events_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.erase_events(events_max integer) TO neuroviews_app;


--
-- Name: FUNCTION erase_events_of(erased uuid, events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_events_of(erased uuid, events_max integer) FROM PUBLIC;


--
-- Name: FUNCTION erase_rows(erased uuid, place text, relation text, owner text, is_current boolean, has_documents boolean, has_objects boolean, rows_max integer, OUT rows bigint, OUT bytes bigint); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_rows(erased uuid, place text, relation text, owner text, is_current boolean, has_documents boolean, has_objects boolean, rows_max integer, OUT rows bigint, OUT bytes bigint) FROM PUBLIC;


--
-- Name: FUNCTION erase_rows_aside(erased uuid, place text, relation text, owner text, has_documents boolean, has_objects boolean, rows_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_rows_aside(erased uuid, place text, relation text, owner text, has_documents boolean, has_objects boolean, rows_max integer) FROM PUBLIC;


--
-- Name: FUNCTION erasure_ledger_entries(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erasure_ledger_entries() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.erasure_ledger_entries() TO neuroviews_background;


--
-- Name: FUNCTION fill_account(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.fill_account() FROM PUBLIC;


--
-- Name: FUNCTION follow_consent(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.follow_consent() FROM PUBLIC;


--
-- Name: FUNCTION forget_history(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.forget_history() FROM PUBLIC;


--
-- Name: FUNCTION forget_mailed(account_id uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.forget_mailed(account_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION forget_master_keys(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.forget_master_keys() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.forget_master_keys() TO neuroviews_background;


--
-- Name: FUNCTION forget_places(account uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.forget_places(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION forget_registration(address text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.forget_registration(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.forget_registration(address text) TO neuroviews_background;


--
-- Name: FUNCTION has_other_login(removed uuid, issuers text[], domain text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.has_other_login(removed uuid, issuers text[], domain text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.has_other_login(removed uuid, issuers text[], domain text) TO neuroviews_app;


--
-- Name: FUNCTION invite(address text, hash bytea); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.invite(address text, hash bytea) FROM PUBLIC;


--
-- Name: TABLE sessions; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.sessions TO neuroviews_app;
GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.sessions TO neuroviews_background;


--
-- Name: COLUMN sessions.proven_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(proven_at) ON TABLE neuroviews.sessions TO neuroviews_app;


--
-- Name: COLUMN sessions.ended_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(ended_at) ON TABLE neuroviews.sessions TO neuroviews_app;
GRANT UPDATE(ended_at) ON TABLE neuroviews.sessions TO neuroviews_background;


--
-- Name: FUNCTION is_live(s neuroviews.sessions); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_live(s neuroviews.sessions) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_live(s neuroviews.sessions) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_live(s neuroviews.sessions) TO neuroviews_background;


--
-- Name: FUNCTION is_mailed(account uuid, kind text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_mailed(account uuid, kind text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_mailed(account uuid, kind text) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_mailed(account uuid, kind text) TO neuroviews_background;


--
-- Name: FUNCTION is_new_login(account uuid, device text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_new_login(account uuid, device text, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_new_login(account uuid, device text, client inet) TO neuroviews_background;


--
-- Name: FUNCTION is_noted(s neuroviews.sessions); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_noted(s neuroviews.sessions) FROM PUBLIC;


--
-- Name: FUNCTION is_outdated(s neuroviews.sessions, token_counter integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) TO neuroviews_background;


--
-- Name: FUNCTION is_proven(s neuroviews.sessions); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) TO neuroviews_background;


--
-- Name: FUNCTION judge_request(session uuid, token_counter integer, signed_by integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.judge_request(session uuid, token_counter integer, signed_by integer) FROM PUBLIC;


--
-- Name: FUNCTION judge_session(account uuid, session uuid, token_counter integer, signed_by integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.judge_session(account uuid, session uuid, token_counter integer, signed_by integer) FROM PUBLIC;


--
-- Name: FUNCTION keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb) TO neuroviews_app;


--
-- Name: FUNCTION kept_answer(owner uuid, idempotency_key text, request bytea, lifetime_s integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea, lifetime_s integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea, lifetime_s integer) TO neuroviews_app;


--
-- Name: FUNCTION limit_lock_wait(milliseconds integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.limit_lock_wait(milliseconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.limit_lock_wait(milliseconds integer) TO neuroviews_app;


--
-- Name: TABLE identities; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.identities TO neuroviews_app;
GRANT SELECT,INSERT ON TABLE neuroviews.identities TO neuroviews_background;


--
-- Name: FUNCTION link_identity(new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.link_identity(new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.link_identity(new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) TO neuroviews_app;


--
-- Name: FUNCTION listed_accounts(place text, relation text, after uuid, accounts_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.listed_accounts(place text, relation text, after uuid, accounts_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.listed_accounts(place text, relation text, after uuid, accounts_max integer) TO neuroviews_background;


--
-- Name: FUNCTION lock_address(address text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_address(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_address(address text) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.lock_address(address text) TO neuroviews_background;


--
-- Name: FUNCTION lock_device_sessions(session uuid, device text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_device_sessions(session uuid, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_device_sessions(session uuid, device text) TO neuroviews_app;


--
-- Name: FUNCTION lock_passkeys(account uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_passkeys(account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_passkeys(account uuid) TO neuroviews_app;


--
-- Name: FUNCTION lock_sessions(session uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_sessions(session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_sessions(session uuid) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.lock_sessions(session uuid) TO neuroviews_background;


--
-- Name: FUNCTION lock_sessions_of(account uuid, session uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_sessions_of(account uuid, session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_sessions_of(account uuid, session uuid) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.lock_sessions_of(account uuid, session uuid) TO neuroviews_background;


--
-- Name: FUNCTION lock_sessions_of_device(account uuid, session uuid, device text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_sessions_of_device(account uuid, session uuid, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_sessions_of_device(account uuid, session uuid, device text) TO neuroviews_app;


--
-- Name: TABLE mails; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,DELETE ON TABLE neuroviews.mails TO neuroviews_background;


--
-- Name: COLUMN mails.attempts; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(attempts) ON TABLE neuroviews.mails TO neuroviews_background;


--
-- Name: COLUMN mails.run_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(run_at) ON TABLE neuroviews.mails TO neuroviews_background;


--
-- Name: COLUMN mails.lease; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(lease) ON TABLE neuroviews.mails TO neuroviews_background;


--
-- Name: COLUMN mails.ended_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(ended_at) ON TABLE neuroviews.mails TO neuroviews_background;


--
-- Name: FUNCTION mail_content(m neuroviews.mails); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.mail_content(m neuroviews.mails) FROM PUBLIC;


--
-- Name: FUNCTION next_begin(former timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.next_begin(former timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION note_address(account uuid, client inet, addresses_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_address(account uuid, client inet, addresses_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_address(account uuid, client inet, addresses_max integer) TO neuroviews_background;


--
-- Name: TABLE consents; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.consents TO neuroviews_app;


--
-- Name: FUNCTION note_consent(consent neuroviews.consents); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_consent(consent neuroviews.consents) FROM PUBLIC;


--
-- Name: FUNCTION note_event(account uuid, kind text, session uuid, device text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_event(account uuid, kind text, session uuid, device text, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_event(account uuid, kind text, session uuid, device text, client inet) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.note_event(account uuid, kind text, session uuid, device text, client inet) TO neuroviews_background;


--
-- Name: FUNCTION note_failure(account uuid, what text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_failure(account uuid, what text, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_failure(account uuid, what text, client inet) TO neuroviews_background;


--
-- Name: FUNCTION note_login(account uuid, client inet, addresses_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) TO neuroviews_background;


--
-- Name: FUNCTION open_account(address text, hash text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.open_account(address text, hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.open_account(address text, hash text) TO neuroviews_background;


--
-- Name: FUNCTION open_invited_account(address text, hash text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.open_invited_account(address text, hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.open_invited_account(address text, hash text) TO neuroviews_background;


--
-- Name: FUNCTION random_salt(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.random_salt() FROM PUBLIC;


--
-- Name: FUNCTION reached_limit(keys bytea[], limits integer[]); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reached_limit(keys bytea[], limits integer[]) FROM PUBLIC;


--
-- Name: FUNCTION refuse_erased_account(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.refuse_erased_account() FROM PUBLIC;


--
-- Name: FUNCTION release_answers(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.release_answers() FROM PUBLIC;


--
-- Name: FUNCTION release_attempt(attempt uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.release_attempt(attempt uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.release_attempt(attempt uuid) TO neuroviews_background;


--
-- Name: FUNCTION release_history(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.release_history() FROM PUBLIC;


--
-- Name: FUNCTION remove_passkey(passkey uuid, issuers text[], domain text, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.remove_passkey(passkey uuid, issuers text[], domain text, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.remove_passkey(passkey uuid, issuers text[], domain text, session uuid, client inet) TO neuroviews_app;


--
-- Name: FUNCTION replace_password(account uuid, hash text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.replace_password(account uuid, hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.replace_password(account uuid, hash text) TO neuroviews_background;


--
-- Name: FUNCTION request_address(address text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.request_address(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.request_address(address text) TO neuroviews_app;


--
-- Name: FUNCTION request_registration(address text, hash text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.request_registration(address text, hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.request_registration(address text, hash text) TO neuroviews_background;


--
-- Name: FUNCTION require_confirmation(session uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.require_confirmation(session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.require_confirmation(session uuid) TO neuroviews_app;


--
-- Name: FUNCTION require_master_key(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.require_master_key() FROM PUBLIC;


--
-- Name: FUNCTION require_standing(session uuid, target uuid, device text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.require_standing(session uuid, target uuid, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.require_standing(session uuid, target uuid, device text) TO neuroviews_app;


--
-- Name: FUNCTION reserve_attempt(keys bytea[], limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reserve_attempt(keys bytea[], limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) FROM PUBLIC;


--
-- Name: FUNCTION reserve_login(secret bytea, email text, device text, address inet, limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reserve_login(secret bytea, email text, device text, address inet, limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.reserve_login(secret bytea, email text, device text, address inet, limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean) TO neuroviews_background;


--
-- Name: FUNCTION reserve_one(secret bytea, kind text, subject text, number integer, window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reserve_one(secret bytea, kind text, subject text, number integer, window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.reserve_one(secret bytea, kind text, subject text, number integer, window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer) TO neuroviews_background;


--
-- Name: FUNCTION reset_all_clients(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reset_all_clients() FROM PUBLIC;


--
-- Name: FUNCTION reset_clients(address text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reset_clients(address text) FROM PUBLIC;


--
-- Name: FUNCTION reset_password(hash bytea, new_password_hash text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, client inet) TO neuroviews_background;


--
-- Name: FUNCTION rfc3339(moment timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) TO neuroviews_background;


--
-- Name: FUNCTION rotate_session(session uuid, token_counter integer, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.rotate_session(session uuid, token_counter integer, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.rotate_session(session uuid, token_counter integer, client inet) TO neuroviews_app;


--
-- Name: FUNCTION rotate_token(account uuid, session uuid, token_counter integer, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, client inet) TO neuroviews_app;


--
-- Name: FUNCTION spend_id_token(token_digest bytea, accepted_until bigint); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.spend_id_token(token_digest bytea, accepted_until bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.spend_id_token(token_digest bytea, accepted_until bigint) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.spend_id_token(token_digest bytea, accepted_until bigint) TO neuroviews_background;


--
-- Name: FUNCTION sweep_account_events(kept_days integer, events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_account_events(kept_days integer, events_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_account_events(kept_days integer, events_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_advance(walk text, seen_until timestamp with time zone, is_end boolean); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_advance(walk text, seen_until timestamp with time zone, is_end boolean) FROM PUBLIC;


--
-- Name: FUNCTION sweep_attempts(longest_seconds integer, rows_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_attempts(longest_seconds integer, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_attempts(longest_seconds integer, rows_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_begin(walk text, keep integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_begin(walk text, keep integer) FROM PUBLIC;


--
-- Name: FUNCTION sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_conflicts(walk text, keep integer, age_seconds bigint, arrivals_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_erasures(events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_erasures(events_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_erasures(events_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_idempotency_keys(lifetime_s integer, keys_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_idempotency_keys(lifetime_s integer, keys_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_idempotency_keys(lifetime_s integer, keys_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_known_addresses(kept_days integer, rows_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_known_addresses(kept_days integer, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_known_addresses(kept_days integer, rows_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_nonces(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_nonces() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_nonces() TO neuroviews_background;


--
-- Name: FUNCTION sweep_old_conflicts(age_seconds bigint, deletions_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_old_conflicts(age_seconds bigint, deletions_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_old_conflicts(age_seconds bigint, deletions_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_used_id_tokens(tokens_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_used_id_tokens(tokens_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_used_id_tokens(tokens_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_versions(walk text, keep integer, age_seconds bigint, changes_max integer) TO neuroviews_background;


--
-- Name: TABLE mailed_tokens; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,DELETE ON TABLE neuroviews.mailed_tokens TO neuroviews_background;


--
-- Name: FUNCTION take_token(hash bytea, purposes neuroviews.token_purpose[]); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.take_token(hash bytea, purposes neuroviews.token_purpose[]) FROM PUBLIC;


--
-- Name: FUNCTION token_lifetime(purpose neuroviews.token_purpose); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.token_lifetime(purpose neuroviews.token_purpose) FROM PUBLIC;


--
-- Name: FUNCTION trim_account_events(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.trim_account_events() FROM PUBLIC;


--
-- Name: FUNCTION turn_triggers_aside(verb text, place text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.turn_triggers_aside(verb text, place text) FROM PUBLIC;


--
-- Name: FUNCTION unlink_identity(identity uuid, issuers text[], domain text, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.unlink_identity(identity uuid, issuers text[], domain text, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.unlink_identity(identity uuid, issuers text[], domain text, session uuid, client inet) TO neuroviews_app;


--
-- Name: FUNCTION verify_address(hash bytea); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.verify_address(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.verify_address(hash bytea) TO neuroviews_background;


--
-- Name: FUNCTION verify_lineage(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.verify_lineage() FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.verify_lineage() TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.verify_lineage() TO neuroviews_background;


--
-- Name: TABLE account_erasures; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.account_erasures TO neuroviews_background;


--
-- Name: TABLE account_events; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.account_events TO neuroviews_app;
GRANT SELECT,INSERT ON TABLE neuroviews.account_events TO neuroviews_background;


--
-- Name: COLUMN account_events.count; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(count) ON TABLE neuroviews.account_events TO neuroviews_background;


--
-- Name: COLUMN account_events.address; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(address) ON TABLE neuroviews.account_events TO neuroviews_background;


--
-- Name: TABLE analytics_device_days; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.analytics_device_days TO neuroviews_app;


--
-- Name: TABLE analytics_events; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.analytics_events TO neuroviews_app;


--
-- Name: TABLE analytics_months; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.analytics_months TO neuroviews_app;


--
-- Name: TABLE analytics_name_days; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.analytics_name_days TO neuroviews_app;


--
-- Name: TABLE analytics_names; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.analytics_names TO neuroviews_app;


--
-- Name: TABLE configuration_conflicts; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.configuration_conflicts TO neuroviews_app;


--
-- Name: TABLE configuration_versions; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.configuration_versions TO neuroviews_app;


--
-- Name: COLUMN configuration_versions.user_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(user_id) ON TABLE neuroviews.configuration_versions TO neuroviews_background;


--
-- Name: COLUMN configuration_versions.id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(id) ON TABLE neuroviews.configuration_versions TO neuroviews_background;


--
-- Name: COLUMN configuration_versions.version; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(version) ON TABLE neuroviews.configuration_versions TO neuroviews_background;


--
-- Name: COLUMN configuration_versions.chain; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(chain) ON TABLE neuroviews.configuration_versions TO neuroviews_background;


--
-- Name: TABLE configurations; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.configurations TO neuroviews_app;


--
-- Name: TABLE consent_changes; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.consent_changes TO neuroviews_app;


--
-- Name: TABLE devices; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,DELETE ON TABLE neuroviews.devices TO neuroviews_app;
GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.devices TO neuroviews_background;


--
-- Name: COLUMN devices.user_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT(user_id) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: COLUMN devices.id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT(id) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: COLUMN devices.name; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT(name),UPDATE(name) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: COLUMN devices.model; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT(model),UPDATE(model) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: COLUMN devices.app_version; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT(app_version),UPDATE(app_version) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: COLUMN devices.last_seen_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(last_seen_at) ON TABLE neuroviews.devices TO neuroviews_app;


--
-- Name: TABLE erased_objects; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,DELETE ON TABLE neuroviews.erased_objects TO neuroviews_background;


--
-- Name: TABLE idempotency_keys; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.idempotency_keys TO neuroviews_app;


--
-- Name: TABLE jobs; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT ON TABLE neuroviews.jobs TO neuroviews_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.jobs TO neuroviews_background;


--
-- Name: TABLE known_addresses; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.known_addresses TO neuroviews_app;


--
-- Name: COLUMN lineage.began_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(began_at) ON TABLE neuroviews.lineage TO neuroviews_app;
GRANT SELECT(began_at) ON TABLE neuroviews.lineage TO neuroviews_background;


--
-- Name: COLUMN lineage.salt; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(salt) ON TABLE neuroviews.lineage TO neuroviews_app;
GRANT SELECT(salt) ON TABLE neuroviews.lineage TO neuroviews_background;


--
-- Name: TABLE master_keys; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.master_keys TO neuroviews_background;


--
-- Name: TABLE object_store; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.object_store TO neuroviews_background;


--
-- Name: COLUMN object_store.is_claimed; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(is_claimed) ON TABLE neuroviews.object_store TO neuroviews_background;


--
-- Name: TABLE operator_actions; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT INSERT ON TABLE neuroviews.operator_actions TO neuroviews_background;


--
-- Name: TABLE passkey_challenges; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.passkey_challenges TO neuroviews_app;
GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.passkey_challenges TO neuroviews_background;


--
-- Name: COLUMN passkey_challenges.expires_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(expires_at) ON TABLE neuroviews.passkey_challenges TO neuroviews_background;


--
-- Name: TABLE passkeys; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.passkeys TO neuroviews_app;
GRANT SELECT ON TABLE neuroviews.passkeys TO neuroviews_background;


--
-- Name: COLUMN passkeys.counter; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(counter) ON TABLE neuroviews.passkeys TO neuroviews_app;
GRANT UPDATE(counter) ON TABLE neuroviews.passkeys TO neuroviews_background;


--
-- Name: COLUMN passkeys.last_used_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(last_used_at) ON TABLE neuroviews.passkeys TO neuroviews_app;
GRANT UPDATE(last_used_at) ON TABLE neuroviews.passkeys TO neuroviews_background;


--
-- Name: TABLE receipt_keys; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.receipt_keys TO neuroviews_background;


--
-- Name: TABLE recording_files; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.recording_files TO neuroviews_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.recording_files TO neuroviews_background;


--
-- Name: TABLE recording_versions; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.recording_versions TO neuroviews_app;
GRANT INSERT ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.user_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(user_id) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(id) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.version; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(version) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.seq; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(seq) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.chain; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(chain) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.sent_digest; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(sent_digest) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.changed_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(changed_at) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: COLUMN recording_versions.author; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(author) ON TABLE neuroviews.recording_versions TO neuroviews_background;


--
-- Name: TABLE recordings; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.recordings TO neuroviews_app;
GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.recordings TO neuroviews_background;


--
-- Name: TABLE recovery_codes; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.recovery_codes TO neuroviews_app;
GRANT SELECT,DELETE ON TABLE neuroviews.recovery_codes TO neuroviews_background;


--
-- Name: TABLE registrations; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,DELETE ON TABLE neuroviews.registrations TO neuroviews_background;


--
-- Name: TABLE schema_functions; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.schema_functions TO neuroviews_background;


--
-- Name: TABLE schema_migrations; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.schema_migrations TO neuroviews_background;


--
-- Name: TABLE second_factor_challenges; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT DELETE ON TABLE neuroviews.second_factor_challenges TO neuroviews_app;
GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.second_factor_challenges TO neuroviews_background;


--
-- Name: COLUMN second_factor_challenges.user_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT(user_id) ON TABLE neuroviews.second_factor_challenges TO neuroviews_app;


--
-- Name: COLUMN second_factor_challenges.attempts_left; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(attempts_left) ON TABLE neuroviews.second_factor_challenges TO neuroviews_background;


--
-- Name: TABLE server_keys; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.server_keys TO neuroviews_background;


--
-- Name: TABLE sync_heads; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,UPDATE ON TABLE neuroviews.sync_heads TO neuroviews_app;
GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.sync_heads TO neuroviews_background;


--
-- Name: TABLE totp_secrets; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.totp_secrets TO neuroviews_app;
GRANT SELECT ON TABLE neuroviews.totp_secrets TO neuroviews_background;


--
-- Name: COLUMN totp_secrets.last_step; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(last_step) ON TABLE neuroviews.totp_secrets TO neuroviews_background;


--
-- Name: COLUMN totp_secrets.failures; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(failures) ON TABLE neuroviews.totp_secrets TO neuroviews_background;


--
-- Name: COLUMN totp_secrets.failures_since; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(failures_since) ON TABLE neuroviews.totp_secrets TO neuroviews_background;


--
-- Name: TABLE used_id_tokens; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.used_id_tokens TO neuroviews_background;


--
-- PostgreSQL database dump complete
--


