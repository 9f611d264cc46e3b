-- Runs before every migration, by the owner's login. Does nothing if everything is present. So the login needs no
-- CREATEROLE after an administrator has run administrator.sql.
--
-- There are three roles: the owner of all objects, the application (requests of one user, behind row-level security),
-- and the background (login, sweeps). Each has its own login (administrator.sql). A single login for all is a member of
-- all three and uses SET ROLE.
DO $$
DECLARE
    needed text;
    right_needed text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
    FOREACH needed IN ARRAY ARRAY['neuroviews_owner', 'neuroviews_app', 'neuroviews_background'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = needed) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', needed);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- Another database of this cluster was first.
            END;
        END IF;
        -- From PostgreSQL 16 on, the creator of a role is a member that may not use SET ROLE.
        IF NOT pg_has_role(current_user, needed, right_needed) THEN
            BEGIN
                EXECUTE format('GRANT %I TO %I', needed, current_user);
            EXCEPTION WHEN insufficient_privilege THEN
                -- A role that can log in needs no member.
                IF needed = 'neuroviews_owner' OR NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = needed) THEN
                    RAISE;
                END IF;
            END;
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'neuroviews') THEN
        CREATE SCHEMA neuroviews AUTHORIZATION neuroviews_owner;
        GRANT USAGE ON SCHEMA neuroviews TO neuroviews_app, neuroviews_background;
    END IF;
    -- A temporary table could hide a real one. The owner of the database revokes this default right.
    IF has_database_privilege('neuroviews_app', current_database(), 'TEMPORARY')
        AND pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
END
$$;
