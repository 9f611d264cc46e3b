import Postgres

/// An account as operators see it.
public struct AccountSummary: Sendable {
    /// UUID in lower case.
    public let id: String
    /// As it was registered.
    public let email: String
    /// RFC 3339.
    public let createdAt: String
    /// RFC 3339; nil unless it is disabled.
    public let disabledAt: String?
    /// RFC 3339, within the hour; nil when no session is left.
    public let lastUsedAt: String?
    /// Sessions that can be used.
    public let sessions: Int
    /// Configurations that are not deleted.
    public let configurations: Int
    /// Recordings that are not deleted.
    public let recordings: Int
    /// Bytes of the recordings' files, open uploads included.
    public let recordingBytes: Int

    init(_ row: Row) {
        id = row.text(0) ?? ""
        email = row.text(1) ?? ""
        createdAt = row.text(2) ?? ""
        disabledAt = row.text(3)
        lastUsedAt = row.text(4)
        sessions = row.int(5) ?? 0
        configurations = row.int(6) ?? 0
        recordings = row.int(7) ?? 0
        recordingBytes = row.int(8) ?? 0
    }
}

/// A session as operators see it.
public struct SessionSummary: Sendable {
    /// UUID in lower case.
    public let id: String
    /// The device that it was started for.
    public let deviceID: String?
    /// From where its newest token was asked for.
    public let address: String?
    /// RFC 3339.
    public let createdAt: String
    /// RFC 3339, within the hour.
    public let lastUsedAt: String

    init(_ row: Row) {
        id = row.text(0) ?? ""
        deviceID = row.text(1)
        address = row.text(2)
        createdAt = row.text(3) ?? ""
        lastUsedAt = row.text(4) ?? ""
    }
}

/// What an operator did.
public struct OperatorAction: Sendable {
    /// RFC 3339.
    public let at: String
    /// Who did it: the name of the system's account.
    public let operatorName: String
    /// The command.
    public let action: String
    /// The account's id; nil where it was done to none.
    public let accountID: String?
    /// Its address; nil when it is gone.
    public let email: String?

    init(_ row: Row) {
        at = row.text(0) ?? ""
        operatorName = row.text(1) ?? ""
        action = row.text(2) ?? ""
        accountID = row.text(3)
        email = row.text(4)
    }
}

/// A security event of an account, as an operator sees it.
public struct AccountEventSummary: Sendable {
    /// RFC 3339.
    public let at: String
    /// The account's id.
    public let accountID: String
    /// As in `GET /account/events`.
    public let kind: String
    /// How often it happened: failed logins of an hour are one event.
    public let count: String
    /// The session's id; nil where there was none.
    public let sessionID: String?
    /// What the device has named itself.
    public let deviceID: String?
    /// Nil: unknown, or several.
    public let address: String?

    init(_ row: Row) {
        at = row.text(0) ?? ""
        accountID = row.text(1) ?? ""
        kind = row.text(2) ?? ""
        count = row.text(3) ?? ""
        sessionID = row.text(4)
        deviceID = row.text(5)
        address = row.text(6)
    }
}
