-- The tables with their access rules. The functions in force are in functions/. Every key of an account's rows starts with user_id, so that
-- the tables can be spread by it.

CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email text NOT NULL,
    password_hash text NOT NULL,
    -- False for an account that an OpenID provider's token has opened: no password has its hash.
    has_password boolean NOT NULL DEFAULT true,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- By an operator: no session starts until it is null again.
    disabled_at timestamptz(3)
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

-- Registrations whose address is not proven yet, one row an address. They are no accounts: there is no session and no data.
CREATE TABLE registrations (
    email text NOT NULL,
    password_hash text NOT NULL,
    -- The address was registered more than once, maybe by a stranger: the person who proves it chooses the password.
    is_contested boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX registrations_email_key ON registrations (lower(email));
CREATE INDEX registrations_expiry_key ON registrations (expires_at);

-- Mails that wait to be sent, and for an hour those that were sent. The transaction that makes a mail due enqueues it. Its content is decided
-- when it is sent, and its token is made then. The column is not named `user_id`, since no request sees these rows.
CREATE TYPE mail_kind AS ENUM ('registration', 'reset', 'address', 'address-changed', 'event');
CREATE TABLE mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind mail_kind NOT NULL,
    -- The event's kind where the mail tells of one.
    event text CHECK ((event IS NULL) = (kind <> 'event')),
    -- As it was typed: the mail goes to the address that is stored, if there is one.
    email text NOT NULL,
    account uuid REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    -- Nobody begins it earlier. While it is sent, this is the end of its lease.
    run_at timestamptz NOT NULL DEFAULT now(),
    -- Only the server that knows this token stores the result. NULL: no server is at it.
    lease uuid,
    ended_at timestamptz
);
CREATE INDEX mails_turn_key ON mails (run_at) WHERE ended_at IS NULL;
CREATE INDEX mails_email_key ON mails (lower(email), kind, created_at);
CREATE INDEX mails_account_key ON mails (account, kind, created_at) WHERE account IS NOT NULL;
CREATE INDEX mails_created_key ON mails (created_at);

-- Tokens of mails and invitations, as SHA-256. Knowing a token proves that one reads the mail of the address. Each is used once.
CREATE TYPE token_purpose AS ENUM ('verify', 'reset', 'address', 'invitation');
CREATE TABLE mailed_tokens (
    token_hash bytea PRIMARY KEY,
    purpose token_purpose NOT NULL,
    email text NOT NULL,
    -- NULL: the address has no account yet.
    account uuid REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX mailed_tokens_email_key ON mailed_tokens (lower(email));
CREATE INDEX mailed_tokens_account_key ON mailed_tokens (account) WHERE account IS NOT NULL;
CREATE INDEX mailed_tokens_expiry_key ON mailed_tokens (expires_at);

CREATE TABLE sessions (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The master key that the session's signing key is derived from.
    key_id text NOT NULL,
    -- The newest token's rotation counter, and when a token with it was first used.
    counter integer NOT NULL DEFAULT 1,
    confirmed_at timestamptz,
    device_id text,
    -- The address that asked for its newest token.
    address inet,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    -- The last time that its person gave a password or another proof.
    proven_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    -- The highest version by which it has signed a request; 0: none yet. `enter_session` raises it, and nothing lowers it.
    signature_version smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id)
);
-- Ended sessions stay for a while, and a client in a loop makes many.
CREATE INDEX sessions_live_key ON sessions (user_id) WHERE ended_at IS NULL;

-- The authenticator app of an account. The secret is encrypted with a key that is derived from the master key with this id.
CREATE TABLE totp_secrets (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    sealed_secret bytea NOT NULL,
    master_key_id text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- The time of the first code; before it the app is not in use.
    confirmed_at timestamptz(3),
    -- The step of the last code that was used. It and earlier ones are refused.
    last_step bigint,
    -- Wrong codes since the first of them, within a day.
    failures integer NOT NULL DEFAULT 0,
    failures_since timestamptz NOT NULL DEFAULT now()
);

