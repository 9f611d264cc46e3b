-- Nonces: a signed request that changes something is accepted once.

-- `enter_session` for a signed request that changes something. Also stores its nonce, or fails on the primary key of nonces.
-- NV003: the clocks of the server that accepted the timestamp and of the database differ. The database's clock decides when
-- nonces are deleted. Without SET search_path, like `enter_session`.
CREATE OR REPLACE FUNCTION enter_signed_session(
    account uuid, session uuid, token_counter integer, signed_by integer, signed_at bigint, nonce text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM neuroviews.enter_session(account, session, token_counter, signed_by);
    IF abs(signed_at - extract(epoch FROM clock_timestamp())) > 900 THEN
        RAISE EXCEPTION 'the clocks of server and database differ' USING ERRCODE = 'NV003';
    END IF;
    INSERT INTO neuroviews.nonces (slot, user_id, session_id, signed_at, nonce)
    VALUES ((signed_at / 900) % 4, account, session, signed_at, nonce);
END
$$;

-- Empties the partition that is furthest from the current time. Run it more often than every 15 minutes.
CREATE OR REPLACE FUNCTION sweep_nonces() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('TRUNCATE neuroviews.nonces_%s', (floor(extract(epoch FROM clock_timestamp()) / 900)::bigint + 2) % 4);
END
$$;

GRANT EXECUTE ON FUNCTION enter_signed_session TO neuroviews_app;
GRANT EXECUTE ON FUNCTION sweep_nonces TO neuroviews_background;
