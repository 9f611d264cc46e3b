-- Mails: the order in which they are sent, and their content.

-- Returns false if a mail or its event is older than a day only by a clock that is not trusted. Then it waits: it would be
-- dropped for good.
CREATE OR REPLACE FUNCTION may_end(cause timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT cause > now() - interval '1 day' OR neuroviews.clock_is_trusted()
$$;

-- The form of a mail, its recipient, and the purpose of its token; no row if no mail is to be sent. It is determined
-- when the mail is sent, so that a request costs the same for known and unknown addresses.
--
-- A mail about an account goes to the stored address, never to the typed one: they may be equal for `lower` but
-- different for a mail server.
CREATE OR REPLACE FUNCTION mail_content(m neuroviews.mails)
RETURNS TABLE (form text, recipient text, purpose neuroviews.token_purpose, account uuid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
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

-- The name of a device in a mail: the owner's name for it, else the device's own.
CREATE OR REPLACE FUNCTION mailed_device(account_id uuid, device text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce((SELECT d.name FROM neuroviews.devices d WHERE d.user_id = account_id AND d.id = device), device)
$$;

-- Enqueues mails about an account's events to its address. Events of one kind share a mail, which has the time, device and address of the
-- newest. An account gets three of a kind an hour, so a thief of the account can't fill the mailbox. Events older than a day cause no mail. The
-- account is locked.
CREATE OR REPLACE FUNCTION enqueue_mails_of(account_id uuid) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
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

-- Does the same for one account with events. Returns true if there was one. The account is locked before its events,
-- as by its erasure. Locked accounts are skipped until a later call, so they block no other.
CREATE OR REPLACE FUNCTION enqueue_event_mails() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Begins the next due mail, and stores this hash if the mail needs a token. Each attempt has its own token. Tokens of
-- earlier attempts stay valid, because their mails may have been sent. A NULL `form`: the mail has ended, because it
-- has no recipient or is older than a day.
CREATE OR REPLACE FUNCTION claim_mail(hash bytea, lease_seconds integer)
RETURNS TABLE (mail uuid, new_lease uuid, attempt integer, form text, recipient text, expires_at timestamptz,
    happened_at timestamptz, device text, client text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION claim_mail, enqueue_event_mails TO neuroviews_background;
