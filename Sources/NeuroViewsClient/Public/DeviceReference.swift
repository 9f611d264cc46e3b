import NeuroViewsJSON

/// The device that wrote a version.
public struct DeviceReference: Hashable, Sendable {
    /// The id that the device chose for itself.
    public let id: String
    /// The name that its owner gave it, if the account still has the device.
    public let name: String?

    /// Reads a member; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.string else { return nil }
        (self.id, name) = (id, json["name"]?.string)
    }
}
