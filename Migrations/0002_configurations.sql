-- Configurations and what delta sync stands on. Every key starts with user_id, so that the tables can be spread by it.

-- One row an account. Every write locks it to the commit, so that seq, changed_at and commits have one order.
CREATE TABLE sync_heads (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    epoch uuid NOT NULL DEFAULT gen_random_uuid(),
    seq bigint NOT NULL DEFAULT 0,
    changed_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
);

-- One row an item for the life of the account: deleting empties the document and keeps the row as a tombstone.
-- The document is text, never jsonb: it is returned byte for byte, and reads don't decode it.
CREATE TABLE configurations (
    user_id uuid NOT NULL REFERENCES sync_heads ON DELETE CASCADE,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    document text,
    digest bytea,
    version integer NOT NULL,
    seq bigint NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, seq),
    CHECK (deleted = (document IS NULL) AND deleted = (digest IS NULL))
);
CREATE INDEX configurations_changed_key ON configurations (user_id, changed_at);

-- Every version that was ever acknowledged. Retention may empty documents, never digests and times: a retry is answered
-- from them.
CREATE TABLE configuration_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    document text,
    digest bytea,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    device_id text,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id, version),
    FOREIGN KEY (user_id, id) REFERENCES configurations ON DELETE CASCADE
);
-- Every write asks whether its document is one that the item has had, however long the item's history is.
CREATE INDEX configuration_versions_digest_key ON configuration_versions (user_id, id, digest, version);

-- Documents that lost a conflict, once each.
CREATE TABLE configuration_conflicts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    document text NOT NULL,
    base_version integer NOT NULL,
    edited_at timestamptz NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT now(),
    device_id text,
    PRIMARY KEY (user_id, id, digest),
    FOREIGN KEY (user_id, id) REFERENCES configurations ON DELETE CASCADE
);

ALTER TABLE sync_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE configurations ENABLE ROW LEVEL SECURITY;
ALTER TABLE configuration_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE configuration_conflicts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON sync_heads TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configurations TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configuration_versions TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configuration_conflicts TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON sync_heads TO neuroviews_background USING (true);

GRANT SELECT, UPDATE ON sync_heads TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON configurations TO neuroviews_app;
GRANT SELECT, INSERT ON configuration_versions, configuration_conflicts TO neuroviews_app;
GRANT SELECT, INSERT ON sync_heads TO neuroviews_background;

-- Said at every new connection. Another cluster, timeline or database than before (a restore, a failover that may have
-- lost commits) gives every account a new epoch, so that clients take a full set instead of missing what is written
-- again under the same seq. The table's oid tells a dump that was restored over the same database.
CREATE FUNCTION verify_lineage() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    current_value text := (SELECT system_identifier::text FROM pg_control_system())
        || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
        || ' ' || (SELECT oid::text FROM pg_database WHERE datname = current_database())
        || ' ' || 'neuroviews.sync_heads'::regclass::oid::text;
BEGIN
    IF EXISTS (SELECT FROM neuroviews.lineage WHERE value = current_value) THEN
        RETURN;
    END IF;
    LOCK TABLE neuroviews.lineage IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM neuroviews.lineage WHERE value = current_value) THEN
        RETURN;
    END IF;
    UPDATE neuroviews.sync_heads SET epoch = gen_random_uuid();
    INSERT INTO neuroviews.lineage (value) VALUES (current_value)
    ON CONFLICT (singleton) DO UPDATE SET value = excluded.value;
END
$$;
REVOKE EXECUTE ON FUNCTION verify_lineage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verify_lineage TO neuroviews_app, neuroviews_background;
