-- Limited attempts: guesses of passwords, registrations. An attempt is counted before it is checked, so that parallel
-- attempts can't exceed a limit. Successful attempts are released. Each call is a transaction of its own.

-- The key of an attempt's counter. The secret keeps readers of the table from guessing the input.
CREATE OR REPLACE FUNCTION attempt_key(secret bytea, VARIADIC parts text[]) RETURNS bytea
LANGUAGE sql STABLE AS $$
    SELECT sha256(secret || convert_to(parts::text, 'UTF8'))
$$;

-- Returns the reached limit that lasts longest, and the seconds until it has room. Returns no row if none is reached.
-- A limit of 0 means unlimited.
CREATE OR REPLACE FUNCTION reached_limit(keys bytea[], limits integer[]) RETURNS TABLE (reached integer, seconds integer)
LANGUAGE sql STABLE AS $$
    SELECT l.number, greatest(1, ceil(extract(epoch FROM o.ends_at - now())))::integer
    FROM unnest(keys, limits) l(key, number) CROSS JOIN LATERAL (
        SELECT a.ends_at FROM neuroviews.attempts a WHERE a.key = l.key AND a.ends_at > now()
        ORDER BY a.ends_at DESC OFFSET greatest(l.number, 1) - 1 LIMIT 1
    ) o
    WHERE l.number > 0 ORDER BY o.ends_at DESC LIMIT 1
$$;

-- Counts an attempt in all limits and returns its id. If a limit is reached, counts it in none and returns the limit
-- and its remaining seconds. Advisory locks of the keys, in numeric order, serialize attempts under one key, so the
-- second check sees all earlier ones. The first check needs no lock: a flood of rejected attempts neither waits nor
-- blocks others.
CREATE OR REPLACE FUNCTION reserve_attempt(
    keys bytea[], limits integer[], window_seconds integer, OUT attempt uuid, OUT reached integer, OUT wait_seconds integer
)
-- Statistics of a new table would choose a full scan, and the plan would be kept.
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    number bigint;
BEGIN
    SELECT r.reached, r.seconds INTO reached, wait_seconds FROM neuroviews.reached_limit(keys, limits) r;
    IF FOUND THEN
        RETURN;
    END IF;
    FOR number IN SELECT DISTINCT hashtextextended(encode(k, 'hex'), 0) FROM unnest(keys) k ORDER BY 1 LOOP
        PERFORM pg_advisory_xact_lock(number);
    END LOOP;
    SELECT r.reached, r.seconds INTO reached, wait_seconds FROM neuroviews.reached_limit(keys, limits) r;
    IF FOUND THEN
        RETURN;
    END IF;
    attempt := gen_random_uuid();
    INSERT INTO neuroviews.attempts (id, key, ends_at)
    SELECT attempt, l.key, now() + window_seconds * interval '1 second' FROM unnest(keys, limits) l(key, number) WHERE l.number > 0;
END
$$;

-- Does the same for a login. A login from a known device or address of the account counts only there. If that limit
-- is reached, it counts with strangers. `is_known` is true if it counts as known. `limits` are those of the account,
-- of a known device, of a known address, and of any address.
--
-- An unknown e-mail address takes the same look-ups as a known one, under an id that no account has.
CREATE OR REPLACE FUNCTION reserve_login(
    secret bytea, email text, device text, address inet, limits integer[], window_seconds integer,
    OUT attempt uuid, OUT reached integer, OUT wait_seconds integer, OUT is_known boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := lower(email COLLATE "C");
    place text := coalesce(host(address), 'none');
    account uuid := coalesce((SELECT u.id FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = who),
        uuid '00000000-0000-0000-0000-000000000000');
    known_device boolean := EXISTS (
        SELECT FROM neuroviews.devices d WHERE d.user_id = account AND d.id = device AND d.logged_in_at IS NOT NULL);
    known_address boolean := EXISTS (
        SELECT FROM neuroviews.known_addresses k WHERE k.user_id = account AND k.address = reserve_login.address);
BEGIN
    is_known := false;
    IF known_device THEN
        SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
            ARRAY[neuroviews.attempt_key(secret, 'device', who, device)], limits[2:2], window_seconds) r;
        IF wait_seconds IS NULL THEN
            is_known := true;
            RETURN;
        END IF;
    END IF;
    IF known_address THEN
        SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
            ARRAY[neuroviews.attempt_key(secret, 'known address', who, place)], limits[3:3], window_seconds) r;
        IF wait_seconds IS NULL THEN
            is_known := true;
            RETURN;
        END IF;
    END IF;
    SELECT r.* INTO attempt, reached, wait_seconds FROM neuroviews.reserve_attempt(
        ARRAY[neuroviews.attempt_key(secret, 'account', who), neuroviews.attempt_key(secret, 'address', place)],
        ARRAY[limits[1], limits[4]], window_seconds) r;
