-- The tables and their access rules. The functions are in functions/. Every key of an account's rows starts with user_id, so that the tables
-- can be distributed by it.

CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email text NOT NULL,
    password_hash text NOT NULL,
    -- False for an account that was opened with an OpenID token. Then no password has the stored hash.
    has_password boolean NOT NULL DEFAULT true,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- Set by an operator. No session can start until it is NULL again.
    disabled_at timestamptz(3)
);
-- "C" folds A to Z alone, alike in each database: in a Turkish one, lower('I') is another letter than 'i'. And no upgrade of the
-- system changes the order.
CREATE UNIQUE INDEX users_email_key ON users (lower(email COLLATE "C"));

-- Registrations with an unconfirmed address, one row for each address. They are not accounts: they have no sessions and no data.
CREATE TABLE registrations (
    email text NOT NULL,
    password_hash text NOT NULL,
    -- True if the address was registered more than once, maybe by a stranger. The person who confirms it chooses the password.
    is_contested boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX registrations_email_key ON registrations (lower(email COLLATE "C"));
CREATE INDEX registrations_expiry_key ON registrations (expires_at);

-- Mails to send, and for an hour those that were sent. The transaction of a mail's cause inserts it. Its text and its token are made when it
-- is sent. The account's column is not named `user_id`, because no request can read these rows.
CREATE TYPE mail_kind AS ENUM ('registration', 'reset', 'address', 'address-changed', 'event');
CREATE TABLE mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind mail_kind NOT NULL,
    -- The kind of the event that the mail reports.
    event text CHECK ((event IS NULL) = (kind <> 'event')),
    -- As it was typed. If an account has this address, the mail goes to the stored spelling.
    email text NOT NULL,
    account uuid REFERENCES users ON DELETE CASCADE,
    -- When the event happened, the device that did it (its name, else its id), and its network address; NULL: unknown.
    happened_at timestamptz,
    device text,
    client inet,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    -- The mail is not sent earlier. While it is sent, this is the end of its lease.
    run_at timestamptz NOT NULL DEFAULT now(),
    -- Only the server that knows this token stores the result. NULL: no server is at it.
    lease uuid,
    ended_at timestamptz
);
CREATE INDEX mails_turn_key ON mails (run_at) WHERE ended_at IS NULL;
CREATE INDEX mails_email_key ON mails (lower(email COLLATE "C"), kind, created_at);
CREATE INDEX mails_account_key ON mails (account, kind, created_at) WHERE account IS NOT NULL;
CREATE INDEX mails_created_key ON mails (created_at);

-- SHA-256 of the tokens of mails and invitations. A token proves access to the mailbox. Each can be used once.
CREATE TYPE token_purpose AS ENUM ('verify', 'reset', 'address', 'invitation');
CREATE TABLE mailed_tokens (
    token_hash bytea PRIMARY KEY,
    purpose token_purpose NOT NULL,
    email text NOT NULL,
    -- NULL: the address has no account.
    account uuid REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX mailed_tokens_email_key ON mailed_tokens (lower(email COLLATE "C"));
CREATE INDEX mailed_tokens_account_key ON mailed_tokens (account) WHERE account IS NOT NULL;
CREATE INDEX mailed_tokens_expiry_key ON mailed_tokens (expires_at);

CREATE TABLE sessions (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The master key that the session's signing key is derived from.
    key_id text NOT NULL,
    -- The rotation counter of the newest token, and the time when it was first used.
    counter integer NOT NULL DEFAULT 1,
    confirmed_at timestamptz,
    -- When the newest token was made, and the attempt and the site that asked for it (`rotate_token`).
    token_made_at timestamptz NOT NULL DEFAULT now(),
    token_made_by uuid,
    token_made_from inet,
    device_id text,
    -- The network address that requested the newest token.
    address inet,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    -- The last time that the person gave a password or another proof.
    proven_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    -- The highest signature version that the session has used; 0: none. `enter_session` raises it, and nothing lowers it.
    signature_version smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id)
);
-- Ended sessions are kept for a while, and a faulty client may create many.
CREATE INDEX sessions_live_key ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_ended_key ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- The authenticator app of an account. Its secret is encrypted with a key that is derived from this master key.
CREATE TABLE totp_secrets (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    sealed_secret bytea NOT NULL,
    master_key_id text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- The time of the first correct code. The app is not in use before it.
    confirmed_at timestamptz(3),
    -- The time step of the last used code. Codes of this step and of earlier ones are rejected.
    last_step bigint,
    -- The number of wrong codes since `failures_since`, within a day.
    failures integer NOT NULL DEFAULT 0,
    failures_since timestamptz NOT NULL DEFAULT now()
);

