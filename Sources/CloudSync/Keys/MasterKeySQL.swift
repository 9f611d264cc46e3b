import Postgres

/// The statements about master keys. The owner's are in `MasterKeyRotation`.
enum MasterKeySQL {
    /// The columns of a `KnownMasterKey`.
    static let known =
        "SELECT key_id, check_value, state, \(Timestamp.sql("since")) FROM neuroviews.master_keys ORDER BY since"

    /// Serialises two things: transactions that add a key or make one current, and the start of servers. A start notes
    /// the server's keys and reads the known ones.
    static let lockText = "SELECT pg_advisory_xact_lock(hashtext('neuroviews.master_keys'))"

    static let lock = Query(lockText)

    static let all = Query(known) { columns throws(UnexpectedResult) in try KnownMasterKey(&columns) }

    /// Adds the first key of a new database.
    ///
    /// $1 id, $2 check value.
    static let addFirst = Query(
        "INSERT INTO master_keys (key_id, check_value) SELECT $1::text, $2::text WHERE NOT EXISTS (SELECT FROM master_keys)"
    )

    /// Notes the keys of a server. Deletes the notes of servers that were killed.
    ///
    /// $1 server, $2 host, $3 process, $4 the keys it has, $5 the keys it lacks, $6 the time of their comparison.
    static let note = Query(
        """
        WITH gone AS (DELETE FROM server_keys WHERE seen_at < now() - interval '1 day' AND server_id <> $1::uuid)
        INSERT INTO server_keys AS k (server_id, host, process, key_ids, missing_ids, looked_at)
        VALUES ($1::uuid, $2::text, $3::integer, $4::text[], $5::text[], coalesce($6::timestamptz, now()))
        ON CONFLICT (server_id) DO UPDATE
        SET key_ids = excluded.key_ids, missing_ids = excluded.missing_ids, looked_at = excluded.looked_at,
            seen_at = now()
        """
    )

    static let clock = Query("SELECT now()::text") { columns throws(UnexpectedResult) -> String in try columns.next() }

    static let leave = Query("DELETE FROM server_keys WHERE server_id = $1::uuid")

    static let forget = Query("SELECT forget_master_keys()") { columns throws(UnexpectedResult) -> String in
        try columns.next()
    }
}
