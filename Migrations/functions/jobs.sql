-- Notifies the processes that run jobs for recording files of new jobs, once for each transaction. A process that
-- misses it finds the job by its periodic check.
CREATE OR REPLACE FUNCTION announce_jobs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM added) THEN
        PERFORM pg_notify('neuroviews_jobs', '');
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER announced AFTER INSERT ON jobs
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_jobs();
