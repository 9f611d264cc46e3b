import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A device of the account.
public struct Device: Identifiable, Hashable, Sendable {
    /// The id that the device chose for itself.
    public let id: String
    /// The name that its owner gave it.
    public let name: String?
    /// Its model, such as `iPhone17,1`.
    public let model: String?
    /// The version of the app that runs on it.
    public let appVersion: String?
    /// The time at which the server first saw it.
    public let firstSeenAt: Date
    /// The time at which the server last saw it, to the hour.
    public let lastSeenAt: Date
    /// True for this device.
    public let isCurrent: Bool
    /// The entry as the server sent it.
    public let json: JSONValue

    /// Reads an entry; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.string, let firstSeenAt = json["first_seen_at"]?.date,
            let lastSeenAt = json["last_seen_at"]?.date, let isCurrent = json["current"]?.bool
        else { return nil }
        (self.id, self.firstSeenAt, self.lastSeenAt, self.isCurrent) = (id, firstSeenAt, lastSeenAt, isCurrent)
        (name, model, appVersion) = (json["name"]?.string, json["model"]?.string, json["app_version"]?.string)
        self.json = JSONValue(json)
    }
}
