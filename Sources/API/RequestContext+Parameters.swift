import CloudSync
import HTTP
import JSONSchema

/// Parameters that several operations take.
extension RequestContext {
    private static let limitMax = 1000

    /// The query parameter `limit`: the most entries of a response; nil without it.
    func limit() throws(Problem) -> Int? {
        guard let text = try parameter("limit") else { return nil }
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber, let limit = Int(text), (1...Self.limitMax).contains(limit) else {
            throw Problem(.invalidParameter, "limit must be a number from 1 to \(Self.limitMax).")
        }
        return limit
    }

    /// The query parameter `device_id`; nil without it.
    func deviceID() throws(Problem) -> String? {
        guard let id = try parameter("device_id") else { return nil }
        guard DeviceIDForm.accepts(id) else {
            throw Problem(.invalidParameter, "device_id must have \(DeviceIDForm.phrase).")
        }
        return id
    }

    /// The path parameter `id` of a device.
    func deviceIDInPath() throws(Problem) -> String { try parameters.deviceID() }
}

extension PathParameters {
    /// `id`, of a device.
    func deviceID() throws(Problem) -> String {
        let id = self["id"] ?? ""
        guard DeviceIDForm.accepts(id) else {
            throw Problem(.invalidParameter, "A device's id must have \(DeviceIDForm.phrase).")
        }
        return id
    }

    /// A parameter that must be a UUID in any case.
    func uuid(_ name: String) throws(Problem) -> String {
        let id = self[name] ?? ""
        guard UUIDText.isValid(id) else { throw Problem(.invalidParameter, "The \(name) in the path must be a UUID.") }
        return id
    }
}

/// The form of a device's id, in paths, queries and bodies.
private enum DeviceIDForm {
    private static let maxCharacters = 200
    static let phrase = "1 to \(maxCharacters) characters without control characters"

    static func accepts(_ id: String) -> Bool {
        (1...maxCharacters).contains(id.unicodeScalars.count) && Format.deviceID.accepts(id)
    }
}