-- SHA-256 of recovery codes. Each replaces the app once.
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES totp_secrets ON DELETE CASCADE,
    digest bytea NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- Logins that wait for the second factor.
CREATE TABLE second_factor_challenges (
    -- SHA-256 of the value that the client has.
    digest bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of the password hash that was checked.
    password_digest bytea NOT NULL,
    device_id text,
    device_name text,
    attempts_left integer NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '5 minutes'
);
CREATE INDEX second_factor_challenges_account ON second_factor_challenges (user_id, expires_at);

-- Passkeys (WebAuthn). The public key is in COSE format; the counter is that of the authenticator.
CREATE TABLE passkeys (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    -- The server's domain at the registration. The passkey is not valid for another one.
    domain text NOT NULL,
    name text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_used_at timestamptz(3),
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (credential_id);
-- Used challenges of passkeys, until they expire.
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
    -- NULL: no login has named it. Only a device with a login has its own limit of failed logins.
    logged_in_at timestamptz,
    PRIMARY KEY (user_id, id)
);

-- The network addresses of an account's logins. They have their own limits, so that guesses from elsewhere do not lock the owner out.
CREATE TABLE known_addresses (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- In IPv6, the first address of the /64.
    address inet NOT NULL,
    last_login_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, address)
);
CREATE INDEX known_addresses_sweep_key ON known_addresses (last_login_at);

-- Attempts to log in or to register: a row for each limit that an attempt counts in (functions/attempts.sql). There is no shared counter, so
-- that no row is updated by many requests. Unlogged: a login does not wait for the disk, and a crash may lose these rows, which are needed
-- for minutes only.
CREATE UNLOGGED TABLE attempts (
    id uuid NOT NULL,
    -- A digest. The typed text is not stored.
    key bytea NOT NULL,
    -- The attempt counts until then.
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (id, key)
);
CREATE INDEX attempts_count_key ON attempts (key, ends_at);
CREATE INDEX attempts_sweep_key ON attempts (ends_at);

-- The nonces of signed writes: each is accepted once. The signed timestamp selects one of four partitions. Timestamps must be within
-- minutes of the clock, so the partition furthest from the clock can be truncated.
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

