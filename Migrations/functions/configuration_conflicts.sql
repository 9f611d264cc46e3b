-- Documents that lost a conflict. A write keeps its loser itself: see write_configurations.sql.

-- Keeps the loser of a merge that wrote nothing, once: the version `against` already had the outcome. Returns that version, or that the
-- history has no room for the loser; no row when the account has gone.
CREATE OR REPLACE FUNCTION keep_merged_loser(
    item uuid, against integer, loser_digest bytea, prefix text, suffix text, edited_us bigint, history_max_bytes bigint
) RETURNS SETOF write_result
LANGUAGE plpgsql AS $$
DECLARE
    head neuroviews.sync_heads;
    winner record;
    result neuroviews.write_result;
    loser text;
BEGIN
    SELECT h.* INTO head FROM neuroviews.sync_heads h WHERE h.collection = 'configurations' FOR UPDATE;
    FOR winner IN
        SELECT c.spelled_id, v.version, v.chain, v.changed_at
        FROM neuroviews.configurations c JOIN neuroviews.configuration_versions v USING (user_id, id)
        WHERE c.user_id = head.user_id AND c.id = item AND v.version = against
    LOOP
        loser := prefix || winner.spelled_id || suffix;
        INSERT INTO neuroviews.configuration_conflicts (user_id, id, digest, document, base_version, edited_at, device_id)
        SELECT head.user_id, item, loser_digest, loser, against,
            least('epoch'::timestamptz + edited_us * interval '1 microsecond', clock_timestamp()),
            nullif(current_setting('app.device_id', true), '')
        WHERE history_max_bytes = 0 OR head.history_bytes + octet_length(loser) <= history_max_bytes
        ON CONFLICT (user_id, id, digest) DO NOTHING;
        IF FOUND THEN
            UPDATE neuroviews.sync_heads h SET history_bytes = h.history_bytes + octet_length(loser)
            WHERE h.user_id = head.user_id AND h.collection = 'configurations';
        ELSIF NOT EXISTS (
            SELECT FROM neuroviews.configuration_conflicts l
            WHERE l.user_id = head.user_id AND l.id = item AND l.digest = loser_digest
        ) THEN
            result.quota := 'history_bytes';
            result.used := head.history_bytes;
        END IF;
        result.number := 1;
        result.verdict := CASE WHEN result.quota IS NULL THEN 'repeated' ELSE 'quota' END;
        result.spelled_id := winner.spelled_id;
        result.version := winner.version;
        result.chain := winner.chain;
        result.changed_at := neuroviews.rfc3339(winner.changed_at);
        RETURN NEXT result;
    END LOOP;
END
$$;

GRANT EXECUTE ON FUNCTION keep_merged_loser TO neuroviews_app;
