import Postgres

/// The statements of `CommandService`. $1 is the account, $2 the command.
enum CommandSQL {
    /// To be run after `SyncSQL.lockConfigurationsHead`, so that concurrent requests count commands one after the other. Returns no row
    /// for a known command, and when the account has no room for another open one.
    ///
    /// $3 digest, $4 sender, $5 target, $6 server that may deliver it, $7 milliseconds, $8 text, $9 outcome, $10 limit of open commands.
    static let insert = Query(
        """
        INSERT INTO realtime_commands (user_id, id, digest, sender, target, server_id, deadline, message, outcome)
        SELECT $1::uuid, $2::uuid, $3::bytea, $4::text, $5::text, $6::uuid, clock_timestamp() + $7::int * interval '1 millisecond',
            $8::text, $9::text
        WHERE (
            SELECT count(*) FROM realtime_commands
            WHERE user_id = $1::uuid AND outcome IS NULL AND deadline > clock_timestamp()
        ) < $10::int
        ON CONFLICT (user_id, id) DO NOTHING RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }

    /// A statement of its own, whose snapshot has the row that a concurrent request has inserted. $3 digest.
    static let find = Query(
        """
        SELECT digest = $3::bytea, outcome, result,
            least(\(RemoteCommand.timeoutMaxMs), greatest(0, extract(epoch FROM deadline - clock_timestamp()) * 1000))::int
        FROM realtime_commands WHERE user_id = $1::uuid AND id = $2::uuid
        """
    ) { columns throws(UnexpectedResult) in
        FoundCommand(
            isSame: try columns.next(),
            outcome: try columns.next(),
            result: try columns.next(),
            remainingMs: try columns.next()
        )
    }

    /// The first outcome counts. $3 outcome, $4 result, $5 the device that must be the target; NULL: any.
    static let end = Query(
        """
        UPDATE realtime_commands SET outcome = $3::text, result = $4::text, message = NULL
        WHERE user_id = $1::uuid AND id = $2::uuid AND outcome IS NULL AND ($5::text IS NULL OR target = $5::text)
        RETURNING true
        """
    ) { columns throws(UnexpectedResult) -> Bool in try columns.next() }
}

/// The row of a command.
struct FoundCommand: Sendable {
    /// True if it was sent with the same content.
    let isSame: Bool
    let outcome: String?
    let result: [UInt8]?
    let remainingMs: Int
}
