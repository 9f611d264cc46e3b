import Postgres

/// The device that a session named when it logged in, as far as it is known today.
public struct DeviceReference: Sendable {
    /// The client's own name for it.
    public let id: String
    /// Its name for people; nil when it has none, or was removed.
    public let name: String?

    /// Reads id and name; nil without an id.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> DeviceReference? {
        let (id, name): (String?, String?) = (try columns.next(), try columns.next())
        return id.map { DeviceReference(id: $0, name: name) }
    }
}
