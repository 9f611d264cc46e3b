import Postgres

/// The statements of the hub, in the background role. Those of commands' senders are in `CommandSQL`.
enum RealtimeSQL {
    /// A server is alive for 20 seconds after its last beat in `server_keys`. A beat far ahead is from before the clock was set back, and a
    /// living server soon has a new one.
    private static let livingServer = "k.seen_at BETWEEN now() - interval '20 seconds' AND now() + interval '1 minute'"

    /// The seats whose token would still be accepted: the number of each, from 1, and the session's device.
    ///
    /// $1 accounts, $2 sessions, $3 counters of tokens.
    static let sessions = Query(
        """
        SELECT c.number, s.device_id
        FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) WITH ORDINALITY AS c (account, session, counter, number)
        JOIN sessions s ON s.user_id = c.account AND s.id = c.session
        WHERE is_live(s) AND (s.counter = c.counter OR NOT is_outdated(s, c.counter))
        """
    ) { columns throws(UnexpectedResult) in
        LiveSeat(number: try columns.next(), device: try columns.next())
    }

    /// $1 accounts.
    static let heads = Query(
        """
        SELECT h.user_id, h.collection = 'recordings', h.salt # l.salt, h.seq, h.chain, h.item_id, h.item_version
        FROM sync_heads h, lineage l WHERE h.user_id = ANY ($1::uuid[])
        """
    ) { columns throws(UnexpectedResult) in try FoundHead(&columns) }

    /// Rows of this server have no text. Older rows come first.
    ///
    /// $1 accounts, $2 this server.
    static let devices = Query(
        """
        SELECT d.user_id, d.device_id, d.server_id, CASE WHEN d.server_id <> $2::uuid THEN d.states END
        FROM realtime_devices d LEFT JOIN server_keys k ON k.server_id = d.server_id AND \(livingServer)
        WHERE d.user_id = ANY ($1::uuid[]) AND (d.server_id = $2::uuid OR k.server_id IS NOT NULL)
        ORDER BY d.changed_at
        """
    ) { columns throws(UnexpectedResult) in
        FoundDevice(
            account: try AccountID(&columns),
            name: try columns.next(),
            serverID: try columns.next(),
            text: try columns.next()
        )
    }

    /// The commands that this server may still deliver.
    ///
    /// $1 accounts, $2 this server.
    static let commands = Query(
        """
        SELECT user_id, id, sender, target, message,
            least(\(RemoteCommand.timeoutMaxMs), greatest(0, extract(epoch FROM deadline - now()) * 1000))::integer
        FROM realtime_commands
        WHERE user_id = ANY ($1::uuid[]) AND outcome IS NULL AND server_id = $2::uuid AND deadline > now()
            AND target IS NOT NULL AND message IS NOT NULL
        ORDER BY deadline
        """
    ) { columns throws(UnexpectedResult) in try OpenCommand(&columns) }

    /// The commands among these that have ended.
    ///
    /// $1 accounts, $2 commands.
    static let ends = Query(
        """
        SELECT r.user_id, r.id, r.outcome, r.result FROM unnest($1::uuid[], $2::uuid[]) AS c (account, id)
        JOIN realtime_commands r ON r.user_id = c.account AND r.id = c.id WHERE r.outcome IS NOT NULL
        """
    ) { columns throws(UnexpectedResult) in
        FoundEnd(
            account: try AccountID(&columns),
            id: try columns.next(),
            end: CommandEnd(outcome: try columns.next(), result: try columns.next())
        )
    }

    /// Ends commands past their deadline whose senders' servers have not: they are gone. Returns the accounts. $1 limit of rows.
    static let expire = Query(
        """
        WITH due AS (
            SELECT user_id, id FROM realtime_commands WHERE outcome IS NULL AND deadline < now() - interval '5 seconds'
            ORDER BY deadline LIMIT $1::integer FOR UPDATE SKIP LOCKED
        )
        UPDATE realtime_commands c SET outcome = 'timeout', message = NULL FROM due
        WHERE c.user_id = due.user_id AND c.id = due.id AND c.outcome IS NULL RETURNING c.user_id
        """
    ) { columns throws(UnexpectedResult) in try AccountID(&columns) }

    /// $1 accounts, $2 devices, $3 states, $4 this server.
    static let writeRows = Query(
        """
        INSERT INTO realtime_devices (user_id, device_id, server_id, states)
        SELECT r.account, r.device, $4::uuid, r.states
        FROM unnest($1::uuid[], $2::text[], $3::text[]) AS r (account, device, states)
        ON CONFLICT (user_id, device_id, server_id) DO UPDATE
        SET states = excluded.states, changed_at = excluded.changed_at
        """
    )

    /// $1 accounts, $2 devices, $3 this server.
    static let deleteRows = Query(
        """
        DELETE FROM realtime_devices d USING unnest($1::uuid[], $2::text[]) AS r (account, device)
        WHERE d.user_id = r.account AND d.device_id = r.device AND d.server_id = $3::uuid
        """
    )

    /// Returns the accounts. $1 this server.
    static let leave = Query("DELETE FROM realtime_devices WHERE server_id = $1::uuid RETURNING user_id") {
        columns throws(UnexpectedResult) in try AccountID(&columns)
    }

    /// Deletes rows of servers that are gone. A living server that has stopped noting itself writes its rows again. $1 limit of rows.
    static let sweepDevices = Query(
        """
        WITH due AS (
            SELECT user_id, device_id, server_id FROM realtime_devices d
            WHERE NOT EXISTS (
                SELECT FROM server_keys k WHERE k.server_id = d.server_id AND k.seen_at > now() - interval '1 minute')
            LIMIT $1::integer
        ), deleted AS (
            DELETE FROM realtime_devices d USING due
            WHERE d.user_id = due.user_id AND d.device_id = due.device_id AND d.server_id = due.server_id RETURNING true
        )
        SELECT count(*) FROM deleted
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// Deletes commands that ended minutes ago: until then the same id gets the same outcome. $1 limit of rows.
    static let sweepCommands = Query(
        """
        WITH due AS (
            SELECT user_id, id FROM realtime_commands WHERE deadline < now() - interval '10 minutes'
            ORDER BY deadline LIMIT $1::integer FOR UPDATE SKIP LOCKED
        ), deleted AS (
            DELETE FROM realtime_commands c USING due WHERE c.user_id = due.user_id AND c.id = due.id RETURNING true
        )
        SELECT count(*) FROM deleted
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }
}

/// A seat whose session is good.
struct LiveSeat: Sendable {
    let number: Int
    let device: String?
}

/// The head of one collection.
struct FoundHead: Sendable {
    let account: AccountID
    let isOfRecordings: Bool
    let token: SyncToken

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        account = try AccountID(&columns)
        isOfRecordings = try columns.next()
        let salt: Int = try columns.next()
        token = try SyncToken(&columns, salt: salt)
    }
}

/// A device's row.
struct FoundDevice: Sendable {
    let account: AccountID
    let name: String
    let serverID: String
    let text: [UInt8]?
    /// True if the row of the same device at the reading server is older.
    var isAfterOwn = false
}

/// The outcome of a command that somebody waits for here.
struct FoundEnd: Sendable {
    let account: AccountID
    let id: String
    let end: CommandEnd
}
