import Postgres

/// A mail that a server has begun to send.
struct ClaimedMail: Sendable {
    let id: String
    /// The token of this attempt; nil when nobody is to get a mail.
    let lease: String?
    /// How often it was begun, this time included.
    let attempts: Int
    let form: MailForm?
    let recipient: String?
    /// When the token of this attempt ends, RFC 3339.
    let expiresAt: String?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        lease = try columns.next()
        attempts = try columns.next()
        form = try columns.next()
        recipient = try columns.next()
        expiresAt = try columns.next()
    }
}

/// The statements of `MailOutbox`. $1 is the mail in those that end an attempt, $2 the token of its lease.
enum MailSQL {
    /// $1 digest of the token for this attempt, $2 seconds of the lease.
    static let claim = Query(
        "SELECT mail, new_lease, attempt, form, recipient, rfc3339(expires_at) FROM claim_mail($1, $2)"
    ) { columns throws(UnexpectedResult) in try ClaimedMail(&columns) }

    /// The mails about the events of one account. Returns whether there was one.
    static let enqueueEvents = Query("SELECT enqueue_event_mails()") { columns throws(UnexpectedResult) -> Bool in
        try columns.next()
    }

    private static let held = "id = $1::uuid AND lease = $2::uuid"

    static let end = Query("UPDATE mails SET ended_at = now(), lease = NULL WHERE \(held)")

    /// $3 seconds of the longest pause.
    static let postpone = Query(
        """
        UPDATE mails SET lease = NULL, run_at = now()
            + least($3::bigint, 30 * 2 ^ least(attempts - 1, 30)) * (0.75 + random() / 2) * interval '1 second'
        WHERE \(held)
        """
    )

    /// Gives a mail back as if it had not been begun.
    static let release = Query("UPDATE mails SET lease = NULL, attempts = attempts - 1, run_at = now() WHERE \(held)")

    /// Deletes what has ended. Sent mails stay for the hour in which they are counted, but no more than 100,000: requests for unknown addresses
    /// must not fill the disk. $1 rows at most.
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
            "created_at < now() - interval '1 hour' AND (ended_at IS NOT NULL OR created_at < now() - interval '3 days')"
        ),
        sweep("mailed_tokens", "expires_at < now()"),
        sweep("registrations", "expires_at < now()"),
    ]

    private static func sweep(_ table: String, _ condition: String) -> Query<Bool> {
        Query(
            "DELETE FROM \(table) WHERE ctid IN (SELECT ctid FROM \(table) WHERE \(condition) LIMIT $1::int) AND \(condition) RETURNING true"
        ) {
            columns throws(UnexpectedResult) in try columns.next() as Bool
        }
    }
}