-- The master keys that servers may use, each with a value to check the key in the secret file. New data use the `current` key. A `prepared`
-- key becomes current when all servers have it. A `previous` key was current, and is deleted when nothing needs it. A `compromised` key is
-- kept for ever, because a backup may bring it back.
CREATE TABLE master_keys (
    key_id text PRIMARY KEY,
    check_value text NOT NULL,
    state text NOT NULL DEFAULT 'current' CHECK (state IN ('prepared', 'current', 'previous', 'compromised')),
    -- The start of this state.
    since timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX master_keys_single_key ON master_keys (state) WHERE state IN ('prepared', 'current');

-- The master keys that each running server has, and those that are missing in its secret file. Servers update their rows every few seconds.
-- Unlogged: after a crash they insert them again.
CREATE UNLOGGED TABLE server_keys (
    server_id uuid PRIMARY KEY,
    host text NOT NULL,
    process integer NOT NULL,
    key_ids text[] NOT NULL,
    missing_ids text[] NOT NULL,
    -- The last time when the server compared its secret file with this table.
    looked_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The connected devices of accounts, one row for each device and server; that server alone writes it. Unlogged: after a crash the servers write
-- their rows again. A row counts as long as its server notes itself in `server_keys`.
CREATE UNLOGGED TABLE realtime_devices (
    user_id uuid NOT NULL,
    device_id text NOT NULL,
    server_id uuid NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    -- JSON: the device's status and streams. NULL: it has sent none.
    states text,
    PRIMARY KEY (user_id, device_id, server_id)
);
CREATE INDEX realtime_devices_server_key ON realtime_devices (server_id);

-- Commands from one device of an account to another, for minutes.
CREATE TABLE realtime_commands (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL,
    -- Of the content: a retry has the same one.
    digest bytea NOT NULL,
    sender text NOT NULL,
    target text,
    -- The server that may deliver it, until the deadline.
    server_id uuid,
    deadline timestamptz NOT NULL,
    -- NULL once there is an outcome. The first outcome stays.
    message text,
    outcome text,
    result text,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX realtime_commands_open_key ON realtime_commands (user_id) WHERE outcome IS NULL;
CREATE INDEX realtime_commands_sweep_key ON realtime_commands (deadline);

-- The actions of operators. The account's column is not named `user_id`, because no request can read these rows and they outlive the account.
CREATE TABLE operator_actions (
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    operator text NOT NULL,
    action text NOT NULL,
    -- NULL: the action has no account.
    account uuid
);
CREATE INDEX operator_actions_account_key ON operator_actions (account, at);
CREATE INDEX operator_actions_at_key ON operator_actions (at);

-- The identity of this history of commits (cluster, timeline, database), its start, and the salt of all sync tokens.
CREATE TABLE lineage (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    value text NOT NULL,
    -- Times that clients have read from an earlier history are not later than this.
    began_at timestamptz NOT NULL DEFAULT 'epoch',
    salt bigint NOT NULL DEFAULT 0
);

-- The collections that are synced by deltas. Each account has a head for each.
CREATE TYPE collection AS ENUM ('configurations', 'recordings');

-- The newest change of a user's collection, and its counters. Every write locks this row until the commit, so that seq, changed_at and
-- commits have the same order. `chain` identifies the whole history up to `seq`, like a commit id. A counter could not: after a restore it
-- would count other changes.
CREATE TABLE sync_heads (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    collection collection NOT NULL,
    -- The chain value of seq 0.
    genesis bytea NOT NULL,
    salt bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    chain bytea NOT NULL,
    -- The item and the version of the newest change; NULL at seq 0.
    item_id uuid,
    item_version integer,
    changed_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
    -- As in `lineage`, for this account: an operator has reset its clients.
    began_at timestamptz NOT NULL DEFAULT 'epoch',
    -- The XOR of SHA-256(id in lower case || digest) over all items without tombstones. Clients with the same items compute the same value.
    state_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    items integer NOT NULL DEFAULT 0,
    tombstones integer NOT NULL DEFAULT 0,
    -- Bytes of the documents of all versions and conflicts, and of the results kept for Idempotency-Keys.
    history_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, collection)
);

-- One row for each item. A deletion empties the document and keeps the row as a tombstone. The document is text, not jsonb, because it is
-- returned byte for byte, and reads do not parse it.
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
    -- A copy of the document's member, for usage, which reads no documents.
    preset text,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, seq),
    CHECK (deleted = (document IS NULL) AND deleted = (digest IS NULL))
);

