-- With which stored version the document or the patch of a request was put together. Written before the outcome is, so
-- that a retry puts the same together again and finds it done, also when the server ended in between.
CREATE TABLE configuration_merges (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    -- SHA-256 of the canonical form of what was sent.
    digest bytea NOT NULL,
    -- The version that If-Match named; 0 for a patch of whatever stands there.
    base_version integer NOT NULL,
    stored_version integer NOT NULL,
    PRIMARY KEY (user_id, id, digest, base_version, stored_version),
    FOREIGN KEY (user_id, id) REFERENCES configurations ON DELETE CASCADE
);

ALTER TABLE configuration_merges ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON configuration_merges TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
GRANT SELECT, INSERT ON configuration_merges TO neuroviews_app;
