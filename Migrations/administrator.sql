-- For a superuser. The server of a private cluster runs this at each start. The administrator of another PostgreSQL
-- runs it once, in the server's database (`neuroviews-server roles`). Does nothing if everything is correct.
--
-- The three roles get logins without any right to change roles, and no login is a member of another role. By default,
-- PostgreSQL lets everybody execute some functions that could undo these limits or disturb other requests in one
-- statement. Only the roles that need them keep that right.
DO $$
DECLARE
    needed text;
    restricted record;
    receiver name;
BEGIN
    FOREACH needed IN ARRAY ARRAY['neuroviews_owner', 'neuroviews_app', 'neuroviews_background'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = needed) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', needed);
        END IF;
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = needed
                AND (NOT rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)) THEN
            EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS', needed);
        END IF;
    END LOOP;

    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews') THEN
        CREATE SCHEMA neuroviews AUTHORIZATION neuroviews_owner;
        GRANT USAGE ON SCHEMA neuroviews TO neuroviews_app, neuroviews_background;
    END IF;
    -- Restores rename the former schema.
    IF NOT has_database_privilege('neuroviews_owner', current_database(), 'CREATE') THEN
        EXECUTE format('GRANT CREATE ON DATABASE %I TO neuroviews_owner', current_database());
    END IF;
    -- A temporary table could hide a real one.
    IF has_database_privilege('public', current_database(), 'TEMPORARY') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
    -- Databases from PostgreSQL 14 let everybody create tables and functions there.
    IF has_schema_privilege('public', 'public', 'CREATE') THEN
        REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    END IF;

    FOR restricted IN
        SELECT p.oid, p.oid::regprocedure AS name, r.grantees
        FROM (VALUES
            -- They change settings: the role, the user that policies read, the time limit of statements.
            ('^set_config$', '{neuroviews_owner}'::name[]),
            -- The locks of logins, sweeps and migrations.
            ('^pg_(try_)?advisory_', '{neuroviews_owner, neuroviews_background}'),
            ('^pg_notify$', '{neuroviews_owner}'),
            -- They end statements and connections of the same role.
            ('^pg_(cancel|terminate)_backend$', '{neuroviews_owner}'),
            -- They store data outside of any quota: large objects, snapshots and messages in the log.
            ('^(lo_.*|loread|lowrite)$', '{}'),
            ('^pg_(export_snapshot|logical_emit_message)$', '{}')
        ) r(pattern, grantees)
        JOIN pg_proc p ON p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ r.pattern
    LOOP
        FOREACH receiver IN ARRAY restricted.grantees LOOP
            IF NOT EXISTS (SELECT FROM pg_proc p, aclexplode(p.proacl) a WHERE p.oid = restricted.oid AND a.grantee = receiver::regrole) THEN
                EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', restricted.name, receiver);
            END IF;
        END LOOP;
        IF has_function_privilege('public', restricted.oid, 'EXECUTE') THEN
            EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', restricted.name);
        END IF;
    END LOOP;
    -- An UPDATE of this view is set_config.
    IF has_table_privilege('public', 'pg_catalog.pg_settings', 'UPDATE') THEN
        REVOKE UPDATE ON pg_catalog.pg_settings FROM PUBLIC;
    END IF;
END
$$;
