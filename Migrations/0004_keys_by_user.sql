-- Servers that know 0003 work with this. Keys begin with `user_id`, so that tables can be spread by it.
-- Requests wait for this file: a few seconds for each million sessions and each million nonces. The locks come first, in the order of
-- requests.
LOCK TABLE sessions, nonces IN ACCESS EXCLUSIVE MODE;
CREATE UNIQUE INDEX sessions_key ON sessions (user_id, id);
-- For servers of the release before, which name no account. The next release drops it.
CREATE INDEX sessions_id_key ON sessions (id);
ALTER TABLE sessions DROP CONSTRAINT sessions_pkey, ADD CONSTRAINT sessions_pkey PRIMARY KEY USING INDEX sessions_key;
DROP INDEX sessions_user_key;

-- Written anew, because an update of each row would take several times as long. Nonces of sessions that are gone go, too.
CREATE UNLOGGED TABLE kept_nonces AS
SELECT n.slot, s.user_id, n.session_id, n.signed_at, n.nonce FROM nonces n JOIN sessions s ON s.id = n.session_id;
TRUNCATE nonces;
ALTER TABLE nonces DROP CONSTRAINT nonces_pkey, ADD COLUMN user_id uuid;
INSERT INTO nonces (slot, user_id, session_id, signed_at, nonce) SELECT slot, user_id, session_id, signed_at, nonce FROM kept_nonces;
DROP TABLE kept_nonces;
ALTER TABLE nonces ADD PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);
-- For functions of the release before. functions/former.sql has it, too, because such a function may run on for a moment.
CREATE FUNCTION fill_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.user_id := (SELECT s.user_id FROM neuroviews.sessions s WHERE s.id = NEW.session_id);
    RETURN NEW;
END
$$;
CREATE TRIGGER fill_account BEFORE INSERT ON nonces FOR EACH ROW WHEN (NEW.user_id IS NULL) EXECUTE FUNCTION fill_account();
ALTER TABLE nonces ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_0 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_1 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_2 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_3 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON nonces TO neuroviews_app USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_0 TO neuroviews_app USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_1 TO neuroviews_app USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_2 TO neuroviews_app USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_3 TO neuroviews_app USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
