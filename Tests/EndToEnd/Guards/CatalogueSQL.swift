/// Queries of pg_catalog.
enum CatalogueSQL {
    /// The relations that can be read like a table; `owner` is the column with the user's id, or NULL.
    static let relation = """
        relation AS (
            SELECT c.*, (
                SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                    AND a.attname = CASE c.relname WHEN 'users' THEN 'id' ELSE 'user_id' END
            ) AS owner
            FROM pg_class c
            WHERE c.relnamespace = 'neuroviews'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        )
        """

    /// The policies for the application's role. `is_own` is true for the policy that every table must have.
    private static let policy = """
        policy AS (
            SELECT p.polname, p.polpermissive, r.oid AS relation, p.polcmd = '*'
                AND pg_get_expr(p.polqual, p.polrelid) = own.expression
                AND coalesce(pg_get_expr(p.polwithcheck, p.polrelid), own.expression) = own.expression AS is_own
            FROM pg_policy p JOIN relation r ON r.oid = p.polrelid CROSS JOIN LATERAL (
                SELECT format(
                    '(%I = (NULLIF(current_setting(''app.user_id''::text, true), ''''::text))::uuid)', r.owner
                ) AS expression
            ) own
            WHERE EXISTS (
                SELECT FROM unnest(p.polroles) role WHERE role = 0 OR pg_has_role('neuroviews_app', role, 'USAGE'))
        )
        """

    private static let tableFindings = """
        SELECT relname || ': row-level security is off' FROM relation
        WHERE owner IS NOT NULL AND relkind IN ('r', 'p') AND NOT relrowsecurity
        UNION ALL SELECT relname || ': no policy gives neuroviews_app the rows of app.user_id' FROM relation
        WHERE owner IS NOT NULL AND relkind IN ('r', 'p')
            AND NOT EXISTS (SELECT FROM policy p WHERE p.relation = relation.oid AND p.is_own AND p.polpermissive)
        UNION ALL SELECT relname || ': the policy ' || polname || ' gives neuroviews_app other rows'
        FROM policy p JOIN relation ON relation.oid = p.relation WHERE p.polpermissive AND p.is_own IS NOT TRUE
        UNION ALL SELECT relname || ': neuroviews_app may ' || needless || ', which no policy restricts'
        FROM relation, unnest(ARRAY['TRUNCATE', 'REFERENCES', 'TRIGGER']) needless
        WHERE owner IS NOT NULL AND relkind IN ('r', 'p') AND has_table_privilege('neuroviews_app', oid, needless)
        UNION ALL SELECT relname || ': neuroviews_app has a right to it, and its rows have no owner' FROM relation
        WHERE (owner IS NULL OR relkind NOT IN ('r', 'p')) AND (
            has_table_privilege('neuroviews_app', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
            OR has_any_column_privilege('neuroviews_app', oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
            -- Every delta reads since when the history lasts, and what tokens are rendered with.
            AND relname <> 'lineage'
        UNION ALL SELECT relname || ': ' || role || ' has the rights of its owner'
        FROM relation, unnest(ARRAY['neuroviews_app', 'neuroviews_background']) role
        WHERE pg_has_role(role, relowner, 'MEMBER')
        UNION ALL SELECT relname || ': neuroviews_background may read documents' FROM relation
        JOIN pg_attribute a ON a.attrelid = oid AND a.attname = 'document' AND NOT a.attisdropped
        WHERE has_column_privilege('neuroviews_background', oid, a.attnum, 'SELECT')
            -- The server itself writes into a recording what it has found out of its file.
            AND relname <> 'recordings'
        """

    private static let functionFindings = """
        SELECT p.proname || ': PUBLIC may execute it'
        FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        WHERE p.pronamespace = 'neuroviews'::regnamespace AND a.grantee = 0
        UNION ALL SELECT p.proname || ': ' || role || ' may execute it without a grant of its own'
        FROM pg_proc p, unnest(ARRAY['neuroviews_app', 'neuroviews_background']) role
        WHERE p.pronamespace = 'neuroviews'::regnamespace AND has_function_privilege(role, p.oid, 'EXECUTE')
            AND NOT EXISTS (
                SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = role::regrole AND a.privilege_type = 'EXECUTE')
        """

    private static let otherFindings = """
        SELECT rolname || ': it can do more than a role should' FROM pg_roles
        WHERE rolname IN ('neuroviews_app', 'neuroviews_background')
            AND (rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication)
        UNION ALL SELECT m.rolname || ': it leads to ' || r.rolname FROM pg_roles m, pg_roles r
        WHERE m.rolname IN ('neuroviews_app', 'neuroviews_background') AND r.oid <> m.oid AND pg_has_role(m.oid, r.oid, 'MEMBER')
        -- Policies read these settings.
        UNION ALL SELECT proname || ': it sets who the caller is' FROM pg_proc
        WHERE pronamespace = 'neuroviews'::regnamespace AND proname <> 'enter_session' AND prosrc ~* 'set_config\\s*\\(\\s*''app\\.'
        UNION ALL SELECT proname || ': everybody may execute it' FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege('public', oid, 'EXECUTE') AND (
            proname ~ '^(lo_|pg_(try_)?advisory_)' OR proname IN ('set_config', 'pg_notify', 'pg_terminate_backend'))
        UNION ALL SELECT 'schema ' || nspname || ': ' || role || ' may create objects'
        FROM pg_namespace, unnest(ARRAY['neuroviews_app', 'neuroviews_background']) role
        WHERE nspname IN ('neuroviews', 'public') AND has_schema_privilege(role, oid, 'CREATE')
        """

    /// ANALYZE copies values into `pg_statistic`, where they outlive their rows. Ids are random, and a domain has few
    /// values.
    private static let statisticsFindings = """
        SELECT c.relname || ': ANALYZE copies values of ' || a.attname
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
        LEFT JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = 'neuroviews'::regnamespace
            AND (c.relkind IN ('r', 'p', 'm') OR c.relkind = 'i' AND i.indkey[a.attnum - 1] = 0)
            AND coalesce(e.typname, t.typname) IN (
                'text', 'varchar', 'bpchar', 'name', 'bytea', 'json', 'jsonb', 'xml', 'inet', 'cidr', 'macaddr', 'tsvector')
            AND coalesce(a.attstattarget, -1) <> 0
        UNION ALL SELECT stxname || ': extended statistics copy values' FROM pg_statistic_ext
        WHERE stxnamespace = 'neuroviews'::regnamespace
        """

    /// One line for each fault.
    static let findings = """
        WITH \(relation), \(policy) \(tableFindings) UNION ALL \(functionFindings) UNION ALL \(otherFindings)
        UNION ALL \(statisticsFindings) ORDER BY 1
        """
}
