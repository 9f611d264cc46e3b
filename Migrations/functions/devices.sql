-- Devices.

-- Locks the asking session and those of the device, in the order of their ids. The removal of a device runs it before
-- `enter_session`, which may lock the asking session. Otherwise two sessions that remove each other's devices would deadlock.
-- Except for those of functions/sessions.sql, all other requests lock only their own session, before all else.
CREATE OR REPLACE FUNCTION lock_sessions_of_device(account uuid, session uuid, device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.sessions s
    WHERE s.user_id = account
        AND EXISTS (SELECT FROM neuroviews.sessions a WHERE a.user_id = account AND a.id = session)
        AND (s.id = session OR s.device_id = device AND s.ended_at IS NULL)
    ORDER BY s.id FOR NO KEY UPDATE;
END
$$;

GRANT EXECUTE ON FUNCTION lock_sessions_of_device TO neuroviews_app;
