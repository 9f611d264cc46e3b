import Postgres

/// A mail that a server has begun to send.
struct ClaimedMail: Sendable {
    let id: String
    /// The token of this attempt's lease; nil if the mail has ended without a recipient or after a day.
    let lease: String?
    /// The number of attempts, this one included.
    let attempts: Int
    let form: MailForm?
    let recipient: String?
    /// The expiry of this attempt's token, RFC 3339.
    let expiresAt: String?
    /// When the mail's cause happened, RFC 3339.
    let happenedAt: String?
    /// The device that did it: its name, else its id; nil if unknown.
    let device: String?
    /// The client's network address; nil if unknown.
    let client: String?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        lease = try columns.next()
        attempts = try columns.next()
        form = try columns.next()
        recipient = try columns.next()
        expiresAt = try columns.next()
        happenedAt = try columns.next()
        device = try columns.next()
        client = try columns.next()
    }
}

/// The statements of `MailOutbox`. In those that end an attempt, $1 is the mail and $2 the token of its lease.
enum MailSQL {
    /// $1 digest of this attempt's token, $2 lease in seconds.
    static let claim = Query(
        """
        SELECT mail, new_lease, attempt, form, recipient, rfc3339(expires_at), rfc3339(happened_at), device, client
        FROM claim_mail($1, $2)
        """
    ) { columns throws(UnexpectedResult) in try ClaimedMail(&columns) }

    /// Enqueues the mails about one account's events. Returns true if there was such an account.
    static let enqueueEvents = Query("SELECT enqueue_event_mails()") { columns throws(UnexpectedResult) -> Bool in
        try columns.next()
    }

    private static let held = "id = $1::uuid AND lease = $2::uuid"

    static let end = Query("UPDATE mails SET ended_at = now(), lease = NULL WHERE \(held)")

    /// $3 longest pause in seconds.
    static let postpone = Query(
        """
        UPDATE mails SET lease = NULL, run_at = now()
            + least($3::bigint, 30 * 2 ^ least(attempts - 1, 30)) * (0.75 + random() / 2) * interval '1 second'
        WHERE \(held)
        """
    )

    /// Releases a mail as if the attempt had not begun.
    static let release = Query("UPDATE mails SET lease = NULL, attempts = attempts - 1, run_at = now() WHERE \(held)")

    /// Deletes mails that have ended. Sent mails are kept for an hour, because they are counted, but no more than
    /// 100,000: requests for unknown addresses must not fill the disk. Those of a clock that was ahead are not counted.
    /// $1 limit of rows.
    static let sweep = [
        sweep(
            "mails",
            """
            ended_at IS NOT NULL AND created_at < (
                SELECT m.created_at FROM mails m WHERE m.ended_at IS NOT NULL ORDER BY m.created_at DESC OFFSET 99999 LIMIT 1)
            """
        ),
        sweep(
            "mails",
            """
            (created_at < now() - interval '1 hour' AND (ended_at IS NOT NULL OR created_at < now() - interval '3 days')
                OR created_at > now() + interval '1 hour' AND ended_at IS NOT NULL)
            """
        ),
        sweep("mailed_tokens", "expires_at < now()"),
        sweep("registrations", "expires_at < now()"),
    ]

    private static func sweep(_ table: String, _ condition: String) -> Query<Int> {
        Query(
            "DELETE FROM \(table) WHERE ctid IN (SELECT ctid FROM \(table) WHERE \(condition) LIMIT $1::int) AND \(condition) RETURNING 1"
        ) {
            columns throws(UnexpectedResult) in try columns.next() as Int
        }
    }
}
