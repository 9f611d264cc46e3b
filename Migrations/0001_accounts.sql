-- Accounts, sessions, the nonces of signed requests, and what tells one database from another.

CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

CREATE TABLE sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The master key that the session's signing key is derived from.
    key_id text NOT NULL,
    -- The newest token's rotation counter, and when a token with it was first used.
    counter integer NOT NULL DEFAULT 1,
    confirmed_at timestamptz,
    device_id text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
);
CREATE INDEX sessions_user_key ON sessions (user_id);

CREATE TABLE devices (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id text NOT NULL,
    name text,
    first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);

-- A signed request that changes something is taken once. Timestamps are accepted within minutes of the clock, so four
-- partitions used in turn, by the signed timestamp, are enough: the one furthest from the clock is emptied.
CREATE TABLE nonces (
    slot smallint NOT NULL,
    session_id uuid NOT NULL,
    signed_at bigint NOT NULL,
    nonce text NOT NULL,
    PRIMARY KEY (slot, session_id, signed_at, nonce)
) PARTITION BY LIST (slot);
CREATE TABLE nonces_0 PARTITION OF nonces FOR VALUES IN (0);
CREATE TABLE nonces_1 PARTITION OF nonces FOR VALUES IN (1);
CREATE TABLE nonces_2 PARTITION OF nonces FOR VALUES IN (2);
CREATE TABLE nonces_3 PARTITION OF nonces FOR VALUES IN (3);

-- The check value of each master key in use: a server with another secret refuses to start.
CREATE TABLE master_keys (
    key_id text PRIMARY KEY,
    check_value text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Which history of commits this is.
CREATE TABLE lineage (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    value text NOT NULL
);

-- The second wall: whatever a query forgets, a request sees the rows of its own user only. Unset and empty mean none.
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE devices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON users TO neuroviews_app
    USING (id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON sessions TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY own_rows ON devices TO neuroviews_app
    USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY all_rows ON users TO neuroviews_background USING (true);
CREATE POLICY all_rows ON sessions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON devices TO neuroviews_background USING (true);

GRANT SELECT (id, email, created_at) ON users TO neuroviews_app;
GRANT SELECT ON sessions TO neuroviews_app;
GRANT UPDATE (ended_at) ON sessions TO neuroviews_app;
GRANT SELECT, INSERT, UPDATE ON devices TO neuroviews_app;
GRANT SELECT, INSERT ON users TO neuroviews_background;
GRANT UPDATE (password_hash) ON users TO neuroviews_background;
GRANT SELECT, INSERT ON sessions, master_keys TO neuroviews_background;
GRANT SELECT, INSERT, UPDATE ON devices TO neuroviews_background;

-- The first statement of every request of a user: checks that the session lives and the token is not outdated, and sets
-- the user for the rest of the transaction. NV001: no such session, or it has ended. NV002: a newer token was used.
CREATE FUNCTION enter(session uuid, token_counter integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE id = session;
    IF NOT FOUND OR s.ended_at IS NOT NULL OR s.last_used_at < now() - interval '90 days' THEN
        RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'NV001';
    END IF;
    IF token_counter = s.counter THEN
        -- Written once a token and at most hourly, so that a poll stays a read.
        IF s.confirmed_at IS NULL OR s.last_used_at < now() - interval '1 hour' THEN
            UPDATE neuroviews.sessions SET confirmed_at = coalesce(confirmed_at, now()), last_used_at = now()
            WHERE id = session AND counter = token_counter;
        END IF;
    ELSIF token_counter IS DISTINCT FROM s.counter - 1 OR s.confirmed_at < now() - interval '60 seconds' THEN
        -- The token before the newest stays good until 60 s after the newest was first used.
        RAISE EXCEPTION 'a newer token was used' USING ERRCODE = 'NV002';
    END IF;
    PERFORM set_config('app.user_id', s.user_id::text, true);
    PERFORM set_config('app.device_id', coalesce(s.device_id, ''), true);
END
$$;

-- The same for a signed request that changes something: takes its nonce too, or fails on nonces' primary key. NV003: the
-- server that accepted the timestamp has another time than the database, whose clock says when nonces are forgotten.
CREATE FUNCTION enter_signed(session uuid, token_counter integer, signed_at bigint, nonce text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM neuroviews.enter(session, token_counter);
    IF abs(signed_at - extract(epoch FROM clock_timestamp())) > 900 THEN
        RAISE EXCEPTION 'the clocks of server and database differ' USING ERRCODE = 'NV003';
    END IF;
    INSERT INTO neuroviews.nonces VALUES ((signed_at / 900) % 4, session, signed_at, nonce);
END
$$;

-- A new rotation counter, or the same again while the newest token has not been used for 60 s: its answer may be lost.
CREATE FUNCTION refresh_session(session uuid, token_counter integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    s neuroviews.sessions%ROWTYPE;
BEGIN
    SELECT * INTO s FROM neuroviews.sessions WHERE id = session FOR UPDATE;
    PERFORM neuroviews.enter(session, token_counter);
    IF token_counter = s.counter THEN
        UPDATE neuroviews.sessions SET counter = s.counter + 1, confirmed_at = NULL, last_used_at = now()
        WHERE id = session;
        RETURN s.counter + 1;
    END IF;
    RETURN s.counter;
END
$$;

-- Empties the partition that is furthest from the clock. To be called more often than every 15 minutes.
CREATE FUNCTION sweep_nonces() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    EXECUTE format('TRUNCATE neuroviews.nonces_%s', (floor(extract(epoch FROM clock_timestamp()) / 900)::bigint + 2) % 4);
END
$$;

REVOKE EXECUTE ON FUNCTION enter, enter_signed, refresh_session, sweep_nonces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_nonces TO neuroviews_background;
GRANT EXECUTE ON FUNCTION enter, enter_signed, refresh_session TO neuroviews_app;