-- SHA-256 of codes that replace the app once each.
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES totp_secrets ON DELETE CASCADE,
    digest bytea NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- Logins that wait for the second factor.
CREATE TABLE second_factor_challenges (
    -- SHA-256 of the client's value.
    digest bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of the password's hash that was checked.
    password_digest bytea NOT NULL,
    device_id text,
    device_name text,
    attempts_left integer NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '5 minutes'
);
CREATE INDEX second_factor_challenges_account ON second_factor_challenges (user_id, expires_at);

-- Passkeys (WebAuthn). The key is public, as COSE writes it; the counter is the authenticator's.
CREATE TABLE passkeys (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    -- The domain of the server that registered it: it is good for no other.
    domain text NOT NULL,
    name text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_used_at timestamptz(3),
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (credential_id);
-- Challenges that a passkey has answered, until no server takes them any more.
CREATE TABLE passkey_challenges (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of the challenge.
    digest bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, digest)
);
CREATE INDEX passkey_challenges_expiry_key ON passkey_challenges (expires_at);

CREATE TABLE devices (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id text NOT NULL,
    name text,
    model text,
    app_version text,
    first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    -- Its last login; NULL for one that only was put or seen. A limit of guesses that spares a device does not spare such a one.
    logged_in_at timestamptz,
    PRIMARY KEY (user_id, id)
);

-- The addresses that an account has logged in from: a stranger who guesses its password elsewhere does not stop its owner there.
CREATE TABLE known_addresses (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The first address of the /64 in IPv6.
    address inet NOT NULL,
    last_login_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, address)
);
CREATE INDEX known_addresses_sweep_key ON known_addresses (last_login_at);

-- Guesses of passwords and registrations: a row for each limit that an attempt counts in (functions/attempts.sql). Rows of an attempt, not
-- counters, so that no row is changed by many. Unlogged: the rows last minutes, a crash of PostgreSQL may forget them, and a login need not
-- wait for the disk.
CREATE UNLOGGED TABLE attempts (
    id uuid NOT NULL,
    -- A digest: the typed text is not stored.
    key bytea NOT NULL,
    -- From then on it does not count.
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (id, key)
);
CREATE INDEX attempts_count_key ON attempts (key, ends_at);
CREATE INDEX attempts_sweep_key ON attempts (ends_at);

-- Each signed write is accepted once. Timestamps are accepted within minutes of the clock, so four partitions in turn, chosen by the
-- signed timestamp, are enough: the one furthest from the clock is emptied.
CREATE TABLE nonces (
    slot smallint NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    PRIMARY KEY (user_id, session_id, signed_at, nonce, slot)
) PARTITION BY LIST (slot);
CREATE TABLE nonces_0 PARTITION OF nonces FOR VALUES IN (0);
CREATE TABLE nonces_1 PARTITION OF nonces FOR VALUES IN (1);
CREATE TABLE nonces_2 PARTITION OF nonces FOR VALUES IN (2);
CREATE TABLE nonces_3 PARTITION OF nonces FOR VALUES IN (3);

