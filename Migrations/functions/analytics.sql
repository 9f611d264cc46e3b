-- Analytics: consent at ingest, and the partitions.

-- Locks the account's consent to a category until the commit. NV012: there is none. NV013: the account has
-- `events_max` events of all categories (0: unlimited). Later statements see all rows of the category's batch before.
CREATE OR REPLACE FUNCTION begin_analytics_batch(account uuid, sent text, events_max bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    consent neuroviews.consent_category := sent::neuroviews.consent_category;
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = account AND c.category = consent AND c.granted FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the account has not agreed to this category' USING ERRCODE = 'NV012';
    END IF;
    IF events_max > 0 AND (SELECT sum(m.events) FROM neuroviews.analytics_months m WHERE m.user_id = account) >= events_max THEN
        RAISE EXCEPTION 'the account has as many events as it may have' USING ERRCODE = 'NV013';
    END IF;
END
$$;

-- The name of a month's partition.
CREATE OR REPLACE FUNCTION analytics_partition(parent text, month timestamp) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT parent || '_' || to_char(month, 'YYYY_MM')
$$;

-- Creates the missing partitions of the months between two UTC days, at most 60 months. Returns the number of new
-- months. Each table is created first and then attached, so that the parent can be read and written meanwhile.
CREATE OR REPLACE FUNCTION create_analytics_months(first_day date, last_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    month timestamp;
    parent text;
    part text;
    bounds text;
    hidden text;
    created integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.analytics_months'));
    FOR month IN SELECT generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, '1 month') LIMIT 60 LOOP
        CONTINUE WHEN to_regclass('neuroviews.' || neuroviews.analytics_partition('analytics_events', month)) IS NOT NULL;
        created := created + 1;
        FOREACH parent IN ARRAY ARRAY['analytics_events', 'analytics_device_days', 'analytics_name_days',
            'analytics_months', 'analytics_names'] LOOP
            part := neuroviews.analytics_partition(parent, month);
            bounds := CASE parent WHEN 'analytics_events' THEN 'YYYY-MM-DD 00:00:00+00' ELSE 'YYYY-MM-DD' END;
            EXECUTE format('CREATE TABLE neuroviews.%I (LIKE neuroviews.%I INCLUDING ALL)', part, parent);
            -- LIKE does not copy this: ANALYZE keeps no values of these columns.
            FOR hidden IN SELECT a.attname FROM pg_attribute a WHERE a.attrelid = format('neuroviews.%I', parent)::regclass
                AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget = 0 LOOP
                EXECUTE format('ALTER TABLE neuroviews.%I ALTER COLUMN %I SET STATISTICS 0', part, hidden);
            END LOOP;
            EXECUTE format('ALTER TABLE neuroviews.%I ENABLE ROW LEVEL SECURITY', part);
            EXECUTE format($sql$CREATE POLICY own_rows ON neuroviews.%I TO neuroviews_app
                USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid)$sql$, part);
            EXECUTE format('ALTER TABLE neuroviews.%I ATTACH PARTITION neuroviews.%I FOR VALUES FROM (%L) TO (%L)',
                parent, part, to_char(month, bounds), to_char(month + interval '1 month', bounds));
        END LOOP;
        -- Its rows are updated often, so pages have room for new versions.
        FOREACH parent IN ARRAY ARRAY['analytics_device_days', 'analytics_name_days'] LOOP
            EXECUTE format('ALTER TABLE neuroviews.%I SET (fillfactor = 80)', neuroviews.analytics_partition(parent, month));
        END LOOP;
    END LOOP;
    RETURN created;
END
$$;

-- Drops the oldest month if all of it is older than `kept_days`. Returns its first day, or no row. Its locks stop
-- every batch, so it waits only briefly for them and takes them in the order of a batch (EventSQL.store). While a backup
-- or a restore keeps the months (AnalyticsMonths.keep), none is dropped. The caller tries again later.
CREATE OR REPLACE FUNCTION drop_analytics_month(kept_days integer) RETURNS SETOF date
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    month timestamp;
    parent text;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('neuroviews.kept_months')) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('neuroviews.analytics_months'));
    SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') INTO month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'neuroviews.analytics_events'::regclass;
    IF month + interval '1 month' <= (now() AT TIME ZONE 'UTC') - kept_days * interval '1 day' THEN
        FOREACH parent IN ARRAY ARRAY['analytics_months', 'analytics_names', 'analytics_events',
            'analytics_device_days', 'analytics_name_days'] LOOP
            EXECUTE format('LOCK TABLE neuroviews.%I IN ACCESS EXCLUSIVE MODE', parent);
            EXECUTE format('DROP TABLE neuroviews.%I', neuroviews.analytics_partition(parent, month));
        END LOOP;
        RETURN NEXT month::date;
    END IF;
END
$$;

GRANT EXECUTE ON FUNCTION begin_analytics_batch TO neuroviews_app;
GRANT EXECUTE ON FUNCTION create_analytics_months, drop_analytics_month TO neuroviews_background;
