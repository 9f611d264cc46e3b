-- Heads: the newest change of a user's collection, and the lineage (the history of commits) that it belongs to.

-- A time in the format for clients.
CREATE OR REPLACE FUNCTION rfc3339(moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"');

-- Runs on every new connection. Another cluster, timeline or database (a restore, a failover) begins another lineage,
-- because times that clients have read may belong to lost changes. The table's oid differs after a dump is restored
-- over the same database. Returns both lineages where this call began another one, else NULL.
CREATE OR REPLACE FUNCTION check_lineage() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- A begin after every time up to `former`, and of the clock, that clients have read: those are whole seconds.
CREATE OR REPLACE FUNCTION next_begin(former timestamptz) RETURNS timestamptz
LANGUAGE sql
RETURN date_trunc('second', greatest(clock_timestamp(), former)) + interval '1 second';

-- The begin of a new lineage. Clients have read the times of heads that a clock made while it was ahead, and begins of accounts. A head that is
-- further ahead than a week is left out: all later times of all accounts would be as far ahead.
CREATE OR REPLACE FUNCTION next_lineage(former timestamptz) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT neuroviews.next_begin(greatest(former, (
        SELECT max(greatest(h.changed_at, h.began_at)) FROM neuroviews.sync_heads h
        WHERE greatest(h.changed_at, h.began_at) < now() + interval '7 days')))
$$;

-- Invalidates all sync_tokens and every last_sync of an account: its clients get the full set. Returns the number of
-- accounts.
CREATE OR REPLACE FUNCTION reset_clients(address text) RETURNS bigint
LANGUAGE sql AS $$
    WITH owner AS (SELECT id FROM neuroviews.users WHERE lower(email COLLATE "C") = lower(address COLLATE "C")), reset AS (
        UPDATE neuroviews.sync_heads h SET salt = neuroviews.random_salt(), began_at = neuroviews.next_begin(
            greatest(h.changed_at, h.began_at, (SELECT l.began_at FROM neuroviews.lineage l)))
        FROM owner o WHERE h.user_id = o.id
    )
    SELECT count(*) FROM owner
$$;

-- Invalidates all sync_tokens and every last_sync. Returns the number of accounts.
CREATE OR REPLACE FUNCTION reset_all_clients() RETURNS bigint
LANGUAGE sql AS $$
    WITH reset AS (
        UPDATE neuroviews.lineage SET salt = neuroviews.random_salt(), began_at = neuroviews.next_lineage(began_at)
    )
    SELECT count(*) FROM neuroviews.users
$$;

CREATE OR REPLACE FUNCTION random_salt() RETURNS bigint
LANGUAGE sql
RETURN ('x' || left(md5(gen_random_uuid()::text), 16))::bit(64)::bigint;

-- Writes add the size of their data to history_bytes. Code that empties or deletes data locks the head first; these
-- triggers then subtract the size. Writes only insert, so the triggers cost them nothing. The argument is the
-- collection.
CREATE OR REPLACE FUNCTION release_history() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER release_changed AFTER UPDATE ON configuration_versions
    REFERENCING OLD TABLE AS released NEW TABLE AS kept FOR EACH STATEMENT EXECUTE FUNCTION release_history('configurations');
CREATE OR REPLACE TRIGGER release_deleted AFTER DELETE ON configuration_versions
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_history('configurations');
CREATE OR REPLACE TRIGGER release_deleted AFTER DELETE ON configuration_conflicts
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_history('configurations');
CREATE OR REPLACE TRIGGER release_changed AFTER UPDATE ON recording_versions
    REFERENCING OLD TABLE AS released NEW TABLE AS kept FOR EACH STATEMENT EXECUTE FUNCTION release_history('recordings');
CREATE OR REPLACE TRIGGER release_deleted AFTER DELETE ON recording_versions
    REFERENCING OLD TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION release_history('recordings');

-- Deletes the versions of a deleted head, since no foreign key does. Each write holds the head's lock when it adds
-- versions. So the deletion of the head has waited for these writes, and this statement's snapshot has their rows.
CREATE OR REPLACE FUNCTION forget_history() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM neuroviews.configuration_versions v USING gone g WHERE v.user_id = g.user_id AND g.collection = 'configurations';
    DELETE FROM neuroviews.recording_versions v USING gone g WHERE v.user_id = g.user_id AND g.collection = 'recordings';
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER forget_history AFTER DELETE ON sync_heads
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_history();

GRANT EXECUTE ON FUNCTION rfc3339, check_lineage TO neuroviews_app, neuroviews_background;
