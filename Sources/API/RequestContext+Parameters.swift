import CloudSync
import HTTP
import JSONSchema

/// Parameters that several operations take.
extension RequestContext {
    /// The query parameter `limit`: the most entries of a response; nil without it.
    func limit() throws(Problem) -> Int? {
        guard let text = try parameter("limit") else { return nil }
        guard let limit = PageLimit.entries(text) else {
            throw Problem(parameter: "limit", "must be a number of at least 1", keyword: "minimum")
        }
        return limit
    }

    /// The same for a list that has pages in any case.
    func pageLimit() throws(Problem) -> Int { try limit() ?? PageLimit.usual }

    /// The query parameter `before`: the position after which the page begins, as `parse` reads it; nil without it.
    func before<Position>(
        _ rule: String = "must be the value of next in an earlier response",
        _ parse: (String) -> Position?
    ) throws(Problem) -> Position? {
        guard let text = try parameter("before") else { return nil }
        guard let position = parse(text) else { throw Problem(parameter: "before", rule) }
        return position
    }

    /// The query parameter `device_id`; nil without it.
    func deviceID() throws(Problem) -> String? {
        guard let id = try parameter("device_id") else { return nil }
        guard DeviceIDForm.accepts(id) else {
            throw Problem(parameter: "device_id", "must have \(DeviceIDForm.phrase)")
        }
        return id
    }

    /// The path parameter `id` of a device.
    func deviceIDInPath() throws(Problem) -> String { try parameters.deviceID() }
}

/// The value of `limit`.
enum PageLimit {
    /// Without the parameter.
    static let usual = 100
    /// A larger number is cut down to it, so that a client need not know it.
    static let most = 1000

    /// Nil for zero and for a text that is no number. A number of any length is cut down.
    static func entries(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let number = Int(text) ?? .max
        return number > 0 ? min(number, most) : nil
    }
}

extension PathParameters {
    /// `id`, of a device.
    func deviceID() throws(Problem) -> String {
        let id = self["id"] ?? ""
        guard DeviceIDForm.accepts(id) else {
            throw Problem(parameter: "id", "must have \(DeviceIDForm.phrase)")
        }
        return id
    }

    /// A parameter that must be a UUID in any case.
    func uuid(_ name: String) throws(Problem) -> String {
        let id = self[name] ?? ""
        guard UUIDText.isValid(id) else { throw Problem(parameter: name, "must be a UUID") }
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
