-- Master keys: references to them, and their end.

-- Rejects new references to a master key that is not current. Servers notice a new current key some seconds later, so
-- the previous key is accepted for one more minute, unless it was compromised. `secret compromised` waits for the
-- row's lock, so it sees every session accepted before. NV021: the key is rejected.
CREATE OR REPLACE FUNCTION require_master_key() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER master_key BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION require_master_key('key_id');
CREATE OR REPLACE TRIGGER master_key BEFORE INSERT ON totp_secrets FOR EACH ROW EXECUTE FUNCTION require_master_key('master_key_id');

-- Deletes unused master keys and returns their ids. Sessions refer to theirs, and secrets are sealed by one. An open
-- upload's URL uses the key that was current when the URL was requested. Links of exports are valid for a day, and a
-- server may use the key for some seconds more. `secret rotate` calls it, too: by a clock that is ahead no session lives.
CREATE OR REPLACE FUNCTION forget_master_keys() RETURNS SETOF text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM neuroviews.master_keys k WHERE k.state = 'previous' AND k.since < now() - interval '1 day 1 hour'
        AND neuroviews.clock_is_trusted()
        AND NOT EXISTS (SELECT FROM neuroviews.sessions s WHERE s.key_id = k.key_id AND neuroviews.is_live(s))
        AND NOT EXISTS (SELECT FROM neuroviews.totp_secrets t WHERE t.master_key_id = k.key_id)
        AND NOT EXISTS (
            SELECT FROM neuroviews.recording_files f
            WHERE (f.state = 'uploading' OR f.is_sent_again) AND f.asked_at < k.since + interval '1 minute')
    RETURNING k.key_id
$$;

-- Ends the sessions of compromised master keys. Returns their number.
CREATE OR REPLACE FUNCTION end_compromised_keys() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE neuroviews.sessions s SET ended_at = now()
    WHERE s.ended_at IS NULL AND s.key_id IN (SELECT k.key_id FROM neuroviews.master_keys k WHERE k.state = 'compromised');
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;

GRANT EXECUTE ON FUNCTION forget_master_keys TO neuroviews_background;