-- Every accepted version. Retention may empty documents, but keeps the rows: retries and tokens are recognised by them.
-- There is no foreign key to the item, because its check took a fifth of PostgreSQL's time for each write of a batch. Writes lock the head
-- before they add versions, and versions are deleted with their head (`forget_history`), so that no version outlives its account.
CREATE TABLE configuration_versions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    chain bytea NOT NULL,
    document text,
    digest bytea,
    -- A digest of the request that created the version: its kind, its preferences and its canonical content.
    sent_digest bytea NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    edited_at timestamptz NOT NULL,
    -- The device, or the session if it has no device. A column, because row-level security allows no expressions in index conditions.
    author text NOT NULL,
    by_device boolean NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    preset text,
    PRIMARY KEY (user_id, id, version)
);
-- Finds the newest version of an author, with which a retry without If-Match is compared. Ordered by seq: by version, the planner would scan
-- the primary key backwards through all authors.
CREATE INDEX configuration_versions_author_key
    ON configuration_versions (user_id, id, author, seq);
-- The order of retention. First versions are left out, because they replace no other.
CREATE INDEX configuration_versions_sweep_key ON configuration_versions (changed_at) WHERE version > 1;

-- Documents that lost a conflict, each one once.
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

-- The same for recordings. The document has the client's metadata and the server's members.
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

-- uploading: bytes or metadata are missing. pending: to be verified. processing: to be measured. failed: `failure` has the reason.
CREATE TYPE recording_state AS ENUM ('uploading', 'pending', 'processing', 'ready', 'failed');
CREATE TYPE upload_state AS ENUM ('open', 'complete', 'cancelled', 'failed', 'expired');

-- The file of each recording, from the request for an upload URL until the deletion of the recording. Objects that are left in the store are
-- deleted by a sweep.
CREATE TABLE recording_files (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL,
    spelled_id text NOT NULL,
    state recording_state NOT NULL DEFAULT 'uploading',
    failure text,
    -- The name in the store. It is random, so that it reveals nothing.
    object_key text NOT NULL UNIQUE,
    size bigint NOT NULL,
    content_type text NOT NULL,
    -- The client's digest, and that of the stored file.
    sha256 bytea,
    verified_sha256 bytea,
    verified_at timestamptz(3),
    -- As it was sent, numbers of any size included.
    encryption json,
    device_id text,
    configuration_id uuid,
    configuration_version text,
    -- The upload. Everybody with its URL may write. `epoch` counts the requests that have continued it.
    upload upload_state NOT NULL DEFAULT 'open',
    upload_offset bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    -- The boot of the machine in which the bytes beyond upload_offset were written. After another boot they may be lost.
    boot_id uuid,
    -- In S3: the id of the multipart upload, and the size of its parts. Null: as for a new upload.
    multipart_id text,
    part_bytes bigint,
    -- The recording has failed, and its file is sent once more. Its metadata stay until it is completed again.
    is_sent_again boolean NOT NULL DEFAULT false,
    asked_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    uploaded_at timestamptz(3),
    -- Copies of members of the metadata, for lists and usage.
    recorded_at timestamptz,
    video_format text,
    tags text[],
    resolution text,
    -- The duration by the metadata, and by the probe (at most seven days), which is preferred.
    stated_ms integer,
    measured_ms integer GENERATED ALWAYS AS (
        CASE WHEN probe ->> 'duration' IS NOT NULL
            THEN round(least(greatest((probe ->> 'duration')::numeric, 0), 604800) * 1000)::integer END) STORED,
    probe jsonb,
    has_thumbnail boolean NOT NULL DEFAULT false,
    -- The size of the largest thumbnail so far. It counts in the account's quota.
    thumbnail_bytes bigint NOT NULL DEFAULT 0,
    has_preview boolean NOT NULL DEFAULT false,
    -- With the columns that an account's use adds up, so that this reads no rows. Uploads do not change them.
    PRIMARY KEY (user_id, id) INCLUDE (size, thumbnail_bytes)
);
-- Uploads that were not completed.
CREATE INDEX recording_files_open_key ON recording_files (user_id, asked_at DESC, id DESC) WHERE recorded_at IS NULL;
CREATE INDEX recording_files_list_key ON recording_files (user_id, recorded_at DESC, id DESC) WHERE recorded_at IS NOT NULL;
CREATE INDEX recording_files_uploaded_key ON recording_files (user_id, uploaded_at) WHERE uploaded_at IS NOT NULL;
CREATE INDEX recording_files_expiry_key ON recording_files (expires_at) WHERE state = 'uploading' OR is_sent_again;

