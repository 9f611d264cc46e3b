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
-- Name: event_category; Type: DOMAIN; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE DOMAIN neuroviews.event_category AS text
	CONSTRAINT event_category_check CHECK ((VALUE = ANY (ARRAY['analytics'::text, 'usage_metrics'::text])));


ALTER DOMAIN neuroviews.event_category OWNER TO neuroviews_owner;

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
-- Name: job_lane; Type: TYPE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TYPE neuroviews.job_lane AS ENUM (
    'checks',
    'decoding',
    'previews'
);


ALTER TYPE neuroviews.job_lane OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.users ALTER COLUMN email SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.users ALTER COLUMN password_hash SET STATISTICS 0;


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
    IF lower(token.email COLLATE "C") <> lower(address COLLATE "C") THEN
        RAISE EXCEPTION 'the invitation is for another address' USING ERRCODE = 'NV030';
    END IF;
    RETURN neuroviews.open_account(token.email, password_hash);
END
$$;


ALTER FUNCTION neuroviews.accept_invitation(hash bytea, address text, password_hash text) OWNER TO neuroviews_owner;

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
        (SELECT count(*) FROM pg_constraint r WHERE r.contype = 'f' AND r.confrelid = c.oid), c.relispartition,
        c.relname <> 'jobs', c.relname
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
-- Name: announce_ends(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.announce_ends() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    accounts uuid[];
BEGIN
    IF TG_OP = 'UPDATE' THEN
        -- An earlier end is not a new one. A join would keep the plan of the connection's first update: a nested loop, which takes hours
        -- when all sessions end at once.
        accounts := ARRAY(
            SELECT DISTINCT e.user_id FROM (
                SELECT n.user_id, n.id FROM changed n WHERE n.ended_at IS NOT NULL
                EXCEPT SELECT o.user_id, o.id FROM former o WHERE o.ended_at IS NOT NULL
            ) e LIMIT 101
        );
    ELSE
        accounts := ARRAY(SELECT DISTINCT o.user_id FROM former o WHERE o.ended_at IS NULL LIMIT 101);
    END IF;
    IF cardinality(accounts) > 100 THEN
        PERFORM pg_notify('neuroviews_accounts', '*');
    ELSIF cardinality(accounts) > 0 THEN
        PERFORM pg_notify('neuroviews_accounts', (SELECT string_agg('1' || replace(a::text, '-', ''), ' ') FROM unnest(accounts) a));
    END IF;
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.announce_ends() OWNER TO neuroviews_owner;

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
    -- Somebody may have tried to register the address. Not behind its lock, which would come before the account's.
    PERFORM neuroviews.forget_registration(u.email) FROM neuroviews.users u WHERE u.id = erased;
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
-- Name: begin_analytics_batch(uuid, text, bigint); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.begin_analytics_batch(account uuid, sent text, events_max bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    consent neuroviews.consent_category := sent::neuroviews.consent_category;
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = account AND c.category = consent AND c.granted FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the account has not agreed to this category' USING ERRCODE = 'NV012';
    END IF;
    IF events_max > 0 AND (SELECT sum(m.events) FROM neuroviews.analytics_months m WHERE m.user_id = account) >= events_max THEN
        RAISE EXCEPTION 'the account has as many events as it may have' USING ERRCODE = 'NV013';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.begin_analytics_batch(account uuid, sent text, events_max bigint) OWNER TO neuroviews_owner;

--
-- Name: change_address(uuid, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.change_address(account_id uuid, address text, client inet DEFAULT NULL::inet) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM neuroviews.enqueue_mails_of(account_id);
    PERFORM neuroviews.note_event(account_id, 'address-changed', NULL, NULL, client);
    -- The mail has no account, so that it is not deleted with the account.
    INSERT INTO neuroviews.mails (kind, email, client)
    SELECT 'address-changed', u.email, client FROM neuroviews.users u WHERE u.id = account_id;
    UPDATE neuroviews.users SET email = address WHERE id = account_id;
    PERFORM neuroviews.forget_mailed(account_id);
    PERFORM neuroviews.forget_registration(address);
END
$$;


ALTER FUNCTION neuroviews.change_address(account_id uuid, address text, client inet) OWNER TO neuroviews_owner;

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
    ON CONFLICT (singleton) DO UPDATE SET value = excluded.value, began_at = neuroviews.next_lineage(l.began_at)
    WHERE l.value <> excluded.value;
    -- Of several connections at once, one does it.
    RETURN CASE WHEN FOUND THEN former_value || ', is ' || current_value END;
END
$$;


ALTER FUNCTION neuroviews.check_lineage() OWNER TO neuroviews_owner;

--
-- Name: claim_mail(bytea, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) RETURNS TABLE(mail uuid, new_lease uuid, attempt integer, form text, recipient text, expires_at timestamp with time zone, happened_at timestamp with time zone, device text, client text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    m neuroviews.mails%ROWTYPE;
    content record;
BEGIN
    -- A mail without attempts is due at any `run_at`: it may have been created while the clock was ahead.
    SELECT * INTO m FROM neuroviews.mails d
    WHERE d.ended_at IS NULL AND (d.run_at <= now() OR d.attempts = 0 OR d.run_at > now() + interval '2 hours') AND neuroviews.may_end(d.created_at)
    ORDER BY d.run_at LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF m.kind = 'reset' THEN
        -- A later change of the password or address deletes the token; an earlier change is visible here.
        PERFORM FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = lower(m.email COLLATE "C") FOR SHARE;
    END IF;
    SELECT * INTO content FROM neuroviews.mail_content(m) WHERE m.created_at > now() - interval '1 day';
    IF NOT FOUND THEN
        UPDATE neuroviews.mails SET ended_at = now(), lease = NULL WHERE id = m.id;
        RETURN QUERY SELECT m.id, NULL::uuid, m.attempts, NULL::text, NULL::text, NULL::timestamptz, NULL::timestamptz, NULL::text, NULL::text;
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
        now() + neuroviews.token_lifetime(content.purpose), coalesce(m.happened_at, m.created_at), m.device, host(m.client);
END
$$;


ALTER FUNCTION neuroviews.claim_mail(hash bytea, lease_seconds integer) OWNER TO neuroviews_owner;

--
-- Name: clock_is_trusted(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.clock_is_trusted(server_time timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT coalesce((
        SELECT now() <= n.noted_at + interval '24 hours'
            AND (server_time IS NULL OR now() <= server_time + n.accepted_lead_seconds * interval '1 second' + interval '1 hour')
        FROM neuroviews.clock_note n), false)
$$;


ALTER FUNCTION neuroviews.clock_is_trusted(server_time timestamp with time zone) OWNER TO neuroviews_owner;

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
    hidden text;
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
            -- LIKE does not copy this: ANALYZE keeps no values of these columns.
            FOR hidden IN SELECT a.attname FROM pg_attribute a WHERE a.attrelid = format('neuroviews.%I', parent)::regclass
                AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget = 0 LOOP
                EXECUTE format('ALTER TABLE neuroviews.%I ALTER COLUMN %I SET STATISTICS 0', part, hidden);
            END LOOP;
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
    IF NOT pg_try_advisory_xact_lock(hashtext('neuroviews.kept_months')) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.analytics_months'));
    SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') INTO month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'neuroviews.analytics_events'::regclass;
    IF month + interval '1 month' <= (now() AT TIME ZONE 'UTC') - kept_days * interval '1 day' THEN
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
    UPDATE neuroviews.sessions s SET ended_at = now()
    WHERE s.ended_at IS NULL AND s.key_id IN (SELECT k.key_id FROM neuroviews.master_keys k WHERE k.state = 'compromised');
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;


ALTER FUNCTION neuroviews.end_compromised_keys() OWNER TO neuroviews_owner;

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
    WHERE e.mail_due AND neuroviews.may_end(e.at) ORDER BY e.at LIMIT 1 FOR KEY SHARE OF u SKIP LOCKED;
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
            WHERE lower(m.email COLLATE "C") = lower(address COLLATE "C") AND m.kind = new_kind AND m.created_at > recent AND neuroviews.is_past(m.created_at))
        OR (SELECT count(*) >= 3 FROM neuroviews.mails m
            WHERE m.account = asking AND m.kind = new_kind AND m.created_at > recent AND neuroviews.is_past(m.created_at)) THEN
        RETURN false;
    END IF;
    IF (SELECT count(*) >= 10000 FROM (SELECT FROM neuroviews.mails m WHERE m.ended_at IS NULL LIMIT 10000) m) THEN
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
        UPDATE neuroviews.account_events e SET mail_due = false WHERE e.user_id = account_id AND e.mail_due AND neuroviews.may_end(e.at)
        RETURNING e.kind, e.at, e.device_id, e.address
    ), newest AS (
        SELECT DISTINCT ON (kind) kind, at, device_id, address FROM due WHERE at > now() - interval '1 day' ORDER BY kind, at DESC
    )
    INSERT INTO neuroviews.mails (kind, event, email, account, happened_at, device, client)
    SELECT 'event', d.kind, u.email, u.id, d.at, neuroviews.mailed_device(u.id, d.device_id), d.address FROM neuroviews.users u, newest d
    WHERE u.id = account_id AND NOT EXISTS (SELECT FROM neuroviews.account_erasures a WHERE a.account = u.id)
        AND (SELECT count(*) < 3 FROM neuroviews.mails m
            WHERE m.account = u.id AND m.kind = 'event' AND m.event = d.kind AND m.created_at > now() - interval '1 hour'
                AND neuroviews.is_past(m.created_at))
$$;


ALTER FUNCTION neuroviews.enqueue_mails_of(account_id uuid) OWNER TO neuroviews_owner;

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
    INSERT INTO neuroviews.mails (kind, event, email, device, client)
    SELECT 'event', 'deletion', u.email, neuroviews.mailed_device(caller, device), client FROM neuroviews.users u
    WHERE u.id = caller AND is_mailed;
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
-- Name: erase_events(text, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_events(withdrawn text, events_max integer) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT neuroviews.erase_events_of(nullif(current_setting('app.user_id', true), '')::uuid, withdrawn, events_max)
$$;


ALTER FUNCTION neuroviews.erase_events(withdrawn text, events_max integer) OWNER TO neuroviews_owner;

--
-- Name: erase_events_of(uuid, text, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.erase_events_of(erased uuid, withdrawn text, events_max integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_sort TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    consent neuroviews.consent_category := withdrawn::neuroviews.consent_category;
    kept record;
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = consent FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = consent AND c.granted) THEN
        RETURN false;
    END IF;
    -- The first event that stays, in the order of the key. It is found by the index alone: a step must not read or
    -- sort all events, whatever the planner's statistics are.
    SELECT e.device_id, e.occurred_at, e.id INTO kept
    FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn
    ORDER BY e.device_id, e.occurred_at, e.id OFFSET events_max LIMIT 1;
    IF FOUND THEN
        DELETE FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn
            AND (e.device_id, e.occurred_at, e.id) < (kept.device_id, kept.occurred_at, kept.id);
        INSERT INTO neuroviews.erasures VALUES (erased, withdrawn) ON CONFLICT DO NOTHING;
        RETURN true;
    END IF;
    DELETE FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn;
    DELETE FROM neuroviews.erasures e WHERE e.account = erased AND e.category = withdrawn;
    RETURN false;
END
$$;


ALTER FUNCTION neuroviews.erase_events_of(erased uuid, withdrawn text, events_max integer) OWNER TO neuroviews_owner;

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
-- Name: follow_consent(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.follow_consent() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    changed text := coalesce(NEW.category, OLD.category)::text;
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM neuroviews.note_consent(NEW);
    END IF;
    IF changed = 'crash_reports' THEN
        RETURN NULL;
    END IF;
    IF NEW.granted THEN
        IF EXISTS (SELECT FROM neuroviews.erasures e WHERE e.account = NEW.user_id AND e.category = changed) THEN
            RAISE EXCEPTION 'events of the time before are still being deleted' USING ERRCODE = 'NV014';
        END IF;
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.analytics_months m WHERE m.user_id = OLD.user_id AND m.category = changed;
    DELETE FROM neuroviews.analytics_names n WHERE n.user_id = OLD.user_id AND n.category = changed;
    DELETE FROM neuroviews.analytics_device_days d WHERE d.user_id = OLD.user_id AND d.category = changed;
    DELETE FROM neuroviews.analytics_name_days d WHERE d.user_id = OLD.user_id AND d.category = changed;
    PERFORM neuroviews.erase_events_of(OLD.user_id, changed, 20000);
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
        AND neuroviews.clock_is_trusted()
        AND NOT EXISTS (SELECT FROM neuroviews.sessions s WHERE s.key_id = k.key_id AND neuroviews.is_live(s))
        AND NOT EXISTS (SELECT FROM neuroviews.totp_secrets t WHERE t.master_key_id = k.key_id)
        AND NOT EXISTS (
            SELECT FROM neuroviews.recording_files f
            WHERE (f.state = 'uploading' OR f.is_sent_again) AND f.asked_at < k.since + interval '1 minute')
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
    DELETE FROM neuroviews.registrations r WHERE lower(r.email COLLATE "C") = lower(address COLLATE "C");
    DELETE FROM neuroviews.mailed_tokens t WHERE lower(t.email COLLATE "C") = lower(address COLLATE "C") AND t.account IS NULL;
END
$$;


ALTER FUNCTION neuroviews.forget_registration(address text) OWNER TO neuroviews_owner;

--
-- Name: has_other_login(uuid, uuid, text[], text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.has_other_login(account uuid, removed uuid, issuers text[], domain text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM neuroviews.users u WHERE u.id = account AND u.has_password)
        OR EXISTS (
            SELECT FROM neuroviews.identities i WHERE i.user_id = account AND i.id <> removed AND i.issuer = ANY (issuers))
        OR EXISTS (
            SELECT FROM neuroviews.passkeys p
            WHERE p.user_id = account AND p.id <> removed AND p.domain = has_other_login.domain)
$$;


ALTER FUNCTION neuroviews.has_other_login(account uuid, removed uuid, issuers text[], domain text) OWNER TO neuroviews_owner;

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
    IF EXISTS (SELECT FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = lower(address COLLATE "C")) THEN
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.mailed_tokens t WHERE lower(t.email COLLATE "C") = lower(address COLLATE "C") AND t.purpose = 'invitation';
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
    token_made_at timestamp with time zone DEFAULT now() NOT NULL,
    token_made_by uuid,
    token_made_from inet,
    device_id text,
    address inet,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    proven_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    signature_version smallint DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY neuroviews.sessions ALTER COLUMN key_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.sessions ALTER COLUMN token_made_from SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.sessions ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.sessions ALTER COLUMN address SET STATISTICS 0;


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
        ELSE kind IN ('password-changed', 'second-factor-failed', 'passkey-counter', 'totp-added', 'totp-removed', 'passkey-added', 'passkey-removed', 'identity-added', 'identity-removed',
            'token-reused', 'token-elsewhere', 'export')
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
        (SELECT d.logged_in_at IS NULL FROM neuroviews.devices d WHERE d.user_id = account AND d.id = device),
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
    SELECT token_counter IS DISTINCT FROM s.counter - 1 OR s.token_made_at < now() - interval '5 minutes'
        OR NOT neuroviews.is_past(s.token_made_at)
        OR coalesce(s.confirmed_at < now() - interval '60 seconds', false)
$$;


ALTER FUNCTION neuroviews.is_outdated(s neuroviews.sessions, token_counter integer) OWNER TO neuroviews_owner;

--
-- Name: is_past(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_past(moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$ SELECT moment <= now() + interval '1 minute' $$;


ALTER FUNCTION neuroviews.is_past(moment timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: is_proven(neuroviews.sessions); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_proven(s neuroviews.sessions) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT s.proven_at > now() - interval '10 minutes' AND neuroviews.is_past(s.proven_at)
$$;


ALTER FUNCTION neuroviews.is_proven(s neuroviews.sessions) OWNER TO neuroviews_owner;

--
-- Name: is_reused(neuroviews.sessions, integer, uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.is_reused(s neuroviews.sessions, token_counter integer, attempt uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT token_counter IS DISTINCT FROM s.counter - 1 OR NOT (coalesce(attempt = s.token_made_by, false)
        OR s.token_made_at >= now() - CASE WHEN attempt IS NULL THEN interval '5 minutes' ELSE interval '60 seconds' END)
$$;


ALTER FUNCTION neuroviews.is_reused(s neuroviews.sessions, token_counter integer, attempt uuid) OWNER TO neuroviews_owner;

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
    INSERT INTO neuroviews.idempotency_keys AS k (user_id, key, collection, request_digest, answer, bytes, expires_at)
    VALUES (owner, idempotency_key, kept_in, request, new_answer, size, now() + lifetime_s * interval '1 second')
    ON CONFLICT (user_id, key) DO UPDATE SET request_digest = excluded.request_digest, answer = excluded.answer,
        bytes = excluded.bytes, expires_at = CASE WHEN k.expires_at > now() THEN k.expires_at ELSE excluded.expires_at END;
    UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + size - former
    WHERE h.user_id = owner AND h.collection = kept_in;
END
$$;


ALTER FUNCTION neuroviews.keep_answer(owner uuid, kept_in neuroviews.collection, idempotency_key text, request bytea, lifetime_s integer, new_answer jsonb) OWNER TO neuroviews_owner;

--
-- Name: keep_crash_reports(date[], text[], text[]); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.keep_crash_reports(report_days date[], report_names text[], report_parameters text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION neuroviews.keep_crash_reports(report_days date[], report_names text[], report_parameters text[]) OWNER TO neuroviews_owner;

--
-- Name: kept_answer(uuid, text, bytea); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    kept record;
BEGIN
    SELECT k.request_digest, k.answer INTO kept FROM neuroviews.idempotency_keys k
    WHERE k.user_id = owner AND k.key = idempotency_key AND k.expires_at > now();
    IF kept.request_digest <> request THEN
        RAISE EXCEPTION 'the key came with another request' USING ERRCODE = 'NV011';
    END IF;
    RETURN kept.answer;
END
$$;


ALTER FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea) OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.identities ALTER COLUMN issuer SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.identities ALTER COLUMN subject SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.identities ALTER COLUMN email SET STATISTICS 0;


ALTER TABLE neuroviews.identities OWNER TO neuroviews_owner;

--
-- Name: link_identity(uuid, text, text, text, integer, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.link_identity(account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) RETURNS neuroviews.identities
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    device text := nullif(current_setting('app.device_id', true), '');
    identity neuroviews.identities%ROWTYPE;
BEGIN
    SELECT * INTO identity FROM neuroviews.identities i
    WHERE i.user_id = account AND i.issuer = new_issuer AND i.subject = new_subject;
    IF FOUND THEN
        RETURN identity;
    END IF;
    IF (SELECT count(*) >= identities_max FROM neuroviews.identities i WHERE i.user_id = account) THEN
        RAISE EXCEPTION 'the account has too many identities' USING ERRCODE = 'NV054';
    END IF;
    INSERT INTO neuroviews.identities (user_id, issuer, subject, email) VALUES (account, new_issuer, new_subject, new_email)
    ON CONFLICT DO NOTHING RETURNING * INTO identity;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another account has the identity' USING ERRCODE = 'NV053';
    END IF;
    PERFORM neuroviews.note_event(account, 'identity-added', session, device, client);
    RETURN identity;
END
$$;


ALTER FUNCTION neuroviews.link_identity(account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) OWNER TO neuroviews_owner;

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
    SELECT pg_advisory_xact_lock(hashtextextended('neuroviews.address ' || lower(address COLLATE "C"), 0))
$$;


ALTER FUNCTION neuroviews.lock_address(address text) OWNER TO neuroviews_owner;

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
    happened_at timestamp with time zone,
    device text,
    client inet,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    lease uuid,
    ended_at timestamp with time zone,
    CONSTRAINT mails_check CHECK (((event IS NULL) = (kind <> 'event'::neuroviews.mail_kind)))
);
ALTER TABLE ONLY neuroviews.mails ALTER COLUMN event SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.mails ALTER COLUMN email SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.mails ALTER COLUMN device SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.mails ALTER COLUMN client SET STATISTICS 0;


ALTER TABLE neuroviews.mails OWNER TO neuroviews_owner;

--
-- Name: mail_content(neuroviews.mails); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.mail_content(m neuroviews.mails) RETURNS TABLE(form text, recipient text, purpose neuroviews.token_purpose, account uuid)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH known AS (SELECT u.id, u.email FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = lower((m).email COLLATE "C")),
    waiting AS (
        SELECT r.email, r.is_contested FROM neuroviews.registrations r
        WHERE lower(r.email COLLATE "C") = lower((m).email COLLATE "C") AND r.expires_at > now() AND NOT EXISTS (SELECT FROM known)
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
-- Name: mailed_device(uuid, text); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.mailed_device(account_id uuid, device text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT coalesce((SELECT d.name FROM neuroviews.devices d WHERE d.user_id = account_id AND d.id = device), device)
$$;


ALTER FUNCTION neuroviews.mailed_device(account_id uuid, device text) OWNER TO neuroviews_owner;

--
-- Name: may_end(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.may_end(cause timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT cause > now() - interval '1 day' OR neuroviews.clock_is_trusted()
$$;


ALTER FUNCTION neuroviews.may_end(cause timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: next_begin(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.next_begin(former timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql
    RETURN (date_trunc('second'::text, GREATEST(clock_timestamp(), former)) + '00:00:01'::interval);


ALTER FUNCTION neuroviews.next_begin(former timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: next_lineage(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.next_lineage(former timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql
    AS $$
    SELECT neuroviews.next_begin(greatest(former, (
        SELECT max(greatest(h.changed_at, h.began_at)) FROM neuroviews.sync_heads h
        WHERE greatest(h.changed_at, h.began_at) < now() + interval '7 days')))
$$;


ALTER FUNCTION neuroviews.next_lineage(former timestamp with time zone) OWNER TO neuroviews_owner;

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
        SELECT k.address FROM neuroviews.known_addresses k WHERE k.user_id = account
        ORDER BY neuroviews.is_past(k.last_login_at) DESC, k.last_login_at DESC OFFSET addresses_max);
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
ALTER TABLE ONLY neuroviews.consents ALTER COLUMN version SET STATISTICS 0;


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
-- Name: note_failure(uuid, text, inet, uuid); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_failure(account uuid, what text, client inet, session uuid DEFAULT NULL::uuid) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
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


ALTER FUNCTION neuroviews.note_failure(account uuid, what text, client inet, session uuid) OWNER TO neuroviews_owner;

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
    UPDATE neuroviews.devices d SET logged_in_at = now() WHERE d.user_id = account AND d.id = s.device_id;
    PERFORM neuroviews.note_address(account, client, addresses_max);
END
$$;


ALTER FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) OWNER TO neuroviews_owner;

--
-- Name: note_repeatable(uuid, text, uuid, text, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.note_repeatable(account uuid, what text, session uuid, device text, client inet) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE neuroviews.account_events e SET count = e.count + 1, address = CASE WHEN e.address = client THEN client END
    WHERE e.user_id = account AND e.kind = what AND e.session_id = session AND e.at >= date_trunc('hour', now()) AND neuroviews.is_past(e.at);
    IF NOT FOUND THEN
        PERFORM neuroviews.note_event(account, what, session, device, client);
    END IF;
END
$$;


ALTER FUNCTION neuroviews.note_repeatable(account uuid, what text, session uuid, device text, client inet) OWNER TO neuroviews_owner;

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
    WHERE lower(t.email COLLATE "C") = lower(address COLLATE "C") AND t.purpose = 'invitation' AND t.expires_at > now();
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
-- Name: remove_passkey(uuid, uuid, text[], text, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.remove_passkey(account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    device text := nullif(current_setting('app.device_id', true), '');
BEGIN
    IF NOT EXISTS (SELECT FROM neuroviews.passkeys p WHERE p.user_id = account AND p.id = passkey) THEN
        RETURN NULL;
    END IF;
    IF NOT neuroviews.has_other_login(account, passkey, issuers, domain) THEN
        RETURN false;
    END IF;
    DELETE FROM neuroviews.passkeys p WHERE p.user_id = account AND p.id = passkey;
    PERFORM neuroviews.note_event(account, 'passkey-removed', session, device, client);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.remove_passkey(account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet) OWNER TO neuroviews_owner;

--
-- Name: replace_password(uuid, text, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.replace_password(account uuid, hash text, session uuid DEFAULT NULL::uuid, client inet DEFAULT NULL::inet) RETURNS bigint
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
    PERFORM neuroviews.note_event(account, 'password-changed', session,
        (SELECT s.device_id FROM neuroviews.sessions s WHERE s.user_id = account AND s.id = session), client);
    RETURN ended;
END
$$;


ALTER FUNCTION neuroviews.replace_password(account uuid, hash text, session uuid, client inet) OWNER TO neuroviews_owner;

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
        ON CONFLICT (lower(email COLLATE "C")) DO UPDATE SET email = excluded.email, password_hash = excluded.password_hash,
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
-- Name: require_trusted_clock(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.require_trusted_clock(server_time timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NOT neuroviews.clock_is_trusted(server_time) THEN
        RAISE EXCEPTION 'the clock is not trusted, so nothing is deleted by age' USING ERRCODE = 'NV060';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.require_trusted_clock(server_time timestamp with time zone) OWNER TO neuroviews_owner;

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
    who text := lower(email COLLATE "C");
    place text := coalesce(host(address), 'none');
    account uuid := coalesce((SELECT u.id FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = who),
        uuid '00000000-0000-0000-0000-000000000000');
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
        UPDATE neuroviews.lineage SET salt = neuroviews.random_salt(), began_at = neuroviews.next_lineage(began_at)
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
    WITH owner AS (SELECT id FROM neuroviews.users WHERE lower(email COLLATE "C") = lower(address COLLATE "C")), reset AS (
        UPDATE neuroviews.sync_heads h SET salt = neuroviews.random_salt(), began_at = neuroviews.next_begin(
            greatest(h.changed_at, h.began_at, (SELECT l.began_at FROM neuroviews.lineage l)))
        FROM owner o WHERE h.user_id = o.id
    )
    SELECT count(*) FROM owner
$$;


ALTER FUNCTION neuroviews.reset_clients(address text) OWNER TO neuroviews_owner;

--
-- Name: reset_password(bytea, text, inet, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, place inet, client inet DEFAULT NULL::inet) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{reset}');
BEGIN
    IF token.account IS NULL THEN
        PERFORM neuroviews.open_account(token.email, new_password_hash);
    ELSIF EXISTS (SELECT FROM neuroviews.users u
            WHERE u.id = token.account AND lower(u.email COLLATE "C") = lower(token.email COLLATE "C")) THEN
        PERFORM neuroviews.replace_password(token.account, new_password_hash, NULL, client);
        PERFORM neuroviews.forget_places(token.account);
        PERFORM neuroviews.note_address(token.account, place, 1);
    ELSE
        -- The account's address changed after the mail was created.
        RAISE EXCEPTION 'the account has another address' USING ERRCODE = 'NV030';
    END IF;
END
$$;


ALTER FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, place inet, client inet) OWNER TO neuroviews_owner;

--
-- Name: rfc3339(timestamp with time zone); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.rfc3339(moment timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'::text);


ALTER FUNCTION neuroviews.rfc3339(moment timestamp with time zone) OWNER TO neuroviews_owner;

--
-- Name: rotate_token(uuid, uuid, integer, uuid, inet, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet) OWNER TO neuroviews_owner;

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
-- Name: sweep_crash_reports(integer, integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_crash_reports(kept_days integer, rows_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH due AS MATERIALIZED (
        SELECT c.ctid AS place FROM neuroviews.crash_reports c
        WHERE c.day < (now() AT TIME ZONE 'UTC')::date - kept_days ORDER BY c.day LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.crash_reports c WHERE c.ctid = ANY (ARRAY(SELECT d.place FROM due d)) RETURNING true
    )
    SELECT count(*) FROM deleted
$$;


ALTER FUNCTION neuroviews.sweep_crash_reports(kept_days integer, rows_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_erasures(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_erasures(events_max integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    due neuroviews.erasures%ROWTYPE;
BEGIN
    SELECT e.* INTO due FROM neuroviews.erasures e LIMIT 1;
    IF due.account IS NULL THEN
        RETURN false;
    END IF;
    PERFORM neuroviews.erase_events_of(due.account, due.category, events_max);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.sweep_erasures(events_max integer) OWNER TO neuroviews_owner;

--
-- Name: sweep_idempotency_keys(integer); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.sweep_idempotency_keys(keys_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH old AS MATERIALIZED (
        SELECT user_id, collection, key FROM neuroviews.idempotency_keys
        WHERE expires_at < now() ORDER BY expires_at LIMIT keys_max
    ), free AS MATERIALIZED (
        SELECT h.user_id, h.collection FROM neuroviews.sync_heads h
        WHERE (h.user_id, h.collection) IN (SELECT user_id, collection FROM old)
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM neuroviews.idempotency_keys k USING old o
        WHERE k.user_id = o.user_id AND k.key = o.key AND k.expires_at < now()
            AND (o.user_id, o.collection) IN (SELECT user_id, collection FROM free)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;


ALTER FUNCTION neuroviews.sweep_idempotency_keys(keys_max integer) OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.mailed_tokens ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.mailed_tokens ALTER COLUMN email SET STATISTICS 0;


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


ALTER FUNCTION neuroviews.trim_account_events() OWNER TO neuroviews_owner;

--
-- Name: trim_stand_in_events(); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.trim_stand_in_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM neuroviews.stand_in_events e USING added a
    WHERE e.stand_in = a.stand_in AND e.kind = a.kind AND e.id <> a.id;
    RETURN NULL;
END
$$;


ALTER FUNCTION neuroviews.trim_stand_in_events() OWNER TO neuroviews_owner;

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
-- Name: unlink_identity(uuid, uuid, text[], text, uuid, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.unlink_identity(account uuid, identity uuid, issuers text[], domain text, session uuid, client inet) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    device text := nullif(current_setting('app.device_id', true), '');
BEGIN
    IF NOT EXISTS (SELECT FROM neuroviews.identities i WHERE i.user_id = account AND i.id = identity) THEN
        RETURN NULL;
    END IF;
    IF NOT neuroviews.has_other_login(account, identity, issuers, domain) THEN
        RETURN false;
    END IF;
    DELETE FROM neuroviews.identities i WHERE i.user_id = account AND i.id = identity;
    DELETE FROM neuroviews.second_factor_challenges c WHERE c.user_id = account;
    PERFORM neuroviews.note_event(account, 'identity-removed', session, device, client);
    RETURN true;
END
$$;


ALTER FUNCTION neuroviews.unlink_identity(account uuid, identity uuid, issuers text[], domain text, session uuid, client inet) OWNER TO neuroviews_owner;

--
-- Name: verify_address(bytea, inet); Type: FUNCTION; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE FUNCTION neuroviews.verify_address(hash bytea, client inet DEFAULT NULL::inet) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{verify,address}');
    registered text;
BEGIN
    IF token.purpose = 'address' THEN
        PERFORM neuroviews.change_address(token.account, token.email, client);
        RETURN;
    END IF;
    -- The password of a contested registration may belong to another person.
    SELECT r.password_hash INTO registered FROM neuroviews.registrations r
    WHERE lower(r.email COLLATE "C") = lower(token.email COLLATE "C") AND NOT r.is_contested AND r.expires_at > now();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the address was registered again' USING ERRCODE = 'NV030';
    END IF;
    PERFORM neuroviews.open_account(token.email, registered);
END
$$;


ALTER FUNCTION neuroviews.verify_address(hash bytea, client inet) OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.account_events ALTER COLUMN kind SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.account_events ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.account_events ALTER COLUMN address SET STATISTICS 0;


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
    counts integer[] NOT NULL,
    category neuroviews.event_category DEFAULT 'analytics'::text NOT NULL
)
PARTITION BY RANGE (day);
ALTER TABLE ONLY neuroviews.analytics_device_days ALTER COLUMN device_id SET STATISTICS 0;


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
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    category neuroviews.event_category DEFAULT 'analytics'::text NOT NULL
)
PARTITION BY RANGE (occurred_at);
ALTER TABLE ONLY neuroviews.analytics_events ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.analytics_events ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.analytics_events ALTER COLUMN parameters SET STATISTICS 0;


ALTER TABLE neuroviews.analytics_events OWNER TO neuroviews_owner;

--
-- Name: analytics_months; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_months (
    user_id uuid NOT NULL,
    month date NOT NULL,
    events bigint NOT NULL,
    category neuroviews.event_category DEFAULT 'analytics'::text NOT NULL
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
    counts integer[] NOT NULL,
    category neuroviews.event_category DEFAULT 'analytics'::text NOT NULL
)
PARTITION BY RANGE (day);
ALTER TABLE ONLY neuroviews.analytics_name_days ALTER COLUMN name SET STATISTICS 0;


ALTER TABLE neuroviews.analytics_name_days OWNER TO neuroviews_owner;

--
-- Name: analytics_names; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.analytics_names (
    user_id uuid NOT NULL,
    month date NOT NULL,
    name text NOT NULL,
    category neuroviews.event_category DEFAULT 'analytics'::text NOT NULL
)
PARTITION BY RANGE (month);
ALTER TABLE ONLY neuroviews.analytics_names ALTER COLUMN name SET STATISTICS 0;


ALTER TABLE neuroviews.analytics_names OWNER TO neuroviews_owner;

--
-- Name: attempts; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNLOGGED TABLE neuroviews.attempts (
    id uuid NOT NULL,
    key bytea NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY neuroviews.attempts ALTER COLUMN key SET STATISTICS 0;


ALTER TABLE neuroviews.attempts OWNER TO neuroviews_owner;

--
-- Name: clock_note; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.clock_note (
    singleton boolean DEFAULT true NOT NULL,
    noted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    doubt text,
    doubted_at timestamp(3) with time zone,
    even_seconds integer DEFAULT 0 NOT NULL,
    accepted_lead_seconds bigint DEFAULT 0 NOT NULL,
    CONSTRAINT clock_note_accepted_lead_seconds_check CHECK ((accepted_lead_seconds >= 0)),
    CONSTRAINT clock_note_check CHECK (((doubt IS NULL) = (doubted_at IS NULL))),
    CONSTRAINT clock_note_doubt_check CHECK ((doubt = ANY (ARRAY['ahead-of-note'::text, 'ahead-of-server'::text]))),
    CONSTRAINT clock_note_doubted_at_check CHECK (isfinite(doubted_at)),
    CONSTRAINT clock_note_even_seconds_check CHECK ((even_seconds >= 0)),
    CONSTRAINT clock_note_noted_at_check CHECK (isfinite(noted_at)),
    CONSTRAINT clock_note_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY neuroviews.clock_note ALTER COLUMN doubt SET STATISTICS 0;


ALTER TABLE neuroviews.clock_note OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.configuration_conflicts ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_conflicts ALTER COLUMN document SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_conflicts ALTER COLUMN device_id SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN document SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN sent_digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN author SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configuration_versions ALTER COLUMN preset SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.configurations ALTER COLUMN spelled_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configurations ALTER COLUMN document SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configurations ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configurations ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.configurations ALTER COLUMN preset SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.consent_changes ALTER COLUMN version SET STATISTICS 0;


ALTER TABLE neuroviews.consent_changes OWNER TO neuroviews_owner;

--
-- Name: crash_reports; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.crash_reports (
    day date NOT NULL,
    name text NOT NULL,
    parameters json NOT NULL
);
ALTER TABLE ONLY neuroviews.crash_reports ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.crash_reports ALTER COLUMN parameters SET STATISTICS 0;


ALTER TABLE neuroviews.crash_reports OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.devices ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.devices ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.devices ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.devices ALTER COLUMN app_version SET STATISTICS 0;


ALTER TABLE neuroviews.devices OWNER TO neuroviews_owner;

--
-- Name: erased_objects; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erased_objects (
    object_key text NOT NULL,
    account uuid NOT NULL
);
ALTER TABLE ONLY neuroviews.erased_objects ALTER COLUMN object_key SET STATISTICS 0;


ALTER TABLE neuroviews.erased_objects OWNER TO neuroviews_owner;

--
-- Name: erasure_ledger; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasure_ledger (
    digest bytea NOT NULL
);
ALTER TABLE ONLY neuroviews.erasure_ledger ALTER COLUMN digest SET STATISTICS 0;


ALTER TABLE neuroviews.erasure_ledger OWNER TO neuroviews_owner;

--
-- Name: erasure_ledger_keys; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasure_ledger_keys (
    key bytea NOT NULL
);
ALTER TABLE ONLY neuroviews.erasure_ledger_keys ALTER COLUMN key SET STATISTICS 0;


ALTER TABLE neuroviews.erasure_ledger_keys OWNER TO neuroviews_owner;

--
-- Name: erasures; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.erasures (
    account uuid NOT NULL,
    category neuroviews.event_category NOT NULL
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
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY neuroviews.idempotency_keys ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.idempotency_keys ALTER COLUMN request_digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.idempotency_keys ALTER COLUMN answer SET STATISTICS 0;


ALTER TABLE neuroviews.idempotency_keys OWNER TO neuroviews_owner;

--
-- Name: job_turns; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.job_turns (
    user_id uuid NOT NULL,
    lane neuroviews.job_lane NOT NULL,
    began_ms bigint DEFAULT 0 NOT NULL,
    next_ms bigint DEFAULT 0 NOT NULL
);


ALTER TABLE neuroviews.job_turns OWNER TO neuroviews_owner;

--
-- Name: job_workers; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNLOGGED TABLE neuroviews.job_workers (
    process_id uuid NOT NULL,
    lane neuroviews.job_lane NOT NULL,
    workers integer NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


ALTER TABLE neuroviews.job_workers OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.jobs ALTER COLUMN object_key SET STATISTICS 0;


ALTER TABLE neuroviews.jobs OWNER TO neuroviews_owner;

--
-- Name: known_addresses; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.known_addresses (
    user_id uuid NOT NULL,
    address inet NOT NULL,
    last_login_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY neuroviews.known_addresses ALTER COLUMN address SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.lineage ALTER COLUMN value SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.master_keys ALTER COLUMN key_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.master_keys ALTER COLUMN check_value SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.master_keys ALTER COLUMN state SET STATISTICS 0;


ALTER TABLE neuroviews.master_keys OWNER TO neuroviews_owner;

--
-- Name: nonces; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL
)
PARTITION BY LIST (slot);
ALTER TABLE ONLY neuroviews.nonces ALTER COLUMN nonce SET STATISTICS 0;


ALTER TABLE neuroviews.nonces OWNER TO neuroviews_owner;

--
-- Name: nonces_0; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_0 (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL
);
ALTER TABLE ONLY neuroviews.nonces_0 ALTER COLUMN nonce SET STATISTICS 0;


ALTER TABLE neuroviews.nonces_0 OWNER TO neuroviews_owner;

--
-- Name: nonces_1; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_1 (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL
);
ALTER TABLE ONLY neuroviews.nonces_1 ALTER COLUMN nonce SET STATISTICS 0;


ALTER TABLE neuroviews.nonces_1 OWNER TO neuroviews_owner;

--
-- Name: nonces_2; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_2 (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL
);
ALTER TABLE ONLY neuroviews.nonces_2 ALTER COLUMN nonce SET STATISTICS 0;


ALTER TABLE neuroviews.nonces_2 OWNER TO neuroviews_owner;

--
-- Name: nonces_3; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.nonces_3 (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL
);
ALTER TABLE ONLY neuroviews.nonces_3 ALTER COLUMN nonce SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.operator_actions ALTER COLUMN operator SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.operator_actions ALTER COLUMN action SET STATISTICS 0;


ALTER TABLE neuroviews.operator_actions OWNER TO neuroviews_owner;

--
-- Name: passkey_challenges; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.passkey_challenges (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY neuroviews.passkey_challenges ALTER COLUMN digest SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.passkeys ALTER COLUMN credential_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.passkeys ALTER COLUMN public_key SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.passkeys ALTER COLUMN domain SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.passkeys ALTER COLUMN name SET STATISTICS 0;


ALTER TABLE neuroviews.passkeys OWNER TO neuroviews_owner;

--
-- Name: realtime_commands; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.realtime_commands (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    sender text NOT NULL,
    target text,
    server_id uuid,
    deadline timestamp with time zone NOT NULL,
    message text,
    outcome text,
    result text
);
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN sender SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN target SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN message SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN outcome SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_commands ALTER COLUMN result SET STATISTICS 0;


ALTER TABLE neuroviews.realtime_commands OWNER TO neuroviews_owner;

--
-- Name: realtime_devices; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNLOGGED TABLE neuroviews.realtime_devices (
    user_id uuid NOT NULL,
    device_id text NOT NULL,
    server_id uuid NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    states text
);
ALTER TABLE ONLY neuroviews.realtime_devices ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.realtime_devices ALTER COLUMN states SET STATISTICS 0;


ALTER TABLE neuroviews.realtime_devices OWNER TO neuroviews_owner;

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
    part_bytes bigint,
    is_sent_again boolean DEFAULT false NOT NULL,
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
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN spelled_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN object_key SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN content_type SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN sha256 SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN verified_sha256 SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN encryption SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN configuration_version SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN multipart_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN video_format SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN tags SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN resolution SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_files ALTER COLUMN probe SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.recording_versions ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_versions ALTER COLUMN document SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_versions ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_versions ALTER COLUMN sent_digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recording_versions ALTER COLUMN author SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.recordings ALTER COLUMN spelled_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recordings ALTER COLUMN document SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recordings ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.recordings ALTER COLUMN chain SET STATISTICS 0;


ALTER TABLE neuroviews.recordings OWNER TO neuroviews_owner;

--
-- Name: recovery_codes; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.recovery_codes (
    user_id uuid NOT NULL,
    digest bytea NOT NULL
);
ALTER TABLE ONLY neuroviews.recovery_codes ALTER COLUMN digest SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.registrations ALTER COLUMN email SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.registrations ALTER COLUMN password_hash SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.schema_functions ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.schema_functions ALTER COLUMN checksum SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.schema_functions ALTER COLUMN release SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.schema_migrations ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.schema_migrations ALTER COLUMN checksum SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.second_factor_challenges ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.second_factor_challenges ALTER COLUMN password_digest SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.second_factor_challenges ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.second_factor_challenges ALTER COLUMN device_name SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.server_keys ALTER COLUMN host SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.server_keys ALTER COLUMN key_ids SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.server_keys ALTER COLUMN missing_ids SET STATISTICS 0;


ALTER TABLE neuroviews.server_keys OWNER TO neuroviews_owner;

--
-- Name: stand_in_events; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.stand_in_events (
    stand_in uuid NOT NULL,
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
ALTER TABLE ONLY neuroviews.stand_in_events ALTER COLUMN kind SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.stand_in_events ALTER COLUMN device_id SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.stand_in_events ALTER COLUMN address SET STATISTICS 0;


ALTER TABLE neuroviews.stand_in_events OWNER TO neuroviews_owner;

--
-- Name: stand_ins; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.stand_ins (
    id uuid NOT NULL
);


ALTER TABLE neuroviews.stand_ins OWNER TO neuroviews_owner;

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
ALTER TABLE ONLY neuroviews.sweeps ALTER COLUMN name SET STATISTICS 0;


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
    began_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    state_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    items integer DEFAULT 0 NOT NULL,
    tombstones integer DEFAULT 0 NOT NULL,
    history_bytes bigint DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY neuroviews.sync_heads ALTER COLUMN genesis SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.sync_heads ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.sync_heads ALTER COLUMN state_hash SET STATISTICS 0;


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
ALTER TABLE ONLY neuroviews.totp_secrets ALTER COLUMN sealed_secret SET STATISTICS 0;
ALTER TABLE ONLY neuroviews.totp_secrets ALTER COLUMN master_key_id SET STATISTICS 0;


ALTER TABLE neuroviews.totp_secrets OWNER TO neuroviews_owner;

--
-- Name: used_id_tokens; Type: TABLE; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TABLE neuroviews.used_id_tokens (
    digest bytea NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY neuroviews.used_id_tokens ALTER COLUMN digest SET STATISTICS 0;


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
-- Data for Name: clock_note; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.clock_note (singleton, noted_at, doubt, doubted_at, even_seconds, accepted_lead_seconds) FROM stdin;
t	2000-01-01 00:00:00+00	\N	\N	0	0
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
-- Data for Name: crash_reports; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.crash_reports (day, name, parameters) FROM stdin;
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

COPY neuroviews.erasures (account, category) FROM stdin;
\.


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.idempotency_keys (user_id, key, collection, request_digest, answer, bytes, expires_at) FROM stdin;
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.identities (user_id, id, issuer, subject, email, created_at) FROM stdin;
\.


--
-- Data for Name: job_turns; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.job_turns (user_id, lane, began_ms, next_ms) FROM stdin;
\.


--
-- Data for Name: job_workers; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.job_workers (process_id, lane, workers, seen_at) FROM stdin;
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

COPY neuroviews.mails (id, kind, event, email, account, happened_at, device, client, created_at, attempts, run_at, lease, ended_at) FROM stdin;
\.


--
-- Data for Name: master_keys; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.master_keys (key_id, check_value, state, since) FROM stdin;
\.


--
-- Data for Name: nonces_0; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_0 (slot, user_id, session_id, signed_at, nonce) FROM stdin;
\.


--
-- Data for Name: nonces_1; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_1 (slot, user_id, session_id, signed_at, nonce) FROM stdin;
\.


--
-- Data for Name: nonces_2; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_2 (slot, user_id, session_id, signed_at, nonce) FROM stdin;
\.


--
-- Data for Name: nonces_3; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.nonces_3 (slot, user_id, session_id, signed_at, nonce) FROM stdin;
\.


--
-- Data for Name: object_store; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.object_store (singleton, id, is_claimed) FROM stdin;
t	00000000-0000-4000-8000-000000000000	f
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
-- Data for Name: realtime_commands; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.realtime_commands (user_id, id, digest, sender, target, server_id, deadline, message, outcome, result) FROM stdin;
\.


--
-- Data for Name: realtime_devices; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.realtime_devices (user_id, device_id, server_id, changed_at, states) FROM stdin;
\.


--
-- Data for Name: recording_files; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.recording_files (user_id, id, spelled_id, state, failure, object_key, size, content_type, sha256, verified_sha256, verified_at, encryption, device_id, configuration_id, configuration_version, upload, upload_offset, epoch, boot_id, multipart_id, part_bytes, is_sent_again, asked_at, expires_at, uploaded_at, recorded_at, video_format, tags, resolution, stated_ms, probe, has_thumbnail, thumbnail_bytes, has_preview) FROM stdin;
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
functions/account_erasures.sql	5d042224f4621a3abc96fcbe772678643d88aec4493fde88e2194250a267d0fe	0.1.0	2000-01-01 00:00:00+00
functions/account_events.sql	f1210da0bc5a1f7a26deeba44fecb2621af19b48dbdcf8866a8a7588c950774e	0.1.0	2000-01-01 00:00:00+00
functions/addresses.sql	de246ceea1fcd6f0a3ed147f3f64fe6696bae511974aabb311a3b96be4f09e72	0.1.0	2000-01-01 00:00:00+00
functions/analytics.sql	a2677ad865a165b4befd83970da4f18e1b1cb58c653e788549460210c4867fef	0.1.0	2000-01-01 00:00:00+00
functions/attempts.sql	91e3f466977cfa4be76d4a814e5fd1f3ee5041e87cee9e81f181ebcee70c1d7e	0.1.0	2000-01-01 00:00:00+00
functions/clock.sql	2c6acd063715d48f65b9c386144bf67c145888d1cc3ed2ac25b402e8bf36df54	0.1.0	2000-01-01 00:00:00+00
functions/consents.sql	f7139c6b358be543f37a179adef9d8cf98e5e235103548a4514ac36f04533b5f	0.1.0	2000-01-01 00:00:00+00
functions/crash_reports.sql	6d61bb96264f73bfdf9761cb5c1a64a4f0d1bd73b392dee86505991700cc5367	0.1.0	2000-01-01 00:00:00+00
functions/devices.sql	b3aef92a369b419586de552f444d9ddb919f726d3043b7b9c2f96145a01778ad	0.1.0	2000-01-01 00:00:00+00
functions/erasure_ledger.sql	70a19ad13ea541c775ddbd60067da481fbabc0a2304589b1c6179a0be7517c86	0.1.0	2000-01-01 00:00:00+00
functions/idempotency_keys.sql	3b008032353732f55958e9732a685dd8610033e466b8fd06c6fd4c59b1cf3505	0.1.0	2000-01-01 00:00:00+00
functions/identities.sql	ba08e92479269a1a4c3e4b4e7886c27a4a08c8bb0563bf63668fe31e1393b084	0.1.0	2000-01-01 00:00:00+00
functions/jobs.sql	6e60a72044e90fbceb32b53f50666181fbf15019561bd10f94f1012942daa69a	0.1.0	2000-01-01 00:00:00+00
functions/mails.sql	016d6766823b6430ed1fbe447cc9a8a5b34c0d39fe36ef694a2488537d0afbe6	0.1.0	2000-01-01 00:00:00+00
functions/master_keys.sql	19dc95d198380df4ff990571e3a4eddb1ae7ca942fc5446ebc4d6eb98f0f8b9b	0.1.0	2000-01-01 00:00:00+00
functions/nonces.sql	06177bf4aaa1afa04a461c3814856327c863ea6d71467940712590202b2a76a8	0.1.0	2000-01-01 00:00:00+00
functions/passkeys.sql	6443e2c0ada33d12795c98abbfc3f78b4d0b05e02efc7f1862f3cb02990cfe31	0.1.0	2000-01-01 00:00:00+00
functions/realtime.sql	8a6cb16f11d7dcde4de70651cc02fd5bc9655315daf3db15cbb7a98bed0ef3a5	0.1.0	2000-01-01 00:00:00+00
functions/sessions.sql	d190144d8d23ff3c5ec7dd6a536318113ef9f60e95ecaf646b07b07bc586a60f	0.1.0	2000-01-01 00:00:00+00
functions/sweeps.sql	ebe4f6af6e8cb1ec779d7448ff845c374c6b7945b8320dc3a6fb4a66f844b6d6	0.1.0	2000-01-01 00:00:00+00
functions/sync_heads.sql	eada31780d81e403056a612c23bf39b4cc708a08bb552a8bf62a2b0aee1384a4	0.1.0	2000-01-01 00:00:00+00
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.schema_migrations (number, name, checksum, applied_at, compatible_from) FROM stdin;
1	0001_tables.sql	3966ab98dd7b08d63c24f8ba294c411742e10b1e3162e74a8494d7b6b5e304b6	2000-01-01 00:00:00+00	1
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

COPY neuroviews.sessions (id, user_id, key_id, counter, confirmed_at, token_made_at, token_made_by, token_made_from, device_id, address, created_at, last_used_at, proven_at, ended_at, signature_version) FROM stdin;
\.


--
-- Data for Name: stand_in_events; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.stand_in_events (stand_in, id, kind, at, count, session_id, device_id, address, mail_due) FROM stdin;
\.


--
-- Data for Name: stand_ins; Type: TABLE DATA; Schema: neuroviews; Owner: neuroviews_owner
--

COPY neuroviews.stand_ins (id) FROM stdin;
00000000-0000-0000-0000-000000000000
00000000-0000-0000-0000-000000000001
00000000-0000-0000-0000-000000000002
00000000-0000-0000-0000-000000000003
00000000-0000-0000-0000-000000000004
00000000-0000-0000-0000-000000000005
00000000-0000-0000-0000-000000000006
00000000-0000-0000-0000-000000000007
00000000-0000-0000-0000-000000000008
00000000-0000-0000-0000-000000000009
00000000-0000-0000-0000-00000000000a
00000000-0000-0000-0000-00000000000b
00000000-0000-0000-0000-00000000000c
00000000-0000-0000-0000-00000000000d
00000000-0000-0000-0000-00000000000e
00000000-0000-0000-0000-00000000000f
00000000-0000-0000-0000-000000000010
00000000-0000-0000-0000-000000000011
00000000-0000-0000-0000-000000000012
00000000-0000-0000-0000-000000000013
00000000-0000-0000-0000-000000000014
00000000-0000-0000-0000-000000000015
00000000-0000-0000-0000-000000000016
00000000-0000-0000-0000-000000000017
00000000-0000-0000-0000-000000000018
00000000-0000-0000-0000-000000000019
00000000-0000-0000-0000-00000000001a
00000000-0000-0000-0000-00000000001b
00000000-0000-0000-0000-00000000001c
00000000-0000-0000-0000-00000000001d
00000000-0000-0000-0000-00000000001e
00000000-0000-0000-0000-00000000001f
00000000-0000-0000-0000-000000000020
00000000-0000-0000-0000-000000000021
00000000-0000-0000-0000-000000000022
00000000-0000-0000-0000-000000000023
00000000-0000-0000-0000-000000000024
00000000-0000-0000-0000-000000000025
00000000-0000-0000-0000-000000000026
00000000-0000-0000-0000-000000000027
00000000-0000-0000-0000-000000000028
00000000-0000-0000-0000-000000000029
00000000-0000-0000-0000-00000000002a
00000000-0000-0000-0000-00000000002b
00000000-0000-0000-0000-00000000002c
00000000-0000-0000-0000-00000000002d
00000000-0000-0000-0000-00000000002e
00000000-0000-0000-0000-00000000002f
00000000-0000-0000-0000-000000000030
00000000-0000-0000-0000-000000000031
00000000-0000-0000-0000-000000000032
00000000-0000-0000-0000-000000000033
00000000-0000-0000-0000-000000000034
00000000-0000-0000-0000-000000000035
00000000-0000-0000-0000-000000000036
00000000-0000-0000-0000-000000000037
00000000-0000-0000-0000-000000000038
00000000-0000-0000-0000-000000000039
00000000-0000-0000-0000-00000000003a
00000000-0000-0000-0000-00000000003b
00000000-0000-0000-0000-00000000003c
00000000-0000-0000-0000-00000000003d
00000000-0000-0000-0000-00000000003e
00000000-0000-0000-0000-00000000003f
00000000-0000-0000-0000-000000000040
00000000-0000-0000-0000-000000000041
00000000-0000-0000-0000-000000000042
00000000-0000-0000-0000-000000000043
00000000-0000-0000-0000-000000000044
00000000-0000-0000-0000-000000000045
00000000-0000-0000-0000-000000000046
00000000-0000-0000-0000-000000000047
00000000-0000-0000-0000-000000000048
00000000-0000-0000-0000-000000000049
00000000-0000-0000-0000-00000000004a
00000000-0000-0000-0000-00000000004b
00000000-0000-0000-0000-00000000004c
00000000-0000-0000-0000-00000000004d
00000000-0000-0000-0000-00000000004e
00000000-0000-0000-0000-00000000004f
00000000-0000-0000-0000-000000000050
00000000-0000-0000-0000-000000000051
00000000-0000-0000-0000-000000000052
00000000-0000-0000-0000-000000000053
00000000-0000-0000-0000-000000000054
00000000-0000-0000-0000-000000000055
00000000-0000-0000-0000-000000000056
00000000-0000-0000-0000-000000000057
00000000-0000-0000-0000-000000000058
00000000-0000-0000-0000-000000000059
00000000-0000-0000-0000-00000000005a
00000000-0000-0000-0000-00000000005b
00000000-0000-0000-0000-00000000005c
00000000-0000-0000-0000-00000000005d
00000000-0000-0000-0000-00000000005e
00000000-0000-0000-0000-00000000005f
00000000-0000-0000-0000-000000000060
00000000-0000-0000-0000-000000000061
00000000-0000-0000-0000-000000000062
00000000-0000-0000-0000-000000000063
00000000-0000-0000-0000-000000000064
00000000-0000-0000-0000-000000000065
00000000-0000-0000-0000-000000000066
00000000-0000-0000-0000-000000000067
00000000-0000-0000-0000-000000000068
00000000-0000-0000-0000-000000000069
00000000-0000-0000-0000-00000000006a
00000000-0000-0000-0000-00000000006b
00000000-0000-0000-0000-00000000006c
00000000-0000-0000-0000-00000000006d
00000000-0000-0000-0000-00000000006e
00000000-0000-0000-0000-00000000006f
00000000-0000-0000-0000-000000000070
00000000-0000-0000-0000-000000000071
00000000-0000-0000-0000-000000000072
00000000-0000-0000-0000-000000000073
00000000-0000-0000-0000-000000000074
00000000-0000-0000-0000-000000000075
00000000-0000-0000-0000-000000000076
00000000-0000-0000-0000-000000000077
00000000-0000-0000-0000-000000000078
00000000-0000-0000-0000-000000000079
00000000-0000-0000-0000-00000000007a
00000000-0000-0000-0000-00000000007b
00000000-0000-0000-0000-00000000007c
00000000-0000-0000-0000-00000000007d
00000000-0000-0000-0000-00000000007e
00000000-0000-0000-0000-00000000007f
00000000-0000-0000-0000-000000000080
00000000-0000-0000-0000-000000000081
00000000-0000-0000-0000-000000000082
00000000-0000-0000-0000-000000000083
00000000-0000-0000-0000-000000000084
00000000-0000-0000-0000-000000000085
00000000-0000-0000-0000-000000000086
00000000-0000-0000-0000-000000000087
00000000-0000-0000-0000-000000000088
00000000-0000-0000-0000-000000000089
00000000-0000-0000-0000-00000000008a
00000000-0000-0000-0000-00000000008b
00000000-0000-0000-0000-00000000008c
00000000-0000-0000-0000-00000000008d
00000000-0000-0000-0000-00000000008e
00000000-0000-0000-0000-00000000008f
00000000-0000-0000-0000-000000000090
00000000-0000-0000-0000-000000000091
00000000-0000-0000-0000-000000000092
00000000-0000-0000-0000-000000000093
00000000-0000-0000-0000-000000000094
00000000-0000-0000-0000-000000000095
00000000-0000-0000-0000-000000000096
00000000-0000-0000-0000-000000000097
00000000-0000-0000-0000-000000000098
00000000-0000-0000-0000-000000000099
00000000-0000-0000-0000-00000000009a
00000000-0000-0000-0000-00000000009b
00000000-0000-0000-0000-00000000009c
00000000-0000-0000-0000-00000000009d
00000000-0000-0000-0000-00000000009e
00000000-0000-0000-0000-00000000009f
00000000-0000-0000-0000-0000000000a0
00000000-0000-0000-0000-0000000000a1
00000000-0000-0000-0000-0000000000a2
00000000-0000-0000-0000-0000000000a3
00000000-0000-0000-0000-0000000000a4
00000000-0000-0000-0000-0000000000a5
00000000-0000-0000-0000-0000000000a6
00000000-0000-0000-0000-0000000000a7
00000000-0000-0000-0000-0000000000a8
00000000-0000-0000-0000-0000000000a9
00000000-0000-0000-0000-0000000000aa
00000000-0000-0000-0000-0000000000ab
00000000-0000-0000-0000-0000000000ac
00000000-0000-0000-0000-0000000000ad
00000000-0000-0000-0000-0000000000ae
00000000-0000-0000-0000-0000000000af
00000000-0000-0000-0000-0000000000b0
00000000-0000-0000-0000-0000000000b1
00000000-0000-0000-0000-0000000000b2
00000000-0000-0000-0000-0000000000b3
00000000-0000-0000-0000-0000000000b4
00000000-0000-0000-0000-0000000000b5
00000000-0000-0000-0000-0000000000b6
00000000-0000-0000-0000-0000000000b7
00000000-0000-0000-0000-0000000000b8
00000000-0000-0000-0000-0000000000b9
00000000-0000-0000-0000-0000000000ba
00000000-0000-0000-0000-0000000000bb
00000000-0000-0000-0000-0000000000bc
00000000-0000-0000-0000-0000000000bd
00000000-0000-0000-0000-0000000000be
00000000-0000-0000-0000-0000000000bf
00000000-0000-0000-0000-0000000000c0
00000000-0000-0000-0000-0000000000c1
00000000-0000-0000-0000-0000000000c2
00000000-0000-0000-0000-0000000000c3
00000000-0000-0000-0000-0000000000c4
00000000-0000-0000-0000-0000000000c5
00000000-0000-0000-0000-0000000000c6
00000000-0000-0000-0000-0000000000c7
00000000-0000-0000-0000-0000000000c8
00000000-0000-0000-0000-0000000000c9
00000000-0000-0000-0000-0000000000ca
00000000-0000-0000-0000-0000000000cb
00000000-0000-0000-0000-0000000000cc
00000000-0000-0000-0000-0000000000cd
00000000-0000-0000-0000-0000000000ce
00000000-0000-0000-0000-0000000000cf
00000000-0000-0000-0000-0000000000d0
00000000-0000-0000-0000-0000000000d1
00000000-0000-0000-0000-0000000000d2
00000000-0000-0000-0000-0000000000d3
00000000-0000-0000-0000-0000000000d4
00000000-0000-0000-0000-0000000000d5
00000000-0000-0000-0000-0000000000d6
00000000-0000-0000-0000-0000000000d7
00000000-0000-0000-0000-0000000000d8
00000000-0000-0000-0000-0000000000d9
00000000-0000-0000-0000-0000000000da
00000000-0000-0000-0000-0000000000db
00000000-0000-0000-0000-0000000000dc
00000000-0000-0000-0000-0000000000dd
00000000-0000-0000-0000-0000000000de
00000000-0000-0000-0000-0000000000df
00000000-0000-0000-0000-0000000000e0
00000000-0000-0000-0000-0000000000e1
00000000-0000-0000-0000-0000000000e2
00000000-0000-0000-0000-0000000000e3
00000000-0000-0000-0000-0000000000e4
00000000-0000-0000-0000-0000000000e5
00000000-0000-0000-0000-0000000000e6
00000000-0000-0000-0000-0000000000e7
00000000-0000-0000-0000-0000000000e8
00000000-0000-0000-0000-0000000000e9
00000000-0000-0000-0000-0000000000ea
00000000-0000-0000-0000-0000000000eb
00000000-0000-0000-0000-0000000000ec
00000000-0000-0000-0000-0000000000ed
00000000-0000-0000-0000-0000000000ee
00000000-0000-0000-0000-0000000000ef
00000000-0000-0000-0000-0000000000f0
00000000-0000-0000-0000-0000000000f1
00000000-0000-0000-0000-0000000000f2
00000000-0000-0000-0000-0000000000f3
00000000-0000-0000-0000-0000000000f4
00000000-0000-0000-0000-0000000000f5
00000000-0000-0000-0000-0000000000f6
00000000-0000-0000-0000-0000000000f7
00000000-0000-0000-0000-0000000000f8
00000000-0000-0000-0000-0000000000f9
00000000-0000-0000-0000-0000000000fa
00000000-0000-0000-0000-0000000000fb
00000000-0000-0000-0000-0000000000fc
00000000-0000-0000-0000-0000000000fd
00000000-0000-0000-0000-0000000000fe
00000000-0000-0000-0000-0000000000ff
00000000-0000-0000-0000-000000000100
00000000-0000-0000-0000-000000000101
00000000-0000-0000-0000-000000000102
00000000-0000-0000-0000-000000000103
00000000-0000-0000-0000-000000000104
00000000-0000-0000-0000-000000000105
00000000-0000-0000-0000-000000000106
00000000-0000-0000-0000-000000000107
00000000-0000-0000-0000-000000000108
00000000-0000-0000-0000-000000000109
00000000-0000-0000-0000-00000000010a
00000000-0000-0000-0000-00000000010b
00000000-0000-0000-0000-00000000010c
00000000-0000-0000-0000-00000000010d
00000000-0000-0000-0000-00000000010e
00000000-0000-0000-0000-00000000010f
00000000-0000-0000-0000-000000000110
00000000-0000-0000-0000-000000000111
00000000-0000-0000-0000-000000000112
00000000-0000-0000-0000-000000000113
00000000-0000-0000-0000-000000000114
00000000-0000-0000-0000-000000000115
00000000-0000-0000-0000-000000000116
00000000-0000-0000-0000-000000000117
00000000-0000-0000-0000-000000000118
00000000-0000-0000-0000-000000000119
00000000-0000-0000-0000-00000000011a
00000000-0000-0000-0000-00000000011b
00000000-0000-0000-0000-00000000011c
00000000-0000-0000-0000-00000000011d
00000000-0000-0000-0000-00000000011e
00000000-0000-0000-0000-00000000011f
00000000-0000-0000-0000-000000000120
00000000-0000-0000-0000-000000000121
00000000-0000-0000-0000-000000000122
00000000-0000-0000-0000-000000000123
00000000-0000-0000-0000-000000000124
00000000-0000-0000-0000-000000000125
00000000-0000-0000-0000-000000000126
00000000-0000-0000-0000-000000000127
00000000-0000-0000-0000-000000000128
00000000-0000-0000-0000-000000000129
00000000-0000-0000-0000-00000000012a
00000000-0000-0000-0000-00000000012b
00000000-0000-0000-0000-00000000012c
00000000-0000-0000-0000-00000000012d
00000000-0000-0000-0000-00000000012e
00000000-0000-0000-0000-00000000012f
00000000-0000-0000-0000-000000000130
00000000-0000-0000-0000-000000000131
00000000-0000-0000-0000-000000000132
00000000-0000-0000-0000-000000000133
00000000-0000-0000-0000-000000000134
00000000-0000-0000-0000-000000000135
00000000-0000-0000-0000-000000000136
00000000-0000-0000-0000-000000000137
00000000-0000-0000-0000-000000000138
00000000-0000-0000-0000-000000000139
00000000-0000-0000-0000-00000000013a
00000000-0000-0000-0000-00000000013b
00000000-0000-0000-0000-00000000013c
00000000-0000-0000-0000-00000000013d
00000000-0000-0000-0000-00000000013e
00000000-0000-0000-0000-00000000013f
00000000-0000-0000-0000-000000000140
00000000-0000-0000-0000-000000000141
00000000-0000-0000-0000-000000000142
00000000-0000-0000-0000-000000000143
00000000-0000-0000-0000-000000000144
00000000-0000-0000-0000-000000000145
00000000-0000-0000-0000-000000000146
00000000-0000-0000-0000-000000000147
00000000-0000-0000-0000-000000000148
00000000-0000-0000-0000-000000000149
00000000-0000-0000-0000-00000000014a
00000000-0000-0000-0000-00000000014b
00000000-0000-0000-0000-00000000014c
00000000-0000-0000-0000-00000000014d
00000000-0000-0000-0000-00000000014e
00000000-0000-0000-0000-00000000014f
00000000-0000-0000-0000-000000000150
00000000-0000-0000-0000-000000000151
00000000-0000-0000-0000-000000000152
00000000-0000-0000-0000-000000000153
00000000-0000-0000-0000-000000000154
00000000-0000-0000-0000-000000000155
00000000-0000-0000-0000-000000000156
00000000-0000-0000-0000-000000000157
00000000-0000-0000-0000-000000000158
00000000-0000-0000-0000-000000000159
00000000-0000-0000-0000-00000000015a
00000000-0000-0000-0000-00000000015b
00000000-0000-0000-0000-00000000015c
00000000-0000-0000-0000-00000000015d
00000000-0000-0000-0000-00000000015e
00000000-0000-0000-0000-00000000015f
00000000-0000-0000-0000-000000000160
00000000-0000-0000-0000-000000000161
00000000-0000-0000-0000-000000000162
00000000-0000-0000-0000-000000000163
00000000-0000-0000-0000-000000000164
00000000-0000-0000-0000-000000000165
00000000-0000-0000-0000-000000000166
00000000-0000-0000-0000-000000000167
00000000-0000-0000-0000-000000000168
00000000-0000-0000-0000-000000000169
00000000-0000-0000-0000-00000000016a
00000000-0000-0000-0000-00000000016b
00000000-0000-0000-0000-00000000016c
00000000-0000-0000-0000-00000000016d
00000000-0000-0000-0000-00000000016e
00000000-0000-0000-0000-00000000016f
00000000-0000-0000-0000-000000000170
00000000-0000-0000-0000-000000000171
00000000-0000-0000-0000-000000000172
00000000-0000-0000-0000-000000000173
00000000-0000-0000-0000-000000000174
00000000-0000-0000-0000-000000000175
00000000-0000-0000-0000-000000000176
00000000-0000-0000-0000-000000000177
00000000-0000-0000-0000-000000000178
00000000-0000-0000-0000-000000000179
00000000-0000-0000-0000-00000000017a
00000000-0000-0000-0000-00000000017b
00000000-0000-0000-0000-00000000017c
00000000-0000-0000-0000-00000000017d
00000000-0000-0000-0000-00000000017e
00000000-0000-0000-0000-00000000017f
00000000-0000-0000-0000-000000000180
00000000-0000-0000-0000-000000000181
00000000-0000-0000-0000-000000000182
00000000-0000-0000-0000-000000000183
00000000-0000-0000-0000-000000000184
00000000-0000-0000-0000-000000000185
00000000-0000-0000-0000-000000000186
00000000-0000-0000-0000-000000000187
00000000-0000-0000-0000-000000000188
00000000-0000-0000-0000-000000000189
00000000-0000-0000-0000-00000000018a
00000000-0000-0000-0000-00000000018b
00000000-0000-0000-0000-00000000018c
00000000-0000-0000-0000-00000000018d
00000000-0000-0000-0000-00000000018e
00000000-0000-0000-0000-00000000018f
00000000-0000-0000-0000-000000000190
00000000-0000-0000-0000-000000000191
00000000-0000-0000-0000-000000000192
00000000-0000-0000-0000-000000000193
00000000-0000-0000-0000-000000000194
00000000-0000-0000-0000-000000000195
00000000-0000-0000-0000-000000000196
00000000-0000-0000-0000-000000000197
00000000-0000-0000-0000-000000000198
00000000-0000-0000-0000-000000000199
00000000-0000-0000-0000-00000000019a
00000000-0000-0000-0000-00000000019b
00000000-0000-0000-0000-00000000019c
00000000-0000-0000-0000-00000000019d
00000000-0000-0000-0000-00000000019e
00000000-0000-0000-0000-00000000019f
00000000-0000-0000-0000-0000000001a0
00000000-0000-0000-0000-0000000001a1
00000000-0000-0000-0000-0000000001a2
00000000-0000-0000-0000-0000000001a3
00000000-0000-0000-0000-0000000001a4
00000000-0000-0000-0000-0000000001a5
00000000-0000-0000-0000-0000000001a6
00000000-0000-0000-0000-0000000001a7
00000000-0000-0000-0000-0000000001a8
00000000-0000-0000-0000-0000000001a9
00000000-0000-0000-0000-0000000001aa
00000000-0000-0000-0000-0000000001ab
00000000-0000-0000-0000-0000000001ac
00000000-0000-0000-0000-0000000001ad
00000000-0000-0000-0000-0000000001ae
00000000-0000-0000-0000-0000000001af
00000000-0000-0000-0000-0000000001b0
00000000-0000-0000-0000-0000000001b1
00000000-0000-0000-0000-0000000001b2
00000000-0000-0000-0000-0000000001b3
00000000-0000-0000-0000-0000000001b4
00000000-0000-0000-0000-0000000001b5
00000000-0000-0000-0000-0000000001b6
00000000-0000-0000-0000-0000000001b7
00000000-0000-0000-0000-0000000001b8
00000000-0000-0000-0000-0000000001b9
00000000-0000-0000-0000-0000000001ba
00000000-0000-0000-0000-0000000001bb
00000000-0000-0000-0000-0000000001bc
00000000-0000-0000-0000-0000000001bd
00000000-0000-0000-0000-0000000001be
00000000-0000-0000-0000-0000000001bf
00000000-0000-0000-0000-0000000001c0
00000000-0000-0000-0000-0000000001c1
00000000-0000-0000-0000-0000000001c2
00000000-0000-0000-0000-0000000001c3
00000000-0000-0000-0000-0000000001c4
00000000-0000-0000-0000-0000000001c5
00000000-0000-0000-0000-0000000001c6
00000000-0000-0000-0000-0000000001c7
00000000-0000-0000-0000-0000000001c8
00000000-0000-0000-0000-0000000001c9
00000000-0000-0000-0000-0000000001ca
00000000-0000-0000-0000-0000000001cb
00000000-0000-0000-0000-0000000001cc
00000000-0000-0000-0000-0000000001cd
00000000-0000-0000-0000-0000000001ce
00000000-0000-0000-0000-0000000001cf
00000000-0000-0000-0000-0000000001d0
00000000-0000-0000-0000-0000000001d1
00000000-0000-0000-0000-0000000001d2
00000000-0000-0000-0000-0000000001d3
00000000-0000-0000-0000-0000000001d4
00000000-0000-0000-0000-0000000001d5
00000000-0000-0000-0000-0000000001d6
00000000-0000-0000-0000-0000000001d7
00000000-0000-0000-0000-0000000001d8
00000000-0000-0000-0000-0000000001d9
00000000-0000-0000-0000-0000000001da
00000000-0000-0000-0000-0000000001db
00000000-0000-0000-0000-0000000001dc
00000000-0000-0000-0000-0000000001dd
00000000-0000-0000-0000-0000000001de
00000000-0000-0000-0000-0000000001df
00000000-0000-0000-0000-0000000001e0
00000000-0000-0000-0000-0000000001e1
00000000-0000-0000-0000-0000000001e2
00000000-0000-0000-0000-0000000001e3
00000000-0000-0000-0000-0000000001e4
00000000-0000-0000-0000-0000000001e5
00000000-0000-0000-0000-0000000001e6
00000000-0000-0000-0000-0000000001e7
00000000-0000-0000-0000-0000000001e8
00000000-0000-0000-0000-0000000001e9
00000000-0000-0000-0000-0000000001ea
00000000-0000-0000-0000-0000000001eb
00000000-0000-0000-0000-0000000001ec
00000000-0000-0000-0000-0000000001ed
00000000-0000-0000-0000-0000000001ee
00000000-0000-0000-0000-0000000001ef
00000000-0000-0000-0000-0000000001f0
00000000-0000-0000-0000-0000000001f1
00000000-0000-0000-0000-0000000001f2
00000000-0000-0000-0000-0000000001f3
00000000-0000-0000-0000-0000000001f4
00000000-0000-0000-0000-0000000001f5
00000000-0000-0000-0000-0000000001f6
00000000-0000-0000-0000-0000000001f7
00000000-0000-0000-0000-0000000001f8
00000000-0000-0000-0000-0000000001f9
00000000-0000-0000-0000-0000000001fa
00000000-0000-0000-0000-0000000001fb
00000000-0000-0000-0000-0000000001fc
00000000-0000-0000-0000-0000000001fd
00000000-0000-0000-0000-0000000001fe
00000000-0000-0000-0000-0000000001ff
00000000-0000-0000-0000-000000000200
00000000-0000-0000-0000-000000000201
00000000-0000-0000-0000-000000000202
00000000-0000-0000-0000-000000000203
00000000-0000-0000-0000-000000000204
00000000-0000-0000-0000-000000000205
00000000-0000-0000-0000-000000000206
00000000-0000-0000-0000-000000000207
00000000-0000-0000-0000-000000000208
00000000-0000-0000-0000-000000000209
00000000-0000-0000-0000-00000000020a
00000000-0000-0000-0000-00000000020b
00000000-0000-0000-0000-00000000020c
00000000-0000-0000-0000-00000000020d
00000000-0000-0000-0000-00000000020e
00000000-0000-0000-0000-00000000020f
00000000-0000-0000-0000-000000000210
00000000-0000-0000-0000-000000000211
00000000-0000-0000-0000-000000000212
00000000-0000-0000-0000-000000000213
00000000-0000-0000-0000-000000000214
00000000-0000-0000-0000-000000000215
00000000-0000-0000-0000-000000000216
00000000-0000-0000-0000-000000000217
00000000-0000-0000-0000-000000000218
00000000-0000-0000-0000-000000000219
00000000-0000-0000-0000-00000000021a
00000000-0000-0000-0000-00000000021b
00000000-0000-0000-0000-00000000021c
00000000-0000-0000-0000-00000000021d
00000000-0000-0000-0000-00000000021e
00000000-0000-0000-0000-00000000021f
00000000-0000-0000-0000-000000000220
00000000-0000-0000-0000-000000000221
00000000-0000-0000-0000-000000000222
00000000-0000-0000-0000-000000000223
00000000-0000-0000-0000-000000000224
00000000-0000-0000-0000-000000000225
00000000-0000-0000-0000-000000000226
00000000-0000-0000-0000-000000000227
00000000-0000-0000-0000-000000000228
00000000-0000-0000-0000-000000000229
00000000-0000-0000-0000-00000000022a
00000000-0000-0000-0000-00000000022b
00000000-0000-0000-0000-00000000022c
00000000-0000-0000-0000-00000000022d
00000000-0000-0000-0000-00000000022e
00000000-0000-0000-0000-00000000022f
00000000-0000-0000-0000-000000000230
00000000-0000-0000-0000-000000000231
00000000-0000-0000-0000-000000000232
00000000-0000-0000-0000-000000000233
00000000-0000-0000-0000-000000000234
00000000-0000-0000-0000-000000000235
00000000-0000-0000-0000-000000000236
00000000-0000-0000-0000-000000000237
00000000-0000-0000-0000-000000000238
00000000-0000-0000-0000-000000000239
00000000-0000-0000-0000-00000000023a
00000000-0000-0000-0000-00000000023b
00000000-0000-0000-0000-00000000023c
00000000-0000-0000-0000-00000000023d
00000000-0000-0000-0000-00000000023e
00000000-0000-0000-0000-00000000023f
00000000-0000-0000-0000-000000000240
00000000-0000-0000-0000-000000000241
00000000-0000-0000-0000-000000000242
00000000-0000-0000-0000-000000000243
00000000-0000-0000-0000-000000000244
00000000-0000-0000-0000-000000000245
00000000-0000-0000-0000-000000000246
00000000-0000-0000-0000-000000000247
00000000-0000-0000-0000-000000000248
00000000-0000-0000-0000-000000000249
00000000-0000-0000-0000-00000000024a
00000000-0000-0000-0000-00000000024b
00000000-0000-0000-0000-00000000024c
00000000-0000-0000-0000-00000000024d
00000000-0000-0000-0000-00000000024e
00000000-0000-0000-0000-00000000024f
00000000-0000-0000-0000-000000000250
00000000-0000-0000-0000-000000000251
00000000-0000-0000-0000-000000000252
00000000-0000-0000-0000-000000000253
00000000-0000-0000-0000-000000000254
00000000-0000-0000-0000-000000000255
00000000-0000-0000-0000-000000000256
00000000-0000-0000-0000-000000000257
00000000-0000-0000-0000-000000000258
00000000-0000-0000-0000-000000000259
00000000-0000-0000-0000-00000000025a
00000000-0000-0000-0000-00000000025b
00000000-0000-0000-0000-00000000025c
00000000-0000-0000-0000-00000000025d
00000000-0000-0000-0000-00000000025e
00000000-0000-0000-0000-00000000025f
00000000-0000-0000-0000-000000000260
00000000-0000-0000-0000-000000000261
00000000-0000-0000-0000-000000000262
00000000-0000-0000-0000-000000000263
00000000-0000-0000-0000-000000000264
00000000-0000-0000-0000-000000000265
00000000-0000-0000-0000-000000000266
00000000-0000-0000-0000-000000000267
00000000-0000-0000-0000-000000000268
00000000-0000-0000-0000-000000000269
00000000-0000-0000-0000-00000000026a
00000000-0000-0000-0000-00000000026b
00000000-0000-0000-0000-00000000026c
00000000-0000-0000-0000-00000000026d
00000000-0000-0000-0000-00000000026e
00000000-0000-0000-0000-00000000026f
00000000-0000-0000-0000-000000000270
00000000-0000-0000-0000-000000000271
00000000-0000-0000-0000-000000000272
00000000-0000-0000-0000-000000000273
00000000-0000-0000-0000-000000000274
00000000-0000-0000-0000-000000000275
00000000-0000-0000-0000-000000000276
00000000-0000-0000-0000-000000000277
00000000-0000-0000-0000-000000000278
00000000-0000-0000-0000-000000000279
00000000-0000-0000-0000-00000000027a
00000000-0000-0000-0000-00000000027b
00000000-0000-0000-0000-00000000027c
00000000-0000-0000-0000-00000000027d
00000000-0000-0000-0000-00000000027e
00000000-0000-0000-0000-00000000027f
00000000-0000-0000-0000-000000000280
00000000-0000-0000-0000-000000000281
00000000-0000-0000-0000-000000000282
00000000-0000-0000-0000-000000000283
00000000-0000-0000-0000-000000000284
00000000-0000-0000-0000-000000000285
00000000-0000-0000-0000-000000000286
00000000-0000-0000-0000-000000000287
00000000-0000-0000-0000-000000000288
00000000-0000-0000-0000-000000000289
00000000-0000-0000-0000-00000000028a
00000000-0000-0000-0000-00000000028b
00000000-0000-0000-0000-00000000028c
00000000-0000-0000-0000-00000000028d
00000000-0000-0000-0000-00000000028e
00000000-0000-0000-0000-00000000028f
00000000-0000-0000-0000-000000000290
00000000-0000-0000-0000-000000000291
00000000-0000-0000-0000-000000000292
00000000-0000-0000-0000-000000000293
00000000-0000-0000-0000-000000000294
00000000-0000-0000-0000-000000000295
00000000-0000-0000-0000-000000000296
00000000-0000-0000-0000-000000000297
00000000-0000-0000-0000-000000000298
00000000-0000-0000-0000-000000000299
00000000-0000-0000-0000-00000000029a
00000000-0000-0000-0000-00000000029b
00000000-0000-0000-0000-00000000029c
00000000-0000-0000-0000-00000000029d
00000000-0000-0000-0000-00000000029e
00000000-0000-0000-0000-00000000029f
00000000-0000-0000-0000-0000000002a0
00000000-0000-0000-0000-0000000002a1
00000000-0000-0000-0000-0000000002a2
00000000-0000-0000-0000-0000000002a3
00000000-0000-0000-0000-0000000002a4
00000000-0000-0000-0000-0000000002a5
00000000-0000-0000-0000-0000000002a6
00000000-0000-0000-0000-0000000002a7
00000000-0000-0000-0000-0000000002a8
00000000-0000-0000-0000-0000000002a9
00000000-0000-0000-0000-0000000002aa
00000000-0000-0000-0000-0000000002ab
00000000-0000-0000-0000-0000000002ac
00000000-0000-0000-0000-0000000002ad
00000000-0000-0000-0000-0000000002ae
00000000-0000-0000-0000-0000000002af
00000000-0000-0000-0000-0000000002b0
00000000-0000-0000-0000-0000000002b1
00000000-0000-0000-0000-0000000002b2
00000000-0000-0000-0000-0000000002b3
00000000-0000-0000-0000-0000000002b4
00000000-0000-0000-0000-0000000002b5
00000000-0000-0000-0000-0000000002b6
00000000-0000-0000-0000-0000000002b7
00000000-0000-0000-0000-0000000002b8
00000000-0000-0000-0000-0000000002b9
00000000-0000-0000-0000-0000000002ba
00000000-0000-0000-0000-0000000002bb
00000000-0000-0000-0000-0000000002bc
00000000-0000-0000-0000-0000000002bd
00000000-0000-0000-0000-0000000002be
00000000-0000-0000-0000-0000000002bf
00000000-0000-0000-0000-0000000002c0
00000000-0000-0000-0000-0000000002c1
00000000-0000-0000-0000-0000000002c2
00000000-0000-0000-0000-0000000002c3
00000000-0000-0000-0000-0000000002c4
00000000-0000-0000-0000-0000000002c5
00000000-0000-0000-0000-0000000002c6
00000000-0000-0000-0000-0000000002c7
00000000-0000-0000-0000-0000000002c8
00000000-0000-0000-0000-0000000002c9
00000000-0000-0000-0000-0000000002ca
00000000-0000-0000-0000-0000000002cb
00000000-0000-0000-0000-0000000002cc
00000000-0000-0000-0000-0000000002cd
00000000-0000-0000-0000-0000000002ce
00000000-0000-0000-0000-0000000002cf
00000000-0000-0000-0000-0000000002d0
00000000-0000-0000-0000-0000000002d1
00000000-0000-0000-0000-0000000002d2
00000000-0000-0000-0000-0000000002d3
00000000-0000-0000-0000-0000000002d4
00000000-0000-0000-0000-0000000002d5
00000000-0000-0000-0000-0000000002d6
00000000-0000-0000-0000-0000000002d7
00000000-0000-0000-0000-0000000002d8
00000000-0000-0000-0000-0000000002d9
00000000-0000-0000-0000-0000000002da
00000000-0000-0000-0000-0000000002db
00000000-0000-0000-0000-0000000002dc
00000000-0000-0000-0000-0000000002dd
00000000-0000-0000-0000-0000000002de
00000000-0000-0000-0000-0000000002df
00000000-0000-0000-0000-0000000002e0
00000000-0000-0000-0000-0000000002e1
00000000-0000-0000-0000-0000000002e2
00000000-0000-0000-0000-0000000002e3
00000000-0000-0000-0000-0000000002e4
00000000-0000-0000-0000-0000000002e5
00000000-0000-0000-0000-0000000002e6
00000000-0000-0000-0000-0000000002e7
00000000-0000-0000-0000-0000000002e8
00000000-0000-0000-0000-0000000002e9
00000000-0000-0000-0000-0000000002ea
00000000-0000-0000-0000-0000000002eb
00000000-0000-0000-0000-0000000002ec
00000000-0000-0000-0000-0000000002ed
00000000-0000-0000-0000-0000000002ee
00000000-0000-0000-0000-0000000002ef
00000000-0000-0000-0000-0000000002f0
00000000-0000-0000-0000-0000000002f1
00000000-0000-0000-0000-0000000002f2
00000000-0000-0000-0000-0000000002f3
00000000-0000-0000-0000-0000000002f4
00000000-0000-0000-0000-0000000002f5
00000000-0000-0000-0000-0000000002f6
00000000-0000-0000-0000-0000000002f7
00000000-0000-0000-0000-0000000002f8
00000000-0000-0000-0000-0000000002f9
00000000-0000-0000-0000-0000000002fa
00000000-0000-0000-0000-0000000002fb
00000000-0000-0000-0000-0000000002fc
00000000-0000-0000-0000-0000000002fd
00000000-0000-0000-0000-0000000002fe
00000000-0000-0000-0000-0000000002ff
00000000-0000-0000-0000-000000000300
00000000-0000-0000-0000-000000000301
00000000-0000-0000-0000-000000000302
00000000-0000-0000-0000-000000000303
00000000-0000-0000-0000-000000000304
00000000-0000-0000-0000-000000000305
00000000-0000-0000-0000-000000000306
00000000-0000-0000-0000-000000000307
00000000-0000-0000-0000-000000000308
00000000-0000-0000-0000-000000000309
00000000-0000-0000-0000-00000000030a
00000000-0000-0000-0000-00000000030b
00000000-0000-0000-0000-00000000030c
00000000-0000-0000-0000-00000000030d
00000000-0000-0000-0000-00000000030e
00000000-0000-0000-0000-00000000030f
00000000-0000-0000-0000-000000000310
00000000-0000-0000-0000-000000000311
00000000-0000-0000-0000-000000000312
00000000-0000-0000-0000-000000000313
00000000-0000-0000-0000-000000000314
00000000-0000-0000-0000-000000000315
00000000-0000-0000-0000-000000000316
00000000-0000-0000-0000-000000000317
00000000-0000-0000-0000-000000000318
00000000-0000-0000-0000-000000000319
00000000-0000-0000-0000-00000000031a
00000000-0000-0000-0000-00000000031b
00000000-0000-0000-0000-00000000031c
00000000-0000-0000-0000-00000000031d
00000000-0000-0000-0000-00000000031e
00000000-0000-0000-0000-00000000031f
00000000-0000-0000-0000-000000000320
00000000-0000-0000-0000-000000000321
00000000-0000-0000-0000-000000000322
00000000-0000-0000-0000-000000000323
00000000-0000-0000-0000-000000000324
00000000-0000-0000-0000-000000000325
00000000-0000-0000-0000-000000000326
00000000-0000-0000-0000-000000000327
00000000-0000-0000-0000-000000000328
00000000-0000-0000-0000-000000000329
00000000-0000-0000-0000-00000000032a
00000000-0000-0000-0000-00000000032b
00000000-0000-0000-0000-00000000032c
00000000-0000-0000-0000-00000000032d
00000000-0000-0000-0000-00000000032e
00000000-0000-0000-0000-00000000032f
00000000-0000-0000-0000-000000000330
00000000-0000-0000-0000-000000000331
00000000-0000-0000-0000-000000000332
00000000-0000-0000-0000-000000000333
00000000-0000-0000-0000-000000000334
00000000-0000-0000-0000-000000000335
00000000-0000-0000-0000-000000000336
00000000-0000-0000-0000-000000000337
00000000-0000-0000-0000-000000000338
00000000-0000-0000-0000-000000000339
00000000-0000-0000-0000-00000000033a
00000000-0000-0000-0000-00000000033b
00000000-0000-0000-0000-00000000033c
00000000-0000-0000-0000-00000000033d
00000000-0000-0000-0000-00000000033e
00000000-0000-0000-0000-00000000033f
00000000-0000-0000-0000-000000000340
00000000-0000-0000-0000-000000000341
00000000-0000-0000-0000-000000000342
00000000-0000-0000-0000-000000000343
00000000-0000-0000-0000-000000000344
00000000-0000-0000-0000-000000000345
00000000-0000-0000-0000-000000000346
00000000-0000-0000-0000-000000000347
00000000-0000-0000-0000-000000000348
00000000-0000-0000-0000-000000000349
00000000-0000-0000-0000-00000000034a
00000000-0000-0000-0000-00000000034b
00000000-0000-0000-0000-00000000034c
00000000-0000-0000-0000-00000000034d
00000000-0000-0000-0000-00000000034e
00000000-0000-0000-0000-00000000034f
00000000-0000-0000-0000-000000000350
00000000-0000-0000-0000-000000000351
00000000-0000-0000-0000-000000000352
00000000-0000-0000-0000-000000000353
00000000-0000-0000-0000-000000000354
00000000-0000-0000-0000-000000000355
00000000-0000-0000-0000-000000000356
00000000-0000-0000-0000-000000000357
00000000-0000-0000-0000-000000000358
00000000-0000-0000-0000-000000000359
00000000-0000-0000-0000-00000000035a
00000000-0000-0000-0000-00000000035b
00000000-0000-0000-0000-00000000035c
00000000-0000-0000-0000-00000000035d
00000000-0000-0000-0000-00000000035e
00000000-0000-0000-0000-00000000035f
00000000-0000-0000-0000-000000000360
00000000-0000-0000-0000-000000000361
00000000-0000-0000-0000-000000000362
00000000-0000-0000-0000-000000000363
00000000-0000-0000-0000-000000000364
00000000-0000-0000-0000-000000000365
00000000-0000-0000-0000-000000000366
00000000-0000-0000-0000-000000000367
00000000-0000-0000-0000-000000000368
00000000-0000-0000-0000-000000000369
00000000-0000-0000-0000-00000000036a
00000000-0000-0000-0000-00000000036b
00000000-0000-0000-0000-00000000036c
00000000-0000-0000-0000-00000000036d
00000000-0000-0000-0000-00000000036e
00000000-0000-0000-0000-00000000036f
00000000-0000-0000-0000-000000000370
00000000-0000-0000-0000-000000000371
00000000-0000-0000-0000-000000000372
00000000-0000-0000-0000-000000000373
00000000-0000-0000-0000-000000000374
00000000-0000-0000-0000-000000000375
00000000-0000-0000-0000-000000000376
00000000-0000-0000-0000-000000000377
00000000-0000-0000-0000-000000000378
00000000-0000-0000-0000-000000000379
00000000-0000-0000-0000-00000000037a
00000000-0000-0000-0000-00000000037b
00000000-0000-0000-0000-00000000037c
00000000-0000-0000-0000-00000000037d
00000000-0000-0000-0000-00000000037e
00000000-0000-0000-0000-00000000037f
00000000-0000-0000-0000-000000000380
00000000-0000-0000-0000-000000000381
00000000-0000-0000-0000-000000000382
00000000-0000-0000-0000-000000000383
00000000-0000-0000-0000-000000000384
00000000-0000-0000-0000-000000000385
00000000-0000-0000-0000-000000000386
00000000-0000-0000-0000-000000000387
00000000-0000-0000-0000-000000000388
00000000-0000-0000-0000-000000000389
00000000-0000-0000-0000-00000000038a
00000000-0000-0000-0000-00000000038b
00000000-0000-0000-0000-00000000038c
00000000-0000-0000-0000-00000000038d
00000000-0000-0000-0000-00000000038e
00000000-0000-0000-0000-00000000038f
00000000-0000-0000-0000-000000000390
00000000-0000-0000-0000-000000000391
00000000-0000-0000-0000-000000000392
00000000-0000-0000-0000-000000000393
00000000-0000-0000-0000-000000000394
00000000-0000-0000-0000-000000000395
00000000-0000-0000-0000-000000000396
00000000-0000-0000-0000-000000000397
00000000-0000-0000-0000-000000000398
00000000-0000-0000-0000-000000000399
00000000-0000-0000-0000-00000000039a
00000000-0000-0000-0000-00000000039b
00000000-0000-0000-0000-00000000039c
00000000-0000-0000-0000-00000000039d
00000000-0000-0000-0000-00000000039e
00000000-0000-0000-0000-00000000039f
00000000-0000-0000-0000-0000000003a0
00000000-0000-0000-0000-0000000003a1
00000000-0000-0000-0000-0000000003a2
00000000-0000-0000-0000-0000000003a3
00000000-0000-0000-0000-0000000003a4
00000000-0000-0000-0000-0000000003a5
00000000-0000-0000-0000-0000000003a6
00000000-0000-0000-0000-0000000003a7
00000000-0000-0000-0000-0000000003a8
00000000-0000-0000-0000-0000000003a9
00000000-0000-0000-0000-0000000003aa
00000000-0000-0000-0000-0000000003ab
00000000-0000-0000-0000-0000000003ac
00000000-0000-0000-0000-0000000003ad
00000000-0000-0000-0000-0000000003ae
00000000-0000-0000-0000-0000000003af
00000000-0000-0000-0000-0000000003b0
00000000-0000-0000-0000-0000000003b1
00000000-0000-0000-0000-0000000003b2
00000000-0000-0000-0000-0000000003b3
00000000-0000-0000-0000-0000000003b4
00000000-0000-0000-0000-0000000003b5
00000000-0000-0000-0000-0000000003b6
00000000-0000-0000-0000-0000000003b7
00000000-0000-0000-0000-0000000003b8
00000000-0000-0000-0000-0000000003b9
00000000-0000-0000-0000-0000000003ba
00000000-0000-0000-0000-0000000003bb
00000000-0000-0000-0000-0000000003bc
00000000-0000-0000-0000-0000000003bd
00000000-0000-0000-0000-0000000003be
00000000-0000-0000-0000-0000000003bf
00000000-0000-0000-0000-0000000003c0
00000000-0000-0000-0000-0000000003c1
00000000-0000-0000-0000-0000000003c2
00000000-0000-0000-0000-0000000003c3
00000000-0000-0000-0000-0000000003c4
00000000-0000-0000-0000-0000000003c5
00000000-0000-0000-0000-0000000003c6
00000000-0000-0000-0000-0000000003c7
00000000-0000-0000-0000-0000000003c8
00000000-0000-0000-0000-0000000003c9
00000000-0000-0000-0000-0000000003ca
00000000-0000-0000-0000-0000000003cb
00000000-0000-0000-0000-0000000003cc
00000000-0000-0000-0000-0000000003cd
00000000-0000-0000-0000-0000000003ce
00000000-0000-0000-0000-0000000003cf
00000000-0000-0000-0000-0000000003d0
00000000-0000-0000-0000-0000000003d1
00000000-0000-0000-0000-0000000003d2
00000000-0000-0000-0000-0000000003d3
00000000-0000-0000-0000-0000000003d4
00000000-0000-0000-0000-0000000003d5
00000000-0000-0000-0000-0000000003d6
00000000-0000-0000-0000-0000000003d7
00000000-0000-0000-0000-0000000003d8
00000000-0000-0000-0000-0000000003d9
00000000-0000-0000-0000-0000000003da
00000000-0000-0000-0000-0000000003db
00000000-0000-0000-0000-0000000003dc
00000000-0000-0000-0000-0000000003dd
00000000-0000-0000-0000-0000000003de
00000000-0000-0000-0000-0000000003df
00000000-0000-0000-0000-0000000003e0
00000000-0000-0000-0000-0000000003e1
00000000-0000-0000-0000-0000000003e2
00000000-0000-0000-0000-0000000003e3
00000000-0000-0000-0000-0000000003e4
00000000-0000-0000-0000-0000000003e5
00000000-0000-0000-0000-0000000003e6
00000000-0000-0000-0000-0000000003e7
00000000-0000-0000-0000-0000000003e8
00000000-0000-0000-0000-0000000003e9
00000000-0000-0000-0000-0000000003ea
00000000-0000-0000-0000-0000000003eb
00000000-0000-0000-0000-0000000003ec
00000000-0000-0000-0000-0000000003ed
00000000-0000-0000-0000-0000000003ee
00000000-0000-0000-0000-0000000003ef
00000000-0000-0000-0000-0000000003f0
00000000-0000-0000-0000-0000000003f1
00000000-0000-0000-0000-0000000003f2
00000000-0000-0000-0000-0000000003f3
00000000-0000-0000-0000-0000000003f4
00000000-0000-0000-0000-0000000003f5
00000000-0000-0000-0000-0000000003f6
00000000-0000-0000-0000-0000000003f7
00000000-0000-0000-0000-0000000003f8
00000000-0000-0000-0000-0000000003f9
00000000-0000-0000-0000-0000000003fa
00000000-0000-0000-0000-0000000003fb
00000000-0000-0000-0000-0000000003fc
00000000-0000-0000-0000-0000000003fd
00000000-0000-0000-0000-0000000003fe
00000000-0000-0000-0000-0000000003ff
00000000-0000-0000-0000-000000000400
00000000-0000-0000-0000-000000000401
00000000-0000-0000-0000-000000000402
00000000-0000-0000-0000-000000000403
00000000-0000-0000-0000-000000000404
00000000-0000-0000-0000-000000000405
00000000-0000-0000-0000-000000000406
00000000-0000-0000-0000-000000000407
00000000-0000-0000-0000-000000000408
00000000-0000-0000-0000-000000000409
00000000-0000-0000-0000-00000000040a
00000000-0000-0000-0000-00000000040b
00000000-0000-0000-0000-00000000040c
00000000-0000-0000-0000-00000000040d
00000000-0000-0000-0000-00000000040e
00000000-0000-0000-0000-00000000040f
00000000-0000-0000-0000-000000000410
00000000-0000-0000-0000-000000000411
00000000-0000-0000-0000-000000000412
00000000-0000-0000-0000-000000000413
00000000-0000-0000-0000-000000000414
00000000-0000-0000-0000-000000000415
00000000-0000-0000-0000-000000000416
00000000-0000-0000-0000-000000000417
00000000-0000-0000-0000-000000000418
00000000-0000-0000-0000-000000000419
00000000-0000-0000-0000-00000000041a
00000000-0000-0000-0000-00000000041b
00000000-0000-0000-0000-00000000041c
00000000-0000-0000-0000-00000000041d
00000000-0000-0000-0000-00000000041e
00000000-0000-0000-0000-00000000041f
00000000-0000-0000-0000-000000000420
00000000-0000-0000-0000-000000000421
00000000-0000-0000-0000-000000000422
00000000-0000-0000-0000-000000000423
00000000-0000-0000-0000-000000000424
00000000-0000-0000-0000-000000000425
00000000-0000-0000-0000-000000000426
00000000-0000-0000-0000-000000000427
00000000-0000-0000-0000-000000000428
00000000-0000-0000-0000-000000000429
00000000-0000-0000-0000-00000000042a
00000000-0000-0000-0000-00000000042b
00000000-0000-0000-0000-00000000042c
00000000-0000-0000-0000-00000000042d
00000000-0000-0000-0000-00000000042e
00000000-0000-0000-0000-00000000042f
00000000-0000-0000-0000-000000000430
00000000-0000-0000-0000-000000000431
00000000-0000-0000-0000-000000000432
00000000-0000-0000-0000-000000000433
00000000-0000-0000-0000-000000000434
00000000-0000-0000-0000-000000000435
00000000-0000-0000-0000-000000000436
00000000-0000-0000-0000-000000000437
00000000-0000-0000-0000-000000000438
00000000-0000-0000-0000-000000000439
00000000-0000-0000-0000-00000000043a
00000000-0000-0000-0000-00000000043b
00000000-0000-0000-0000-00000000043c
00000000-0000-0000-0000-00000000043d
00000000-0000-0000-0000-00000000043e
00000000-0000-0000-0000-00000000043f
00000000-0000-0000-0000-000000000440
00000000-0000-0000-0000-000000000441
00000000-0000-0000-0000-000000000442
00000000-0000-0000-0000-000000000443
00000000-0000-0000-0000-000000000444
00000000-0000-0000-0000-000000000445
00000000-0000-0000-0000-000000000446
00000000-0000-0000-0000-000000000447
00000000-0000-0000-0000-000000000448
00000000-0000-0000-0000-000000000449
00000000-0000-0000-0000-00000000044a
00000000-0000-0000-0000-00000000044b
00000000-0000-0000-0000-00000000044c
00000000-0000-0000-0000-00000000044d
00000000-0000-0000-0000-00000000044e
00000000-0000-0000-0000-00000000044f
00000000-0000-0000-0000-000000000450
00000000-0000-0000-0000-000000000451
00000000-0000-0000-0000-000000000452
00000000-0000-0000-0000-000000000453
00000000-0000-0000-0000-000000000454
00000000-0000-0000-0000-000000000455
00000000-0000-0000-0000-000000000456
00000000-0000-0000-0000-000000000457
00000000-0000-0000-0000-000000000458
00000000-0000-0000-0000-000000000459
00000000-0000-0000-0000-00000000045a
00000000-0000-0000-0000-00000000045b
00000000-0000-0000-0000-00000000045c
00000000-0000-0000-0000-00000000045d
00000000-0000-0000-0000-00000000045e
00000000-0000-0000-0000-00000000045f
00000000-0000-0000-0000-000000000460
00000000-0000-0000-0000-000000000461
00000000-0000-0000-0000-000000000462
00000000-0000-0000-0000-000000000463
00000000-0000-0000-0000-000000000464
00000000-0000-0000-0000-000000000465
00000000-0000-0000-0000-000000000466
00000000-0000-0000-0000-000000000467
00000000-0000-0000-0000-000000000468
00000000-0000-0000-0000-000000000469
00000000-0000-0000-0000-00000000046a
00000000-0000-0000-0000-00000000046b
00000000-0000-0000-0000-00000000046c
00000000-0000-0000-0000-00000000046d
00000000-0000-0000-0000-00000000046e
00000000-0000-0000-0000-00000000046f
00000000-0000-0000-0000-000000000470
00000000-0000-0000-0000-000000000471
00000000-0000-0000-0000-000000000472
00000000-0000-0000-0000-000000000473
00000000-0000-0000-0000-000000000474
00000000-0000-0000-0000-000000000475
00000000-0000-0000-0000-000000000476
00000000-0000-0000-0000-000000000477
00000000-0000-0000-0000-000000000478
00000000-0000-0000-0000-000000000479
00000000-0000-0000-0000-00000000047a
00000000-0000-0000-0000-00000000047b
00000000-0000-0000-0000-00000000047c
00000000-0000-0000-0000-00000000047d
00000000-0000-0000-0000-00000000047e
00000000-0000-0000-0000-00000000047f
00000000-0000-0000-0000-000000000480
00000000-0000-0000-0000-000000000481
00000000-0000-0000-0000-000000000482
00000000-0000-0000-0000-000000000483
00000000-0000-0000-0000-000000000484
00000000-0000-0000-0000-000000000485
00000000-0000-0000-0000-000000000486
00000000-0000-0000-0000-000000000487
00000000-0000-0000-0000-000000000488
00000000-0000-0000-0000-000000000489
00000000-0000-0000-0000-00000000048a
00000000-0000-0000-0000-00000000048b
00000000-0000-0000-0000-00000000048c
00000000-0000-0000-0000-00000000048d
00000000-0000-0000-0000-00000000048e
00000000-0000-0000-0000-00000000048f
00000000-0000-0000-0000-000000000490
00000000-0000-0000-0000-000000000491
00000000-0000-0000-0000-000000000492
00000000-0000-0000-0000-000000000493
00000000-0000-0000-0000-000000000494
00000000-0000-0000-0000-000000000495
00000000-0000-0000-0000-000000000496
00000000-0000-0000-0000-000000000497
00000000-0000-0000-0000-000000000498
00000000-0000-0000-0000-000000000499
00000000-0000-0000-0000-00000000049a
00000000-0000-0000-0000-00000000049b
00000000-0000-0000-0000-00000000049c
00000000-0000-0000-0000-00000000049d
00000000-0000-0000-0000-00000000049e
00000000-0000-0000-0000-00000000049f
00000000-0000-0000-0000-0000000004a0
00000000-0000-0000-0000-0000000004a1
00000000-0000-0000-0000-0000000004a2
00000000-0000-0000-0000-0000000004a3
00000000-0000-0000-0000-0000000004a4
00000000-0000-0000-0000-0000000004a5
00000000-0000-0000-0000-0000000004a6
00000000-0000-0000-0000-0000000004a7
00000000-0000-0000-0000-0000000004a8
00000000-0000-0000-0000-0000000004a9
00000000-0000-0000-0000-0000000004aa
00000000-0000-0000-0000-0000000004ab
00000000-0000-0000-0000-0000000004ac
00000000-0000-0000-0000-0000000004ad
00000000-0000-0000-0000-0000000004ae
00000000-0000-0000-0000-0000000004af
00000000-0000-0000-0000-0000000004b0
00000000-0000-0000-0000-0000000004b1
00000000-0000-0000-0000-0000000004b2
00000000-0000-0000-0000-0000000004b3
00000000-0000-0000-0000-0000000004b4
00000000-0000-0000-0000-0000000004b5
00000000-0000-0000-0000-0000000004b6
00000000-0000-0000-0000-0000000004b7
00000000-0000-0000-0000-0000000004b8
00000000-0000-0000-0000-0000000004b9
00000000-0000-0000-0000-0000000004ba
00000000-0000-0000-0000-0000000004bb
00000000-0000-0000-0000-0000000004bc
00000000-0000-0000-0000-0000000004bd
00000000-0000-0000-0000-0000000004be
00000000-0000-0000-0000-0000000004bf
00000000-0000-0000-0000-0000000004c0
00000000-0000-0000-0000-0000000004c1
00000000-0000-0000-0000-0000000004c2
00000000-0000-0000-0000-0000000004c3
00000000-0000-0000-0000-0000000004c4
00000000-0000-0000-0000-0000000004c5
00000000-0000-0000-0000-0000000004c6
00000000-0000-0000-0000-0000000004c7
00000000-0000-0000-0000-0000000004c8
00000000-0000-0000-0000-0000000004c9
00000000-0000-0000-0000-0000000004ca
00000000-0000-0000-0000-0000000004cb
00000000-0000-0000-0000-0000000004cc
00000000-0000-0000-0000-0000000004cd
00000000-0000-0000-0000-0000000004ce
00000000-0000-0000-0000-0000000004cf
00000000-0000-0000-0000-0000000004d0
00000000-0000-0000-0000-0000000004d1
00000000-0000-0000-0000-0000000004d2
00000000-0000-0000-0000-0000000004d3
00000000-0000-0000-0000-0000000004d4
00000000-0000-0000-0000-0000000004d5
00000000-0000-0000-0000-0000000004d6
00000000-0000-0000-0000-0000000004d7
00000000-0000-0000-0000-0000000004d8
00000000-0000-0000-0000-0000000004d9
00000000-0000-0000-0000-0000000004da
00000000-0000-0000-0000-0000000004db
00000000-0000-0000-0000-0000000004dc
00000000-0000-0000-0000-0000000004dd
00000000-0000-0000-0000-0000000004de
00000000-0000-0000-0000-0000000004df
00000000-0000-0000-0000-0000000004e0
00000000-0000-0000-0000-0000000004e1
00000000-0000-0000-0000-0000000004e2
00000000-0000-0000-0000-0000000004e3
00000000-0000-0000-0000-0000000004e4
00000000-0000-0000-0000-0000000004e5
00000000-0000-0000-0000-0000000004e6
00000000-0000-0000-0000-0000000004e7
00000000-0000-0000-0000-0000000004e8
00000000-0000-0000-0000-0000000004e9
00000000-0000-0000-0000-0000000004ea
00000000-0000-0000-0000-0000000004eb
00000000-0000-0000-0000-0000000004ec
00000000-0000-0000-0000-0000000004ed
00000000-0000-0000-0000-0000000004ee
00000000-0000-0000-0000-0000000004ef
00000000-0000-0000-0000-0000000004f0
00000000-0000-0000-0000-0000000004f1
00000000-0000-0000-0000-0000000004f2
00000000-0000-0000-0000-0000000004f3
00000000-0000-0000-0000-0000000004f4
00000000-0000-0000-0000-0000000004f5
00000000-0000-0000-0000-0000000004f6
00000000-0000-0000-0000-0000000004f7
00000000-0000-0000-0000-0000000004f8
00000000-0000-0000-0000-0000000004f9
00000000-0000-0000-0000-0000000004fa
00000000-0000-0000-0000-0000000004fb
00000000-0000-0000-0000-0000000004fc
00000000-0000-0000-0000-0000000004fd
00000000-0000-0000-0000-0000000004fe
00000000-0000-0000-0000-0000000004ff
00000000-0000-0000-0000-000000000500
00000000-0000-0000-0000-000000000501
00000000-0000-0000-0000-000000000502
00000000-0000-0000-0000-000000000503
00000000-0000-0000-0000-000000000504
00000000-0000-0000-0000-000000000505
00000000-0000-0000-0000-000000000506
00000000-0000-0000-0000-000000000507
00000000-0000-0000-0000-000000000508
00000000-0000-0000-0000-000000000509
00000000-0000-0000-0000-00000000050a
00000000-0000-0000-0000-00000000050b
00000000-0000-0000-0000-00000000050c
00000000-0000-0000-0000-00000000050d
00000000-0000-0000-0000-00000000050e
00000000-0000-0000-0000-00000000050f
00000000-0000-0000-0000-000000000510
00000000-0000-0000-0000-000000000511
00000000-0000-0000-0000-000000000512
00000000-0000-0000-0000-000000000513
00000000-0000-0000-0000-000000000514
00000000-0000-0000-0000-000000000515
00000000-0000-0000-0000-000000000516
00000000-0000-0000-0000-000000000517
00000000-0000-0000-0000-000000000518
00000000-0000-0000-0000-000000000519
00000000-0000-0000-0000-00000000051a
00000000-0000-0000-0000-00000000051b
00000000-0000-0000-0000-00000000051c
00000000-0000-0000-0000-00000000051d
00000000-0000-0000-0000-00000000051e
00000000-0000-0000-0000-00000000051f
00000000-0000-0000-0000-000000000520
00000000-0000-0000-0000-000000000521
00000000-0000-0000-0000-000000000522
00000000-0000-0000-0000-000000000523
00000000-0000-0000-0000-000000000524
00000000-0000-0000-0000-000000000525
00000000-0000-0000-0000-000000000526
00000000-0000-0000-0000-000000000527
00000000-0000-0000-0000-000000000528
00000000-0000-0000-0000-000000000529
00000000-0000-0000-0000-00000000052a
00000000-0000-0000-0000-00000000052b
00000000-0000-0000-0000-00000000052c
00000000-0000-0000-0000-00000000052d
00000000-0000-0000-0000-00000000052e
00000000-0000-0000-0000-00000000052f
00000000-0000-0000-0000-000000000530
00000000-0000-0000-0000-000000000531
00000000-0000-0000-0000-000000000532
00000000-0000-0000-0000-000000000533
00000000-0000-0000-0000-000000000534
00000000-0000-0000-0000-000000000535
00000000-0000-0000-0000-000000000536
00000000-0000-0000-0000-000000000537
00000000-0000-0000-0000-000000000538
00000000-0000-0000-0000-000000000539
00000000-0000-0000-0000-00000000053a
00000000-0000-0000-0000-00000000053b
00000000-0000-0000-0000-00000000053c
00000000-0000-0000-0000-00000000053d
00000000-0000-0000-0000-00000000053e
00000000-0000-0000-0000-00000000053f
00000000-0000-0000-0000-000000000540
00000000-0000-0000-0000-000000000541
00000000-0000-0000-0000-000000000542
00000000-0000-0000-0000-000000000543
00000000-0000-0000-0000-000000000544
00000000-0000-0000-0000-000000000545
00000000-0000-0000-0000-000000000546
00000000-0000-0000-0000-000000000547
00000000-0000-0000-0000-000000000548
00000000-0000-0000-0000-000000000549
00000000-0000-0000-0000-00000000054a
00000000-0000-0000-0000-00000000054b
00000000-0000-0000-0000-00000000054c
00000000-0000-0000-0000-00000000054d
00000000-0000-0000-0000-00000000054e
00000000-0000-0000-0000-00000000054f
00000000-0000-0000-0000-000000000550
00000000-0000-0000-0000-000000000551
00000000-0000-0000-0000-000000000552
00000000-0000-0000-0000-000000000553
00000000-0000-0000-0000-000000000554
00000000-0000-0000-0000-000000000555
00000000-0000-0000-0000-000000000556
00000000-0000-0000-0000-000000000557
00000000-0000-0000-0000-000000000558
00000000-0000-0000-0000-000000000559
00000000-0000-0000-0000-00000000055a
00000000-0000-0000-0000-00000000055b
00000000-0000-0000-0000-00000000055c
00000000-0000-0000-0000-00000000055d
00000000-0000-0000-0000-00000000055e
00000000-0000-0000-0000-00000000055f
00000000-0000-0000-0000-000000000560
00000000-0000-0000-0000-000000000561
00000000-0000-0000-0000-000000000562
00000000-0000-0000-0000-000000000563
00000000-0000-0000-0000-000000000564
00000000-0000-0000-0000-000000000565
00000000-0000-0000-0000-000000000566
00000000-0000-0000-0000-000000000567
00000000-0000-0000-0000-000000000568
00000000-0000-0000-0000-000000000569
00000000-0000-0000-0000-00000000056a
00000000-0000-0000-0000-00000000056b
00000000-0000-0000-0000-00000000056c
00000000-0000-0000-0000-00000000056d
00000000-0000-0000-0000-00000000056e
00000000-0000-0000-0000-00000000056f
00000000-0000-0000-0000-000000000570
00000000-0000-0000-0000-000000000571
00000000-0000-0000-0000-000000000572
00000000-0000-0000-0000-000000000573
00000000-0000-0000-0000-000000000574
00000000-0000-0000-0000-000000000575
00000000-0000-0000-0000-000000000576
00000000-0000-0000-0000-000000000577
00000000-0000-0000-0000-000000000578
00000000-0000-0000-0000-000000000579
00000000-0000-0000-0000-00000000057a
00000000-0000-0000-0000-00000000057b
00000000-0000-0000-0000-00000000057c
00000000-0000-0000-0000-00000000057d
00000000-0000-0000-0000-00000000057e
00000000-0000-0000-0000-00000000057f
00000000-0000-0000-0000-000000000580
00000000-0000-0000-0000-000000000581
00000000-0000-0000-0000-000000000582
00000000-0000-0000-0000-000000000583
00000000-0000-0000-0000-000000000584
00000000-0000-0000-0000-000000000585
00000000-0000-0000-0000-000000000586
00000000-0000-0000-0000-000000000587
00000000-0000-0000-0000-000000000588
00000000-0000-0000-0000-000000000589
00000000-0000-0000-0000-00000000058a
00000000-0000-0000-0000-00000000058b
00000000-0000-0000-0000-00000000058c
00000000-0000-0000-0000-00000000058d
00000000-0000-0000-0000-00000000058e
00000000-0000-0000-0000-00000000058f
00000000-0000-0000-0000-000000000590
00000000-0000-0000-0000-000000000591
00000000-0000-0000-0000-000000000592
00000000-0000-0000-0000-000000000593
00000000-0000-0000-0000-000000000594
00000000-0000-0000-0000-000000000595
00000000-0000-0000-0000-000000000596
00000000-0000-0000-0000-000000000597
00000000-0000-0000-0000-000000000598
00000000-0000-0000-0000-000000000599
00000000-0000-0000-0000-00000000059a
00000000-0000-0000-0000-00000000059b
00000000-0000-0000-0000-00000000059c
00000000-0000-0000-0000-00000000059d
00000000-0000-0000-0000-00000000059e
00000000-0000-0000-0000-00000000059f
00000000-0000-0000-0000-0000000005a0
00000000-0000-0000-0000-0000000005a1
00000000-0000-0000-0000-0000000005a2
00000000-0000-0000-0000-0000000005a3
00000000-0000-0000-0000-0000000005a4
00000000-0000-0000-0000-0000000005a5
00000000-0000-0000-0000-0000000005a6
00000000-0000-0000-0000-0000000005a7
00000000-0000-0000-0000-0000000005a8
00000000-0000-0000-0000-0000000005a9
00000000-0000-0000-0000-0000000005aa
00000000-0000-0000-0000-0000000005ab
00000000-0000-0000-0000-0000000005ac
00000000-0000-0000-0000-0000000005ad
00000000-0000-0000-0000-0000000005ae
00000000-0000-0000-0000-0000000005af
00000000-0000-0000-0000-0000000005b0
00000000-0000-0000-0000-0000000005b1
00000000-0000-0000-0000-0000000005b2
00000000-0000-0000-0000-0000000005b3
00000000-0000-0000-0000-0000000005b4
00000000-0000-0000-0000-0000000005b5
00000000-0000-0000-0000-0000000005b6
00000000-0000-0000-0000-0000000005b7
00000000-0000-0000-0000-0000000005b8
00000000-0000-0000-0000-0000000005b9
00000000-0000-0000-0000-0000000005ba
00000000-0000-0000-0000-0000000005bb
00000000-0000-0000-0000-0000000005bc
00000000-0000-0000-0000-0000000005bd
00000000-0000-0000-0000-0000000005be
00000000-0000-0000-0000-0000000005bf
00000000-0000-0000-0000-0000000005c0
00000000-0000-0000-0000-0000000005c1
00000000-0000-0000-0000-0000000005c2
00000000-0000-0000-0000-0000000005c3
00000000-0000-0000-0000-0000000005c4
00000000-0000-0000-0000-0000000005c5
00000000-0000-0000-0000-0000000005c6
00000000-0000-0000-0000-0000000005c7
00000000-0000-0000-0000-0000000005c8
00000000-0000-0000-0000-0000000005c9
00000000-0000-0000-0000-0000000005ca
00000000-0000-0000-0000-0000000005cb
00000000-0000-0000-0000-0000000005cc
00000000-0000-0000-0000-0000000005cd
00000000-0000-0000-0000-0000000005ce
00000000-0000-0000-0000-0000000005cf
00000000-0000-0000-0000-0000000005d0
00000000-0000-0000-0000-0000000005d1
00000000-0000-0000-0000-0000000005d2
00000000-0000-0000-0000-0000000005d3
00000000-0000-0000-0000-0000000005d4
00000000-0000-0000-0000-0000000005d5
00000000-0000-0000-0000-0000000005d6
00000000-0000-0000-0000-0000000005d7
00000000-0000-0000-0000-0000000005d8
00000000-0000-0000-0000-0000000005d9
00000000-0000-0000-0000-0000000005da
00000000-0000-0000-0000-0000000005db
00000000-0000-0000-0000-0000000005dc
00000000-0000-0000-0000-0000000005dd
00000000-0000-0000-0000-0000000005de
00000000-0000-0000-0000-0000000005df
00000000-0000-0000-0000-0000000005e0
00000000-0000-0000-0000-0000000005e1
00000000-0000-0000-0000-0000000005e2
00000000-0000-0000-0000-0000000005e3
00000000-0000-0000-0000-0000000005e4
00000000-0000-0000-0000-0000000005e5
00000000-0000-0000-0000-0000000005e6
00000000-0000-0000-0000-0000000005e7
00000000-0000-0000-0000-0000000005e8
00000000-0000-0000-0000-0000000005e9
00000000-0000-0000-0000-0000000005ea
00000000-0000-0000-0000-0000000005eb
00000000-0000-0000-0000-0000000005ec
00000000-0000-0000-0000-0000000005ed
00000000-0000-0000-0000-0000000005ee
00000000-0000-0000-0000-0000000005ef
00000000-0000-0000-0000-0000000005f0
00000000-0000-0000-0000-0000000005f1
00000000-0000-0000-0000-0000000005f2
00000000-0000-0000-0000-0000000005f3
00000000-0000-0000-0000-0000000005f4
00000000-0000-0000-0000-0000000005f5
00000000-0000-0000-0000-0000000005f6
00000000-0000-0000-0000-0000000005f7
00000000-0000-0000-0000-0000000005f8
00000000-0000-0000-0000-0000000005f9
00000000-0000-0000-0000-0000000005fa
00000000-0000-0000-0000-0000000005fb
00000000-0000-0000-0000-0000000005fc
00000000-0000-0000-0000-0000000005fd
00000000-0000-0000-0000-0000000005fe
00000000-0000-0000-0000-0000000005ff
00000000-0000-0000-0000-000000000600
00000000-0000-0000-0000-000000000601
00000000-0000-0000-0000-000000000602
00000000-0000-0000-0000-000000000603
00000000-0000-0000-0000-000000000604
00000000-0000-0000-0000-000000000605
00000000-0000-0000-0000-000000000606
00000000-0000-0000-0000-000000000607
00000000-0000-0000-0000-000000000608
00000000-0000-0000-0000-000000000609
00000000-0000-0000-0000-00000000060a
00000000-0000-0000-0000-00000000060b
00000000-0000-0000-0000-00000000060c
00000000-0000-0000-0000-00000000060d
00000000-0000-0000-0000-00000000060e
00000000-0000-0000-0000-00000000060f
00000000-0000-0000-0000-000000000610
00000000-0000-0000-0000-000000000611
00000000-0000-0000-0000-000000000612
00000000-0000-0000-0000-000000000613
00000000-0000-0000-0000-000000000614
00000000-0000-0000-0000-000000000615
00000000-0000-0000-0000-000000000616
00000000-0000-0000-0000-000000000617
00000000-0000-0000-0000-000000000618
00000000-0000-0000-0000-000000000619
00000000-0000-0000-0000-00000000061a
00000000-0000-0000-0000-00000000061b
00000000-0000-0000-0000-00000000061c
00000000-0000-0000-0000-00000000061d
00000000-0000-0000-0000-00000000061e
00000000-0000-0000-0000-00000000061f
00000000-0000-0000-0000-000000000620
00000000-0000-0000-0000-000000000621
00000000-0000-0000-0000-000000000622
00000000-0000-0000-0000-000000000623
00000000-0000-0000-0000-000000000624
00000000-0000-0000-0000-000000000625
00000000-0000-0000-0000-000000000626
00000000-0000-0000-0000-000000000627
00000000-0000-0000-0000-000000000628
00000000-0000-0000-0000-000000000629
00000000-0000-0000-0000-00000000062a
00000000-0000-0000-0000-00000000062b
00000000-0000-0000-0000-00000000062c
00000000-0000-0000-0000-00000000062d
00000000-0000-0000-0000-00000000062e
00000000-0000-0000-0000-00000000062f
00000000-0000-0000-0000-000000000630
00000000-0000-0000-0000-000000000631
00000000-0000-0000-0000-000000000632
00000000-0000-0000-0000-000000000633
00000000-0000-0000-0000-000000000634
00000000-0000-0000-0000-000000000635
00000000-0000-0000-0000-000000000636
00000000-0000-0000-0000-000000000637
00000000-0000-0000-0000-000000000638
00000000-0000-0000-0000-000000000639
00000000-0000-0000-0000-00000000063a
00000000-0000-0000-0000-00000000063b
00000000-0000-0000-0000-00000000063c
00000000-0000-0000-0000-00000000063d
00000000-0000-0000-0000-00000000063e
00000000-0000-0000-0000-00000000063f
00000000-0000-0000-0000-000000000640
00000000-0000-0000-0000-000000000641
00000000-0000-0000-0000-000000000642
00000000-0000-0000-0000-000000000643
00000000-0000-0000-0000-000000000644
00000000-0000-0000-0000-000000000645
00000000-0000-0000-0000-000000000646
00000000-0000-0000-0000-000000000647
00000000-0000-0000-0000-000000000648
00000000-0000-0000-0000-000000000649
00000000-0000-0000-0000-00000000064a
00000000-0000-0000-0000-00000000064b
00000000-0000-0000-0000-00000000064c
00000000-0000-0000-0000-00000000064d
00000000-0000-0000-0000-00000000064e
00000000-0000-0000-0000-00000000064f
00000000-0000-0000-0000-000000000650
00000000-0000-0000-0000-000000000651
00000000-0000-0000-0000-000000000652
00000000-0000-0000-0000-000000000653
00000000-0000-0000-0000-000000000654
00000000-0000-0000-0000-000000000655
00000000-0000-0000-0000-000000000656
00000000-0000-0000-0000-000000000657
00000000-0000-0000-0000-000000000658
00000000-0000-0000-0000-000000000659
00000000-0000-0000-0000-00000000065a
00000000-0000-0000-0000-00000000065b
00000000-0000-0000-0000-00000000065c
00000000-0000-0000-0000-00000000065d
00000000-0000-0000-0000-00000000065e
00000000-0000-0000-0000-00000000065f
00000000-0000-0000-0000-000000000660
00000000-0000-0000-0000-000000000661
00000000-0000-0000-0000-000000000662
00000000-0000-0000-0000-000000000663
00000000-0000-0000-0000-000000000664
00000000-0000-0000-0000-000000000665
00000000-0000-0000-0000-000000000666
00000000-0000-0000-0000-000000000667
00000000-0000-0000-0000-000000000668
00000000-0000-0000-0000-000000000669
00000000-0000-0000-0000-00000000066a
00000000-0000-0000-0000-00000000066b
00000000-0000-0000-0000-00000000066c
00000000-0000-0000-0000-00000000066d
00000000-0000-0000-0000-00000000066e
00000000-0000-0000-0000-00000000066f
00000000-0000-0000-0000-000000000670
00000000-0000-0000-0000-000000000671
00000000-0000-0000-0000-000000000672
00000000-0000-0000-0000-000000000673
00000000-0000-0000-0000-000000000674
00000000-0000-0000-0000-000000000675
00000000-0000-0000-0000-000000000676
00000000-0000-0000-0000-000000000677
00000000-0000-0000-0000-000000000678
00000000-0000-0000-0000-000000000679
00000000-0000-0000-0000-00000000067a
00000000-0000-0000-0000-00000000067b
00000000-0000-0000-0000-00000000067c
00000000-0000-0000-0000-00000000067d
00000000-0000-0000-0000-00000000067e
00000000-0000-0000-0000-00000000067f
00000000-0000-0000-0000-000000000680
00000000-0000-0000-0000-000000000681
00000000-0000-0000-0000-000000000682
00000000-0000-0000-0000-000000000683
00000000-0000-0000-0000-000000000684
00000000-0000-0000-0000-000000000685
00000000-0000-0000-0000-000000000686
00000000-0000-0000-0000-000000000687
00000000-0000-0000-0000-000000000688
00000000-0000-0000-0000-000000000689
00000000-0000-0000-0000-00000000068a
00000000-0000-0000-0000-00000000068b
00000000-0000-0000-0000-00000000068c
00000000-0000-0000-0000-00000000068d
00000000-0000-0000-0000-00000000068e
00000000-0000-0000-0000-00000000068f
00000000-0000-0000-0000-000000000690
00000000-0000-0000-0000-000000000691
00000000-0000-0000-0000-000000000692
00000000-0000-0000-0000-000000000693
00000000-0000-0000-0000-000000000694
00000000-0000-0000-0000-000000000695
00000000-0000-0000-0000-000000000696
00000000-0000-0000-0000-000000000697
00000000-0000-0000-0000-000000000698
00000000-0000-0000-0000-000000000699
00000000-0000-0000-0000-00000000069a
00000000-0000-0000-0000-00000000069b
00000000-0000-0000-0000-00000000069c
00000000-0000-0000-0000-00000000069d
00000000-0000-0000-0000-00000000069e
00000000-0000-0000-0000-00000000069f
00000000-0000-0000-0000-0000000006a0
00000000-0000-0000-0000-0000000006a1
00000000-0000-0000-0000-0000000006a2
00000000-0000-0000-0000-0000000006a3
00000000-0000-0000-0000-0000000006a4
00000000-0000-0000-0000-0000000006a5
00000000-0000-0000-0000-0000000006a6
00000000-0000-0000-0000-0000000006a7
00000000-0000-0000-0000-0000000006a8
00000000-0000-0000-0000-0000000006a9
00000000-0000-0000-0000-0000000006aa
00000000-0000-0000-0000-0000000006ab
00000000-0000-0000-0000-0000000006ac
00000000-0000-0000-0000-0000000006ad
00000000-0000-0000-0000-0000000006ae
00000000-0000-0000-0000-0000000006af
00000000-0000-0000-0000-0000000006b0
00000000-0000-0000-0000-0000000006b1
00000000-0000-0000-0000-0000000006b2
00000000-0000-0000-0000-0000000006b3
00000000-0000-0000-0000-0000000006b4
00000000-0000-0000-0000-0000000006b5
00000000-0000-0000-0000-0000000006b6
00000000-0000-0000-0000-0000000006b7
00000000-0000-0000-0000-0000000006b8
00000000-0000-0000-0000-0000000006b9
00000000-0000-0000-0000-0000000006ba
00000000-0000-0000-0000-0000000006bb
00000000-0000-0000-0000-0000000006bc
00000000-0000-0000-0000-0000000006bd
00000000-0000-0000-0000-0000000006be
00000000-0000-0000-0000-0000000006bf
00000000-0000-0000-0000-0000000006c0
00000000-0000-0000-0000-0000000006c1
00000000-0000-0000-0000-0000000006c2
00000000-0000-0000-0000-0000000006c3
00000000-0000-0000-0000-0000000006c4
00000000-0000-0000-0000-0000000006c5
00000000-0000-0000-0000-0000000006c6
00000000-0000-0000-0000-0000000006c7
00000000-0000-0000-0000-0000000006c8
00000000-0000-0000-0000-0000000006c9
00000000-0000-0000-0000-0000000006ca
00000000-0000-0000-0000-0000000006cb
00000000-0000-0000-0000-0000000006cc
00000000-0000-0000-0000-0000000006cd
00000000-0000-0000-0000-0000000006ce
00000000-0000-0000-0000-0000000006cf
00000000-0000-0000-0000-0000000006d0
00000000-0000-0000-0000-0000000006d1
00000000-0000-0000-0000-0000000006d2
00000000-0000-0000-0000-0000000006d3
00000000-0000-0000-0000-0000000006d4
00000000-0000-0000-0000-0000000006d5
00000000-0000-0000-0000-0000000006d6
00000000-0000-0000-0000-0000000006d7
00000000-0000-0000-0000-0000000006d8
00000000-0000-0000-0000-0000000006d9
00000000-0000-0000-0000-0000000006da
00000000-0000-0000-0000-0000000006db
00000000-0000-0000-0000-0000000006dc
00000000-0000-0000-0000-0000000006dd
00000000-0000-0000-0000-0000000006de
00000000-0000-0000-0000-0000000006df
00000000-0000-0000-0000-0000000006e0
00000000-0000-0000-0000-0000000006e1
00000000-0000-0000-0000-0000000006e2
00000000-0000-0000-0000-0000000006e3
00000000-0000-0000-0000-0000000006e4
00000000-0000-0000-0000-0000000006e5
00000000-0000-0000-0000-0000000006e6
00000000-0000-0000-0000-0000000006e7
00000000-0000-0000-0000-0000000006e8
00000000-0000-0000-0000-0000000006e9
00000000-0000-0000-0000-0000000006ea
00000000-0000-0000-0000-0000000006eb
00000000-0000-0000-0000-0000000006ec
00000000-0000-0000-0000-0000000006ed
00000000-0000-0000-0000-0000000006ee
00000000-0000-0000-0000-0000000006ef
00000000-0000-0000-0000-0000000006f0
00000000-0000-0000-0000-0000000006f1
00000000-0000-0000-0000-0000000006f2
00000000-0000-0000-0000-0000000006f3
00000000-0000-0000-0000-0000000006f4
00000000-0000-0000-0000-0000000006f5
00000000-0000-0000-0000-0000000006f6
00000000-0000-0000-0000-0000000006f7
00000000-0000-0000-0000-0000000006f8
00000000-0000-0000-0000-0000000006f9
00000000-0000-0000-0000-0000000006fa
00000000-0000-0000-0000-0000000006fb
00000000-0000-0000-0000-0000000006fc
00000000-0000-0000-0000-0000000006fd
00000000-0000-0000-0000-0000000006fe
00000000-0000-0000-0000-0000000006ff
00000000-0000-0000-0000-000000000700
00000000-0000-0000-0000-000000000701
00000000-0000-0000-0000-000000000702
00000000-0000-0000-0000-000000000703
00000000-0000-0000-0000-000000000704
00000000-0000-0000-0000-000000000705
00000000-0000-0000-0000-000000000706
00000000-0000-0000-0000-000000000707
00000000-0000-0000-0000-000000000708
00000000-0000-0000-0000-000000000709
00000000-0000-0000-0000-00000000070a
00000000-0000-0000-0000-00000000070b
00000000-0000-0000-0000-00000000070c
00000000-0000-0000-0000-00000000070d
00000000-0000-0000-0000-00000000070e
00000000-0000-0000-0000-00000000070f
00000000-0000-0000-0000-000000000710
00000000-0000-0000-0000-000000000711
00000000-0000-0000-0000-000000000712
00000000-0000-0000-0000-000000000713
00000000-0000-0000-0000-000000000714
00000000-0000-0000-0000-000000000715
00000000-0000-0000-0000-000000000716
00000000-0000-0000-0000-000000000717
00000000-0000-0000-0000-000000000718
00000000-0000-0000-0000-000000000719
00000000-0000-0000-0000-00000000071a
00000000-0000-0000-0000-00000000071b
00000000-0000-0000-0000-00000000071c
00000000-0000-0000-0000-00000000071d
00000000-0000-0000-0000-00000000071e
00000000-0000-0000-0000-00000000071f
00000000-0000-0000-0000-000000000720
00000000-0000-0000-0000-000000000721
00000000-0000-0000-0000-000000000722
00000000-0000-0000-0000-000000000723
00000000-0000-0000-0000-000000000724
00000000-0000-0000-0000-000000000725
00000000-0000-0000-0000-000000000726
00000000-0000-0000-0000-000000000727
00000000-0000-0000-0000-000000000728
00000000-0000-0000-0000-000000000729
00000000-0000-0000-0000-00000000072a
00000000-0000-0000-0000-00000000072b
00000000-0000-0000-0000-00000000072c
00000000-0000-0000-0000-00000000072d
00000000-0000-0000-0000-00000000072e
00000000-0000-0000-0000-00000000072f
00000000-0000-0000-0000-000000000730
00000000-0000-0000-0000-000000000731
00000000-0000-0000-0000-000000000732
00000000-0000-0000-0000-000000000733
00000000-0000-0000-0000-000000000734
00000000-0000-0000-0000-000000000735
00000000-0000-0000-0000-000000000736
00000000-0000-0000-0000-000000000737
00000000-0000-0000-0000-000000000738
00000000-0000-0000-0000-000000000739
00000000-0000-0000-0000-00000000073a
00000000-0000-0000-0000-00000000073b
00000000-0000-0000-0000-00000000073c
00000000-0000-0000-0000-00000000073d
00000000-0000-0000-0000-00000000073e
00000000-0000-0000-0000-00000000073f
00000000-0000-0000-0000-000000000740
00000000-0000-0000-0000-000000000741
00000000-0000-0000-0000-000000000742
00000000-0000-0000-0000-000000000743
00000000-0000-0000-0000-000000000744
00000000-0000-0000-0000-000000000745
00000000-0000-0000-0000-000000000746
00000000-0000-0000-0000-000000000747
00000000-0000-0000-0000-000000000748
00000000-0000-0000-0000-000000000749
00000000-0000-0000-0000-00000000074a
00000000-0000-0000-0000-00000000074b
00000000-0000-0000-0000-00000000074c
00000000-0000-0000-0000-00000000074d
00000000-0000-0000-0000-00000000074e
00000000-0000-0000-0000-00000000074f
00000000-0000-0000-0000-000000000750
00000000-0000-0000-0000-000000000751
00000000-0000-0000-0000-000000000752
00000000-0000-0000-0000-000000000753
00000000-0000-0000-0000-000000000754
00000000-0000-0000-0000-000000000755
00000000-0000-0000-0000-000000000756
00000000-0000-0000-0000-000000000757
00000000-0000-0000-0000-000000000758
00000000-0000-0000-0000-000000000759
00000000-0000-0000-0000-00000000075a
00000000-0000-0000-0000-00000000075b
00000000-0000-0000-0000-00000000075c
00000000-0000-0000-0000-00000000075d
00000000-0000-0000-0000-00000000075e
00000000-0000-0000-0000-00000000075f
00000000-0000-0000-0000-000000000760
00000000-0000-0000-0000-000000000761
00000000-0000-0000-0000-000000000762
00000000-0000-0000-0000-000000000763
00000000-0000-0000-0000-000000000764
00000000-0000-0000-0000-000000000765
00000000-0000-0000-0000-000000000766
00000000-0000-0000-0000-000000000767
00000000-0000-0000-0000-000000000768
00000000-0000-0000-0000-000000000769
00000000-0000-0000-0000-00000000076a
00000000-0000-0000-0000-00000000076b
00000000-0000-0000-0000-00000000076c
00000000-0000-0000-0000-00000000076d
00000000-0000-0000-0000-00000000076e
00000000-0000-0000-0000-00000000076f
00000000-0000-0000-0000-000000000770
00000000-0000-0000-0000-000000000771
00000000-0000-0000-0000-000000000772
00000000-0000-0000-0000-000000000773
00000000-0000-0000-0000-000000000774
00000000-0000-0000-0000-000000000775
00000000-0000-0000-0000-000000000776
00000000-0000-0000-0000-000000000777
00000000-0000-0000-0000-000000000778
00000000-0000-0000-0000-000000000779
00000000-0000-0000-0000-00000000077a
00000000-0000-0000-0000-00000000077b
00000000-0000-0000-0000-00000000077c
00000000-0000-0000-0000-00000000077d
00000000-0000-0000-0000-00000000077e
00000000-0000-0000-0000-00000000077f
00000000-0000-0000-0000-000000000780
00000000-0000-0000-0000-000000000781
00000000-0000-0000-0000-000000000782
00000000-0000-0000-0000-000000000783
00000000-0000-0000-0000-000000000784
00000000-0000-0000-0000-000000000785
00000000-0000-0000-0000-000000000786
00000000-0000-0000-0000-000000000787
00000000-0000-0000-0000-000000000788
00000000-0000-0000-0000-000000000789
00000000-0000-0000-0000-00000000078a
00000000-0000-0000-0000-00000000078b
00000000-0000-0000-0000-00000000078c
00000000-0000-0000-0000-00000000078d
00000000-0000-0000-0000-00000000078e
00000000-0000-0000-0000-00000000078f
00000000-0000-0000-0000-000000000790
00000000-0000-0000-0000-000000000791
00000000-0000-0000-0000-000000000792
00000000-0000-0000-0000-000000000793
00000000-0000-0000-0000-000000000794
00000000-0000-0000-0000-000000000795
00000000-0000-0000-0000-000000000796
00000000-0000-0000-0000-000000000797
00000000-0000-0000-0000-000000000798
00000000-0000-0000-0000-000000000799
00000000-0000-0000-0000-00000000079a
00000000-0000-0000-0000-00000000079b
00000000-0000-0000-0000-00000000079c
00000000-0000-0000-0000-00000000079d
00000000-0000-0000-0000-00000000079e
00000000-0000-0000-0000-00000000079f
00000000-0000-0000-0000-0000000007a0
00000000-0000-0000-0000-0000000007a1
00000000-0000-0000-0000-0000000007a2
00000000-0000-0000-0000-0000000007a3
00000000-0000-0000-0000-0000000007a4
00000000-0000-0000-0000-0000000007a5
00000000-0000-0000-0000-0000000007a6
00000000-0000-0000-0000-0000000007a7
00000000-0000-0000-0000-0000000007a8
00000000-0000-0000-0000-0000000007a9
00000000-0000-0000-0000-0000000007aa
00000000-0000-0000-0000-0000000007ab
00000000-0000-0000-0000-0000000007ac
00000000-0000-0000-0000-0000000007ad
00000000-0000-0000-0000-0000000007ae
00000000-0000-0000-0000-0000000007af
00000000-0000-0000-0000-0000000007b0
00000000-0000-0000-0000-0000000007b1
00000000-0000-0000-0000-0000000007b2
00000000-0000-0000-0000-0000000007b3
00000000-0000-0000-0000-0000000007b4
00000000-0000-0000-0000-0000000007b5
00000000-0000-0000-0000-0000000007b6
00000000-0000-0000-0000-0000000007b7
00000000-0000-0000-0000-0000000007b8
00000000-0000-0000-0000-0000000007b9
00000000-0000-0000-0000-0000000007ba
00000000-0000-0000-0000-0000000007bb
00000000-0000-0000-0000-0000000007bc
00000000-0000-0000-0000-0000000007bd
00000000-0000-0000-0000-0000000007be
00000000-0000-0000-0000-0000000007bf
00000000-0000-0000-0000-0000000007c0
00000000-0000-0000-0000-0000000007c1
00000000-0000-0000-0000-0000000007c2
00000000-0000-0000-0000-0000000007c3
00000000-0000-0000-0000-0000000007c4
00000000-0000-0000-0000-0000000007c5
00000000-0000-0000-0000-0000000007c6
00000000-0000-0000-0000-0000000007c7
00000000-0000-0000-0000-0000000007c8
00000000-0000-0000-0000-0000000007c9
00000000-0000-0000-0000-0000000007ca
00000000-0000-0000-0000-0000000007cb
00000000-0000-0000-0000-0000000007cc
00000000-0000-0000-0000-0000000007cd
00000000-0000-0000-0000-0000000007ce
00000000-0000-0000-0000-0000000007cf
00000000-0000-0000-0000-0000000007d0
00000000-0000-0000-0000-0000000007d1
00000000-0000-0000-0000-0000000007d2
00000000-0000-0000-0000-0000000007d3
00000000-0000-0000-0000-0000000007d4
00000000-0000-0000-0000-0000000007d5
00000000-0000-0000-0000-0000000007d6
00000000-0000-0000-0000-0000000007d7
00000000-0000-0000-0000-0000000007d8
00000000-0000-0000-0000-0000000007d9
00000000-0000-0000-0000-0000000007da
00000000-0000-0000-0000-0000000007db
00000000-0000-0000-0000-0000000007dc
00000000-0000-0000-0000-0000000007dd
00000000-0000-0000-0000-0000000007de
00000000-0000-0000-0000-0000000007df
00000000-0000-0000-0000-0000000007e0
00000000-0000-0000-0000-0000000007e1
00000000-0000-0000-0000-0000000007e2
00000000-0000-0000-0000-0000000007e3
00000000-0000-0000-0000-0000000007e4
00000000-0000-0000-0000-0000000007e5
00000000-0000-0000-0000-0000000007e6
00000000-0000-0000-0000-0000000007e7
00000000-0000-0000-0000-0000000007e8
00000000-0000-0000-0000-0000000007e9
00000000-0000-0000-0000-0000000007ea
00000000-0000-0000-0000-0000000007eb
00000000-0000-0000-0000-0000000007ec
00000000-0000-0000-0000-0000000007ed
00000000-0000-0000-0000-0000000007ee
00000000-0000-0000-0000-0000000007ef
00000000-0000-0000-0000-0000000007f0
00000000-0000-0000-0000-0000000007f1
00000000-0000-0000-0000-0000000007f2
00000000-0000-0000-0000-0000000007f3
00000000-0000-0000-0000-0000000007f4
00000000-0000-0000-0000-0000000007f5
00000000-0000-0000-0000-0000000007f6
00000000-0000-0000-0000-0000000007f7
00000000-0000-0000-0000-0000000007f8
00000000-0000-0000-0000-0000000007f9
00000000-0000-0000-0000-0000000007fa
00000000-0000-0000-0000-0000000007fb
00000000-0000-0000-0000-0000000007fc
00000000-0000-0000-0000-0000000007fd
00000000-0000-0000-0000-0000000007fe
00000000-0000-0000-0000-0000000007ff
00000000-0000-0000-0000-000000000800
00000000-0000-0000-0000-000000000801
00000000-0000-0000-0000-000000000802
00000000-0000-0000-0000-000000000803
00000000-0000-0000-0000-000000000804
00000000-0000-0000-0000-000000000805
00000000-0000-0000-0000-000000000806
00000000-0000-0000-0000-000000000807
00000000-0000-0000-0000-000000000808
00000000-0000-0000-0000-000000000809
00000000-0000-0000-0000-00000000080a
00000000-0000-0000-0000-00000000080b
00000000-0000-0000-0000-00000000080c
00000000-0000-0000-0000-00000000080d
00000000-0000-0000-0000-00000000080e
00000000-0000-0000-0000-00000000080f
00000000-0000-0000-0000-000000000810
00000000-0000-0000-0000-000000000811
00000000-0000-0000-0000-000000000812
00000000-0000-0000-0000-000000000813
00000000-0000-0000-0000-000000000814
00000000-0000-0000-0000-000000000815
00000000-0000-0000-0000-000000000816
00000000-0000-0000-0000-000000000817
00000000-0000-0000-0000-000000000818
00000000-0000-0000-0000-000000000819
00000000-0000-0000-0000-00000000081a
00000000-0000-0000-0000-00000000081b
00000000-0000-0000-0000-00000000081c
00000000-0000-0000-0000-00000000081d
00000000-0000-0000-0000-00000000081e
00000000-0000-0000-0000-00000000081f
00000000-0000-0000-0000-000000000820
00000000-0000-0000-0000-000000000821
00000000-0000-0000-0000-000000000822
00000000-0000-0000-0000-000000000823
00000000-0000-0000-0000-000000000824
00000000-0000-0000-0000-000000000825
00000000-0000-0000-0000-000000000826
00000000-0000-0000-0000-000000000827
00000000-0000-0000-0000-000000000828
00000000-0000-0000-0000-000000000829
00000000-0000-0000-0000-00000000082a
00000000-0000-0000-0000-00000000082b
00000000-0000-0000-0000-00000000082c
00000000-0000-0000-0000-00000000082d
00000000-0000-0000-0000-00000000082e
00000000-0000-0000-0000-00000000082f
00000000-0000-0000-0000-000000000830
00000000-0000-0000-0000-000000000831
00000000-0000-0000-0000-000000000832
00000000-0000-0000-0000-000000000833
00000000-0000-0000-0000-000000000834
00000000-0000-0000-0000-000000000835
00000000-0000-0000-0000-000000000836
00000000-0000-0000-0000-000000000837
00000000-0000-0000-0000-000000000838
00000000-0000-0000-0000-000000000839
00000000-0000-0000-0000-00000000083a
00000000-0000-0000-0000-00000000083b
00000000-0000-0000-0000-00000000083c
00000000-0000-0000-0000-00000000083d
00000000-0000-0000-0000-00000000083e
00000000-0000-0000-0000-00000000083f
00000000-0000-0000-0000-000000000840
00000000-0000-0000-0000-000000000841
00000000-0000-0000-0000-000000000842
00000000-0000-0000-0000-000000000843
00000000-0000-0000-0000-000000000844
00000000-0000-0000-0000-000000000845
00000000-0000-0000-0000-000000000846
00000000-0000-0000-0000-000000000847
00000000-0000-0000-0000-000000000848
00000000-0000-0000-0000-000000000849
00000000-0000-0000-0000-00000000084a
00000000-0000-0000-0000-00000000084b
00000000-0000-0000-0000-00000000084c
00000000-0000-0000-0000-00000000084d
00000000-0000-0000-0000-00000000084e
00000000-0000-0000-0000-00000000084f
00000000-0000-0000-0000-000000000850
00000000-0000-0000-0000-000000000851
00000000-0000-0000-0000-000000000852
00000000-0000-0000-0000-000000000853
00000000-0000-0000-0000-000000000854
00000000-0000-0000-0000-000000000855
00000000-0000-0000-0000-000000000856
00000000-0000-0000-0000-000000000857
00000000-0000-0000-0000-000000000858
00000000-0000-0000-0000-000000000859
00000000-0000-0000-0000-00000000085a
00000000-0000-0000-0000-00000000085b
00000000-0000-0000-0000-00000000085c
00000000-0000-0000-0000-00000000085d
00000000-0000-0000-0000-00000000085e
00000000-0000-0000-0000-00000000085f
00000000-0000-0000-0000-000000000860
00000000-0000-0000-0000-000000000861
00000000-0000-0000-0000-000000000862
00000000-0000-0000-0000-000000000863
00000000-0000-0000-0000-000000000864
00000000-0000-0000-0000-000000000865
00000000-0000-0000-0000-000000000866
00000000-0000-0000-0000-000000000867
00000000-0000-0000-0000-000000000868
00000000-0000-0000-0000-000000000869
00000000-0000-0000-0000-00000000086a
00000000-0000-0000-0000-00000000086b
00000000-0000-0000-0000-00000000086c
00000000-0000-0000-0000-00000000086d
00000000-0000-0000-0000-00000000086e
00000000-0000-0000-0000-00000000086f
00000000-0000-0000-0000-000000000870
00000000-0000-0000-0000-000000000871
00000000-0000-0000-0000-000000000872
00000000-0000-0000-0000-000000000873
00000000-0000-0000-0000-000000000874
00000000-0000-0000-0000-000000000875
00000000-0000-0000-0000-000000000876
00000000-0000-0000-0000-000000000877
00000000-0000-0000-0000-000000000878
00000000-0000-0000-0000-000000000879
00000000-0000-0000-0000-00000000087a
00000000-0000-0000-0000-00000000087b
00000000-0000-0000-0000-00000000087c
00000000-0000-0000-0000-00000000087d
00000000-0000-0000-0000-00000000087e
00000000-0000-0000-0000-00000000087f
00000000-0000-0000-0000-000000000880
00000000-0000-0000-0000-000000000881
00000000-0000-0000-0000-000000000882
00000000-0000-0000-0000-000000000883
00000000-0000-0000-0000-000000000884
00000000-0000-0000-0000-000000000885
00000000-0000-0000-0000-000000000886
00000000-0000-0000-0000-000000000887
00000000-0000-0000-0000-000000000888
00000000-0000-0000-0000-000000000889
00000000-0000-0000-0000-00000000088a
00000000-0000-0000-0000-00000000088b
00000000-0000-0000-0000-00000000088c
00000000-0000-0000-0000-00000000088d
00000000-0000-0000-0000-00000000088e
00000000-0000-0000-0000-00000000088f
00000000-0000-0000-0000-000000000890
00000000-0000-0000-0000-000000000891
00000000-0000-0000-0000-000000000892
00000000-0000-0000-0000-000000000893
00000000-0000-0000-0000-000000000894
00000000-0000-0000-0000-000000000895
00000000-0000-0000-0000-000000000896
00000000-0000-0000-0000-000000000897
00000000-0000-0000-0000-000000000898
00000000-0000-0000-0000-000000000899
00000000-0000-0000-0000-00000000089a
00000000-0000-0000-0000-00000000089b
00000000-0000-0000-0000-00000000089c
00000000-0000-0000-0000-00000000089d
00000000-0000-0000-0000-00000000089e
00000000-0000-0000-0000-00000000089f
00000000-0000-0000-0000-0000000008a0
00000000-0000-0000-0000-0000000008a1
00000000-0000-0000-0000-0000000008a2
00000000-0000-0000-0000-0000000008a3
00000000-0000-0000-0000-0000000008a4
00000000-0000-0000-0000-0000000008a5
00000000-0000-0000-0000-0000000008a6
00000000-0000-0000-0000-0000000008a7
00000000-0000-0000-0000-0000000008a8
00000000-0000-0000-0000-0000000008a9
00000000-0000-0000-0000-0000000008aa
00000000-0000-0000-0000-0000000008ab
00000000-0000-0000-0000-0000000008ac
00000000-0000-0000-0000-0000000008ad
00000000-0000-0000-0000-0000000008ae
00000000-0000-0000-0000-0000000008af
00000000-0000-0000-0000-0000000008b0
00000000-0000-0000-0000-0000000008b1
00000000-0000-0000-0000-0000000008b2
00000000-0000-0000-0000-0000000008b3
00000000-0000-0000-0000-0000000008b4
00000000-0000-0000-0000-0000000008b5
00000000-0000-0000-0000-0000000008b6
00000000-0000-0000-0000-0000000008b7
00000000-0000-0000-0000-0000000008b8
00000000-0000-0000-0000-0000000008b9
00000000-0000-0000-0000-0000000008ba
00000000-0000-0000-0000-0000000008bb
00000000-0000-0000-0000-0000000008bc
00000000-0000-0000-0000-0000000008bd
00000000-0000-0000-0000-0000000008be
00000000-0000-0000-0000-0000000008bf
00000000-0000-0000-0000-0000000008c0
00000000-0000-0000-0000-0000000008c1
00000000-0000-0000-0000-0000000008c2
00000000-0000-0000-0000-0000000008c3
00000000-0000-0000-0000-0000000008c4
00000000-0000-0000-0000-0000000008c5
00000000-0000-0000-0000-0000000008c6
00000000-0000-0000-0000-0000000008c7
00000000-0000-0000-0000-0000000008c8
00000000-0000-0000-0000-0000000008c9
00000000-0000-0000-0000-0000000008ca
00000000-0000-0000-0000-0000000008cb
00000000-0000-0000-0000-0000000008cc
00000000-0000-0000-0000-0000000008cd
00000000-0000-0000-0000-0000000008ce
00000000-0000-0000-0000-0000000008cf
00000000-0000-0000-0000-0000000008d0
00000000-0000-0000-0000-0000000008d1
00000000-0000-0000-0000-0000000008d2
00000000-0000-0000-0000-0000000008d3
00000000-0000-0000-0000-0000000008d4
00000000-0000-0000-0000-0000000008d5
00000000-0000-0000-0000-0000000008d6
00000000-0000-0000-0000-0000000008d7
00000000-0000-0000-0000-0000000008d8
00000000-0000-0000-0000-0000000008d9
00000000-0000-0000-0000-0000000008da
00000000-0000-0000-0000-0000000008db
00000000-0000-0000-0000-0000000008dc
00000000-0000-0000-0000-0000000008dd
00000000-0000-0000-0000-0000000008de
00000000-0000-0000-0000-0000000008df
00000000-0000-0000-0000-0000000008e0
00000000-0000-0000-0000-0000000008e1
00000000-0000-0000-0000-0000000008e2
00000000-0000-0000-0000-0000000008e3
00000000-0000-0000-0000-0000000008e4
00000000-0000-0000-0000-0000000008e5
00000000-0000-0000-0000-0000000008e6
00000000-0000-0000-0000-0000000008e7
00000000-0000-0000-0000-0000000008e8
00000000-0000-0000-0000-0000000008e9
00000000-0000-0000-0000-0000000008ea
00000000-0000-0000-0000-0000000008eb
00000000-0000-0000-0000-0000000008ec
00000000-0000-0000-0000-0000000008ed
00000000-0000-0000-0000-0000000008ee
00000000-0000-0000-0000-0000000008ef
00000000-0000-0000-0000-0000000008f0
00000000-0000-0000-0000-0000000008f1
00000000-0000-0000-0000-0000000008f2
00000000-0000-0000-0000-0000000008f3
00000000-0000-0000-0000-0000000008f4
00000000-0000-0000-0000-0000000008f5
00000000-0000-0000-0000-0000000008f6
00000000-0000-0000-0000-0000000008f7
00000000-0000-0000-0000-0000000008f8
00000000-0000-0000-0000-0000000008f9
00000000-0000-0000-0000-0000000008fa
00000000-0000-0000-0000-0000000008fb
00000000-0000-0000-0000-0000000008fc
00000000-0000-0000-0000-0000000008fd
00000000-0000-0000-0000-0000000008fe
00000000-0000-0000-0000-0000000008ff
00000000-0000-0000-0000-000000000900
00000000-0000-0000-0000-000000000901
00000000-0000-0000-0000-000000000902
00000000-0000-0000-0000-000000000903
00000000-0000-0000-0000-000000000904
00000000-0000-0000-0000-000000000905
00000000-0000-0000-0000-000000000906
00000000-0000-0000-0000-000000000907
00000000-0000-0000-0000-000000000908
00000000-0000-0000-0000-000000000909
00000000-0000-0000-0000-00000000090a
00000000-0000-0000-0000-00000000090b
00000000-0000-0000-0000-00000000090c
00000000-0000-0000-0000-00000000090d
00000000-0000-0000-0000-00000000090e
00000000-0000-0000-0000-00000000090f
00000000-0000-0000-0000-000000000910
00000000-0000-0000-0000-000000000911
00000000-0000-0000-0000-000000000912
00000000-0000-0000-0000-000000000913
00000000-0000-0000-0000-000000000914
00000000-0000-0000-0000-000000000915
00000000-0000-0000-0000-000000000916
00000000-0000-0000-0000-000000000917
00000000-0000-0000-0000-000000000918
00000000-0000-0000-0000-000000000919
00000000-0000-0000-0000-00000000091a
00000000-0000-0000-0000-00000000091b
00000000-0000-0000-0000-00000000091c
00000000-0000-0000-0000-00000000091d
00000000-0000-0000-0000-00000000091e
00000000-0000-0000-0000-00000000091f
00000000-0000-0000-0000-000000000920
00000000-0000-0000-0000-000000000921
00000000-0000-0000-0000-000000000922
00000000-0000-0000-0000-000000000923
00000000-0000-0000-0000-000000000924
00000000-0000-0000-0000-000000000925
00000000-0000-0000-0000-000000000926
00000000-0000-0000-0000-000000000927
00000000-0000-0000-0000-000000000928
00000000-0000-0000-0000-000000000929
00000000-0000-0000-0000-00000000092a
00000000-0000-0000-0000-00000000092b
00000000-0000-0000-0000-00000000092c
00000000-0000-0000-0000-00000000092d
00000000-0000-0000-0000-00000000092e
00000000-0000-0000-0000-00000000092f
00000000-0000-0000-0000-000000000930
00000000-0000-0000-0000-000000000931
00000000-0000-0000-0000-000000000932
00000000-0000-0000-0000-000000000933
00000000-0000-0000-0000-000000000934
00000000-0000-0000-0000-000000000935
00000000-0000-0000-0000-000000000936
00000000-0000-0000-0000-000000000937
00000000-0000-0000-0000-000000000938
00000000-0000-0000-0000-000000000939
00000000-0000-0000-0000-00000000093a
00000000-0000-0000-0000-00000000093b
00000000-0000-0000-0000-00000000093c
00000000-0000-0000-0000-00000000093d
00000000-0000-0000-0000-00000000093e
00000000-0000-0000-0000-00000000093f
00000000-0000-0000-0000-000000000940
00000000-0000-0000-0000-000000000941
00000000-0000-0000-0000-000000000942
00000000-0000-0000-0000-000000000943
00000000-0000-0000-0000-000000000944
00000000-0000-0000-0000-000000000945
00000000-0000-0000-0000-000000000946
00000000-0000-0000-0000-000000000947
00000000-0000-0000-0000-000000000948
00000000-0000-0000-0000-000000000949
00000000-0000-0000-0000-00000000094a
00000000-0000-0000-0000-00000000094b
00000000-0000-0000-0000-00000000094c
00000000-0000-0000-0000-00000000094d
00000000-0000-0000-0000-00000000094e
00000000-0000-0000-0000-00000000094f
00000000-0000-0000-0000-000000000950
00000000-0000-0000-0000-000000000951
00000000-0000-0000-0000-000000000952
00000000-0000-0000-0000-000000000953
00000000-0000-0000-0000-000000000954
00000000-0000-0000-0000-000000000955
00000000-0000-0000-0000-000000000956
00000000-0000-0000-0000-000000000957
00000000-0000-0000-0000-000000000958
00000000-0000-0000-0000-000000000959
00000000-0000-0000-0000-00000000095a
00000000-0000-0000-0000-00000000095b
00000000-0000-0000-0000-00000000095c
00000000-0000-0000-0000-00000000095d
00000000-0000-0000-0000-00000000095e
00000000-0000-0000-0000-00000000095f
00000000-0000-0000-0000-000000000960
00000000-0000-0000-0000-000000000961
00000000-0000-0000-0000-000000000962
00000000-0000-0000-0000-000000000963
00000000-0000-0000-0000-000000000964
00000000-0000-0000-0000-000000000965
00000000-0000-0000-0000-000000000966
00000000-0000-0000-0000-000000000967
00000000-0000-0000-0000-000000000968
00000000-0000-0000-0000-000000000969
00000000-0000-0000-0000-00000000096a
00000000-0000-0000-0000-00000000096b
00000000-0000-0000-0000-00000000096c
00000000-0000-0000-0000-00000000096d
00000000-0000-0000-0000-00000000096e
00000000-0000-0000-0000-00000000096f
00000000-0000-0000-0000-000000000970
00000000-0000-0000-0000-000000000971
00000000-0000-0000-0000-000000000972
00000000-0000-0000-0000-000000000973
00000000-0000-0000-0000-000000000974
00000000-0000-0000-0000-000000000975
00000000-0000-0000-0000-000000000976
00000000-0000-0000-0000-000000000977
00000000-0000-0000-0000-000000000978
00000000-0000-0000-0000-000000000979
00000000-0000-0000-0000-00000000097a
00000000-0000-0000-0000-00000000097b
00000000-0000-0000-0000-00000000097c
00000000-0000-0000-0000-00000000097d
00000000-0000-0000-0000-00000000097e
00000000-0000-0000-0000-00000000097f
00000000-0000-0000-0000-000000000980
00000000-0000-0000-0000-000000000981
00000000-0000-0000-0000-000000000982
00000000-0000-0000-0000-000000000983
00000000-0000-0000-0000-000000000984
00000000-0000-0000-0000-000000000985
00000000-0000-0000-0000-000000000986
00000000-0000-0000-0000-000000000987
00000000-0000-0000-0000-000000000988
00000000-0000-0000-0000-000000000989
00000000-0000-0000-0000-00000000098a
00000000-0000-0000-0000-00000000098b
00000000-0000-0000-0000-00000000098c
00000000-0000-0000-0000-00000000098d
00000000-0000-0000-0000-00000000098e
00000000-0000-0000-0000-00000000098f
00000000-0000-0000-0000-000000000990
00000000-0000-0000-0000-000000000991
00000000-0000-0000-0000-000000000992
00000000-0000-0000-0000-000000000993
00000000-0000-0000-0000-000000000994
00000000-0000-0000-0000-000000000995
00000000-0000-0000-0000-000000000996
00000000-0000-0000-0000-000000000997
00000000-0000-0000-0000-000000000998
00000000-0000-0000-0000-000000000999
00000000-0000-0000-0000-00000000099a
00000000-0000-0000-0000-00000000099b
00000000-0000-0000-0000-00000000099c
00000000-0000-0000-0000-00000000099d
00000000-0000-0000-0000-00000000099e
00000000-0000-0000-0000-00000000099f
00000000-0000-0000-0000-0000000009a0
00000000-0000-0000-0000-0000000009a1
00000000-0000-0000-0000-0000000009a2
00000000-0000-0000-0000-0000000009a3
00000000-0000-0000-0000-0000000009a4
00000000-0000-0000-0000-0000000009a5
00000000-0000-0000-0000-0000000009a6
00000000-0000-0000-0000-0000000009a7
00000000-0000-0000-0000-0000000009a8
00000000-0000-0000-0000-0000000009a9
00000000-0000-0000-0000-0000000009aa
00000000-0000-0000-0000-0000000009ab
00000000-0000-0000-0000-0000000009ac
00000000-0000-0000-0000-0000000009ad
00000000-0000-0000-0000-0000000009ae
00000000-0000-0000-0000-0000000009af
00000000-0000-0000-0000-0000000009b0
00000000-0000-0000-0000-0000000009b1
00000000-0000-0000-0000-0000000009b2
00000000-0000-0000-0000-0000000009b3
00000000-0000-0000-0000-0000000009b4
00000000-0000-0000-0000-0000000009b5
00000000-0000-0000-0000-0000000009b6
00000000-0000-0000-0000-0000000009b7
00000000-0000-0000-0000-0000000009b8
00000000-0000-0000-0000-0000000009b9
00000000-0000-0000-0000-0000000009ba
00000000-0000-0000-0000-0000000009bb
00000000-0000-0000-0000-0000000009bc
00000000-0000-0000-0000-0000000009bd
00000000-0000-0000-0000-0000000009be
00000000-0000-0000-0000-0000000009bf
00000000-0000-0000-0000-0000000009c0
00000000-0000-0000-0000-0000000009c1
00000000-0000-0000-0000-0000000009c2
00000000-0000-0000-0000-0000000009c3
00000000-0000-0000-0000-0000000009c4
00000000-0000-0000-0000-0000000009c5
00000000-0000-0000-0000-0000000009c6
00000000-0000-0000-0000-0000000009c7
00000000-0000-0000-0000-0000000009c8
00000000-0000-0000-0000-0000000009c9
00000000-0000-0000-0000-0000000009ca
00000000-0000-0000-0000-0000000009cb
00000000-0000-0000-0000-0000000009cc
00000000-0000-0000-0000-0000000009cd
00000000-0000-0000-0000-0000000009ce
00000000-0000-0000-0000-0000000009cf
00000000-0000-0000-0000-0000000009d0
00000000-0000-0000-0000-0000000009d1
00000000-0000-0000-0000-0000000009d2
00000000-0000-0000-0000-0000000009d3
00000000-0000-0000-0000-0000000009d4
00000000-0000-0000-0000-0000000009d5
00000000-0000-0000-0000-0000000009d6
00000000-0000-0000-0000-0000000009d7
00000000-0000-0000-0000-0000000009d8
00000000-0000-0000-0000-0000000009d9
00000000-0000-0000-0000-0000000009da
00000000-0000-0000-0000-0000000009db
00000000-0000-0000-0000-0000000009dc
00000000-0000-0000-0000-0000000009dd
00000000-0000-0000-0000-0000000009de
00000000-0000-0000-0000-0000000009df
00000000-0000-0000-0000-0000000009e0
00000000-0000-0000-0000-0000000009e1
00000000-0000-0000-0000-0000000009e2
00000000-0000-0000-0000-0000000009e3
00000000-0000-0000-0000-0000000009e4
00000000-0000-0000-0000-0000000009e5
00000000-0000-0000-0000-0000000009e6
00000000-0000-0000-0000-0000000009e7
00000000-0000-0000-0000-0000000009e8
00000000-0000-0000-0000-0000000009e9
00000000-0000-0000-0000-0000000009ea
00000000-0000-0000-0000-0000000009eb
00000000-0000-0000-0000-0000000009ec
00000000-0000-0000-0000-0000000009ed
00000000-0000-0000-0000-0000000009ee
00000000-0000-0000-0000-0000000009ef
00000000-0000-0000-0000-0000000009f0
00000000-0000-0000-0000-0000000009f1
00000000-0000-0000-0000-0000000009f2
00000000-0000-0000-0000-0000000009f3
00000000-0000-0000-0000-0000000009f4
00000000-0000-0000-0000-0000000009f5
00000000-0000-0000-0000-0000000009f6
00000000-0000-0000-0000-0000000009f7
00000000-0000-0000-0000-0000000009f8
00000000-0000-0000-0000-0000000009f9
00000000-0000-0000-0000-0000000009fa
00000000-0000-0000-0000-0000000009fb
00000000-0000-0000-0000-0000000009fc
00000000-0000-0000-0000-0000000009fd
00000000-0000-0000-0000-0000000009fe
00000000-0000-0000-0000-0000000009ff
00000000-0000-0000-0000-000000000a00
00000000-0000-0000-0000-000000000a01
00000000-0000-0000-0000-000000000a02
00000000-0000-0000-0000-000000000a03
00000000-0000-0000-0000-000000000a04
00000000-0000-0000-0000-000000000a05
00000000-0000-0000-0000-000000000a06
00000000-0000-0000-0000-000000000a07
00000000-0000-0000-0000-000000000a08
00000000-0000-0000-0000-000000000a09
00000000-0000-0000-0000-000000000a0a
00000000-0000-0000-0000-000000000a0b
00000000-0000-0000-0000-000000000a0c
00000000-0000-0000-0000-000000000a0d
00000000-0000-0000-0000-000000000a0e
00000000-0000-0000-0000-000000000a0f
00000000-0000-0000-0000-000000000a10
00000000-0000-0000-0000-000000000a11
00000000-0000-0000-0000-000000000a12
00000000-0000-0000-0000-000000000a13
00000000-0000-0000-0000-000000000a14
00000000-0000-0000-0000-000000000a15
00000000-0000-0000-0000-000000000a16
00000000-0000-0000-0000-000000000a17
00000000-0000-0000-0000-000000000a18
00000000-0000-0000-0000-000000000a19
00000000-0000-0000-0000-000000000a1a
00000000-0000-0000-0000-000000000a1b
00000000-0000-0000-0000-000000000a1c
00000000-0000-0000-0000-000000000a1d
00000000-0000-0000-0000-000000000a1e
00000000-0000-0000-0000-000000000a1f
00000000-0000-0000-0000-000000000a20
00000000-0000-0000-0000-000000000a21
00000000-0000-0000-0000-000000000a22
00000000-0000-0000-0000-000000000a23
00000000-0000-0000-0000-000000000a24
00000000-0000-0000-0000-000000000a25
00000000-0000-0000-0000-000000000a26
00000000-0000-0000-0000-000000000a27
00000000-0000-0000-0000-000000000a28
00000000-0000-0000-0000-000000000a29
00000000-0000-0000-0000-000000000a2a
00000000-0000-0000-0000-000000000a2b
00000000-0000-0000-0000-000000000a2c
00000000-0000-0000-0000-000000000a2d
00000000-0000-0000-0000-000000000a2e
00000000-0000-0000-0000-000000000a2f
00000000-0000-0000-0000-000000000a30
00000000-0000-0000-0000-000000000a31
00000000-0000-0000-0000-000000000a32
00000000-0000-0000-0000-000000000a33
00000000-0000-0000-0000-000000000a34
00000000-0000-0000-0000-000000000a35
00000000-0000-0000-0000-000000000a36
00000000-0000-0000-0000-000000000a37
00000000-0000-0000-0000-000000000a38
00000000-0000-0000-0000-000000000a39
00000000-0000-0000-0000-000000000a3a
00000000-0000-0000-0000-000000000a3b
00000000-0000-0000-0000-000000000a3c
00000000-0000-0000-0000-000000000a3d
00000000-0000-0000-0000-000000000a3e
00000000-0000-0000-0000-000000000a3f
00000000-0000-0000-0000-000000000a40
00000000-0000-0000-0000-000000000a41
00000000-0000-0000-0000-000000000a42
00000000-0000-0000-0000-000000000a43
00000000-0000-0000-0000-000000000a44
00000000-0000-0000-0000-000000000a45
00000000-0000-0000-0000-000000000a46
00000000-0000-0000-0000-000000000a47
00000000-0000-0000-0000-000000000a48
00000000-0000-0000-0000-000000000a49
00000000-0000-0000-0000-000000000a4a
00000000-0000-0000-0000-000000000a4b
00000000-0000-0000-0000-000000000a4c
00000000-0000-0000-0000-000000000a4d
00000000-0000-0000-0000-000000000a4e
00000000-0000-0000-0000-000000000a4f
00000000-0000-0000-0000-000000000a50
00000000-0000-0000-0000-000000000a51
00000000-0000-0000-0000-000000000a52
00000000-0000-0000-0000-000000000a53
00000000-0000-0000-0000-000000000a54
00000000-0000-0000-0000-000000000a55
00000000-0000-0000-0000-000000000a56
00000000-0000-0000-0000-000000000a57
00000000-0000-0000-0000-000000000a58
00000000-0000-0000-0000-000000000a59
00000000-0000-0000-0000-000000000a5a
00000000-0000-0000-0000-000000000a5b
00000000-0000-0000-0000-000000000a5c
00000000-0000-0000-0000-000000000a5d
00000000-0000-0000-0000-000000000a5e
00000000-0000-0000-0000-000000000a5f
00000000-0000-0000-0000-000000000a60
00000000-0000-0000-0000-000000000a61
00000000-0000-0000-0000-000000000a62
00000000-0000-0000-0000-000000000a63
00000000-0000-0000-0000-000000000a64
00000000-0000-0000-0000-000000000a65
00000000-0000-0000-0000-000000000a66
00000000-0000-0000-0000-000000000a67
00000000-0000-0000-0000-000000000a68
00000000-0000-0000-0000-000000000a69
00000000-0000-0000-0000-000000000a6a
00000000-0000-0000-0000-000000000a6b
00000000-0000-0000-0000-000000000a6c
00000000-0000-0000-0000-000000000a6d
00000000-0000-0000-0000-000000000a6e
00000000-0000-0000-0000-000000000a6f
00000000-0000-0000-0000-000000000a70
00000000-0000-0000-0000-000000000a71
00000000-0000-0000-0000-000000000a72
00000000-0000-0000-0000-000000000a73
00000000-0000-0000-0000-000000000a74
00000000-0000-0000-0000-000000000a75
00000000-0000-0000-0000-000000000a76
00000000-0000-0000-0000-000000000a77
00000000-0000-0000-0000-000000000a78
00000000-0000-0000-0000-000000000a79
00000000-0000-0000-0000-000000000a7a
00000000-0000-0000-0000-000000000a7b
00000000-0000-0000-0000-000000000a7c
00000000-0000-0000-0000-000000000a7d
00000000-0000-0000-0000-000000000a7e
00000000-0000-0000-0000-000000000a7f
00000000-0000-0000-0000-000000000a80
00000000-0000-0000-0000-000000000a81
00000000-0000-0000-0000-000000000a82
00000000-0000-0000-0000-000000000a83
00000000-0000-0000-0000-000000000a84
00000000-0000-0000-0000-000000000a85
00000000-0000-0000-0000-000000000a86
00000000-0000-0000-0000-000000000a87
00000000-0000-0000-0000-000000000a88
00000000-0000-0000-0000-000000000a89
00000000-0000-0000-0000-000000000a8a
00000000-0000-0000-0000-000000000a8b
00000000-0000-0000-0000-000000000a8c
00000000-0000-0000-0000-000000000a8d
00000000-0000-0000-0000-000000000a8e
00000000-0000-0000-0000-000000000a8f
00000000-0000-0000-0000-000000000a90
00000000-0000-0000-0000-000000000a91
00000000-0000-0000-0000-000000000a92
00000000-0000-0000-0000-000000000a93
00000000-0000-0000-0000-000000000a94
00000000-0000-0000-0000-000000000a95
00000000-0000-0000-0000-000000000a96
00000000-0000-0000-0000-000000000a97
00000000-0000-0000-0000-000000000a98
00000000-0000-0000-0000-000000000a99
00000000-0000-0000-0000-000000000a9a
00000000-0000-0000-0000-000000000a9b
00000000-0000-0000-0000-000000000a9c
00000000-0000-0000-0000-000000000a9d
00000000-0000-0000-0000-000000000a9e
00000000-0000-0000-0000-000000000a9f
00000000-0000-0000-0000-000000000aa0
00000000-0000-0000-0000-000000000aa1
00000000-0000-0000-0000-000000000aa2
00000000-0000-0000-0000-000000000aa3
00000000-0000-0000-0000-000000000aa4
00000000-0000-0000-0000-000000000aa5
00000000-0000-0000-0000-000000000aa6
00000000-0000-0000-0000-000000000aa7
00000000-0000-0000-0000-000000000aa8
00000000-0000-0000-0000-000000000aa9
00000000-0000-0000-0000-000000000aaa
00000000-0000-0000-0000-000000000aab
00000000-0000-0000-0000-000000000aac
00000000-0000-0000-0000-000000000aad
00000000-0000-0000-0000-000000000aae
00000000-0000-0000-0000-000000000aaf
00000000-0000-0000-0000-000000000ab0
00000000-0000-0000-0000-000000000ab1
00000000-0000-0000-0000-000000000ab2
00000000-0000-0000-0000-000000000ab3
00000000-0000-0000-0000-000000000ab4
00000000-0000-0000-0000-000000000ab5
00000000-0000-0000-0000-000000000ab6
00000000-0000-0000-0000-000000000ab7
00000000-0000-0000-0000-000000000ab8
00000000-0000-0000-0000-000000000ab9
00000000-0000-0000-0000-000000000aba
00000000-0000-0000-0000-000000000abb
00000000-0000-0000-0000-000000000abc
00000000-0000-0000-0000-000000000abd
00000000-0000-0000-0000-000000000abe
00000000-0000-0000-0000-000000000abf
00000000-0000-0000-0000-000000000ac0
00000000-0000-0000-0000-000000000ac1
00000000-0000-0000-0000-000000000ac2
00000000-0000-0000-0000-000000000ac3
00000000-0000-0000-0000-000000000ac4
00000000-0000-0000-0000-000000000ac5
00000000-0000-0000-0000-000000000ac6
00000000-0000-0000-0000-000000000ac7
00000000-0000-0000-0000-000000000ac8
00000000-0000-0000-0000-000000000ac9
00000000-0000-0000-0000-000000000aca
00000000-0000-0000-0000-000000000acb
00000000-0000-0000-0000-000000000acc
00000000-0000-0000-0000-000000000acd
00000000-0000-0000-0000-000000000ace
00000000-0000-0000-0000-000000000acf
00000000-0000-0000-0000-000000000ad0
00000000-0000-0000-0000-000000000ad1
00000000-0000-0000-0000-000000000ad2
00000000-0000-0000-0000-000000000ad3
00000000-0000-0000-0000-000000000ad4
00000000-0000-0000-0000-000000000ad5
00000000-0000-0000-0000-000000000ad6
00000000-0000-0000-0000-000000000ad7
00000000-0000-0000-0000-000000000ad8
00000000-0000-0000-0000-000000000ad9
00000000-0000-0000-0000-000000000ada
00000000-0000-0000-0000-000000000adb
00000000-0000-0000-0000-000000000adc
00000000-0000-0000-0000-000000000add
00000000-0000-0000-0000-000000000ade
00000000-0000-0000-0000-000000000adf
00000000-0000-0000-0000-000000000ae0
00000000-0000-0000-0000-000000000ae1
00000000-0000-0000-0000-000000000ae2
00000000-0000-0000-0000-000000000ae3
00000000-0000-0000-0000-000000000ae4
00000000-0000-0000-0000-000000000ae5
00000000-0000-0000-0000-000000000ae6
00000000-0000-0000-0000-000000000ae7
00000000-0000-0000-0000-000000000ae8
00000000-0000-0000-0000-000000000ae9
00000000-0000-0000-0000-000000000aea
00000000-0000-0000-0000-000000000aeb
00000000-0000-0000-0000-000000000aec
00000000-0000-0000-0000-000000000aed
00000000-0000-0000-0000-000000000aee
00000000-0000-0000-0000-000000000aef
00000000-0000-0000-0000-000000000af0
00000000-0000-0000-0000-000000000af1
00000000-0000-0000-0000-000000000af2
00000000-0000-0000-0000-000000000af3
00000000-0000-0000-0000-000000000af4
00000000-0000-0000-0000-000000000af5
00000000-0000-0000-0000-000000000af6
00000000-0000-0000-0000-000000000af7
00000000-0000-0000-0000-000000000af8
00000000-0000-0000-0000-000000000af9
00000000-0000-0000-0000-000000000afa
00000000-0000-0000-0000-000000000afb
00000000-0000-0000-0000-000000000afc
00000000-0000-0000-0000-000000000afd
00000000-0000-0000-0000-000000000afe
00000000-0000-0000-0000-000000000aff
00000000-0000-0000-0000-000000000b00
00000000-0000-0000-0000-000000000b01
00000000-0000-0000-0000-000000000b02
00000000-0000-0000-0000-000000000b03
00000000-0000-0000-0000-000000000b04
00000000-0000-0000-0000-000000000b05
00000000-0000-0000-0000-000000000b06
00000000-0000-0000-0000-000000000b07
00000000-0000-0000-0000-000000000b08
00000000-0000-0000-0000-000000000b09
00000000-0000-0000-0000-000000000b0a
00000000-0000-0000-0000-000000000b0b
00000000-0000-0000-0000-000000000b0c
00000000-0000-0000-0000-000000000b0d
00000000-0000-0000-0000-000000000b0e
00000000-0000-0000-0000-000000000b0f
00000000-0000-0000-0000-000000000b10
00000000-0000-0000-0000-000000000b11
00000000-0000-0000-0000-000000000b12
00000000-0000-0000-0000-000000000b13
00000000-0000-0000-0000-000000000b14
00000000-0000-0000-0000-000000000b15
00000000-0000-0000-0000-000000000b16
00000000-0000-0000-0000-000000000b17
00000000-0000-0000-0000-000000000b18
00000000-0000-0000-0000-000000000b19
00000000-0000-0000-0000-000000000b1a
00000000-0000-0000-0000-000000000b1b
00000000-0000-0000-0000-000000000b1c
00000000-0000-0000-0000-000000000b1d
00000000-0000-0000-0000-000000000b1e
00000000-0000-0000-0000-000000000b1f
00000000-0000-0000-0000-000000000b20
00000000-0000-0000-0000-000000000b21
00000000-0000-0000-0000-000000000b22
00000000-0000-0000-0000-000000000b23
00000000-0000-0000-0000-000000000b24
00000000-0000-0000-0000-000000000b25
00000000-0000-0000-0000-000000000b26
00000000-0000-0000-0000-000000000b27
00000000-0000-0000-0000-000000000b28
00000000-0000-0000-0000-000000000b29
00000000-0000-0000-0000-000000000b2a
00000000-0000-0000-0000-000000000b2b
00000000-0000-0000-0000-000000000b2c
00000000-0000-0000-0000-000000000b2d
00000000-0000-0000-0000-000000000b2e
00000000-0000-0000-0000-000000000b2f
00000000-0000-0000-0000-000000000b30
00000000-0000-0000-0000-000000000b31
00000000-0000-0000-0000-000000000b32
00000000-0000-0000-0000-000000000b33
00000000-0000-0000-0000-000000000b34
00000000-0000-0000-0000-000000000b35
00000000-0000-0000-0000-000000000b36
00000000-0000-0000-0000-000000000b37
00000000-0000-0000-0000-000000000b38
00000000-0000-0000-0000-000000000b39
00000000-0000-0000-0000-000000000b3a
00000000-0000-0000-0000-000000000b3b
00000000-0000-0000-0000-000000000b3c
00000000-0000-0000-0000-000000000b3d
00000000-0000-0000-0000-000000000b3e
00000000-0000-0000-0000-000000000b3f
00000000-0000-0000-0000-000000000b40
00000000-0000-0000-0000-000000000b41
00000000-0000-0000-0000-000000000b42
00000000-0000-0000-0000-000000000b43
00000000-0000-0000-0000-000000000b44
00000000-0000-0000-0000-000000000b45
00000000-0000-0000-0000-000000000b46
00000000-0000-0000-0000-000000000b47
00000000-0000-0000-0000-000000000b48
00000000-0000-0000-0000-000000000b49
00000000-0000-0000-0000-000000000b4a
00000000-0000-0000-0000-000000000b4b
00000000-0000-0000-0000-000000000b4c
00000000-0000-0000-0000-000000000b4d
00000000-0000-0000-0000-000000000b4e
00000000-0000-0000-0000-000000000b4f
00000000-0000-0000-0000-000000000b50
00000000-0000-0000-0000-000000000b51
00000000-0000-0000-0000-000000000b52
00000000-0000-0000-0000-000000000b53
00000000-0000-0000-0000-000000000b54
00000000-0000-0000-0000-000000000b55
00000000-0000-0000-0000-000000000b56
00000000-0000-0000-0000-000000000b57
00000000-0000-0000-0000-000000000b58
00000000-0000-0000-0000-000000000b59
00000000-0000-0000-0000-000000000b5a
00000000-0000-0000-0000-000000000b5b
00000000-0000-0000-0000-000000000b5c
00000000-0000-0000-0000-000000000b5d
00000000-0000-0000-0000-000000000b5e
00000000-0000-0000-0000-000000000b5f
00000000-0000-0000-0000-000000000b60
00000000-0000-0000-0000-000000000b61
00000000-0000-0000-0000-000000000b62
00000000-0000-0000-0000-000000000b63
00000000-0000-0000-0000-000000000b64
00000000-0000-0000-0000-000000000b65
00000000-0000-0000-0000-000000000b66
00000000-0000-0000-0000-000000000b67
00000000-0000-0000-0000-000000000b68
00000000-0000-0000-0000-000000000b69
00000000-0000-0000-0000-000000000b6a
00000000-0000-0000-0000-000000000b6b
00000000-0000-0000-0000-000000000b6c
00000000-0000-0000-0000-000000000b6d
00000000-0000-0000-0000-000000000b6e
00000000-0000-0000-0000-000000000b6f
00000000-0000-0000-0000-000000000b70
00000000-0000-0000-0000-000000000b71
00000000-0000-0000-0000-000000000b72
00000000-0000-0000-0000-000000000b73
00000000-0000-0000-0000-000000000b74
00000000-0000-0000-0000-000000000b75
00000000-0000-0000-0000-000000000b76
00000000-0000-0000-0000-000000000b77
00000000-0000-0000-0000-000000000b78
00000000-0000-0000-0000-000000000b79
00000000-0000-0000-0000-000000000b7a
00000000-0000-0000-0000-000000000b7b
00000000-0000-0000-0000-000000000b7c
00000000-0000-0000-0000-000000000b7d
00000000-0000-0000-0000-000000000b7e
00000000-0000-0000-0000-000000000b7f
00000000-0000-0000-0000-000000000b80
00000000-0000-0000-0000-000000000b81
00000000-0000-0000-0000-000000000b82
00000000-0000-0000-0000-000000000b83
00000000-0000-0000-0000-000000000b84
00000000-0000-0000-0000-000000000b85
00000000-0000-0000-0000-000000000b86
00000000-0000-0000-0000-000000000b87
00000000-0000-0000-0000-000000000b88
00000000-0000-0000-0000-000000000b89
00000000-0000-0000-0000-000000000b8a
00000000-0000-0000-0000-000000000b8b
00000000-0000-0000-0000-000000000b8c
00000000-0000-0000-0000-000000000b8d
00000000-0000-0000-0000-000000000b8e
00000000-0000-0000-0000-000000000b8f
00000000-0000-0000-0000-000000000b90
00000000-0000-0000-0000-000000000b91
00000000-0000-0000-0000-000000000b92
00000000-0000-0000-0000-000000000b93
00000000-0000-0000-0000-000000000b94
00000000-0000-0000-0000-000000000b95
00000000-0000-0000-0000-000000000b96
00000000-0000-0000-0000-000000000b97
00000000-0000-0000-0000-000000000b98
00000000-0000-0000-0000-000000000b99
00000000-0000-0000-0000-000000000b9a
00000000-0000-0000-0000-000000000b9b
00000000-0000-0000-0000-000000000b9c
00000000-0000-0000-0000-000000000b9d
00000000-0000-0000-0000-000000000b9e
00000000-0000-0000-0000-000000000b9f
00000000-0000-0000-0000-000000000ba0
00000000-0000-0000-0000-000000000ba1
00000000-0000-0000-0000-000000000ba2
00000000-0000-0000-0000-000000000ba3
00000000-0000-0000-0000-000000000ba4
00000000-0000-0000-0000-000000000ba5
00000000-0000-0000-0000-000000000ba6
00000000-0000-0000-0000-000000000ba7
00000000-0000-0000-0000-000000000ba8
00000000-0000-0000-0000-000000000ba9
00000000-0000-0000-0000-000000000baa
00000000-0000-0000-0000-000000000bab
00000000-0000-0000-0000-000000000bac
00000000-0000-0000-0000-000000000bad
00000000-0000-0000-0000-000000000bae
00000000-0000-0000-0000-000000000baf
00000000-0000-0000-0000-000000000bb0
00000000-0000-0000-0000-000000000bb1
00000000-0000-0000-0000-000000000bb2
00000000-0000-0000-0000-000000000bb3
00000000-0000-0000-0000-000000000bb4
00000000-0000-0000-0000-000000000bb5
00000000-0000-0000-0000-000000000bb6
00000000-0000-0000-0000-000000000bb7
00000000-0000-0000-0000-000000000bb8
00000000-0000-0000-0000-000000000bb9
00000000-0000-0000-0000-000000000bba
00000000-0000-0000-0000-000000000bbb
00000000-0000-0000-0000-000000000bbc
00000000-0000-0000-0000-000000000bbd
00000000-0000-0000-0000-000000000bbe
00000000-0000-0000-0000-000000000bbf
00000000-0000-0000-0000-000000000bc0
00000000-0000-0000-0000-000000000bc1
00000000-0000-0000-0000-000000000bc2
00000000-0000-0000-0000-000000000bc3
00000000-0000-0000-0000-000000000bc4
00000000-0000-0000-0000-000000000bc5
00000000-0000-0000-0000-000000000bc6
00000000-0000-0000-0000-000000000bc7
00000000-0000-0000-0000-000000000bc8
00000000-0000-0000-0000-000000000bc9
00000000-0000-0000-0000-000000000bca
00000000-0000-0000-0000-000000000bcb
00000000-0000-0000-0000-000000000bcc
00000000-0000-0000-0000-000000000bcd
00000000-0000-0000-0000-000000000bce
00000000-0000-0000-0000-000000000bcf
00000000-0000-0000-0000-000000000bd0
00000000-0000-0000-0000-000000000bd1
00000000-0000-0000-0000-000000000bd2
00000000-0000-0000-0000-000000000bd3
00000000-0000-0000-0000-000000000bd4
00000000-0000-0000-0000-000000000bd5
00000000-0000-0000-0000-000000000bd6
00000000-0000-0000-0000-000000000bd7
00000000-0000-0000-0000-000000000bd8
00000000-0000-0000-0000-000000000bd9
00000000-0000-0000-0000-000000000bda
00000000-0000-0000-0000-000000000bdb
00000000-0000-0000-0000-000000000bdc
00000000-0000-0000-0000-000000000bdd
00000000-0000-0000-0000-000000000bde
00000000-0000-0000-0000-000000000bdf
00000000-0000-0000-0000-000000000be0
00000000-0000-0000-0000-000000000be1
00000000-0000-0000-0000-000000000be2
00000000-0000-0000-0000-000000000be3
00000000-0000-0000-0000-000000000be4
00000000-0000-0000-0000-000000000be5
00000000-0000-0000-0000-000000000be6
00000000-0000-0000-0000-000000000be7
00000000-0000-0000-0000-000000000be8
00000000-0000-0000-0000-000000000be9
00000000-0000-0000-0000-000000000bea
00000000-0000-0000-0000-000000000beb
00000000-0000-0000-0000-000000000bec
00000000-0000-0000-0000-000000000bed
00000000-0000-0000-0000-000000000bee
00000000-0000-0000-0000-000000000bef
00000000-0000-0000-0000-000000000bf0
00000000-0000-0000-0000-000000000bf1
00000000-0000-0000-0000-000000000bf2
00000000-0000-0000-0000-000000000bf3
00000000-0000-0000-0000-000000000bf4
00000000-0000-0000-0000-000000000bf5
00000000-0000-0000-0000-000000000bf6
00000000-0000-0000-0000-000000000bf7
00000000-0000-0000-0000-000000000bf8
00000000-0000-0000-0000-000000000bf9
00000000-0000-0000-0000-000000000bfa
00000000-0000-0000-0000-000000000bfb
00000000-0000-0000-0000-000000000bfc
00000000-0000-0000-0000-000000000bfd
00000000-0000-0000-0000-000000000bfe
00000000-0000-0000-0000-000000000bff
00000000-0000-0000-0000-000000000c00
00000000-0000-0000-0000-000000000c01
00000000-0000-0000-0000-000000000c02
00000000-0000-0000-0000-000000000c03
00000000-0000-0000-0000-000000000c04
00000000-0000-0000-0000-000000000c05
00000000-0000-0000-0000-000000000c06
00000000-0000-0000-0000-000000000c07
00000000-0000-0000-0000-000000000c08
00000000-0000-0000-0000-000000000c09
00000000-0000-0000-0000-000000000c0a
00000000-0000-0000-0000-000000000c0b
00000000-0000-0000-0000-000000000c0c
00000000-0000-0000-0000-000000000c0d
00000000-0000-0000-0000-000000000c0e
00000000-0000-0000-0000-000000000c0f
00000000-0000-0000-0000-000000000c10
00000000-0000-0000-0000-000000000c11
00000000-0000-0000-0000-000000000c12
00000000-0000-0000-0000-000000000c13
00000000-0000-0000-0000-000000000c14
00000000-0000-0000-0000-000000000c15
00000000-0000-0000-0000-000000000c16
00000000-0000-0000-0000-000000000c17
00000000-0000-0000-0000-000000000c18
00000000-0000-0000-0000-000000000c19
00000000-0000-0000-0000-000000000c1a
00000000-0000-0000-0000-000000000c1b
00000000-0000-0000-0000-000000000c1c
00000000-0000-0000-0000-000000000c1d
00000000-0000-0000-0000-000000000c1e
00000000-0000-0000-0000-000000000c1f
00000000-0000-0000-0000-000000000c20
00000000-0000-0000-0000-000000000c21
00000000-0000-0000-0000-000000000c22
00000000-0000-0000-0000-000000000c23
00000000-0000-0000-0000-000000000c24
00000000-0000-0000-0000-000000000c25
00000000-0000-0000-0000-000000000c26
00000000-0000-0000-0000-000000000c27
00000000-0000-0000-0000-000000000c28
00000000-0000-0000-0000-000000000c29
00000000-0000-0000-0000-000000000c2a
00000000-0000-0000-0000-000000000c2b
00000000-0000-0000-0000-000000000c2c
00000000-0000-0000-0000-000000000c2d
00000000-0000-0000-0000-000000000c2e
00000000-0000-0000-0000-000000000c2f
00000000-0000-0000-0000-000000000c30
00000000-0000-0000-0000-000000000c31
00000000-0000-0000-0000-000000000c32
00000000-0000-0000-0000-000000000c33
00000000-0000-0000-0000-000000000c34
00000000-0000-0000-0000-000000000c35
00000000-0000-0000-0000-000000000c36
00000000-0000-0000-0000-000000000c37
00000000-0000-0000-0000-000000000c38
00000000-0000-0000-0000-000000000c39
00000000-0000-0000-0000-000000000c3a
00000000-0000-0000-0000-000000000c3b
00000000-0000-0000-0000-000000000c3c
00000000-0000-0000-0000-000000000c3d
00000000-0000-0000-0000-000000000c3e
00000000-0000-0000-0000-000000000c3f
00000000-0000-0000-0000-000000000c40
00000000-0000-0000-0000-000000000c41
00000000-0000-0000-0000-000000000c42
00000000-0000-0000-0000-000000000c43
00000000-0000-0000-0000-000000000c44
00000000-0000-0000-0000-000000000c45
00000000-0000-0000-0000-000000000c46
00000000-0000-0000-0000-000000000c47
00000000-0000-0000-0000-000000000c48
00000000-0000-0000-0000-000000000c49
00000000-0000-0000-0000-000000000c4a
00000000-0000-0000-0000-000000000c4b
00000000-0000-0000-0000-000000000c4c
00000000-0000-0000-0000-000000000c4d
00000000-0000-0000-0000-000000000c4e
00000000-0000-0000-0000-000000000c4f
00000000-0000-0000-0000-000000000c50
00000000-0000-0000-0000-000000000c51
00000000-0000-0000-0000-000000000c52
00000000-0000-0000-0000-000000000c53
00000000-0000-0000-0000-000000000c54
00000000-0000-0000-0000-000000000c55
00000000-0000-0000-0000-000000000c56
00000000-0000-0000-0000-000000000c57
00000000-0000-0000-0000-000000000c58
00000000-0000-0000-0000-000000000c59
00000000-0000-0000-0000-000000000c5a
00000000-0000-0000-0000-000000000c5b
00000000-0000-0000-0000-000000000c5c
00000000-0000-0000-0000-000000000c5d
00000000-0000-0000-0000-000000000c5e
00000000-0000-0000-0000-000000000c5f
00000000-0000-0000-0000-000000000c60
00000000-0000-0000-0000-000000000c61
00000000-0000-0000-0000-000000000c62
00000000-0000-0000-0000-000000000c63
00000000-0000-0000-0000-000000000c64
00000000-0000-0000-0000-000000000c65
00000000-0000-0000-0000-000000000c66
00000000-0000-0000-0000-000000000c67
00000000-0000-0000-0000-000000000c68
00000000-0000-0000-0000-000000000c69
00000000-0000-0000-0000-000000000c6a
00000000-0000-0000-0000-000000000c6b
00000000-0000-0000-0000-000000000c6c
00000000-0000-0000-0000-000000000c6d
00000000-0000-0000-0000-000000000c6e
00000000-0000-0000-0000-000000000c6f
00000000-0000-0000-0000-000000000c70
00000000-0000-0000-0000-000000000c71
00000000-0000-0000-0000-000000000c72
00000000-0000-0000-0000-000000000c73
00000000-0000-0000-0000-000000000c74
00000000-0000-0000-0000-000000000c75
00000000-0000-0000-0000-000000000c76
00000000-0000-0000-0000-000000000c77
00000000-0000-0000-0000-000000000c78
00000000-0000-0000-0000-000000000c79
00000000-0000-0000-0000-000000000c7a
00000000-0000-0000-0000-000000000c7b
00000000-0000-0000-0000-000000000c7c
00000000-0000-0000-0000-000000000c7d
00000000-0000-0000-0000-000000000c7e
00000000-0000-0000-0000-000000000c7f
00000000-0000-0000-0000-000000000c80
00000000-0000-0000-0000-000000000c81
00000000-0000-0000-0000-000000000c82
00000000-0000-0000-0000-000000000c83
00000000-0000-0000-0000-000000000c84
00000000-0000-0000-0000-000000000c85
00000000-0000-0000-0000-000000000c86
00000000-0000-0000-0000-000000000c87
00000000-0000-0000-0000-000000000c88
00000000-0000-0000-0000-000000000c89
00000000-0000-0000-0000-000000000c8a
00000000-0000-0000-0000-000000000c8b
00000000-0000-0000-0000-000000000c8c
00000000-0000-0000-0000-000000000c8d
00000000-0000-0000-0000-000000000c8e
00000000-0000-0000-0000-000000000c8f
00000000-0000-0000-0000-000000000c90
00000000-0000-0000-0000-000000000c91
00000000-0000-0000-0000-000000000c92
00000000-0000-0000-0000-000000000c93
00000000-0000-0000-0000-000000000c94
00000000-0000-0000-0000-000000000c95
00000000-0000-0000-0000-000000000c96
00000000-0000-0000-0000-000000000c97
00000000-0000-0000-0000-000000000c98
00000000-0000-0000-0000-000000000c99
00000000-0000-0000-0000-000000000c9a
00000000-0000-0000-0000-000000000c9b
00000000-0000-0000-0000-000000000c9c
00000000-0000-0000-0000-000000000c9d
00000000-0000-0000-0000-000000000c9e
00000000-0000-0000-0000-000000000c9f
00000000-0000-0000-0000-000000000ca0
00000000-0000-0000-0000-000000000ca1
00000000-0000-0000-0000-000000000ca2
00000000-0000-0000-0000-000000000ca3
00000000-0000-0000-0000-000000000ca4
00000000-0000-0000-0000-000000000ca5
00000000-0000-0000-0000-000000000ca6
00000000-0000-0000-0000-000000000ca7
00000000-0000-0000-0000-000000000ca8
00000000-0000-0000-0000-000000000ca9
00000000-0000-0000-0000-000000000caa
00000000-0000-0000-0000-000000000cab
00000000-0000-0000-0000-000000000cac
00000000-0000-0000-0000-000000000cad
00000000-0000-0000-0000-000000000cae
00000000-0000-0000-0000-000000000caf
00000000-0000-0000-0000-000000000cb0
00000000-0000-0000-0000-000000000cb1
00000000-0000-0000-0000-000000000cb2
00000000-0000-0000-0000-000000000cb3
00000000-0000-0000-0000-000000000cb4
00000000-0000-0000-0000-000000000cb5
00000000-0000-0000-0000-000000000cb6
00000000-0000-0000-0000-000000000cb7
00000000-0000-0000-0000-000000000cb8
00000000-0000-0000-0000-000000000cb9
00000000-0000-0000-0000-000000000cba
00000000-0000-0000-0000-000000000cbb
00000000-0000-0000-0000-000000000cbc
00000000-0000-0000-0000-000000000cbd
00000000-0000-0000-0000-000000000cbe
00000000-0000-0000-0000-000000000cbf
00000000-0000-0000-0000-000000000cc0
00000000-0000-0000-0000-000000000cc1
00000000-0000-0000-0000-000000000cc2
00000000-0000-0000-0000-000000000cc3
00000000-0000-0000-0000-000000000cc4
00000000-0000-0000-0000-000000000cc5
00000000-0000-0000-0000-000000000cc6
00000000-0000-0000-0000-000000000cc7
00000000-0000-0000-0000-000000000cc8
00000000-0000-0000-0000-000000000cc9
00000000-0000-0000-0000-000000000cca
00000000-0000-0000-0000-000000000ccb
00000000-0000-0000-0000-000000000ccc
00000000-0000-0000-0000-000000000ccd
00000000-0000-0000-0000-000000000cce
00000000-0000-0000-0000-000000000ccf
00000000-0000-0000-0000-000000000cd0
00000000-0000-0000-0000-000000000cd1
00000000-0000-0000-0000-000000000cd2
00000000-0000-0000-0000-000000000cd3
00000000-0000-0000-0000-000000000cd4
00000000-0000-0000-0000-000000000cd5
00000000-0000-0000-0000-000000000cd6
00000000-0000-0000-0000-000000000cd7
00000000-0000-0000-0000-000000000cd8
00000000-0000-0000-0000-000000000cd9
00000000-0000-0000-0000-000000000cda
00000000-0000-0000-0000-000000000cdb
00000000-0000-0000-0000-000000000cdc
00000000-0000-0000-0000-000000000cdd
00000000-0000-0000-0000-000000000cde
00000000-0000-0000-0000-000000000cdf
00000000-0000-0000-0000-000000000ce0
00000000-0000-0000-0000-000000000ce1
00000000-0000-0000-0000-000000000ce2
00000000-0000-0000-0000-000000000ce3
00000000-0000-0000-0000-000000000ce4
00000000-0000-0000-0000-000000000ce5
00000000-0000-0000-0000-000000000ce6
00000000-0000-0000-0000-000000000ce7
00000000-0000-0000-0000-000000000ce8
00000000-0000-0000-0000-000000000ce9
00000000-0000-0000-0000-000000000cea
00000000-0000-0000-0000-000000000ceb
00000000-0000-0000-0000-000000000cec
00000000-0000-0000-0000-000000000ced
00000000-0000-0000-0000-000000000cee
00000000-0000-0000-0000-000000000cef
00000000-0000-0000-0000-000000000cf0
00000000-0000-0000-0000-000000000cf1
00000000-0000-0000-0000-000000000cf2
00000000-0000-0000-0000-000000000cf3
00000000-0000-0000-0000-000000000cf4
00000000-0000-0000-0000-000000000cf5
00000000-0000-0000-0000-000000000cf6
00000000-0000-0000-0000-000000000cf7
00000000-0000-0000-0000-000000000cf8
00000000-0000-0000-0000-000000000cf9
00000000-0000-0000-0000-000000000cfa
00000000-0000-0000-0000-000000000cfb
00000000-0000-0000-0000-000000000cfc
00000000-0000-0000-0000-000000000cfd
00000000-0000-0000-0000-000000000cfe
00000000-0000-0000-0000-000000000cff
00000000-0000-0000-0000-000000000d00
00000000-0000-0000-0000-000000000d01
00000000-0000-0000-0000-000000000d02
00000000-0000-0000-0000-000000000d03
00000000-0000-0000-0000-000000000d04
00000000-0000-0000-0000-000000000d05
00000000-0000-0000-0000-000000000d06
00000000-0000-0000-0000-000000000d07
00000000-0000-0000-0000-000000000d08
00000000-0000-0000-0000-000000000d09
00000000-0000-0000-0000-000000000d0a
00000000-0000-0000-0000-000000000d0b
00000000-0000-0000-0000-000000000d0c
00000000-0000-0000-0000-000000000d0d
00000000-0000-0000-0000-000000000d0e
00000000-0000-0000-0000-000000000d0f
00000000-0000-0000-0000-000000000d10
00000000-0000-0000-0000-000000000d11
00000000-0000-0000-0000-000000000d12
00000000-0000-0000-0000-000000000d13
00000000-0000-0000-0000-000000000d14
00000000-0000-0000-0000-000000000d15
00000000-0000-0000-0000-000000000d16
00000000-0000-0000-0000-000000000d17
00000000-0000-0000-0000-000000000d18
00000000-0000-0000-0000-000000000d19
00000000-0000-0000-0000-000000000d1a
00000000-0000-0000-0000-000000000d1b
00000000-0000-0000-0000-000000000d1c
00000000-0000-0000-0000-000000000d1d
00000000-0000-0000-0000-000000000d1e
00000000-0000-0000-0000-000000000d1f
00000000-0000-0000-0000-000000000d20
00000000-0000-0000-0000-000000000d21
00000000-0000-0000-0000-000000000d22
00000000-0000-0000-0000-000000000d23
00000000-0000-0000-0000-000000000d24
00000000-0000-0000-0000-000000000d25
00000000-0000-0000-0000-000000000d26
00000000-0000-0000-0000-000000000d27
00000000-0000-0000-0000-000000000d28
00000000-0000-0000-0000-000000000d29
00000000-0000-0000-0000-000000000d2a
00000000-0000-0000-0000-000000000d2b
00000000-0000-0000-0000-000000000d2c
00000000-0000-0000-0000-000000000d2d
00000000-0000-0000-0000-000000000d2e
00000000-0000-0000-0000-000000000d2f
00000000-0000-0000-0000-000000000d30
00000000-0000-0000-0000-000000000d31
00000000-0000-0000-0000-000000000d32
00000000-0000-0000-0000-000000000d33
00000000-0000-0000-0000-000000000d34
00000000-0000-0000-0000-000000000d35
00000000-0000-0000-0000-000000000d36
00000000-0000-0000-0000-000000000d37
00000000-0000-0000-0000-000000000d38
00000000-0000-0000-0000-000000000d39
00000000-0000-0000-0000-000000000d3a
00000000-0000-0000-0000-000000000d3b
00000000-0000-0000-0000-000000000d3c
00000000-0000-0000-0000-000000000d3d
00000000-0000-0000-0000-000000000d3e
00000000-0000-0000-0000-000000000d3f
00000000-0000-0000-0000-000000000d40
00000000-0000-0000-0000-000000000d41
00000000-0000-0000-0000-000000000d42
00000000-0000-0000-0000-000000000d43
00000000-0000-0000-0000-000000000d44
00000000-0000-0000-0000-000000000d45
00000000-0000-0000-0000-000000000d46
00000000-0000-0000-0000-000000000d47
00000000-0000-0000-0000-000000000d48
00000000-0000-0000-0000-000000000d49
00000000-0000-0000-0000-000000000d4a
00000000-0000-0000-0000-000000000d4b
00000000-0000-0000-0000-000000000d4c
00000000-0000-0000-0000-000000000d4d
00000000-0000-0000-0000-000000000d4e
00000000-0000-0000-0000-000000000d4f
00000000-0000-0000-0000-000000000d50
00000000-0000-0000-0000-000000000d51
00000000-0000-0000-0000-000000000d52
00000000-0000-0000-0000-000000000d53
00000000-0000-0000-0000-000000000d54
00000000-0000-0000-0000-000000000d55
00000000-0000-0000-0000-000000000d56
00000000-0000-0000-0000-000000000d57
00000000-0000-0000-0000-000000000d58
00000000-0000-0000-0000-000000000d59
00000000-0000-0000-0000-000000000d5a
00000000-0000-0000-0000-000000000d5b
00000000-0000-0000-0000-000000000d5c
00000000-0000-0000-0000-000000000d5d
00000000-0000-0000-0000-000000000d5e
00000000-0000-0000-0000-000000000d5f
00000000-0000-0000-0000-000000000d60
00000000-0000-0000-0000-000000000d61
00000000-0000-0000-0000-000000000d62
00000000-0000-0000-0000-000000000d63
00000000-0000-0000-0000-000000000d64
00000000-0000-0000-0000-000000000d65
00000000-0000-0000-0000-000000000d66
00000000-0000-0000-0000-000000000d67
00000000-0000-0000-0000-000000000d68
00000000-0000-0000-0000-000000000d69
00000000-0000-0000-0000-000000000d6a
00000000-0000-0000-0000-000000000d6b
00000000-0000-0000-0000-000000000d6c
00000000-0000-0000-0000-000000000d6d
00000000-0000-0000-0000-000000000d6e
00000000-0000-0000-0000-000000000d6f
00000000-0000-0000-0000-000000000d70
00000000-0000-0000-0000-000000000d71
00000000-0000-0000-0000-000000000d72
00000000-0000-0000-0000-000000000d73
00000000-0000-0000-0000-000000000d74
00000000-0000-0000-0000-000000000d75
00000000-0000-0000-0000-000000000d76
00000000-0000-0000-0000-000000000d77
00000000-0000-0000-0000-000000000d78
00000000-0000-0000-0000-000000000d79
00000000-0000-0000-0000-000000000d7a
00000000-0000-0000-0000-000000000d7b
00000000-0000-0000-0000-000000000d7c
00000000-0000-0000-0000-000000000d7d
00000000-0000-0000-0000-000000000d7e
00000000-0000-0000-0000-000000000d7f
00000000-0000-0000-0000-000000000d80
00000000-0000-0000-0000-000000000d81
00000000-0000-0000-0000-000000000d82
00000000-0000-0000-0000-000000000d83
00000000-0000-0000-0000-000000000d84
00000000-0000-0000-0000-000000000d85
00000000-0000-0000-0000-000000000d86
00000000-0000-0000-0000-000000000d87
00000000-0000-0000-0000-000000000d88
00000000-0000-0000-0000-000000000d89
00000000-0000-0000-0000-000000000d8a
00000000-0000-0000-0000-000000000d8b
00000000-0000-0000-0000-000000000d8c
00000000-0000-0000-0000-000000000d8d
00000000-0000-0000-0000-000000000d8e
00000000-0000-0000-0000-000000000d8f
00000000-0000-0000-0000-000000000d90
00000000-0000-0000-0000-000000000d91
00000000-0000-0000-0000-000000000d92
00000000-0000-0000-0000-000000000d93
00000000-0000-0000-0000-000000000d94
00000000-0000-0000-0000-000000000d95
00000000-0000-0000-0000-000000000d96
00000000-0000-0000-0000-000000000d97
00000000-0000-0000-0000-000000000d98
00000000-0000-0000-0000-000000000d99
00000000-0000-0000-0000-000000000d9a
00000000-0000-0000-0000-000000000d9b
00000000-0000-0000-0000-000000000d9c
00000000-0000-0000-0000-000000000d9d
00000000-0000-0000-0000-000000000d9e
00000000-0000-0000-0000-000000000d9f
00000000-0000-0000-0000-000000000da0
00000000-0000-0000-0000-000000000da1
00000000-0000-0000-0000-000000000da2
00000000-0000-0000-0000-000000000da3
00000000-0000-0000-0000-000000000da4
00000000-0000-0000-0000-000000000da5
00000000-0000-0000-0000-000000000da6
00000000-0000-0000-0000-000000000da7
00000000-0000-0000-0000-000000000da8
00000000-0000-0000-0000-000000000da9
00000000-0000-0000-0000-000000000daa
00000000-0000-0000-0000-000000000dab
00000000-0000-0000-0000-000000000dac
00000000-0000-0000-0000-000000000dad
00000000-0000-0000-0000-000000000dae
00000000-0000-0000-0000-000000000daf
00000000-0000-0000-0000-000000000db0
00000000-0000-0000-0000-000000000db1
00000000-0000-0000-0000-000000000db2
00000000-0000-0000-0000-000000000db3
00000000-0000-0000-0000-000000000db4
00000000-0000-0000-0000-000000000db5
00000000-0000-0000-0000-000000000db6
00000000-0000-0000-0000-000000000db7
00000000-0000-0000-0000-000000000db8
00000000-0000-0000-0000-000000000db9
00000000-0000-0000-0000-000000000dba
00000000-0000-0000-0000-000000000dbb
00000000-0000-0000-0000-000000000dbc
00000000-0000-0000-0000-000000000dbd
00000000-0000-0000-0000-000000000dbe
00000000-0000-0000-0000-000000000dbf
00000000-0000-0000-0000-000000000dc0
00000000-0000-0000-0000-000000000dc1
00000000-0000-0000-0000-000000000dc2
00000000-0000-0000-0000-000000000dc3
00000000-0000-0000-0000-000000000dc4
00000000-0000-0000-0000-000000000dc5
00000000-0000-0000-0000-000000000dc6
00000000-0000-0000-0000-000000000dc7
00000000-0000-0000-0000-000000000dc8
00000000-0000-0000-0000-000000000dc9
00000000-0000-0000-0000-000000000dca
00000000-0000-0000-0000-000000000dcb
00000000-0000-0000-0000-000000000dcc
00000000-0000-0000-0000-000000000dcd
00000000-0000-0000-0000-000000000dce
00000000-0000-0000-0000-000000000dcf
00000000-0000-0000-0000-000000000dd0
00000000-0000-0000-0000-000000000dd1
00000000-0000-0000-0000-000000000dd2
00000000-0000-0000-0000-000000000dd3
00000000-0000-0000-0000-000000000dd4
00000000-0000-0000-0000-000000000dd5
00000000-0000-0000-0000-000000000dd6
00000000-0000-0000-0000-000000000dd7
00000000-0000-0000-0000-000000000dd8
00000000-0000-0000-0000-000000000dd9
00000000-0000-0000-0000-000000000dda
00000000-0000-0000-0000-000000000ddb
00000000-0000-0000-0000-000000000ddc
00000000-0000-0000-0000-000000000ddd
00000000-0000-0000-0000-000000000dde
00000000-0000-0000-0000-000000000ddf
00000000-0000-0000-0000-000000000de0
00000000-0000-0000-0000-000000000de1
00000000-0000-0000-0000-000000000de2
00000000-0000-0000-0000-000000000de3
00000000-0000-0000-0000-000000000de4
00000000-0000-0000-0000-000000000de5
00000000-0000-0000-0000-000000000de6
00000000-0000-0000-0000-000000000de7
00000000-0000-0000-0000-000000000de8
00000000-0000-0000-0000-000000000de9
00000000-0000-0000-0000-000000000dea
00000000-0000-0000-0000-000000000deb
00000000-0000-0000-0000-000000000dec
00000000-0000-0000-0000-000000000ded
00000000-0000-0000-0000-000000000dee
00000000-0000-0000-0000-000000000def
00000000-0000-0000-0000-000000000df0
00000000-0000-0000-0000-000000000df1
00000000-0000-0000-0000-000000000df2
00000000-0000-0000-0000-000000000df3
00000000-0000-0000-0000-000000000df4
00000000-0000-0000-0000-000000000df5
00000000-0000-0000-0000-000000000df6
00000000-0000-0000-0000-000000000df7
00000000-0000-0000-0000-000000000df8
00000000-0000-0000-0000-000000000df9
00000000-0000-0000-0000-000000000dfa
00000000-0000-0000-0000-000000000dfb
00000000-0000-0000-0000-000000000dfc
00000000-0000-0000-0000-000000000dfd
00000000-0000-0000-0000-000000000dfe
00000000-0000-0000-0000-000000000dff
00000000-0000-0000-0000-000000000e00
00000000-0000-0000-0000-000000000e01
00000000-0000-0000-0000-000000000e02
00000000-0000-0000-0000-000000000e03
00000000-0000-0000-0000-000000000e04
00000000-0000-0000-0000-000000000e05
00000000-0000-0000-0000-000000000e06
00000000-0000-0000-0000-000000000e07
00000000-0000-0000-0000-000000000e08
00000000-0000-0000-0000-000000000e09
00000000-0000-0000-0000-000000000e0a
00000000-0000-0000-0000-000000000e0b
00000000-0000-0000-0000-000000000e0c
00000000-0000-0000-0000-000000000e0d
00000000-0000-0000-0000-000000000e0e
00000000-0000-0000-0000-000000000e0f
00000000-0000-0000-0000-000000000e10
00000000-0000-0000-0000-000000000e11
00000000-0000-0000-0000-000000000e12
00000000-0000-0000-0000-000000000e13
00000000-0000-0000-0000-000000000e14
00000000-0000-0000-0000-000000000e15
00000000-0000-0000-0000-000000000e16
00000000-0000-0000-0000-000000000e17
00000000-0000-0000-0000-000000000e18
00000000-0000-0000-0000-000000000e19
00000000-0000-0000-0000-000000000e1a
00000000-0000-0000-0000-000000000e1b
00000000-0000-0000-0000-000000000e1c
00000000-0000-0000-0000-000000000e1d
00000000-0000-0000-0000-000000000e1e
00000000-0000-0000-0000-000000000e1f
00000000-0000-0000-0000-000000000e20
00000000-0000-0000-0000-000000000e21
00000000-0000-0000-0000-000000000e22
00000000-0000-0000-0000-000000000e23
00000000-0000-0000-0000-000000000e24
00000000-0000-0000-0000-000000000e25
00000000-0000-0000-0000-000000000e26
00000000-0000-0000-0000-000000000e27
00000000-0000-0000-0000-000000000e28
00000000-0000-0000-0000-000000000e29
00000000-0000-0000-0000-000000000e2a
00000000-0000-0000-0000-000000000e2b
00000000-0000-0000-0000-000000000e2c
00000000-0000-0000-0000-000000000e2d
00000000-0000-0000-0000-000000000e2e
00000000-0000-0000-0000-000000000e2f
00000000-0000-0000-0000-000000000e30
00000000-0000-0000-0000-000000000e31
00000000-0000-0000-0000-000000000e32
00000000-0000-0000-0000-000000000e33
00000000-0000-0000-0000-000000000e34
00000000-0000-0000-0000-000000000e35
00000000-0000-0000-0000-000000000e36
00000000-0000-0000-0000-000000000e37
00000000-0000-0000-0000-000000000e38
00000000-0000-0000-0000-000000000e39
00000000-0000-0000-0000-000000000e3a
00000000-0000-0000-0000-000000000e3b
00000000-0000-0000-0000-000000000e3c
00000000-0000-0000-0000-000000000e3d
00000000-0000-0000-0000-000000000e3e
00000000-0000-0000-0000-000000000e3f
00000000-0000-0000-0000-000000000e40
00000000-0000-0000-0000-000000000e41
00000000-0000-0000-0000-000000000e42
00000000-0000-0000-0000-000000000e43
00000000-0000-0000-0000-000000000e44
00000000-0000-0000-0000-000000000e45
00000000-0000-0000-0000-000000000e46
00000000-0000-0000-0000-000000000e47
00000000-0000-0000-0000-000000000e48
00000000-0000-0000-0000-000000000e49
00000000-0000-0000-0000-000000000e4a
00000000-0000-0000-0000-000000000e4b
00000000-0000-0000-0000-000000000e4c
00000000-0000-0000-0000-000000000e4d
00000000-0000-0000-0000-000000000e4e
00000000-0000-0000-0000-000000000e4f
00000000-0000-0000-0000-000000000e50
00000000-0000-0000-0000-000000000e51
00000000-0000-0000-0000-000000000e52
00000000-0000-0000-0000-000000000e53
00000000-0000-0000-0000-000000000e54
00000000-0000-0000-0000-000000000e55
00000000-0000-0000-0000-000000000e56
00000000-0000-0000-0000-000000000e57
00000000-0000-0000-0000-000000000e58
00000000-0000-0000-0000-000000000e59
00000000-0000-0000-0000-000000000e5a
00000000-0000-0000-0000-000000000e5b
00000000-0000-0000-0000-000000000e5c
00000000-0000-0000-0000-000000000e5d
00000000-0000-0000-0000-000000000e5e
00000000-0000-0000-0000-000000000e5f
00000000-0000-0000-0000-000000000e60
00000000-0000-0000-0000-000000000e61
00000000-0000-0000-0000-000000000e62
00000000-0000-0000-0000-000000000e63
00000000-0000-0000-0000-000000000e64
00000000-0000-0000-0000-000000000e65
00000000-0000-0000-0000-000000000e66
00000000-0000-0000-0000-000000000e67
00000000-0000-0000-0000-000000000e68
00000000-0000-0000-0000-000000000e69
00000000-0000-0000-0000-000000000e6a
00000000-0000-0000-0000-000000000e6b
00000000-0000-0000-0000-000000000e6c
00000000-0000-0000-0000-000000000e6d
00000000-0000-0000-0000-000000000e6e
00000000-0000-0000-0000-000000000e6f
00000000-0000-0000-0000-000000000e70
00000000-0000-0000-0000-000000000e71
00000000-0000-0000-0000-000000000e72
00000000-0000-0000-0000-000000000e73
00000000-0000-0000-0000-000000000e74
00000000-0000-0000-0000-000000000e75
00000000-0000-0000-0000-000000000e76
00000000-0000-0000-0000-000000000e77
00000000-0000-0000-0000-000000000e78
00000000-0000-0000-0000-000000000e79
00000000-0000-0000-0000-000000000e7a
00000000-0000-0000-0000-000000000e7b
00000000-0000-0000-0000-000000000e7c
00000000-0000-0000-0000-000000000e7d
00000000-0000-0000-0000-000000000e7e
00000000-0000-0000-0000-000000000e7f
00000000-0000-0000-0000-000000000e80
00000000-0000-0000-0000-000000000e81
00000000-0000-0000-0000-000000000e82
00000000-0000-0000-0000-000000000e83
00000000-0000-0000-0000-000000000e84
00000000-0000-0000-0000-000000000e85
00000000-0000-0000-0000-000000000e86
00000000-0000-0000-0000-000000000e87
00000000-0000-0000-0000-000000000e88
00000000-0000-0000-0000-000000000e89
00000000-0000-0000-0000-000000000e8a
00000000-0000-0000-0000-000000000e8b
00000000-0000-0000-0000-000000000e8c
00000000-0000-0000-0000-000000000e8d
00000000-0000-0000-0000-000000000e8e
00000000-0000-0000-0000-000000000e8f
00000000-0000-0000-0000-000000000e90
00000000-0000-0000-0000-000000000e91
00000000-0000-0000-0000-000000000e92
00000000-0000-0000-0000-000000000e93
00000000-0000-0000-0000-000000000e94
00000000-0000-0000-0000-000000000e95
00000000-0000-0000-0000-000000000e96
00000000-0000-0000-0000-000000000e97
00000000-0000-0000-0000-000000000e98
00000000-0000-0000-0000-000000000e99
00000000-0000-0000-0000-000000000e9a
00000000-0000-0000-0000-000000000e9b
00000000-0000-0000-0000-000000000e9c
00000000-0000-0000-0000-000000000e9d
00000000-0000-0000-0000-000000000e9e
00000000-0000-0000-0000-000000000e9f
00000000-0000-0000-0000-000000000ea0
00000000-0000-0000-0000-000000000ea1
00000000-0000-0000-0000-000000000ea2
00000000-0000-0000-0000-000000000ea3
00000000-0000-0000-0000-000000000ea4
00000000-0000-0000-0000-000000000ea5
00000000-0000-0000-0000-000000000ea6
00000000-0000-0000-0000-000000000ea7
00000000-0000-0000-0000-000000000ea8
00000000-0000-0000-0000-000000000ea9
00000000-0000-0000-0000-000000000eaa
00000000-0000-0000-0000-000000000eab
00000000-0000-0000-0000-000000000eac
00000000-0000-0000-0000-000000000ead
00000000-0000-0000-0000-000000000eae
00000000-0000-0000-0000-000000000eaf
00000000-0000-0000-0000-000000000eb0
00000000-0000-0000-0000-000000000eb1
00000000-0000-0000-0000-000000000eb2
00000000-0000-0000-0000-000000000eb3
00000000-0000-0000-0000-000000000eb4
00000000-0000-0000-0000-000000000eb5
00000000-0000-0000-0000-000000000eb6
00000000-0000-0000-0000-000000000eb7
00000000-0000-0000-0000-000000000eb8
00000000-0000-0000-0000-000000000eb9
00000000-0000-0000-0000-000000000eba
00000000-0000-0000-0000-000000000ebb
00000000-0000-0000-0000-000000000ebc
00000000-0000-0000-0000-000000000ebd
00000000-0000-0000-0000-000000000ebe
00000000-0000-0000-0000-000000000ebf
00000000-0000-0000-0000-000000000ec0
00000000-0000-0000-0000-000000000ec1
00000000-0000-0000-0000-000000000ec2
00000000-0000-0000-0000-000000000ec3
00000000-0000-0000-0000-000000000ec4
00000000-0000-0000-0000-000000000ec5
00000000-0000-0000-0000-000000000ec6
00000000-0000-0000-0000-000000000ec7
00000000-0000-0000-0000-000000000ec8
00000000-0000-0000-0000-000000000ec9
00000000-0000-0000-0000-000000000eca
00000000-0000-0000-0000-000000000ecb
00000000-0000-0000-0000-000000000ecc
00000000-0000-0000-0000-000000000ecd
00000000-0000-0000-0000-000000000ece
00000000-0000-0000-0000-000000000ecf
00000000-0000-0000-0000-000000000ed0
00000000-0000-0000-0000-000000000ed1
00000000-0000-0000-0000-000000000ed2
00000000-0000-0000-0000-000000000ed3
00000000-0000-0000-0000-000000000ed4
00000000-0000-0000-0000-000000000ed5
00000000-0000-0000-0000-000000000ed6
00000000-0000-0000-0000-000000000ed7
00000000-0000-0000-0000-000000000ed8
00000000-0000-0000-0000-000000000ed9
00000000-0000-0000-0000-000000000eda
00000000-0000-0000-0000-000000000edb
00000000-0000-0000-0000-000000000edc
00000000-0000-0000-0000-000000000edd
00000000-0000-0000-0000-000000000ede
00000000-0000-0000-0000-000000000edf
00000000-0000-0000-0000-000000000ee0
00000000-0000-0000-0000-000000000ee1
00000000-0000-0000-0000-000000000ee2
00000000-0000-0000-0000-000000000ee3
00000000-0000-0000-0000-000000000ee4
00000000-0000-0000-0000-000000000ee5
00000000-0000-0000-0000-000000000ee6
00000000-0000-0000-0000-000000000ee7
00000000-0000-0000-0000-000000000ee8
00000000-0000-0000-0000-000000000ee9
00000000-0000-0000-0000-000000000eea
00000000-0000-0000-0000-000000000eeb
00000000-0000-0000-0000-000000000eec
00000000-0000-0000-0000-000000000eed
00000000-0000-0000-0000-000000000eee
00000000-0000-0000-0000-000000000eef
00000000-0000-0000-0000-000000000ef0
00000000-0000-0000-0000-000000000ef1
00000000-0000-0000-0000-000000000ef2
00000000-0000-0000-0000-000000000ef3
00000000-0000-0000-0000-000000000ef4
00000000-0000-0000-0000-000000000ef5
00000000-0000-0000-0000-000000000ef6
00000000-0000-0000-0000-000000000ef7
00000000-0000-0000-0000-000000000ef8
00000000-0000-0000-0000-000000000ef9
00000000-0000-0000-0000-000000000efa
00000000-0000-0000-0000-000000000efb
00000000-0000-0000-0000-000000000efc
00000000-0000-0000-0000-000000000efd
00000000-0000-0000-0000-000000000efe
00000000-0000-0000-0000-000000000eff
00000000-0000-0000-0000-000000000f00
00000000-0000-0000-0000-000000000f01
00000000-0000-0000-0000-000000000f02
00000000-0000-0000-0000-000000000f03
00000000-0000-0000-0000-000000000f04
00000000-0000-0000-0000-000000000f05
00000000-0000-0000-0000-000000000f06
00000000-0000-0000-0000-000000000f07
00000000-0000-0000-0000-000000000f08
00000000-0000-0000-0000-000000000f09
00000000-0000-0000-0000-000000000f0a
00000000-0000-0000-0000-000000000f0b
00000000-0000-0000-0000-000000000f0c
00000000-0000-0000-0000-000000000f0d
00000000-0000-0000-0000-000000000f0e
00000000-0000-0000-0000-000000000f0f
00000000-0000-0000-0000-000000000f10
00000000-0000-0000-0000-000000000f11
00000000-0000-0000-0000-000000000f12
00000000-0000-0000-0000-000000000f13
00000000-0000-0000-0000-000000000f14
00000000-0000-0000-0000-000000000f15
00000000-0000-0000-0000-000000000f16
00000000-0000-0000-0000-000000000f17
00000000-0000-0000-0000-000000000f18
00000000-0000-0000-0000-000000000f19
00000000-0000-0000-0000-000000000f1a
00000000-0000-0000-0000-000000000f1b
00000000-0000-0000-0000-000000000f1c
00000000-0000-0000-0000-000000000f1d
00000000-0000-0000-0000-000000000f1e
00000000-0000-0000-0000-000000000f1f
00000000-0000-0000-0000-000000000f20
00000000-0000-0000-0000-000000000f21
00000000-0000-0000-0000-000000000f22
00000000-0000-0000-0000-000000000f23
00000000-0000-0000-0000-000000000f24
00000000-0000-0000-0000-000000000f25
00000000-0000-0000-0000-000000000f26
00000000-0000-0000-0000-000000000f27
00000000-0000-0000-0000-000000000f28
00000000-0000-0000-0000-000000000f29
00000000-0000-0000-0000-000000000f2a
00000000-0000-0000-0000-000000000f2b
00000000-0000-0000-0000-000000000f2c
00000000-0000-0000-0000-000000000f2d
00000000-0000-0000-0000-000000000f2e
00000000-0000-0000-0000-000000000f2f
00000000-0000-0000-0000-000000000f30
00000000-0000-0000-0000-000000000f31
00000000-0000-0000-0000-000000000f32
00000000-0000-0000-0000-000000000f33
00000000-0000-0000-0000-000000000f34
00000000-0000-0000-0000-000000000f35
00000000-0000-0000-0000-000000000f36
00000000-0000-0000-0000-000000000f37
00000000-0000-0000-0000-000000000f38
00000000-0000-0000-0000-000000000f39
00000000-0000-0000-0000-000000000f3a
00000000-0000-0000-0000-000000000f3b
00000000-0000-0000-0000-000000000f3c
00000000-0000-0000-0000-000000000f3d
00000000-0000-0000-0000-000000000f3e
00000000-0000-0000-0000-000000000f3f
00000000-0000-0000-0000-000000000f40
00000000-0000-0000-0000-000000000f41
00000000-0000-0000-0000-000000000f42
00000000-0000-0000-0000-000000000f43
00000000-0000-0000-0000-000000000f44
00000000-0000-0000-0000-000000000f45
00000000-0000-0000-0000-000000000f46
00000000-0000-0000-0000-000000000f47
00000000-0000-0000-0000-000000000f48
00000000-0000-0000-0000-000000000f49
00000000-0000-0000-0000-000000000f4a
00000000-0000-0000-0000-000000000f4b
00000000-0000-0000-0000-000000000f4c
00000000-0000-0000-0000-000000000f4d
00000000-0000-0000-0000-000000000f4e
00000000-0000-0000-0000-000000000f4f
00000000-0000-0000-0000-000000000f50
00000000-0000-0000-0000-000000000f51
00000000-0000-0000-0000-000000000f52
00000000-0000-0000-0000-000000000f53
00000000-0000-0000-0000-000000000f54
00000000-0000-0000-0000-000000000f55
00000000-0000-0000-0000-000000000f56
00000000-0000-0000-0000-000000000f57
00000000-0000-0000-0000-000000000f58
00000000-0000-0000-0000-000000000f59
00000000-0000-0000-0000-000000000f5a
00000000-0000-0000-0000-000000000f5b
00000000-0000-0000-0000-000000000f5c
00000000-0000-0000-0000-000000000f5d
00000000-0000-0000-0000-000000000f5e
00000000-0000-0000-0000-000000000f5f
00000000-0000-0000-0000-000000000f60
00000000-0000-0000-0000-000000000f61
00000000-0000-0000-0000-000000000f62
00000000-0000-0000-0000-000000000f63
00000000-0000-0000-0000-000000000f64
00000000-0000-0000-0000-000000000f65
00000000-0000-0000-0000-000000000f66
00000000-0000-0000-0000-000000000f67
00000000-0000-0000-0000-000000000f68
00000000-0000-0000-0000-000000000f69
00000000-0000-0000-0000-000000000f6a
00000000-0000-0000-0000-000000000f6b
00000000-0000-0000-0000-000000000f6c
00000000-0000-0000-0000-000000000f6d
00000000-0000-0000-0000-000000000f6e
00000000-0000-0000-0000-000000000f6f
00000000-0000-0000-0000-000000000f70
00000000-0000-0000-0000-000000000f71
00000000-0000-0000-0000-000000000f72
00000000-0000-0000-0000-000000000f73
00000000-0000-0000-0000-000000000f74
00000000-0000-0000-0000-000000000f75
00000000-0000-0000-0000-000000000f76
00000000-0000-0000-0000-000000000f77
00000000-0000-0000-0000-000000000f78
00000000-0000-0000-0000-000000000f79
00000000-0000-0000-0000-000000000f7a
00000000-0000-0000-0000-000000000f7b
00000000-0000-0000-0000-000000000f7c
00000000-0000-0000-0000-000000000f7d
00000000-0000-0000-0000-000000000f7e
00000000-0000-0000-0000-000000000f7f
00000000-0000-0000-0000-000000000f80
00000000-0000-0000-0000-000000000f81
00000000-0000-0000-0000-000000000f82
00000000-0000-0000-0000-000000000f83
00000000-0000-0000-0000-000000000f84
00000000-0000-0000-0000-000000000f85
00000000-0000-0000-0000-000000000f86
00000000-0000-0000-0000-000000000f87
00000000-0000-0000-0000-000000000f88
00000000-0000-0000-0000-000000000f89
00000000-0000-0000-0000-000000000f8a
00000000-0000-0000-0000-000000000f8b
00000000-0000-0000-0000-000000000f8c
00000000-0000-0000-0000-000000000f8d
00000000-0000-0000-0000-000000000f8e
00000000-0000-0000-0000-000000000f8f
00000000-0000-0000-0000-000000000f90
00000000-0000-0000-0000-000000000f91
00000000-0000-0000-0000-000000000f92
00000000-0000-0000-0000-000000000f93
00000000-0000-0000-0000-000000000f94
00000000-0000-0000-0000-000000000f95
00000000-0000-0000-0000-000000000f96
00000000-0000-0000-0000-000000000f97
00000000-0000-0000-0000-000000000f98
00000000-0000-0000-0000-000000000f99
00000000-0000-0000-0000-000000000f9a
00000000-0000-0000-0000-000000000f9b
00000000-0000-0000-0000-000000000f9c
00000000-0000-0000-0000-000000000f9d
00000000-0000-0000-0000-000000000f9e
00000000-0000-0000-0000-000000000f9f
00000000-0000-0000-0000-000000000fa0
00000000-0000-0000-0000-000000000fa1
00000000-0000-0000-0000-000000000fa2
00000000-0000-0000-0000-000000000fa3
00000000-0000-0000-0000-000000000fa4
00000000-0000-0000-0000-000000000fa5
00000000-0000-0000-0000-000000000fa6
00000000-0000-0000-0000-000000000fa7
00000000-0000-0000-0000-000000000fa8
00000000-0000-0000-0000-000000000fa9
00000000-0000-0000-0000-000000000faa
00000000-0000-0000-0000-000000000fab
00000000-0000-0000-0000-000000000fac
00000000-0000-0000-0000-000000000fad
00000000-0000-0000-0000-000000000fae
00000000-0000-0000-0000-000000000faf
00000000-0000-0000-0000-000000000fb0
00000000-0000-0000-0000-000000000fb1
00000000-0000-0000-0000-000000000fb2
00000000-0000-0000-0000-000000000fb3
00000000-0000-0000-0000-000000000fb4
00000000-0000-0000-0000-000000000fb5
00000000-0000-0000-0000-000000000fb6
00000000-0000-0000-0000-000000000fb7
00000000-0000-0000-0000-000000000fb8
00000000-0000-0000-0000-000000000fb9
00000000-0000-0000-0000-000000000fba
00000000-0000-0000-0000-000000000fbb
00000000-0000-0000-0000-000000000fbc
00000000-0000-0000-0000-000000000fbd
00000000-0000-0000-0000-000000000fbe
00000000-0000-0000-0000-000000000fbf
00000000-0000-0000-0000-000000000fc0
00000000-0000-0000-0000-000000000fc1
00000000-0000-0000-0000-000000000fc2
00000000-0000-0000-0000-000000000fc3
00000000-0000-0000-0000-000000000fc4
00000000-0000-0000-0000-000000000fc5
00000000-0000-0000-0000-000000000fc6
00000000-0000-0000-0000-000000000fc7
00000000-0000-0000-0000-000000000fc8
00000000-0000-0000-0000-000000000fc9
00000000-0000-0000-0000-000000000fca
00000000-0000-0000-0000-000000000fcb
00000000-0000-0000-0000-000000000fcc
00000000-0000-0000-0000-000000000fcd
00000000-0000-0000-0000-000000000fce
00000000-0000-0000-0000-000000000fcf
00000000-0000-0000-0000-000000000fd0
00000000-0000-0000-0000-000000000fd1
00000000-0000-0000-0000-000000000fd2
00000000-0000-0000-0000-000000000fd3
00000000-0000-0000-0000-000000000fd4
00000000-0000-0000-0000-000000000fd5
00000000-0000-0000-0000-000000000fd6
00000000-0000-0000-0000-000000000fd7
00000000-0000-0000-0000-000000000fd8
00000000-0000-0000-0000-000000000fd9
00000000-0000-0000-0000-000000000fda
00000000-0000-0000-0000-000000000fdb
00000000-0000-0000-0000-000000000fdc
00000000-0000-0000-0000-000000000fdd
00000000-0000-0000-0000-000000000fde
00000000-0000-0000-0000-000000000fdf
00000000-0000-0000-0000-000000000fe0
00000000-0000-0000-0000-000000000fe1
00000000-0000-0000-0000-000000000fe2
00000000-0000-0000-0000-000000000fe3
00000000-0000-0000-0000-000000000fe4
00000000-0000-0000-0000-000000000fe5
00000000-0000-0000-0000-000000000fe6
00000000-0000-0000-0000-000000000fe7
00000000-0000-0000-0000-000000000fe8
00000000-0000-0000-0000-000000000fe9
00000000-0000-0000-0000-000000000fea
00000000-0000-0000-0000-000000000feb
00000000-0000-0000-0000-000000000fec
00000000-0000-0000-0000-000000000fed
00000000-0000-0000-0000-000000000fee
00000000-0000-0000-0000-000000000fef
00000000-0000-0000-0000-000000000ff0
00000000-0000-0000-0000-000000000ff1
00000000-0000-0000-0000-000000000ff2
00000000-0000-0000-0000-000000000ff3
00000000-0000-0000-0000-000000000ff4
00000000-0000-0000-0000-000000000ff5
00000000-0000-0000-0000-000000000ff6
00000000-0000-0000-0000-000000000ff7
00000000-0000-0000-0000-000000000ff8
00000000-0000-0000-0000-000000000ff9
00000000-0000-0000-0000-000000000ffa
00000000-0000-0000-0000-000000000ffb
00000000-0000-0000-0000-000000000ffc
00000000-0000-0000-0000-000000000ffd
00000000-0000-0000-0000-000000000ffe
00000000-0000-0000-0000-000000000fff
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

COPY neuroviews.sync_heads (user_id, collection, genesis, salt, seq, chain, item_id, item_version, changed_at, began_at, state_hash, items, tombstones, history_bytes) FROM stdin;
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
    ADD CONSTRAINT analytics_device_days_pkey PRIMARY KEY (user_id, day, device_id, category);


--
-- Name: analytics_events analytics_events_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_events
    ADD CONSTRAINT analytics_events_pkey PRIMARY KEY (user_id, category, device_id, occurred_at, id);


--
-- Name: analytics_months analytics_months_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_months
    ADD CONSTRAINT analytics_months_pkey PRIMARY KEY (user_id, month, category);


--
-- Name: analytics_name_days analytics_name_days_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_name_days
    ADD CONSTRAINT analytics_name_days_pkey PRIMARY KEY (user_id, day, name, category);


--
-- Name: analytics_names analytics_names_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.analytics_names
    ADD CONSTRAINT analytics_names_pkey PRIMARY KEY (user_id, month, name, category);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id, key);


--
-- Name: clock_note clock_note_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.clock_note
    ADD CONSTRAINT clock_note_pkey PRIMARY KEY (singleton);


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
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (account, category);


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
-- Name: job_turns job_turns_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.job_turns
    ADD CONSTRAINT job_turns_pkey PRIMARY KEY (user_id, lane);


--
-- Name: job_workers job_workers_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.job_workers
    ADD CONSTRAINT job_workers_pkey PRIMARY KEY (process_id, lane);


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
-- Name: realtime_commands realtime_commands_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.realtime_commands
    ADD CONSTRAINT realtime_commands_pkey PRIMARY KEY (user_id, id);


--
-- Name: realtime_devices realtime_devices_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.realtime_devices
    ADD CONSTRAINT realtime_devices_pkey PRIMARY KEY (user_id, device_id, server_id);


--
-- Name: recording_files recording_files_object_key_key; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_files
    ADD CONSTRAINT recording_files_object_key_key UNIQUE (object_key);


--
-- Name: recording_files recording_files_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.recording_files
    ADD CONSTRAINT recording_files_pkey PRIMARY KEY (user_id, id) INCLUDE (size, thumbnail_bytes);


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
-- Name: stand_in_events stand_in_events_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.stand_in_events
    ADD CONSTRAINT stand_in_events_pkey PRIMARY KEY (stand_in, kind, at, id);


--
-- Name: stand_ins stand_ins_pkey; Type: CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.stand_ins
    ADD CONSTRAINT stand_ins_pkey PRIMARY KEY (id);


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
-- Name: crash_reports_day_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX crash_reports_day_key ON neuroviews.crash_reports USING btree (day);


--
-- Name: erased_objects_account_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX erased_objects_account_key ON neuroviews.erased_objects USING btree (account);


--
-- Name: idempotency_keys_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX idempotency_keys_expiry_key ON neuroviews.idempotency_keys USING btree (expires_at);


--
-- Name: identities_subject_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX identities_subject_key ON neuroviews.identities USING btree (issuer, subject);


--
-- Name: job_turns_clock_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX job_turns_clock_key ON neuroviews.job_turns USING btree (lane, began_ms);


--
-- Name: jobs_checks_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX jobs_checks_key ON neuroviews.jobs USING btree (user_id, run_at) WHERE (kind = ANY (ARRAY['verify'::neuroviews.job_kind, 'remove'::neuroviews.job_kind]));


--
-- Name: jobs_decoding_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX jobs_decoding_key ON neuroviews.jobs USING btree (user_id, run_at) WHERE (kind = 'process'::neuroviews.job_kind);


--
-- Name: jobs_previews_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX jobs_previews_key ON neuroviews.jobs USING btree (user_id, run_at) WHERE (kind = 'preview'::neuroviews.job_kind);


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

CREATE INDEX mailed_tokens_email_key ON neuroviews.mailed_tokens USING btree (lower((email COLLATE "C")));
ALTER INDEX neuroviews.mailed_tokens_email_key ALTER COLUMN 1 SET STATISTICS 0;


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

CREATE INDEX mails_email_key ON neuroviews.mails USING btree (lower((email COLLATE "C")), kind, created_at);
ALTER INDEX neuroviews.mails_email_key ALTER COLUMN 1 SET STATISTICS 0;


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
-- Name: realtime_commands_open_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX realtime_commands_open_key ON neuroviews.realtime_commands USING btree (user_id) WHERE (outcome IS NULL);


--
-- Name: realtime_commands_sweep_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX realtime_commands_sweep_key ON neuroviews.realtime_commands USING btree (deadline);


--
-- Name: realtime_devices_server_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX realtime_devices_server_key ON neuroviews.realtime_devices USING btree (server_id);


--
-- Name: recording_files_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_expiry_key ON neuroviews.recording_files USING btree (expires_at) WHERE ((state = 'uploading'::neuroviews.recording_state) OR is_sent_again);


--
-- Name: recording_files_list_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_list_key ON neuroviews.recording_files USING btree (user_id, recorded_at DESC, id DESC) WHERE (recorded_at IS NOT NULL);


--
-- Name: recording_files_open_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX recording_files_open_key ON neuroviews.recording_files USING btree (user_id, asked_at DESC, id DESC) WHERE (recorded_at IS NULL);


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

CREATE UNIQUE INDEX registrations_email_key ON neuroviews.registrations USING btree (lower((email COLLATE "C")));
ALTER INDEX neuroviews.registrations_email_key ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: registrations_expiry_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX registrations_expiry_key ON neuroviews.registrations USING btree (expires_at);


--
-- Name: second_factor_challenges_account; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX second_factor_challenges_account ON neuroviews.second_factor_challenges USING btree (user_id, expires_at);


--
-- Name: sessions_ended_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX sessions_ended_key ON neuroviews.sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);


--
-- Name: sessions_live_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX sessions_live_key ON neuroviews.sessions USING btree (user_id) WHERE (ended_at IS NULL);


--
-- Name: stand_in_events_at_idx; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX stand_in_events_at_idx ON neuroviews.stand_in_events USING btree (at);


--
-- Name: stand_in_events_at_idx1; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX stand_in_events_at_idx1 ON neuroviews.stand_in_events USING btree (at) WHERE mail_due;


--
-- Name: used_id_tokens_end_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE INDEX used_id_tokens_end_key ON neuroviews.used_id_tokens USING btree (ends_at);


--
-- Name: users_email_key; Type: INDEX; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE UNIQUE INDEX users_email_key ON neuroviews.users USING btree (lower((email COLLATE "C")));
ALTER INDEX neuroviews.users_email_key ALTER COLUMN 1 SET STATISTICS 0;


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
-- Name: sessions announce_deleted; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER announce_deleted AFTER DELETE ON neuroviews.sessions REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.announce_ends();


--
-- Name: sessions announce_ended; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER announce_ended AFTER UPDATE ON neuroviews.sessions REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.announce_ends();


--
-- Name: jobs announced; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER announced AFTER INSERT ON neuroviews.jobs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.announce_jobs();


--
-- Name: consents followed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER followed AFTER INSERT OR DELETE OR UPDATE ON neuroviews.consents FOR EACH ROW EXECUTE FUNCTION neuroviews.follow_consent();


--
-- Name: sync_heads forget_history; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER forget_history AFTER DELETE ON neuroviews.sync_heads REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.forget_history();


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
-- Name: stand_in_events trimmed; Type: TRIGGER; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE TRIGGER trimmed AFTER INSERT ON neuroviews.stand_in_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION neuroviews.trim_stand_in_events();


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
-- Name: job_turns job_turns_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.job_turns
    ADD CONSTRAINT job_turns_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


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
-- Name: realtime_commands realtime_commands_user_id_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.realtime_commands
    ADD CONSTRAINT realtime_commands_user_id_fkey FOREIGN KEY (user_id) REFERENCES neuroviews.users(id) ON DELETE CASCADE;


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
-- Name: stand_in_events stand_in_events_stand_in_fkey; Type: FK CONSTRAINT; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE ONLY neuroviews.stand_in_events
    ADD CONSTRAINT stand_in_events_stand_in_fkey FOREIGN KEY (stand_in) REFERENCES neuroviews.stand_ins(id) ON DELETE CASCADE;


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
-- Name: job_turns all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.job_turns TO neuroviews_background USING (true);


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
-- Name: realtime_commands all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.realtime_commands TO neuroviews_background USING (true);


--
-- Name: realtime_devices all_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY all_rows ON neuroviews.realtime_devices TO neuroviews_background USING (true);


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
-- Name: job_turns; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.job_turns ENABLE ROW LEVEL SECURITY;

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
-- Name: job_turns own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.job_turns TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


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
-- Name: realtime_commands own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.realtime_commands TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


--
-- Name: realtime_devices own_rows; Type: POLICY; Schema: neuroviews; Owner: neuroviews_owner
--

CREATE POLICY own_rows ON neuroviews.realtime_devices TO neuroviews_app USING ((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid));


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
-- Name: realtime_commands; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.realtime_commands ENABLE ROW LEVEL SECURITY;

--
-- Name: realtime_devices; Type: ROW SECURITY; Schema: neuroviews; Owner: neuroviews_owner
--

ALTER TABLE neuroviews.realtime_devices ENABLE ROW LEVEL SECURITY;

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
-- Name: FUNCTION announce_ends(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.announce_ends() FROM PUBLIC;


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
-- Name: FUNCTION begin_analytics_batch(account uuid, sent text, events_max bigint); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.begin_analytics_batch(account uuid, sent text, events_max bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.begin_analytics_batch(account uuid, sent text, events_max bigint) TO neuroviews_app;


--
-- Name: FUNCTION change_address(account_id uuid, address text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.change_address(account_id uuid, address text, client inet) FROM PUBLIC;


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
-- Name: FUNCTION clock_is_trusted(server_time timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.clock_is_trusted(server_time timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.clock_is_trusted(server_time timestamp with time zone) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.clock_is_trusted(server_time timestamp with time zone) TO neuroviews_background;


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
-- Name: FUNCTION enter_session(account uuid, session uuid, token_counter integer, signed_by integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.enter_session(account uuid, session uuid, token_counter integer, signed_by integer) TO neuroviews_app;


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
-- Name: FUNCTION erase_events(withdrawn text, events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_events(withdrawn text, events_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.erase_events(withdrawn text, events_max integer) TO neuroviews_app;


--
-- Name: FUNCTION erase_events_of(erased uuid, withdrawn text, events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.erase_events_of(erased uuid, withdrawn text, events_max integer) FROM PUBLIC;


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
-- Name: FUNCTION has_other_login(account uuid, removed uuid, issuers text[], domain text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.has_other_login(account uuid, removed uuid, issuers text[], domain text) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.has_other_login(account uuid, removed uuid, issuers text[], domain text) TO neuroviews_app;


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
-- Name: FUNCTION is_past(moment timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_past(moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_past(moment timestamp with time zone) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_past(moment timestamp with time zone) TO neuroviews_background;


--
-- Name: FUNCTION is_proven(s neuroviews.sessions); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.is_proven(s neuroviews.sessions) TO neuroviews_background;


--
-- Name: FUNCTION is_reused(s neuroviews.sessions, token_counter integer, attempt uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.is_reused(s neuroviews.sessions, token_counter integer, attempt uuid) FROM PUBLIC;


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
-- Name: FUNCTION keep_crash_reports(report_days date[], report_names text[], report_parameters text[]); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.keep_crash_reports(report_days date[], report_names text[], report_parameters text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.keep_crash_reports(report_days date[], report_names text[], report_parameters text[]) TO neuroviews_background;


--
-- Name: FUNCTION kept_answer(owner uuid, idempotency_key text, request bytea); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.kept_answer(owner uuid, idempotency_key text, request bytea) TO neuroviews_app;


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
-- Name: FUNCTION link_identity(account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.link_identity(account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.link_identity(account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet) TO neuroviews_app;


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
-- Name: FUNCTION lock_passkeys(account uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.lock_passkeys(account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.lock_passkeys(account uuid) TO neuroviews_app;


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
-- Name: FUNCTION mailed_device(account_id uuid, device text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.mailed_device(account_id uuid, device text) FROM PUBLIC;


--
-- Name: FUNCTION may_end(cause timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.may_end(cause timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION next_begin(former timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.next_begin(former timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION next_lineage(former timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.next_lineage(former timestamp with time zone) FROM PUBLIC;


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
-- Name: FUNCTION note_failure(account uuid, what text, client inet, session uuid); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_failure(account uuid, what text, client inet, session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_failure(account uuid, what text, client inet, session uuid) TO neuroviews_background;


--
-- Name: FUNCTION note_login(account uuid, client inet, addresses_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.note_login(account uuid, client inet, addresses_max integer) TO neuroviews_background;


--
-- Name: FUNCTION note_repeatable(account uuid, what text, session uuid, device text, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.note_repeatable(account uuid, what text, session uuid, device text, client inet) FROM PUBLIC;


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
-- Name: FUNCTION remove_passkey(account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.remove_passkey(account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.remove_passkey(account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet) TO neuroviews_app;


--
-- Name: FUNCTION replace_password(account uuid, hash text, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.replace_password(account uuid, hash text, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.replace_password(account uuid, hash text, session uuid, client inet) TO neuroviews_background;


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
-- Name: FUNCTION require_trusted_clock(server_time timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.require_trusted_clock(server_time timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.require_trusted_clock(server_time timestamp with time zone) TO neuroviews_background;


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
-- Name: FUNCTION reset_password(hash bytea, new_password_hash text, place inet, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, place inet, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.reset_password(hash bytea, new_password_hash text, place inet, client inet) TO neuroviews_background;


--
-- Name: FUNCTION rfc3339(moment timestamp with time zone); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) TO neuroviews_app;
GRANT ALL ON FUNCTION neuroviews.rfc3339(moment timestamp with time zone) TO neuroviews_background;


--
-- Name: FUNCTION rotate_token(account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.rotate_token(account uuid, session uuid, token_counter integer, attempt uuid, client inet, site inet) TO neuroviews_app;


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
-- Name: FUNCTION sweep_crash_reports(kept_days integer, rows_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_crash_reports(kept_days integer, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_crash_reports(kept_days integer, rows_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_erasures(events_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_erasures(events_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_erasures(events_max integer) TO neuroviews_background;


--
-- Name: FUNCTION sweep_idempotency_keys(keys_max integer); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.sweep_idempotency_keys(keys_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.sweep_idempotency_keys(keys_max integer) TO neuroviews_background;


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
-- Name: FUNCTION trim_stand_in_events(); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.trim_stand_in_events() FROM PUBLIC;


--
-- Name: FUNCTION turn_triggers_aside(verb text, place text); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.turn_triggers_aside(verb text, place text) FROM PUBLIC;


--
-- Name: FUNCTION unlink_identity(account uuid, identity uuid, issuers text[], domain text, session uuid, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.unlink_identity(account uuid, identity uuid, issuers text[], domain text, session uuid, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.unlink_identity(account uuid, identity uuid, issuers text[], domain text, session uuid, client inet) TO neuroviews_app;


--
-- Name: FUNCTION verify_address(hash bytea, client inet); Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

REVOKE ALL ON FUNCTION neuroviews.verify_address(hash bytea, client inet) FROM PUBLIC;
GRANT ALL ON FUNCTION neuroviews.verify_address(hash bytea, client inet) TO neuroviews_background;


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
-- Name: COLUMN account_events.session_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(session_id) ON TABLE neuroviews.account_events TO neuroviews_background;


--
-- Name: COLUMN account_events.device_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(device_id) ON TABLE neuroviews.account_events TO neuroviews_background;


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
-- Name: TABLE clock_note; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.clock_note TO neuroviews_background;


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
-- Name: TABLE job_turns; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE neuroviews.job_turns TO neuroviews_background;


--
-- Name: TABLE job_workers; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE neuroviews.job_workers TO neuroviews_background;


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
-- Name: TABLE realtime_commands; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.realtime_commands TO neuroviews_app;
GRANT SELECT,DELETE ON TABLE neuroviews.realtime_commands TO neuroviews_background;


--
-- Name: COLUMN realtime_commands.message; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(message) ON TABLE neuroviews.realtime_commands TO neuroviews_app;
GRANT UPDATE(message) ON TABLE neuroviews.realtime_commands TO neuroviews_background;


--
-- Name: COLUMN realtime_commands.outcome; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(outcome) ON TABLE neuroviews.realtime_commands TO neuroviews_app;
GRANT UPDATE(outcome) ON TABLE neuroviews.realtime_commands TO neuroviews_background;


--
-- Name: COLUMN realtime_commands.result; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(result) ON TABLE neuroviews.realtime_commands TO neuroviews_app;
GRANT UPDATE(result) ON TABLE neuroviews.realtime_commands TO neuroviews_background;


--
-- Name: TABLE realtime_devices; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE neuroviews.realtime_devices TO neuroviews_background;


--
-- Name: COLUMN realtime_devices.changed_at; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(changed_at) ON TABLE neuroviews.realtime_devices TO neuroviews_background;


--
-- Name: COLUMN realtime_devices.states; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(states) ON TABLE neuroviews.realtime_devices TO neuroviews_background;


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
-- Name: TABLE stand_in_events; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT,INSERT ON TABLE neuroviews.stand_in_events TO neuroviews_background;


--
-- Name: COLUMN stand_in_events.count; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(count) ON TABLE neuroviews.stand_in_events TO neuroviews_background;


--
-- Name: COLUMN stand_in_events.session_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(session_id) ON TABLE neuroviews.stand_in_events TO neuroviews_background;


--
-- Name: COLUMN stand_in_events.device_id; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(device_id) ON TABLE neuroviews.stand_in_events TO neuroviews_background;


--
-- Name: COLUMN stand_in_events.address; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT UPDATE(address) ON TABLE neuroviews.stand_in_events TO neuroviews_background;


--
-- Name: TABLE stand_ins; Type: ACL; Schema: neuroviews; Owner: neuroviews_owner
--

GRANT SELECT ON TABLE neuroviews.stand_ins TO neuroviews_background;


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


