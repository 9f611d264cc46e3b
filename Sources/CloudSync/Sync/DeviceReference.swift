import Postgres

/// The device that a session named at login, with its current data.
package struct DeviceReference: Sendable {
    /// The client's id of the device.
    package let id: String
    /// The display name; nil if the device has none or was removed.
    package let name: String?

    /// Reads id and name; nil without an id.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> DeviceReference? {
        let (id, name): (String?, String?) = (try columns.next(), try columns.next())
        return id.map { DeviceReference(id: $0, name: name) }
    }
}