-- The work to do on recordings' files. verify: read the file back. process: measure it and make its thumbnail. remove: delete its objects
-- from the store. preview: make a video that browsers play. The transaction of a job's cause inserts it, and the one that stores its result
-- deletes it.
CREATE TYPE job_kind AS ENUM ('verify', 'process', 'remove', 'preview');
CREATE TABLE jobs (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- An object always belongs to one recording. A recording's id may be used again after its upload has expired.
    object_key text NOT NULL,
    kind job_kind NOT NULL,
    recording_id uuid NOT NULL,
    -- The number of tries.
    attempts integer NOT NULL DEFAULT 0,
    -- The tries that do not count, because the store failed.
    excused integer NOT NULL DEFAULT 0,
    -- The job does not start earlier. While it runs, this is the end of its lease.
    run_at timestamptz NOT NULL DEFAULT now(),
    -- Only the server that knows this token stores the result. NULL: no server is at it.
    lease uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, object_key, kind)
);
-- An index for the workers of each lane, which look for the accounts that have jobs.
CREATE INDEX jobs_checks_key ON jobs (user_id, run_at) WHERE kind IN ('verify', 'remove');
CREATE INDEX jobs_decoding_key ON jobs (user_id, run_at) WHERE kind IN ('process');
CREATE INDEX jobs_previews_key ON jobs (user_id, run_at) WHERE kind IN ('preview');

-- The kinds of jobs that share workers. A lane never waits for another one.
CREATE TYPE job_lane AS ENUM ('checks', 'decoding', 'previews');
-- Accounts take turns by the time that their jobs have taken. Each lane has a clock, which stands at the largest `began_ms`. The account
-- with the smallest `next_ms` is next; one that lies behind the clock counts as now.
CREATE TABLE job_turns (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    lane job_lane NOT NULL,
    -- When its last job began.
    began_ms bigint NOT NULL DEFAULT 0,
    -- That, and the time of the jobs that have ended since.
    next_ms bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, lane)
);
CREATE INDEX job_turns_clock_key ON job_turns (lane, began_ms);
-- The workers of each running process: an account gets all but one. Unlogged: a process notes its workers every half minute.
CREATE UNLOGGED TABLE job_workers (
    process_id uuid NOT NULL,
    lane job_lane NOT NULL,
    workers integer NOT NULL,
    seen_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (process_id, lane)
);

-- The store's identity. When a server claims a store for this database, it writes an object with this id to it.
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
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, collection) REFERENCES sync_heads ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_expiry_key ON idempotency_keys (expires_at);

-- The current consents. Events lock the row of their category until the commit. So an account's batches of a category run one after the other,
-- and none runs between a withdrawal and its deletions. No row: the person was not asked, so there is no consent.
CREATE TYPE consent_category AS ENUM ('analytics', 'crash_reports', 'usage_metrics');
CREATE TABLE consents (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    category consent_category NOT NULL,
    granted boolean NOT NULL,
    -- The client's name for the version of the text that the person accepted or refused.
    version text NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    PRIMARY KEY (user_id, category)
);
-- The history of consents. It refers to `consents`, not to `users`: otherwise a change of a consent and the account's deletion would wait for
-- each other.
CREATE TABLE consent_changes (
    user_id uuid NOT NULL,
    category consent_category NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    granted boolean NOT NULL,
    version text NOT NULL,
    PRIMARY KEY (user_id, category, changed_at),
    FOREIGN KEY (user_id, category) REFERENCES consents ON DELETE CASCADE
);

