-- Identities at OpenID providers: linking and removing them, and the use of ID tokens.
--
-- Locks are taken in one order: the address, the account, its sessions, the identity, the token.

-- Records the use of an ID token, in the transaction that uses it. NV052: it was used before.
CREATE OR REPLACE FUNCTION spend_id_token(token_digest bytea, accepted_until bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO neuroviews.used_id_tokens (digest, ends_at) VALUES (token_digest, to_timestamp(accepted_until))
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the ID token was used' USING ERRCODE = 'NV052';
    END IF;
END
$$;

-- Links an identity to the caller's account and records the event. An identity that is already linked to it stays
-- unchanged. Runs after `lock_sessions_of` and `enter_session`. NV053: another account has it. NV054: the account has too many.
CREATE OR REPLACE FUNCTION link_identity(
    account uuid, new_issuer text, new_subject text, new_email text, identities_max integer, session uuid, client inet
) RETURNS neuroviews.identities
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Returns true if the caller can log in without the removed identity or passkey: by the password, another passkey of
-- the server's domain, or another identity of a configured provider. The account is locked.
CREATE OR REPLACE FUNCTION has_other_login(account uuid, removed uuid, issuers text[], domain text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM neuroviews.users u WHERE u.id = account AND u.has_password)
        OR EXISTS (
            SELECT FROM neuroviews.identities i WHERE i.user_id = account AND i.id <> removed AND i.issuer = ANY (issuers))
        OR EXISTS (
            SELECT FROM neuroviews.passkeys p
            WHERE p.user_id = account AND p.id <> removed AND p.domain = has_other_login.domain)
$$;

-- Removes an identity of the caller's account, ends logins that wait for a second factor, and records the event.
-- Returns false and changes nothing if it is the last way to log in; NULL if there is no such identity. Runs after
-- `lock_sessions_of` and `enter_session`.
CREATE OR REPLACE FUNCTION unlink_identity(
    account uuid, identity uuid, issuers text[], domain text, session uuid, client inet
) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Creates the account of an invited address that its provider has verified. NV030: there is no invitation.
CREATE OR REPLACE FUNCTION open_invited_account(address text, hash text) RETURNS neuroviews.users
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- Deletes used tokens one hour after they expired, because servers' clocks may differ from the database's. Returns
-- their number. Skips locked rows.
CREATE OR REPLACE FUNCTION sweep_used_id_tokens(tokens_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM neuroviews.used_id_tokens u WHERE u.digest IN (
            SELECT o.digest FROM neuroviews.used_id_tokens o
            WHERE o.ends_at < now() - interval '1 hour' LIMIT tokens_max FOR UPDATE SKIP LOCKED)
        RETURNING true
    )
    SELECT count(*) FROM gone
$$;

GRANT EXECUTE ON FUNCTION spend_id_token TO neuroviews_app, neuroviews_background;
GRANT EXECUTE ON FUNCTION link_identity, unlink_identity, has_other_login TO neuroviews_app;
GRANT EXECUTE ON FUNCTION open_invited_account, sweep_used_id_tokens TO neuroviews_background;