-- The master keys that servers may use of those in their secret files, each with a value to compare it by. `current` is for all that is
-- new. `prepared` becomes current when all servers have it; `previous` was current, and is deleted when nothing needs it. `compromised`
-- stays for ever: a backup may bring that key back.
CREATE TABLE master_keys (
    key_id text PRIMARY KEY,
    check_value text NOT NULL,
    state text NOT NULL DEFAULT 'current' CHECK (state IN ('prepared', 'current', 'previous', 'compromised')),
    -- The begin of that state.
    since timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX master_keys_single_key ON master_keys (state) WHERE state IN ('prepared', 'current');

-- The master keys that each running server has, and those that its secret file lacks, as it noted a few seconds ago. Unlogged: after a crash
-- they note it anew.
CREATE UNLOGGED TABLE server_keys (
    server_id uuid PRIMARY KEY,
    host text NOT NULL,
    process integer NOT NULL,
    key_ids text[] NOT NULL,
    missing_ids text[] NOT NULL,
    -- The last time that the server compared its file with this database.
    looked_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The actions of operators. Not `user_id`: no request sees them, and they outlive the account.
CREATE TABLE operator_actions (
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    operator text NOT NULL,
    action text NOT NULL,
    -- NULL where it was done to no account.
    account uuid
);
CREATE INDEX operator_actions_account_key ON operator_actions (account, at);
CREATE INDEX operator_actions_at_key ON operator_actions (at);

-- The name of this history of commits (cluster, timeline, database), its begin, and the salt of every sync_token.
CREATE TABLE lineage (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    value text NOT NULL,
    -- No time read from an earlier history is later. The first history has no earlier one.
    began_at timestamptz NOT NULL DEFAULT 'epoch',
    salt bigint NOT NULL DEFAULT 0
);

-- The collections that are synced by deltas. Each account has a head for each of them.
CREATE TYPE collection AS ENUM ('configurations', 'recordings');

-- The newest change of a user's collection, and counters over it. Every write locks this row to the commit, so that seq, changed_at and
-- commits have one order. `chain` names the whole history up to `seq`, like a commit id; a counter that a backup brings back could not.
CREATE TABLE sync_heads (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    collection collection NOT NULL,
    -- The chain of seq 0.
    genesis bytea NOT NULL,
    salt bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    chain bytea NOT NULL,
    -- The item and the version that the change made; NULL at seq 0.
    item_id uuid,
    item_version integer,
    changed_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
    -- The XOR over the live items of SHA-256(id in lower case || digest): clients with the same items get the same value.
    state_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    items integer NOT NULL DEFAULT 0,
    tombstones integer NOT NULL DEFAULT 0,
    -- Documents of all versions and of the losers, and the answers kept for an Idempotency-Key.
    history_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, collection)
);

-- One row an item for the life of the account: deleting empties the document and keeps the row as a tombstone. The document is text, never
-- jsonb: it is returned byte for byte, and reads don't decode it.
CREATE TABLE configurations (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    document text,
    digest bytea,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    -- A member of the document, since usage reads none.
    preset text,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, seq),
    CHECK (deleted = (document IS NULL) AND deleted = (digest IS NULL))
);

-- Every accepted version. Retention may empty documents, never the rest: retries and tokens are recognised by it.
-- No foreign key joins them to their item: its look-up was a fifth of PostgreSQL's work for each write of a batch. Writes lock the head before
-- they add versions, and versions are deleted with their head (`forget_history`), so that none outlives its account.
CREATE TABLE configuration_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    document text,
    digest bytea,
    -- A digest of the request that made the version: its kind, its preferences and its content in canonical form.
    sent_digest bytea NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    -- The device, or the session where there is none. A column, since row-level security keeps expressions out of index conditions.
    author text NOT NULL,
    by_device boolean NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    preset text,
    PRIMARY KEY (user_id, id, version)
);
-- The newest version of each author: the one that a retry without If-Match is compared with. By seq, since the planner would walk back
-- through all authors by the primary key if that had the same order.
CREATE INDEX configuration_versions_author_key
    ON configuration_versions (user_id, id, author, seq);
-- Retention walks in this order. Items that were never changed push nothing out, and are not in it.
CREATE INDEX configuration_versions_sweep_key ON configuration_versions (changed_at) WHERE version > 1;

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
CREATE INDEX configuration_conflicts_sweep_key ON configuration_conflicts (received_at);

-- The same for recordings. The document has the metadata that the client sent and what the server knows.
CREATE TABLE recordings (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    document text,
    digest bytea,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, seq),
    CHECK (deleted = (document IS NULL) AND deleted = (digest IS NULL))
);
CREATE TABLE recording_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    document text,
    digest bytea,
    sent_digest bytea NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    author text NOT NULL,
    by_device boolean NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id, version)
);
CREATE INDEX recording_versions_author_key ON recording_versions (user_id, id, author, seq);
CREATE INDEX recording_versions_sweep_key ON recording_versions (changed_at) WHERE version > 1;

-- uploading: bytes are missing, or nobody has said that they are all there. pending: to be verified. failed: `failure` says why.
CREATE TYPE recording_state AS ENUM ('uploading', 'pending', 'processing', 'ready', 'failed');
CREATE TYPE upload_state AS ENUM ('open', 'complete', 'cancelled', 'failed', 'expired');

