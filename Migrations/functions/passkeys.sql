-- Passkeys.

-- Serializes the transactions that count an account's passkeys.
CREATE OR REPLACE FUNCTION lock_passkeys(account uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('neuroviews.passkeys ' || account, 0))
$$;

-- Removes a passkey of the caller's account and records the event. Returns false and changes nothing if it is the
-- last way to log in; NULL if there is no such passkey. Runs after `lock_sessions_of` and `enter_session`.
CREATE OR REPLACE FUNCTION remove_passkey(
    account uuid, passkey uuid, issuers text[], domain text, session uuid, client inet
) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION lock_passkeys, remove_passkey TO neuroviews_app;