-- The categories of events that are stored with their account. Text, not `consent_category`: the comparison of enums is not leakproof, so
-- under row-level security no index condition can use it.
CREATE DOMAIN event_category AS text CHECK (VALUE IN ('analytics', 'usage_metrics'));

-- Accounts whose events of a category must still be deleted after a withdrawal (functions/consents.sql). The column is not named `user_id`,
-- because no request can read it and the account may be gone.
CREATE TABLE erasures (
    account uuid NOT NULL,
    category event_category NOT NULL,
    PRIMARY KEY (account, category)
);

-- The events that clients report, and their counts, in monthly partitions by UTC. functions/analytics.sql creates partitions in advance and
-- drops old ones. There is no foreign key, because a new partition would lock `users`. functions/consents.sql deletes the rows.
CREATE TABLE analytics_events (
    user_id uuid NOT NULL,
    -- Empty if the session has no device.
    device_id text NOT NULL,
    occurred_at timestamptz NOT NULL,
    -- Given by the client, or derived from the batch, so that a repeated batch has the same ids.
    id uuid NOT NULL,
    name text NOT NULL,
    -- As it was sent, numbers of any size included.
    parameters json NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    category event_category NOT NULL DEFAULT 'analytics',
    -- The only index: an index costs a batch as much as its rows. A repeated event has the same category, device and time. The category comes
    -- first, so that a withdrawal finds its events by the index alone.
    PRIMARY KEY (user_id, category, device_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);

-- Counts of events by category and UTC day: for each device, and for each name. No figure needs both. `quarters` has the quarter hours of the
-- day with events (0 to 95, ascending), and `counts` their numbers of events. The days of any time zone are computed from them. `events` is
-- the sum.
CREATE TABLE analytics_device_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    device_id text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL,
    category event_category NOT NULL DEFAULT 'analytics',
    PRIMARY KEY (user_id, day, device_id, category)
) PARTITION BY RANGE (day);
CREATE TABLE analytics_name_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    -- A name in analytics_names, or `other`.
    name text NOT NULL,
    events integer NOT NULL,
    quarters smallint[] NOT NULL,
    counts integer[] NOT NULL,
    category event_category NOT NULL DEFAULT 'analytics',
    PRIMARY KEY (user_id, day, name, category)
) PARTITION BY RANGE (day);

-- The number of an account's events in each month (given by its first day), for its quota.
CREATE TABLE analytics_months (
    user_id uuid NOT NULL,
    month date NOT NULL,
    events bigint NOT NULL,
    category event_category NOT NULL DEFAULT 'analytics',
    PRIMARY KEY (user_id, month, category)
) PARTITION BY RANGE (month);

-- The names under which an account's events of a category and a month (given by its first day) are counted. Names above the limit are counted
-- as `other`.
CREATE TABLE analytics_names (
    user_id uuid NOT NULL,
    month date NOT NULL,
    name text NOT NULL,
    category event_category NOT NULL DEFAULT 'analytics',
    PRIMARY KEY (user_id, month, name, category)
) PARTITION BY RANGE (month);

-- Crash reports of people who agreed, of all accounts together (functions/crash_reports.sql). No column leads to an account, a device, a
-- session, an address or an event. So no export and no withdrawal can find a row. Requests and sweeps reach the table by functions alone.
CREATE TABLE crash_reports (
    -- The UTC day of the crash.
    day date NOT NULL,
    name text NOT NULL,
    -- As it was sent, numbers of any size included.
    parameters json NOT NULL
);
CREATE INDEX crash_reports_day_key ON crash_reports (day);

