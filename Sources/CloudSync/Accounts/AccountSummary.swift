import Postgres

/// An account, for operators.
package struct AccountSummary: Sendable {
    /// UUID in lower case.
    package let id: String
    /// As it was registered.
    package let email: String
    /// RFC 3339.
    package let createdAt: String
    /// RFC 3339; nil if the account is enabled.
    package let disabledAt: String?
    /// RFC 3339; nil unless too many logins have failed. Until then logins from unknown devices and addresses are refused.
    package let lockedUntil: String?
    /// RFC 3339, within the hour; nil if there are no sessions.
    package let lastUsedAt: String?
    /// Sessions that can be used.
    package let sessions: Int
    /// Configurations that are not deleted.
    package let configurations: Int
    /// Recordings that are not deleted.
    package let recordings: Int
    /// Bytes of the recordings' files, open uploads included.
    package let recordingBytes: Int
    /// Whether logins need a code of an authenticator app.
    package let hasApp: Bool

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
        hasApp = row.int(9) == 1
        lockedUntil = row.text(10)
    }
}

/// A session, for operators.
package struct SessionSummary: Sendable {
    /// UUID in lower case.
    package let id: String
    /// The device of its login.
    package let deviceID: String?
    /// The client's address when its newest token was issued.
    package let address: String?
    /// RFC 3339.
    package let createdAt: String
    /// RFC 3339, within the hour.
    package let lastUsedAt: String

    init(_ row: Row) {
        id = row.text(0) ?? ""
        deviceID = row.text(1)
        address = row.text(2)
        createdAt = row.text(3) ?? ""
        lastUsedAt = row.text(4) ?? ""
    }
}

/// An operator's action.
package struct OperatorAction: Sendable {
    /// RFC 3339.
    package let at: String
    /// The operator's name in the operating system.
    package let operatorName: String
    /// The command.
    package let action: String
    /// The account's id; nil if the action concerns no account.
    package let accountID: String?
    /// The account's address; nil if the account is gone.
    package let email: String?

    init(_ row: Row) {
        at = row.text(0) ?? ""
        operatorName = row.text(1) ?? ""
        action = row.text(2) ?? ""
        accountID = row.text(3)
        email = row.text(4)
    }
}

/// A security event of an account, for operators.
package struct AccountEventSummary: Sendable {
    /// RFC 3339.
    package let at: String
    /// The account's id.
    package let accountID: String
    /// The kind, as in `GET /account/events`.
    package let kind: String
    /// The number of occurrences: failed logins of an hour are one event.
    package let count: String
    /// The session's id; nil without a session.
    package let sessionID: String?
    /// The device's id.
    package let deviceID: String?
    /// Nil if unknown, or if there were several.
    package let address: String?

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
