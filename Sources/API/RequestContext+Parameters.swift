import CloudSync

/// Parameters that several operations take.
extension RequestContext {
    private static let limitMax = 1000
    private static let deviceIDMaxCharacters = 200

    /// The query parameter `limit`: entries of an answer at most; nil without it.
    func limit() throws(Problem) -> Int? {
        guard let text = try parameter("limit") else { return nil }
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber, let limit = Int(text), (1...Self.limitMax).contains(limit) else {
            throw Problem(.invalidParameter, "limit takes a number from 1 to \(Self.limitMax).")
        }
        return limit
    }

    /// The query parameter `device_id`; nil without it.
    func deviceID() throws(Problem) -> String? {
        guard let id = try parameter("device_id") else { return nil }
        guard Self.isDeviceID(id) else {
            throw Problem(.invalidParameter, "device_id takes 1 to \(Self.deviceIDMaxCharacters) characters.")
        }
        return id
    }

    /// The path parameter `id` of a device.
    func deviceIDInPath() throws(Problem) -> String {
        let id = parameters["id"] ?? ""
        guard Self.isDeviceID(id) else {
            throw Problem(.invalidParameter, "A device's id has 1 to \(Self.deviceIDMaxCharacters) characters.")
        }
        return id
    }

    private static func isDeviceID(_ id: String) -> Bool {
        (1...deviceIDMaxCharacters).contains(id.unicodeScalars.count) && !id.utf8.contains(0)
    }
}
