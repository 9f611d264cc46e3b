-- The erasure ledger, for a server that compares it with its file. The functions run with the owner's rights, because
-- the background role has none on these tables.

-- All entries.
CREATE OR REPLACE FUNCTION erasure_ledger_entries() RETURNS TABLE (is_key boolean, value bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT true, k.key FROM neuroviews.erasure_ledger_keys k UNION ALL SELECT false, l.digest FROM neuroviews.erasure_ledger l ORDER BY 1 DESC, 2
$$;

-- Adds an entry if it does not exist.
CREATE OR REPLACE FUNCTION add_to_erasure_ledger(is_key boolean, value bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO neuroviews.erasure_ledger_keys SELECT value WHERE is_key ON CONFLICT DO NOTHING;
    INSERT INTO neuroviews.erasure_ledger SELECT value WHERE NOT is_key ON CONFLICT DO NOTHING
$$;

-- The ids of accounts in a table of the current schema, or of a schema that a restore has kept aside, in order.
CREATE OR REPLACE FUNCTION listed_accounts(place text, relation text, after uuid, accounts_max integer) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF relation NOT IN ('users', 'account_erasures', 'erased_objects')
        OR place <> 'neuroviews' AND NOT EXISTS (SELECT FROM neuroviews.account_tables() t WHERE t.place = listed_accounts.place) THEN
        RAISE EXCEPTION 'no table of accounts' USING ERRCODE = 'undefined_table';
    END IF;
    RETURN QUERY EXECUTE format(
        'SELECT DISTINCT %1$I FROM %2$I.%3$I WHERE %1$I > $1 ORDER BY 1 LIMIT $2',
        CASE relation WHEN 'users' THEN 'id' ELSE 'account' END, place, relation
    ) USING after, accounts_max;
END
$$;

GRANT EXECUTE ON FUNCTION erasure_ledger_entries, add_to_erasure_ledger, listed_accounts TO neuroviews_background;