-- The object of each recording, from the moment that an upload URL was asked for. It goes with the recording: what is left of the object
-- in the store is swept.
CREATE TABLE recording_files (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    state recording_state NOT NULL DEFAULT 'uploading',
    failure text,
    -- In the store; random, so that nothing is told by it.
    object_key text NOT NULL UNIQUE,
    size bigint NOT NULL,
    content_type text NOT NULL,
    -- By the client, and by reading the file back.
    sha256 bytea,
    verified_sha256 bytea,
    verified_at timestamptz(3),
    -- As it was sent, numbers of any size included.
    encryption json,
    device_id text,
    configuration_id uuid,
    configuration_version text,
    -- The upload: who has its URL may write. `epoch` counts the requests that have taken it over.
    upload upload_state NOT NULL DEFAULT 'open',
    upload_offset bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    -- The boot of the machine in which the bytes behind upload_offset were written: in another one they may be lost.
    boot_id uuid,
    -- In S3: what the service calls the upload.
    multipart_id text,
    asked_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    uploaded_at timestamptz(3),
    -- A member of the metadata, for lists.
    recorded_at timestamptz,
    video_format text,
    tags text[],
    resolution text,
    -- Of the metadata, and of the probe, which is believed where there is one: up to seven days.
    stated_ms integer,
    measured_ms integer GENERATED ALWAYS AS (
        CASE WHEN probe ->> 'duration' IS NOT NULL
            THEN round(least(greatest((probe ->> 'duration')::numeric, 0), 604800) * 1000)::integer END) STORED,
    probe jsonb,
    has_thumbnail boolean NOT NULL DEFAULT false,
    -- The largest that there ever was: counted in the account's quota.
    thumbnail_bytes bigint NOT NULL DEFAULT 0,
    has_preview boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX recording_files_list_key ON recording_files (user_id, recorded_at DESC, id DESC) WHERE recorded_at IS NOT NULL;
CREATE INDEX recording_files_uploaded_key ON recording_files (user_id, uploaded_at) WHERE uploaded_at IS NOT NULL;
CREATE INDEX recording_files_expiry_key ON recording_files (expires_at) WHERE state = 'uploading';

-- The work that is left on recordings' files. verify: read the file back. process: measure it and make its thumbnail. remove: delete
-- what is left in the store. preview: make a video that browsers play. The transaction that makes a job due enqueues it; the one that
-- stores its result deletes it.
CREATE TYPE job_kind AS ENUM ('verify', 'process', 'remove', 'preview');
CREATE TABLE jobs (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- An object belongs to one recording for ever; an id may come again after an upload expired.
    object_key text NOT NULL,
    kind job_kind NOT NULL,
    recording_id uuid NOT NULL,
    -- The number of its tries.
    attempts integer NOT NULL DEFAULT 0,
    -- Those of them that don't count, since the store failed.
    excused integer NOT NULL DEFAULT 0,
    -- Nobody begins it earlier. While it runs, this is the end of its lease.
    run_at timestamptz NOT NULL DEFAULT now(),
    -- Only the server that knows this token stores the result. NULL: no server is at it.
    lease uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, object_key, kind)
);
-- Accounts take turns. Previews have workers of their own.
CREATE INDEX jobs_turn_key ON jobs (user_id, run_at) WHERE kind <> 'preview';
CREATE INDEX jobs_preview_turn_key ON jobs (user_id, run_at) WHERE kind = 'preview';

-- The store with the recordings' files has an object with this id, once a server has claimed a store for this database.
CREATE TABLE object_store (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    is_claimed boolean NOT NULL DEFAULT false
);
INSERT INTO object_store DEFAULT VALUES;

-- The writes of requests with an Idempotency-Key, as an array with an element for each of their writes; null for one that was
-- refused. `request_digest` tells whether the key comes with the same request.
CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL,
    collection collection NOT NULL,
    request_digest bytea NOT NULL,
    answer jsonb NOT NULL,
    bytes integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, collection) REFERENCES sync_heads ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_created_key ON idempotency_keys (created_at);

