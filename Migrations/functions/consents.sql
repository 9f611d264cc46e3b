-- Consents: their history, and the deletions after a withdrawal.

-- Records a change in the history. A withdrawal, or the account's deletion, deletes the counts of the category, so its
-- figures are zero at once. Events are deleted in steps, because a statement has limited time. NV014: a new consent
-- must wait until old events are deleted. Crash reports name no account, so a withdrawal can't find them.
--
-- The consent's row is locked until the commit, and each statement here has a newer snapshot. So it deletes the rows
-- of all earlier batches; later batches find no consent.
CREATE OR REPLACE FUNCTION follow_consent() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed text := coalesce(NEW.category, OLD.category)::text;
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM neuroviews.note_consent(NEW);
    END IF;
    IF changed = 'crash_reports' THEN
        RETURN NULL;
    END IF;
    IF NEW.granted THEN
        IF EXISTS (SELECT FROM neuroviews.erasures e WHERE e.account = NEW.user_id AND e.category = changed) THEN
            RAISE EXCEPTION 'events of the time before are still being deleted' USING ERRCODE = 'NV014';
        END IF;
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.analytics_months m WHERE m.user_id = OLD.user_id AND m.category = changed;
    DELETE FROM neuroviews.analytics_names n WHERE n.user_id = OLD.user_id AND n.category = changed;
    DELETE FROM neuroviews.analytics_device_days d WHERE d.user_id = OLD.user_id AND d.category = changed;
    DELETE FROM neuroviews.analytics_name_days d WHERE d.user_id = OLD.user_id AND d.category = changed;
    PERFORM neuroviews.erase_events_of(OLD.user_id, changed, 20000);
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER followed AFTER INSERT OR UPDATE OR DELETE ON consents
    FOR EACH ROW EXECUTE FUNCTION follow_consent();

-- The history keeps the newest 1,000 changes of an account.
CREATE OR REPLACE FUNCTION note_consent(consent consents) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO neuroviews.consent_changes (user_id, category, changed_at, granted, version)
    VALUES (consent.user_id, consent.category, consent.changed_at, consent.granted, consent.version);
    DELETE FROM neuroviews.consent_changes c WHERE c.user_id = consent.user_id AND c.changed_at < (
        SELECT o.changed_at FROM neuroviews.consent_changes o WHERE o.user_id = consent.user_id
        ORDER BY o.changed_at DESC OFFSET 999 LIMIT 1);
END
$$;

-- Deletes at most `events_max` events of an account and a category without consent. While events are left, returns
-- true and keeps both in `erasures`. The consent's lock serializes steps and new consents.
CREATE OR REPLACE FUNCTION erase_events_of(erased uuid, withdrawn text, events_max integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    consent neuroviews.consent_category := withdrawn::neuroviews.consent_category;
    kept record;
BEGIN
    PERFORM FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = consent FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM neuroviews.consents c WHERE c.user_id = erased AND c.category = consent AND c.granted) THEN
        RETURN false;
    END IF;
    -- The first event that stays, in the order of the key. It is found by the index alone: a step must not read or
    -- sort all events, whatever the planner's statistics are.
    SELECT e.device_id, e.occurred_at, e.id INTO kept
    FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn
    ORDER BY e.device_id, e.occurred_at, e.id OFFSET events_max LIMIT 1;
    IF FOUND THEN
        DELETE FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn
            AND (e.device_id, e.occurred_at, e.id) < (kept.device_id, kept.occurred_at, kept.id);
        INSERT INTO neuroviews.erasures VALUES (erased, withdrawn) ON CONFLICT DO NOTHING;
        RETURN true;
    END IF;
    DELETE FROM neuroviews.analytics_events e WHERE e.user_id = erased AND e.category = withdrawn;
    DELETE FROM neuroviews.erasures e WHERE e.account = erased AND e.category = withdrawn;
    RETURN false;
END
$$;

-- Does the same for the caller.
CREATE OR REPLACE FUNCTION erase_events(withdrawn text, events_max integer) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT neuroviews.erase_events_of(nullif(current_setting('app.user_id', true), '')::uuid, withdrawn, events_max)
$$;

-- Runs one step for an account in `erasures`: its withdrawal was interrupted, or the account was deleted. Returns
-- false if there is none.
CREATE OR REPLACE FUNCTION sweep_erasures(events_max integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    due neuroviews.erasures%ROWTYPE;
BEGIN
    SELECT e.* INTO due FROM neuroviews.erasures e LIMIT 1;
    IF due.account IS NULL THEN
        RETURN false;
    END IF;
    PERFORM neuroviews.erase_events_of(due.account, due.category, events_max);
    RETURN true;
END
$$;

GRANT EXECUTE ON FUNCTION erase_events TO neuroviews_app;
GRANT EXECUTE ON FUNCTION sweep_erasures TO neuroviews_background;