END
$$;

-- Does the same for attempts with a single limit, such as registrations from an address.
CREATE OR REPLACE FUNCTION reserve_one(
    secret bytea, kind text, subject text, number integer, window_seconds integer,
    OUT attempt uuid, OUT reached integer, OUT wait_seconds integer
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT r.* FROM neuroviews.reserve_attempt(ARRAY[neuroviews.attempt_key(secret, kind, subject)], ARRAY[number], window_seconds) r
$$;

-- Releases an attempt, which then no longer counts.
CREATE OR REPLACE FUNCTION release_attempt(attempt uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM neuroviews.attempts WHERE id = attempt
$$;

-- Records the address of a login and keeps only the newest addresses. The account's row is locked, so logins run one
-- after the other.
CREATE OR REPLACE FUNCTION note_address(account uuid, client inet, addresses_max integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO neuroviews.known_addresses (user_id, address) SELECT account, client WHERE client IS NOT NULL
    ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = now();
    DELETE FROM neuroviews.known_addresses WHERE user_id = account AND address IN (
        SELECT k.address FROM neuroviews.known_addresses k WHERE k.user_id = account
        ORDER BY neuroviews.is_past(k.last_login_at) DESC, k.last_login_at DESC OFFSET addresses_max);
END
$$;

-- Forgets the known addresses and devices of an account. Runs under the account's lock, as `note_address` does.
CREATE OR REPLACE FUNCTION forget_places(account uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM neuroviews.known_addresses k WHERE k.user_id = account;
    WITH known AS MATERIALIZED (
        SELECT o.id FROM neuroviews.devices o WHERE o.user_id = account AND o.logged_in_at IS NOT NULL ORDER BY o.id FOR NO KEY UPDATE
    )
    UPDATE neuroviews.devices d SET logged_in_at = NULL FROM known WHERE d.user_id = account AND d.id = known.id
$$;

-- Deletes attempts that no longer count. Also deletes attempts that end too far in the future, because the clock was
-- set back. Returns their number. Skips locked rows.
CREATE OR REPLACE FUNCTION sweep_attempts(longest_seconds integer, rows_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH due AS MATERIALIZED (
        SELECT a.id, a.key FROM neuroviews.attempts a
        WHERE a.ends_at <= now() OR a.ends_at > now() + 2 * longest_seconds * interval '1 second' LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.attempts a USING due d WHERE a.id = d.id AND a.key = d.key RETURNING true
    )
    SELECT count(*) FROM deleted
$$;

-- Deletes addresses without a login for `kept_days`. Returns their number. Skips locked rows.
CREATE OR REPLACE FUNCTION sweep_known_addresses(kept_days integer, rows_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH due AS MATERIALIZED (
        SELECT k.user_id, k.address FROM neuroviews.known_addresses k
        WHERE k.last_login_at < now() - kept_days * interval '1 day' ORDER BY k.last_login_at LIMIT rows_max FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM neuroviews.known_addresses k USING due d WHERE k.user_id = d.user_id AND k.address = d.address RETURNING true
    )
    SELECT count(*) FROM deleted
$$;

GRANT EXECUTE ON FUNCTION reserve_login, reserve_one, release_attempt, note_address, sweep_attempts, sweep_known_addresses
TO neuroviews_background;
