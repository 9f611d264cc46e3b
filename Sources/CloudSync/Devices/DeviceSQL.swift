import Postgres

/// The statements of `DeviceService`. $1 is the account in all of them.
enum DeviceSQL {
    private static let columns = """
        id, name, model, app_version, rfc3339(first_seen_at), rfc3339(last_seen_at),
            id IS NOT DISTINCT FROM nullif(current_setting('app.device_id', true), '')
        """

    /// $2 id, $3 limit of devices in an account.
    static let noteSeen = Statement(
        """
        INSERT INTO devices AS d (user_id, id) SELECT $1::uuid, $2::text
        WHERE (SELECT count(*) FROM devices WHERE user_id = $1::uuid) < $3::int
            OR EXISTS (SELECT FROM devices WHERE user_id = $1::uuid AND id = $2::text)
        ON CONFLICT (user_id, id) DO UPDATE SET last_seen_at = now()
        WHERE d.last_seen_at < now() - interval '1 hour'
        """
    )

    static let list = Query(
        "SELECT \(columns) FROM devices WHERE user_id = $1::uuid ORDER BY last_seen_at DESC, id"
    ) { columns throws(UnexpectedResult) in try RegisteredDevice(&columns) }

    /// To be run after `SyncSQL.lockConfigurationsHead`, so that concurrent requests count devices one after the other.
    /// Returns no row when the account has no room for another device.
    ///
    /// $2 id, $3 name, $4 model, $5 app version, $6 limit of devices in an account.
    static let put = Query(
        """
        WITH known AS (
            SELECT EXISTS (SELECT FROM devices WHERE user_id = $1::uuid AND id = $2::text) AS is_known
        ), written AS (
            INSERT INTO devices AS d (user_id, id, name, model, app_version)
            SELECT $1::uuid, $2::text, $3::text, $4::text, $5::text FROM known k
            WHERE k.is_known OR (SELECT count(*) FROM devices WHERE user_id = $1::uuid) < $6::int
            ON CONFLICT (user_id, id) DO UPDATE
            SET name = excluded.name, model = excluded.model, app_version = excluded.app_version
            RETURNING *
        )
        SELECT \(columns), NOT is_known FROM written CROSS JOIN known
        """
    ) { columns throws(UnexpectedResult) in
        (device: try RegisteredDevice(&columns), isNew: try columns.next() as Bool)
    }

    /// Returns no row if the device is unknown. $2 id; $3, $5 and $7 true to change name, model and app version, $4, $6 and
    /// $8 their new values.
    static let patch = Query(
        """
        UPDATE devices SET name = CASE WHEN $3::bool THEN $4::text ELSE name END,
            model = CASE WHEN $5::bool THEN $6::text ELSE model END,
            app_version = CASE WHEN $7::bool THEN $8::text ELSE app_version END
        WHERE user_id = $1::uuid AND id = $2::text RETURNING \(columns)
        """
    ) { columns throws(UnexpectedResult) in try RegisteredDevice(&columns) }

    /// To be run before `enter_session`: sessions are locked before devices, and several sessions in the order of their ids.
    ///
    /// $2 the caller's session, $3 id.
    static let lockSessions = Statement("SELECT lock_sessions_of_device($1, $2, $3)")

    /// To be run after `lockSessions`. Ends only the device's own sessions, and none if the device is unknown. Skips
    /// sessions that began after `lockSessions`: they may wait for the device, and count as logins after the removal.
    ///
    /// $2 id.
    static let delete = Query(
        """
        WITH free AS MATERIALIZED (
            SELECT id FROM sessions WHERE user_id = $1::uuid AND device_id = $2::text AND ended_at IS NULL
            FOR NO KEY UPDATE SKIP LOCKED
        ), removed AS (
            DELETE FROM devices WHERE user_id = $1::uuid AND id = $2::text RETURNING user_id, id
        ), ended AS (
            UPDATE sessions s SET ended_at = now() FROM removed r
            WHERE s.user_id = r.user_id AND s.device_id = r.id AND s.id IN (SELECT id FROM free) RETURNING s.user_id, s.id, s.device_id
        ), \(SessionSQL.revoked)
        SELECT true FROM removed
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }
}
