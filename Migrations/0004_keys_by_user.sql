-- Servers that know 0003 work with this. Keys begin with the account, so that tables can be spread by it. Writes to `sessions` and
-- `nonces` wait for the new indexes, about two seconds for a million rows.
CREATE UNIQUE INDEX sessions_key ON sessions (user_id, id);
-- For servers of the release before, which name no account. The next release drops it.
CREATE INDEX sessions_id_key ON sessions (id);
ALTER TABLE sessions DROP CONSTRAINT sessions_pkey, ADD CONSTRAINT sessions_pkey PRIMARY KEY USING INDEX sessions_key;
DROP INDEX sessions_user_key;

-- The default is for functions of the release before, until the new ones are applied.
ALTER TABLE nonces ADD COLUMN user_id uuid DEFAULT nullif(current_setting('app.user_id', true), '')::uuid;
UPDATE nonces n SET user_id = s.user_id FROM sessions s WHERE s.id = n.session_id;
-- What is left belongs to sessions that are gone.
DELETE FROM nonces WHERE user_id IS NULL;
ALTER TABLE nonces DROP CONSTRAINT nonces_pkey, ADD PRIMARY KEY (user_id, session_id, signed_at, nonce, slot);
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
