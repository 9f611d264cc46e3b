import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The account's other devices that are connected now, and their streams. ``NeuroViews/devices()`` lists all devices.
public struct Presence: Hashable, Sendable {
    /// The devices that have told a status, by id.
    public internal(set) var devices: [OnlineDevice] = []
    /// Their streams, by device and id.
    public internal(set) var streams: [OnlineStream] = []

    init() {}

    /// Reads an answer, and leaves this device out; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON, without own: String?) {
        guard let devices = json.all("devices", { OnlineDevice($0) }),
            let streams = json.all("streams", { OnlineStream($0) })
        else { return nil }
        self.devices = devices.filter { $0.id != own }.sorted { $0.id < $1.id }
        self.streams = streams.filter { $0.device != own }.sorted(by: OnlineStream.isBefore)
    }
}

/// A device that is connected.
public struct OnlineDevice: Identifiable, Hashable, Sendable {
    /// The device's id, as in ``Device/id``. A session without a device has a name of its own.
    public let id: String
    /// The newest status that it told.
    public let status: JSONValue
    /// What it does, such as `recording`, if the status says so.
    public var state: String? { status["state"]?.string }
    /// The names of the commands that it carries out; nil if the status does not say so.
    public var accepts: [String]? {
        guard let values = status["accepts"]?.array else { return nil }
        let names = values.compactMap(\.string)
        return names.count == values.count ? names : nil
    }

    init(id: String, status: JSONValue) { (self.id, self.status) = (id, status) }

    init?(_ json: JSON) {
        guard let id = json["device_id"]?.string, let status = json["status"] else { return nil }
        self.init(id: id, status: JSONValue(status))
    }
}

/// A stream of another device.
public struct OnlineStream: Identifiable, Hashable, Sendable {
    /// The stream's `session_id`.
    public let id: UUID
    /// The device that streams.
    public let device: String
    /// Where the stream goes, without keys and tokens.
    public internal(set) var destinations: [JSONValue] = []
    /// The newest figures.
    public internal(set) var metrics: JSONValue?
    /// The newest error.
    public internal(set) var error: JSONValue?

    init(id: UUID, device: String) { (self.id, self.device) = (id, device) }

    init?(_ json: JSON) {
        guard let id = json["session_id"]?.string.flatMap({ UUID(uuidString: $0) }),
            let device = json["device_id"]?.string
        else { return nil }
        self.init(id: id, device: device)
        destinations = json["destinations"]?.array?.map { JSONValue($0) } ?? []
        (metrics, error) = (json["metrics"].map { JSONValue($0) }, json["error"].map { JSONValue($0) })
    }

    static func isBefore(_ left: OnlineStream, _ right: OnlineStream) -> Bool {
        (left.device, left.id.uuidString) < (right.device, right.id.uuidString)
    }
}