-- Security events of an account. They help a person to find out if somebody else uses it (functions/account_events.sql).
CREATE TABLE account_events (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL CHECK (kind ~ '^[a-z]+(-[a-z]+)*$'),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Above 1 for failures, and for `token-elsewhere` of one session: those of an hour share a row.
    count integer NOT NULL DEFAULT 1,
    -- NULL: unknown, or several. So are its device and address.
    session_id uuid,
    device_id text,
    address inet,
    -- True until a mail about it is enqueued (functions/mails.sql).
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
GRANT SELECT, INSERT, UPDATE (count, session_id, device_id, address) ON account_events TO neuroviews_background;

-- Wrong passwords for addresses without an account. `note_failure` notes them as it notes those of accounts: the same statements, locks and
-- indexes. So the time of an answer does not tell if an address has an account. A keyed digest of the address selects its stand-in. Nothing
-- reads these rows, and each stand-in keeps one.
CREATE TABLE stand_ins (
    -- Below the ids of accounts, which are random.
    id uuid PRIMARY KEY
);
INSERT INTO stand_ins SELECT lpad(to_hex(n), 32, '0')::uuid FROM generate_series(0, 4095) n;
CREATE TABLE stand_in_events (LIKE account_events INCLUDING ALL);
ALTER TABLE stand_in_events RENAME COLUMN user_id TO stand_in;
ALTER TABLE stand_in_events ADD FOREIGN KEY (stand_in) REFERENCES stand_ins ON DELETE CASCADE;
GRANT SELECT ON stand_ins TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE (count, session_id, device_id, address) ON stand_in_events TO neuroviews_background;

-- The identities of an account's person at OpenID providers (functions/identities.sql). They are found by the issuer, not by the provider's
-- name in the settings: if that name gets another issuer, the people of that issuer must not get in.
CREATE TABLE identities (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    issuer text NOT NULL,
    subject text NOT NULL,
    -- The token's address at the time of linking. It only helps the person to distinguish identities.
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
-- The removal of an identity deletes the logins that wait for a second factor.
GRANT SELECT (user_id), DELETE ON second_factor_challenges TO neuroviews_app;
GRANT SELECT (has_password) ON users TO neuroviews_app;
GRANT UPDATE (has_password) ON users TO neuroviews_background;

-- Used ID tokens: digests of their signed parts. A row is kept while its token would be accepted.
CREATE TABLE used_id_tokens (
    digest bytea PRIMARY KEY,
    ends_at timestamptz NOT NULL
);
CREATE INDEX used_id_tokens_end_key ON used_id_tokens (ends_at);
GRANT SELECT ON used_id_tokens TO neuroviews_background;

-- Accounts that are being erased (functions/account_erasures.sql): nobody can log in, and their rows are deleted in steps. The column is not
-- named `user_id`, because no request can read it and the account may be gone.
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

-- The erasure ledger: HMACs of the ids of erased accounts. Each data folder has the same list in a file, so that a restored backup brings no
-- account back. The keys reveal no more than the ids, which a backup has.
CREATE TABLE erasure_ledger (
    digest bytea PRIMARY KEY
);
CREATE TABLE erasure_ledger_keys (
    key bytea PRIMARY KEY
);

-- The position of each retention walk (functions/sweeps.sql). `kept` is the number of versions or conflicts that the walk keeps.
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

-- The clock of the database, as servers have noted it (functions/clock.sql). While it is doubted, nothing is deleted by age.
CREATE TABLE clock_note (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- The newest time that was trusted. A doubted clock does not move it.
    noted_at timestamptz(3) NOT NULL DEFAULT now() CHECK (isfinite(noted_at)),
    -- Why the last look doubted the clock, and its time; NULL: it trusted the clock.
    doubt text CHECK (doubt IN ('ahead-of-note', 'ahead-of-server')),
    doubted_at timestamptz(3) CHECK (isfinite(doubted_at)),
    -- The seconds that servers have run since, while the clock went on evenly.
    even_seconds integer NOT NULL DEFAULT 0 CHECK (even_seconds >= 0),
    -- The lead over a server's clock that was accepted, in seconds.
    accepted_lead_seconds bigint NOT NULL DEFAULT 0 CHECK (accepted_lead_seconds >= 0),
    CHECK ((doubt IS NULL) = (doubted_at IS NULL))
);
INSERT INTO clock_note DEFAULT VALUES;

-- A second protection: even if a query forgets the user, a request reads the rows of its own user only. Without a user it reads none.
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
ALTER TABLE job_turns ENABLE ROW LEVEL SECURITY;
ALTER TABLE consents ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_device_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_name_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE analytics_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE realtime_devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE realtime_commands ENABLE ROW LEVEL SECURITY;
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
CREATE POLICY own_rows ON job_turns TO neuroviews_app
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
CREATE POLICY own_rows ON realtime_devices TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON realtime_commands TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON configuration_versions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recordings TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recording_versions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recording_files TO neuroviews_background USING (true);
CREATE POLICY all_rows ON jobs TO neuroviews_background USING (true);
CREATE POLICY all_rows ON job_turns TO neuroviews_background USING (true);
CREATE POLICY all_rows ON users TO neuroviews_background USING (true);
CREATE POLICY all_rows ON sessions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON totp_secrets TO neuroviews_background USING (true);
CREATE POLICY all_rows ON recovery_codes TO neuroviews_background USING (true);
CREATE POLICY all_rows ON second_factor_challenges TO neuroviews_background USING (true);
CREATE POLICY all_rows ON passkeys TO neuroviews_background USING (true);
CREATE POLICY all_rows ON passkey_challenges TO neuroviews_background USING (true);
CREATE POLICY all_rows ON devices TO neuroviews_background USING (true);
CREATE POLICY all_rows ON sync_heads TO neuroviews_background USING (true);
CREATE POLICY all_rows ON realtime_devices TO neuroviews_background USING (true);
CREATE POLICY all_rows ON realtime_commands TO neuroviews_background USING (true);

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
-- To find the version that a recording names.
GRANT SELECT (user_id, id, version, chain) ON configuration_versions TO neuroviews_background;
-- A person deletes a conflict after resolving it.
GRANT SELECT, INSERT, DELETE ON configuration_conflicts TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON recordings, recording_files TO neuroviews_app, neuroviews_background;
GRANT DELETE ON recording_files TO neuroviews_app, neuroviews_background;
GRANT INSERT ON jobs TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs, job_workers TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON job_turns TO neuroviews_background;
-- FOR UPDATE needs the right to change a column.
GRANT SELECT, UPDATE (is_claimed) ON object_store TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON clock_note TO neuroviews_background;
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
GRANT SELECT, INSERT, UPDATE (states, changed_at), DELETE ON realtime_devices TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE (outcome, result, message) ON realtime_commands TO neuroviews_app;
GRANT SELECT, UPDATE (outcome, result, message), DELETE ON realtime_commands TO neuroviews_background;
-- The server writes its own members of recordings.
GRANT SELECT, INSERT, UPDATE ON sync_heads TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON consents TO neuroviews_app;
GRANT SELECT ON consent_changes TO neuroviews_app;
GRANT SELECT, INSERT ON analytics_events, analytics_names TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON analytics_device_days, analytics_name_days, analytics_months TO neuroviews_app;

-- ANALYZE copies values of rows into `pg_statistic`, where they outlive their rows. So columns of texts, bytes, documents and network
-- addresses have no statistics, and neither have index expressions of them. No plan needs these: such columns are found by a unique key, or
-- among the rows of one account. `create_analytics_months` does the same for new partitions.
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.oid::regclass AS relation, c.relkind, a.attname, a.attnum
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = 'neuroviews'::regnamespace
            AND (c.relkind IN ('r', 'p') OR c.relkind = 'i' AND i.indkey[a.attnum - 1] = 0)
            AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'inet'::regtype)
        ORDER BY 1, 4
    LOOP
        IF found.relkind = 'i' THEN
            EXECUTE format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS 0', found.relation, found.attnum);
        ELSE
            EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', found.relation, found.attname);
        END IF;
    END LOOP;
END
$$;