-- The consents in force. Ingest locks the row of `analytics` to the commit, so that batches of an account come one after
-- the other, and none comes between a withdrawal and its deletions. No row: nobody was asked, which is no consent.
CREATE TYPE consent_category AS ENUM ('analytics', 'crash_reports', 'usage_metrics');
CREATE TABLE consents (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    category consent_category NOT NULL,
    granted boolean NOT NULL,
    -- The version of the text that was agreed to or refused, as the client names it.
    version text NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    PRIMARY KEY (user_id, category)
);
-- Every change of the above. Not of `users`: whoever changes a consent would wait for an account's deletion, which waits for the consent.
CREATE TABLE consent_changes (
    user_id uuid NOT NULL,
    category consent_category NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    granted boolean NOT NULL,
    version text NOT NULL,
    PRIMARY KEY (user_id, category, changed_at),
    FOREIGN KEY (user_id, category) REFERENCES consents ON DELETE CASCADE
);

-- Accounts without consent of which events are left: what a withdrawal has not deleted yet (functions/consents.sql). Not `user_id`: no request
-- sees it, and the account may be gone.
CREATE TABLE erasures (
    account uuid PRIMARY KEY
);

-- The events that clients report, and their counts. A partition a month of UTC, which functions/analytics.sql creates ahead and drops. They
-- have no foreign key, since a new partition would then lock `users`: consents delete them (functions/consents.sql).
CREATE TABLE analytics_events (
    user_id uuid NOT NULL,
    -- Empty where the session has no device.
    device_id text NOT NULL,
    occurred_at timestamptz NOT NULL,
    -- The client's, or made of the batch: a batch that comes again has the same ids.
    id uuid NOT NULL,
    name text NOT NULL,
    -- As it was sent, numbers of any size included.
    parameters json NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- The one index, since each costs a batch as much as its rows: repetitions come from the same device with the same time.
    PRIMARY KEY (user_id, device_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);

-- Events by UTC day: of each device, and of each name. No figure needs both. `quarters` are the quarter hours of the day that have events, 0
-- to 95 and ascending, and `counts` has how many, so that the days of every time zone can be made of them; `events` is their sum.
CREATE TABLE analytics_device_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    device_id text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL,
    PRIMARY KEY (user_id, day, device_id)
) PARTITION BY RANGE (day);
CREATE TABLE analytics_name_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    -- One of analytics_names, or `other`.
    name text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL,
    PRIMARY KEY (user_id, day, name)
) PARTITION BY RANGE (day);

-- The number of an account's events of each month (its first day), for its quota.
CREATE TABLE analytics_months (
    user_id uuid NOT NULL,
    month date NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (user_id, month)
) PARTITION BY RANGE (month);

-- The names that an account's events of a month (its first day) are counted by. There is a limit to them; what is over is `other`.
CREATE TABLE analytics_names (
    user_id uuid NOT NULL,
    month date NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (user_id, month, name)
) PARTITION BY RANGE (month);

-- The events that a person looks for who fears that somebody else is in (functions/account_events.sql).
CREATE TABLE account_events (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL CHECK (kind ~ '^[a-z]+(-[a-z]+)*$'),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Above 1 for failed logins: those of an hour are one row.
    count integer NOT NULL DEFAULT 1,
    session_id uuid,
    device_id text,
    -- NULL: unknown, or several.
    address inet,
    -- True while a mail is still to tell the person of it (functions/mails.sql).
    mail_due boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, kind, at, id)
);
CREATE INDEX account_events_at_key ON account_events (at);
CREATE INDEX account_events_due_key ON account_events (at) WHERE mail_due;
ALTER TABLE account_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON account_events TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON account_events TO neuroviews_background USING (true);
GRANT SELECT, INSERT ON account_events TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE (count, address) ON account_events TO neuroviews_background;

