import Postgres

/// A session, for its owner.
public struct ListedSession: Sendable {
    /// UUID in lower case.
    public let id: String
    /// The device of its login.
    public let deviceID: String?
    /// The device's current name.
    public let deviceName: String?
    /// The client's address when its newest token was issued.
    public let address: String?
    /// RFC 3339.
    public let createdAt: String
    /// RFC 3339, within the hour.
    public let lastUsedAt: String
    /// True for the caller's own session.
    public let isCurrent: Bool

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
