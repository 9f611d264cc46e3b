import Net
import Postgres
import Tracing

/// A security event of an account. It helps a person find out if somebody else uses the account.
package struct AccountEvent: Sendable {
    /// UUID in lower case.
    package let id: String
    /// RFC 3339.
    package let at: String
    /// The kind: `login`, `login-failed` and so on. New kinds may be added.
    package let kind: String
    /// The number of occurrences. Above 1 only for failures and for `token-elsewhere`: those of an hour are one event.
    package let count: Int
    /// The session that caused it.
    package let sessionID: String?
    /// Its device.
    package let deviceID: String?
    /// The client's address; nil when there were several.
    package let address: String?
    /// The cursor of the page after this event.
    package let cursor: AccountEventCursor

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        at = try columns.next()
        kind = try columns.next()
        count = try columns.next()
        sessionID = try columns.next()
        deviceID = try columns.next()
        address = try columns.next()
        cursor = AccountEventCursor(at: try columns.next(), id: id)
    }
}

/// A position in the list of an account's events. Opaque to clients.
package struct AccountEventCursor: Sendable, Equatable {
    let at: Timestamp
    let id: String

    init(at: Timestamp, id: String) {
        self.at = at
        self.id = id
    }

    /// Parses the output of `text`. Nil for anything else.
    package init?(_ text: String) {
        guard let position = TimedPosition(text), UUIDText.isValid(position.key) else { return nil }
        self.init(at: position.time, id: position.key)
    }

    /// The value that a client sends for the next page.
    package var text: String { TimedPosition(at, id).text }
}

extension AccountService {
    /// Returns the account's events, newest first.
    package func events(
        before: AccountEventCursor?,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<AccountEvent> {
        let list = AccountEventSQL.list(
            .text(caller.userID),
            .int(before?.at.microseconds),
            .text(before?.id),
            .int(limit + 1)
        )
        return Page(try await database.read(for: caller, list), limit: limit)
    }

    /// To be called for every wrong password, even for an unknown address, with its stand-in: both take the same time.
    /// An error of the note is reported and not thrown: it would release the attempt, and the password was wrong all the
    /// same.
    func noteFailedLogin(_ userID: String, from address: IPAddress?, _ record: RequestRecord?) async {
        await noteFailure(.loginFailed, of: userID, from: address, record)
    }

    func noteFailure(
        _ failure: AccountEventSQL.Failure,
        of userID: String,
        from address: IPAddress?,
        _ record: RequestRecord?
    ) async {
        let note = AccountEventSQL.noteFailure(failure, of: userID, from: address)
        _ = await database.aside("note of a failure", note, record: record)
    }

    /// The id in place of an account's for an unknown address: a row of `stand_ins` in Migrations/0001_tables.sql.
    func standIn(for email: String) -> String {
        "00000000-0000-0000-0000-000000000\(keys.current.logName(of: email).prefix(3))"
    }
}

extension AccountService {
    /// Notes a wrong second factor: its sender has the password or a session. A late or repeated factor does not count
    /// as wrong.
    func notingFailure<T>(
        of userID: String,
        in session: String? = nil,
        _ record: RequestRecord?,
        _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as CloudSyncError {
            if let failure = AccountEventSQL.Failure(ofFactor: error) {
                let note = AccountEventSQL.noteFailure(failure, of: userID, from: record?.client, in: session)
                _ = try await database.background(note, record: record)
            }
            throw error
        }
    }
}

/// The statements about events. Those that note an event run in the transaction that causes it.
enum AccountEventSQL {
    /// $1 user, $2 and $3 time (microseconds) and id of the last event of the page before, $4 limit of rows.
    static let list = Query(
        """
        SELECT id, rfc3339(at), kind, count, session_id, device_id, host(address), \(Timestamp.sql("at")) FROM account_events
        WHERE user_id = $1::uuid
            AND ($2::bigint IS NULL OR (at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3::uuid))
        ORDER BY at DESC, id DESC LIMIT $4::int
        """
    ) { columns throws(UnexpectedResult) in try AccountEvent(&columns) }

    /// Actions of a session, by the names of their events.
    enum Kind: String {
        case export
        case totpAdded = "totp-added"
        case totpRemoved = "totp-removed"
        case passkeyAdded = "passkey-added"
    }

    /// Notes an event of the caller's session.
    static func note(_ kind: Kind, by caller: Caller, from address: IPAddress?) -> BoundQuery<Void> {
        note(.text(caller.userID), .text(kind.rawValue), .text(caller.sessionID), .text(address?.description))
    }

    /// $1 user, $2 kind, $3 session, $4 client's address.
    private static let note = Query<Void>(
        """
        SELECT note_event($1::uuid, $2::text, $3::uuid, nullif(current_setting('app.device_id', true), ''), $4::inet)
        """
    )

    /// Limit of remembered login addresses of an account.
    private static let addressesMax = 20

    /// To be run after the statements that start a session and note its device.
    static func noteLogin(_ user: Parameter, from address: IPAddress?) -> BoundQuery<Void> {
        noteLogin(user, .text(address?.subscriber.description), .int(addressesMax))
    }

    private static let noteLogin = Query<Void>("SELECT note_login($1::uuid, $2::inet, $3)")

    /// Failures, by the names of their events.
    enum Failure: String {
        case loginFailed = "login-failed"
        case secondFactorFailed = "second-factor-failed"
        case passkeyCounter = "passkey-counter"

        /// Nil for an error that no wrong factor causes.
        init?(ofFactor error: CloudSyncError) {
            switch error {
            case .problem(.codeInvalid), .tooManyCodes, .passkeyRefused(.signature): self = .secondFactorFailed
            case .passkeyRefused(.counter): self = .passkeyCounter
            default: return nil
            }
        }
    }

    /// `userID` is a stand-in for an unknown address: see `note_failure`. `session` is nil for a login.
    static func noteFailure(
        _ failure: Failure,
        of userID: String,
        from address: IPAddress?,
        in session: String? = nil
    ) -> BoundQuery<Void> {
        noteFailure(.text(userID), .text(failure.rawValue), .text(address?.description), .text(session))
    }

    private static let noteFailure = Query<Void>("SELECT note_failure($1::uuid, $2, $3::inet, $4::uuid)")

    /// $1 days, $2 limit of rows.
    static let sweep = Query("SELECT sweep_account_events($1, $2)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
}
