-- Consents: their history, and what a withdrawal deletes.

-- A change goes into the history, which keeps the newest 1,000 of an account. Without consent to analytics nothing stays of what was
-- collected, whether it was withdrawn or the account is gone. The row's lock keeps batches away to the commit, and the statements here
-- have snapshots that were taken behind it: what came before is deleted, and what comes after finds no consent.
CREATE OR REPLACE FUNCTION follow_consent() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO neuroviews.consent_changes (user_id, category, changed_at, granted, version)
        VALUES (NEW.user_id, NEW.category, NEW.changed_at, NEW.granted, NEW.version);
        DELETE FROM neuroviews.consent_changes c WHERE c.user_id = NEW.user_id AND c.changed_at < (
            SELECT o.changed_at FROM neuroviews.consent_changes o WHERE o.user_id = NEW.user_id
            ORDER BY o.changed_at DESC OFFSET 999 LIMIT 1);
        IF NEW.granted OR NEW.category <> 'analytics' THEN
            RETURN NULL;
        END IF;
    ELSIF OLD.category <> 'analytics' THEN
        RETURN NULL;
    END IF;
    DELETE FROM neuroviews.analytics_months m WHERE m.user_id = coalesce(NEW.user_id, OLD.user_id);
    DELETE FROM neuroviews.analytics_names n WHERE n.user_id = coalesce(NEW.user_id, OLD.user_id);
    DELETE FROM neuroviews.analytics_events e WHERE e.user_id = coalesce(NEW.user_id, OLD.user_id);
    DELETE FROM neuroviews.analytics_device_days d WHERE d.user_id = coalesce(NEW.user_id, OLD.user_id);
    DELETE FROM neuroviews.analytics_name_days d WHERE d.user_id = coalesce(NEW.user_id, OLD.user_id);
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER followed AFTER INSERT OR UPDATE OR DELETE ON consents
    FOR EACH ROW EXECUTE FUNCTION follow_consent();
