import Postgres

/// A session, for its owner.
package struct ListedSession: Sendable {
    /// UUID in lower case.
    package let id: String
    /// The device of its login.
    package let deviceID: String?
    /// The device's current name.
    package let deviceName: String?
    /// The client's address when its newest token was issued.
    package let address: String?
    /// RFC 3339.
    package let createdAt: String
    /// RFC 3339, within the hour.
    package let lastUsedAt: String
    /// True for the caller's own session.
    package let isCurrent: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        deviceID = try columns.next()
        deviceName = try columns.next()
        address = try columns.next()
        createdAt = try columns.next()
        lastUsedAt = try columns.next()
        isCurrent = try columns.next()
    }
}