-- The identities of an account's person at OpenID providers (functions/identities.sql). By issuer, not by the provider's name in the settings: a
-- name may mean another issuer tomorrow, and its people must not get in.
CREATE TABLE identities (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    issuer text NOT NULL,
    subject text NOT NULL,
    -- As the token had it when it was linked, for the person to tell identities apart. Nothing is looked up by it.
    email text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX identities_subject_key ON identities (issuer, subject);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON identities TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON identities TO neuroviews_background USING (true);
GRANT SELECT, INSERT, DELETE ON identities TO neuroviews_app;
GRANT SELECT, INSERT ON identities TO neuroviews_background;
-- The removal of an identity ends the logins that wait for a second factor.
GRANT SELECT (user_id), DELETE ON second_factor_challenges TO neuroviews_app;
GRANT SELECT (has_password) ON users TO neuroviews_app;
GRANT UPDATE (has_password) ON users TO neuroviews_background;

-- ID tokens that were used, by a digest of what is signed. A row lasts as long as its token would be accepted.
CREATE TABLE used_id_tokens (
    digest bytea PRIMARY KEY,
    ends_at timestamptz NOT NULL
);
CREATE INDEX used_id_tokens_end_key ON used_id_tokens (ends_at);
GRANT SELECT ON used_id_tokens TO neuroviews_background;

-- Accounts that are being erased (functions/account_erasures.sql): nobody gets in, and their rows are deleted in steps. Not `user_id`: the
-- account may be gone, and no request sees it.
CREATE TABLE account_erasures (
    account uuid PRIMARY KEY,
    began_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Files of erased accounts that are still in the store.
CREATE TABLE erased_objects (
    object_key text PRIMARY KEY,
    account uuid NOT NULL
);
CREATE INDEX erased_objects_account_key ON erased_objects (account);
GRANT SELECT ON account_erasures TO neuroviews_background;
GRANT SELECT, DELETE ON erased_objects TO neuroviews_background;

-- The erasure ledger: which accounts were erased, by HMACs of their ids. Each data folder has the same in a file, so that a restored backup
-- brings no account back. The keys tell no more than the ids, which a backup has.
CREATE TABLE erasure_ledger (
    digest bytea PRIMARY KEY
);
CREATE TABLE erasure_ledger_keys (
    key bytea PRIMARY KEY
);

-- The place of each walk over the changes. `kept` is the number that the walk was made for, `began_at` when it began.
CREATE TABLE sweeps (
    name text PRIMARY KEY,
    collection collection NOT NULL,
    kept integer NOT NULL DEFAULT 0,
    reached timestamptz NOT NULL DEFAULT '-infinity',
    began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO sweeps (name, collection) VALUES
    ('versions by count', 'configurations'), ('versions by age', 'configurations'), ('conflicts by count', 'configurations'),
    ('recording versions by count', 'recordings'), ('recording versions by age', 'recordings');

-- The second wall: whatever a query forgets, a request sees the rows of its own user only. Unset and empty mean none.
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_0 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_1 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_2 ENABLE ROW LEVEL SECURITY;
ALTER TABLE nonces_3 ENABLE ROW LEVEL SECURITY;
ALTER TABLE totp_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE second_factor_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE known_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE configurations ENABLE ROW LEVEL SECURITY;
ALTER TABLE configuration_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE configuration_conflicts ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE recordings ENABLE ROW LEVEL SECURITY;
ALTER TABLE recording_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE recording_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE consents ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_device_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_name_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_names ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON users TO neuroviews_app
    USING (id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON sessions TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_0 TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_1 TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_2 TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON nonces_3 TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON totp_secrets TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON recovery_codes TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON second_factor_challenges TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON passkeys TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON passkey_challenges TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON devices TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON known_addresses TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON sync_heads TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configurations TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configuration_versions TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON configuration_conflicts TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON idempotency_keys TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON recordings TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON recording_versions TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON recording_files TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON jobs TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON consents TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON consent_changes TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON analytics_events TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON analytics_device_days TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON analytics_name_days TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON analytics_months TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON analytics_names TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON configuration_versions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recordings TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recording_versions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recording_files TO neuroviews_background USING (true);
CREATE POLICY all_rows ON jobs TO neuroviews_background USING (true);
CREATE POLICY all_rows ON users TO neuroviews_background USING (true);
CREATE POLICY all_rows ON sessions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON totp_secrets TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recovery_codes TO neuroviews_background USING (true);
CREATE POLICY all_rows ON second_factor_challenges TO neuroviews_background USING (true);
CREATE POLICY all_rows ON passkeys TO neuroviews_background USING (true);
CREATE POLICY all_rows ON passkey_challenges TO neuroviews_background USING (true);
CREATE POLICY all_rows ON devices TO neuroviews_background USING (true);
CREATE POLICY all_rows ON sync_heads TO neuroviews_background USING (true);

GRANT SELECT (id, email, created_at) ON users TO neuroviews_app;
GRANT SELECT ON sessions TO neuroviews_app;
GRANT UPDATE (ended_at, proven_at) ON sessions TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_secrets TO neuroviews_app;
GRANT SELECT, INSERT, DELETE ON recovery_codes TO neuroviews_app;
-- A login has no session yet.
GRANT SELECT, UPDATE (last_step, failures, failures_since) ON totp_secrets TO neuroviews_background;
GRANT SELECT, DELETE ON recovery_codes TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE (attempts_left), DELETE ON second_factor_challenges TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE (counter, last_used_at), DELETE ON passkeys TO neuroviews_app;
GRANT SELECT, UPDATE (counter, last_used_at) ON passkeys TO neuroviews_background;
GRANT SELECT, INSERT ON passkey_challenges TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON passkey_challenges TO neuroviews_background;
GRANT SELECT ON known_addresses TO neuroviews_app;
GRANT SELECT, DELETE ON devices TO neuroviews_app;
GRANT INSERT (user_id, id, name, model, app_version), UPDATE (name, model, app_version, last_seen_at) ON devices TO neuroviews_app;
GRANT SELECT (began_at, salt) ON lineage TO neuroviews_app, neuroviews_background;
GRANT SELECT, UPDATE ON sync_heads TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON configurations TO neuroviews_app;
GRANT SELECT, INSERT ON configuration_versions TO neuroviews_app;
-- Whether there is the version that a recording names.
GRANT SELECT (user_id, id, version, chain) ON configuration_versions TO neuroviews_background;
-- A person who has resolved a conflict takes it off the list.
GRANT SELECT, INSERT, DELETE ON configuration_conflicts TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON recordings, recording_files TO neuroviews_app, neuroviews_background;
GRANT DELETE ON recording_files TO neuroviews_app, neuroviews_background;
GRANT INSERT ON jobs TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO neuroviews_background;
-- A row is locked FOR UPDATE by who may change a column of it.
GRANT SELECT, UPDATE (is_claimed) ON object_store TO neuroviews_background;
GRANT SELECT, INSERT ON recording_versions TO neuroviews_app;
GRANT INSERT ON recording_versions TO neuroviews_background;
GRANT SELECT (user_id, id, version, seq, chain, sent_digest, changed_at, author) ON recording_versions TO neuroviews_background;
GRANT INSERT ON operator_actions TO neuroviews_background;
GRANT SELECT, INSERT ON users TO neuroviews_background;
GRANT UPDATE (password_hash) ON users TO neuroviews_background;
GRANT SELECT, DELETE ON registrations, mailed_tokens TO neuroviews_background;
GRANT SELECT, DELETE, UPDATE (run_at, lease, attempts, ended_at) ON mails TO neuroviews_background;
GRANT SELECT, INSERT ON sessions, master_keys TO neuroviews_background;
GRANT UPDATE (ended_at), DELETE ON sessions TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE, DELETE ON server_keys TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON devices TO neuroviews_background;
-- The server itself writes to recordings.
GRANT SELECT, INSERT, UPDATE ON sync_heads TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON consents TO neuroviews_app;
GRANT SELECT ON consent_changes TO neuroviews_app;
GRANT SELECT, INSERT ON analytics_events, analytics_names TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON analytics_device_days, analytics_name_days, analytics_months TO neuroviews_app;
