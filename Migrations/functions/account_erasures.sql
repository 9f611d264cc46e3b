-- Accounts are erased in two parts. `begin_account_erasure` makes an account unusable in one transaction.
-- `erase_account_step` then deletes its rows in limited steps, because a statement has limited time. The request runs
-- the steps, or the sweep if the server ended meanwhile.

-- Begins the erasure of the caller's account. Enqueues a mail to its address if `is_mailed`. Runs after
-- `lock_sessions_of` and `enter_session`.
CREATE OR REPLACE FUNCTION erase_account(ledger_digest bytea, session uuid, client inet, is_mailed boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Ends all access: sessions, the address, upload URLs. Earlier requests may still commit; the steps delete their
-- rows. After a restore the account may exist only in a schema that was kept aside.
CREATE OR REPLACE FUNCTION begin_account_erasure(erased uuid, ledger_digest bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Rejects new sessions of an account that is being erased, even if the password was checked before. NV040. The row
-- lock is stronger than that of the foreign key: a login waits for the start of an erasure, or the erasure waits and
-- sees the session. A caller that also changes `users` must do so first.
CREATE OR REPLACE FUNCTION refuse_erased_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM neuroviews.users u WHERE u.id = NEW.user_id FOR SHARE;
    IF EXISTS (SELECT FROM neuroviews.account_erasures a WHERE a.account = NEW.user_id) THEN
        RAISE EXCEPTION 'the account is being erased' USING ERRCODE = 'NV040';
    END IF;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER refuse_erased BEFORE INSERT ON sessions
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_account();

-- The tables with rows of accounts, from the catalogue so that none is missed. Includes the schemas that restores
-- have kept aside. Referenced tables come after the referencing ones, and `users` last. The current `users` table is
-- not included. `jobs` comes before `job_turns`: a claim locks their rows in this order, too.
CREATE OR REPLACE FUNCTION account_tables()
RETURNS TABLE (place text, relation text, owner text, is_current boolean, counted_as text, has_documents boolean, has_objects boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- Deletes at most `rows_max` rows of an account from a table, and fewer if their documents exceed 32 MiB. Object keys
-- of the rows go into `erased_objects`. Rows are found by index: a step must not read other accounts' rows, whatever
-- the planner's statistics are.
CREATE OR REPLACE FUNCTION erase_rows(
    erased uuid, place text, relation text, owner text, is_current boolean, has_documents boolean, has_objects boolean, rows_max integer,
    OUT rows bigint, OUT bytes bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
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
$$;

-- Disables or enables the triggers of a schema that is kept aside: they would change tables of the current schema.
CREATE OR REPLACE FUNCTION turn_triggers_aside(verb text, place text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    relation text;
BEGIN
    FOR relation IN SELECT DISTINCT c.relname FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
        WHERE c.relnamespace = place::regnamespace AND c.relkind = 'r' AND NOT t.tgisinternal LOOP
        EXECUTE format('ALTER TABLE %I.%I %s TRIGGER USER', place, relation, verb);
    END LOOP;
END
$$;

-- Runs `erase_rows` in a schema that is kept aside. Returns the number of rows.
CREATE OR REPLACE FUNCTION erase_rows_aside(
    erased uuid, place text, relation text, owner text, has_documents boolean, has_objects boolean, rows_max integer
) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
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
$$;

-- One step for an account in `account_erasures`. Deletes at most `rows_max` rows of each table and stops after the
-- first table with more. Returns the counts of the current schema. If nothing is left, it ends the erasure:
-- `is_done`.
--
-- The heads are locked first, as by every write. Before the end it locks the account's row against new rows and
-- checks all tables again.
CREATE OR REPLACE FUNCTION erase_account_step(erased uuid, rows_max integer)
RETURNS TABLE (counted_as text, rows bigint, bytes bigint, is_done boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION erase_account TO neuroviews_app;
GRANT EXECUTE ON FUNCTION begin_account_erasure, account_tables, erase_account_step TO neuroviews_background;
