-- Hints of realtime: notifications that name accounts and kinds of change. Servers send those of writes themselves, many in one notification.
-- Ends of sessions have many causes and are rare: a trigger finds them all.

-- Tells the servers of sessions that have ended, so that their sockets close. The payload is that of `HintBatch`: a word for each account, with
-- the digit 1 for its sessions; `*` means all accounts. A notification is sent at the commit.
CREATE OR REPLACE FUNCTION announce_ends() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER announce_ended AFTER UPDATE ON sessions
    REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ends();
CREATE OR REPLACE TRIGGER announce_deleted AFTER DELETE ON sessions
    REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION announce_ends();
