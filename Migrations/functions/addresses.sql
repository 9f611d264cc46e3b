-- E-mail addresses: registration, verification, and password resets.
--
-- Locks are taken in one order: the address, the account, its sessions, tokens. So requests with tokens of one
-- address run one after the other.

-- Locks an address, with or without a row. So only one transaction at a time changes its account, registration and
-- tokens.
CREATE OR REPLACE FUNCTION lock_address(address text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('neuroviews.address ' || lower(address COLLATE "C"), 0))
$$;

-- Creates an account with a head for each collection, and deletes the registration of its address. A unique violation
-- of users_email_key means that the address has an account.
CREATE OR REPLACE FUNCTION open_account(address text, hash text) RETURNS neuroviews.users
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Deletes the registration of an address that now has an account, and the tokens mailed for it.
CREATE OR REPLACE FUNCTION forget_registration(address text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM neuroviews.registrations r WHERE lower(r.email COLLATE "C") = lower(address COLLATE "C");
    DELETE FROM neuroviews.mailed_tokens t WHERE lower(t.email COLLATE "C") = lower(address COLLATE "C") AND t.account IS NULL;
END
$$;

-- Deletes the tokens mailed for an account, and cancels its requests for another address. A thief's request must not
-- survive the owner's change of the password.
CREATE OR REPLACE FUNCTION forget_mailed(account_id uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Before the tokens: a server that is sending such a mail has locked its row.
    UPDATE neuroviews.mails m SET ended_at = now() WHERE m.account = account_id AND m.kind = 'address' AND m.ended_at IS NULL;
    DELETE FROM neuroviews.mailed_tokens t WHERE t.account = account_id;
END
$$;

-- Enqueues a mail and returns true. Returns false if the address or the asking account had three of this kind within
-- the hour, so that nobody can fill a mailbox. Known and unknown addresses cost the same. NV034: too many mails are
-- waiting.
CREATE OR REPLACE FUNCTION enqueue_mail(new_kind neuroviews.mail_kind, address text, asking uuid DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Registers an address until it is verified, and enqueues its mail. An address with an account is treated alike, but
-- its mail differs. A registration over the mail limit changes nothing, so tokens already mailed stay valid.
CREATE OR REPLACE FUNCTION request_registration(address text, hash text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Enqueues a mail that verifies a new address of the asking account. Runs after `lock_address` and `enter_session`.
CREATE OR REPLACE FUNCTION request_address(address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    asking uuid := nullif(current_setting('app.user_id', true), '')::uuid;
BEGIN
    -- Requests of one account for several addresses are counted one after the other.
    PERFORM neuroviews.lock_address(asking::text);
    PERFORM neuroviews.enqueue_mail('address', address, asking);
END
$$;

-- The lifetime of a token; NULL for none.
CREATE OR REPLACE FUNCTION token_lifetime(purpose neuroviews.token_purpose) RETURNS interval
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE purpose WHEN 'reset' THEN interval '1 hour' WHEN 'invitation' THEN interval '7 days' ELSE interval '1 day' END
$$;

-- Locks a token's address and account, then deletes the token. NV030: it is unknown, used or expired.
CREATE OR REPLACE FUNCTION take_token(hash bytea, purposes neuroviews.token_purpose[]) RETURNS neuroviews.mailed_tokens
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Verifies the address of a token: creates the registered account, or changes the account's address. `client` is the
-- network address that has the token.
CREATE OR REPLACE FUNCTION verify_address(hash bytea, client inet DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Changes an account's address. The old address gets a mail about it and those of earlier events; the event itself causes
-- no other mail. Tokens mailed before become invalid.
CREATE OR REPLACE FUNCTION change_address(account_id uuid, address text, client inet DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Replaces the password of a token's account and ends its sessions. A token of an address without an account verifies
-- the address and creates the account. Afterwards only the address of the reset is a known place. It must be known,
-- because strangers may have used up the other limits. Earlier places are forgotten, because a thief of the old
-- password may have logged in there. `place` is the address in the form of `known_addresses`, `client` the whole one.
CREATE OR REPLACE FUNCTION reset_password(hash bytea, new_password_hash text, place inet, client inet DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Creates the account of an invited address, which counts as verified. NV030: the invitation is unknown, used,
-- expired, or for another address.
CREATE OR REPLACE FUNCTION accept_invitation(hash bytea, address text, password_hash text) RETURNS neuroviews.users
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    token neuroviews.mailed_tokens%ROWTYPE := neuroviews.take_token(hash, '{invitation}');
BEGIN
    IF lower(token.email COLLATE "C") <> lower(address COLLATE "C") THEN
        RAISE EXCEPTION 'the invitation is for another address' USING ERRCODE = 'NV030';
    END IF;
    RETURN neuroviews.open_account(token.email, password_hash);
END
$$;

-- Invites an address for the operator and deletes an earlier invitation. Returns the expiry; NULL if the address has
-- an account.
CREATE OR REPLACE FUNCTION invite(address text, hash bytea) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION lock_address TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION request_address TO neuroviews_app;
GRANT EXECUTE ON FUNCTION open_account, forget_registration, enqueue_mail, request_registration, verify_address, reset_password,
    accept_invitation TO neuroviews_background;
