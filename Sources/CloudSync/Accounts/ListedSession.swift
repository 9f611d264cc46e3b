import Postgres

/// A session as its owner sees it.
public struct ListedSession: Sendable {
    /// UUID in lower case.
    public let id: String
    /// The device that it was started for.
    public let deviceID: String?
    /// That device's name now.
    public let deviceName: String?
    /// From where its newest token was asked for.
    public let address: String?
    /// RFC 3339.
    public let createdAt: String
    /// RFC 3339, within the hour.
    public let lastUsedAt: String
    /// Whether it is the asking one.
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
