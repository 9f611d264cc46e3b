import Net
import Postgres

/// Something that a person should see who fears that somebody else is in the account.
public struct AccountEvent: Sendable {
    /// UUID in lower case.
    public let id: String
    /// RFC 3339.
    public let at: String
    /// What it was: `login`, `login-failed` and so on. There may be new ones.
    public let kind: String
    /// How often. Above 1 for failed logins, of which those of an hour are one event.
    public let count: Int
    /// The session that did it.
    public let sessionID: String?
    /// Its device.
    public let deviceID: String?
    /// The client's address; nil when there were several.
    public let address: String?
    /// Where the list goes on after this one.
    public let cursor: AccountEventCursor

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

/// A place in the list of an account's events. Opaque to clients.
public struct AccountEventCursor: Sendable, Equatable {
    let at: Timestamp
    let id: String

    init(at: Timestamp, id: String) {
        self.at = at
        self.id = id
    }

    /// Parses what `text` gave. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...16).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy({ (48...57).contains($0) }), let microseconds = Int(parts[0]),
            UUIDText.isValid(parts[1])
        else { return nil }
        self.init(at: Timestamp(microseconds: microseconds), id: String(parts[1]))
    }

    /// What a client sends to get the next page.
    public var text: String { "\(at.microseconds).\(id)" }
}

extension AccountService {
    /// The account's events, newest first.
    public func events(
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

    /// To be called for every wrong password, also of an unknown address: both take the same time. When the note can't be stored, the password was
    /// wrong all the same: an error would give the attempt back.
    func noteFailedLogin(_ userID: String?, from address: IPAddress?, _ record: RequestRecord?) async {
        await noteFailure(.loginFailed, of: userID, from: address, record)
    }

    func noteFailure(
        _ failure: AccountEventSQL.Failure,
        of userID: String?,
        from address: IPAddress?,
        _ record: RequestRecord?
    ) async {
        let note = AccountEventSQL.noteFailure(failure, of: userID, from: address)
        _ = try? await database.background(note, record: record)
    }
}

extension AccountService {
    /// Notes a wrong second factor: whoever gives one has the password, or a session. One that comes too late, or twice, is not wrong.
    func notingFailure<T>(
        of userID: String,
        _ record: RequestRecord?,
        _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as CloudSyncError {
            switch error {
            case .codeInvalid, .tooManyCodes, .passkeyRefused(.signature), .passkeyRefused(.counter):
                let note = AccountEventSQL.noteFailure(.secondFactorFailed, of: userID, from: record?.client)
                _ = try await database.background(note, record: record)
            default: break
            }
            throw error
        }
    }
}

/// The statements about events. Those that note one are for the transaction in which it happens.
enum AccountEventSQL {
    /// $1 user, $2 and $3 time (microseconds) and id of the last one of the page before, $4 rows at most.
    static let list = Query(
        """
        SELECT id, rfc3339(at), kind, count, session_id, device_id, host(address), \(Timestamp.sql("at")) FROM account_events
        WHERE user_id = $1::uuid
            AND ($2::bigint IS NULL OR (at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3::uuid))
        ORDER BY at DESC, id DESC LIMIT $4::int
        """
    ) { columns throws(UnexpectedResult) in try AccountEvent(&columns) }

    /// What a session does, by the names of its events.
    enum Kind: String {
        case export
        case totpAdded = "totp-added"
        case totpRemoved = "totp-removed"
        case passkeyAdded = "passkey-added"
    }

    /// An event of the caller's session.
    static func note(_ kind: Kind, by caller: Caller, from address: IPAddress?) -> BoundQuery<Void> {
        note(.text(caller.userID), .text(kind.rawValue), .text(caller.sessionID), .text(address?.description))
    }

    /// $1 user, $2 kind, $3 session, $4 client's address.
    private static let note = Query<Void>(
        """
        SELECT note_event($1::uuid, $2::text, $3::uuid, nullif(current_setting('app.device_id', true), ''), $4::inet)
        """
    )

    /// Addresses that an account has logged in from and that are remembered.
    private static let addressesMax = 20

    /// Behind the statements that start a session and note its device.
    static func noteLogin(_ user: Parameter, from address: IPAddress?) -> BoundQuery<Void> {
        noteLogin(user, .text(address?.subscriber.description), .int(addressesMax))
    }

    private static let noteLogin = Query<Void>("SELECT note_login($1::uuid, $2::inet, $3)")

    /// What somebody has failed in, by the names of the events.
    enum Failure: String {
        case loginFailed = "login-failed"
        case secondFactorFailed = "second-factor-failed"
    }

    /// Of no account: see `note_failure`.
    static func noteFailure(_ failure: Failure, of userID: String?, from address: IPAddress?) -> BoundQuery<Void> {
        noteFailure(.text(userID), .text(failure.rawValue), .text(address?.description))
    }

    private static let noteFailure = Query<Void>("SELECT note_failure($1::uuid, $2, $3::inet)")

    /// $1 days, $2 rows at most.
    static let sweep = Query("SELECT sweep_account_events($1, $2)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }
}
