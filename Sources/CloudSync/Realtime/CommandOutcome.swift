import NeuroViewsJSON

/// A device's report on a command that it got.
package struct CommandResult: Sendable {
    /// The command's id, in lower case.
    package let replyTo: String
    /// `done`, `failed` or `refused`.
    let status: String
    /// See `CommandOutcome.details`.
    let details: [UInt8]?

    /// `content` is valid by the schema; `data` is its text.
    init(_ content: JSONValue, data: [UInt8]) {
        replyTo = content["reply_to"]?.string?.lowercased() ?? ""
        status = content["status"]?.string ?? ""
        details = Self.details(data)
    }

    private static func details(_ data: [UInt8]) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        let isEmpty = !CommandOutcome.write(membersOf: data, to: &writer)
        writer.endObject()
        return isEmpty ? nil : writer.bytes
    }
}

/// The one outcome of a command.
package struct CommandOutcome: Sendable {
    static let unreachable = "unreachable"
    static let delivered = "delivered"
    static let timeout = "timeout"
    static let all = ["done", "failed", "refused", delivered, unreachable, timeout]

    /// The command's id.
    package let id: String
    /// `done`, `failed`, `refused`, `delivered`, `unreachable` or `timeout`.
    package let status: String
    /// An object with the device's `result` and `error`, byte for byte.
    let details: [UInt8]?

    /// Writes the members of the answer; `name` is that of the id.
    package func write(to writer: inout JSONWriter, id name: String) {
        writer.member(name, string: id)
        writer.member("status", string: status)
        if let details { Self.write(membersOf: details, to: &writer) }
    }

    /// Returns false if there are none.
    @discardableResult
    fileprivate static func write(membersOf object: [UInt8], to writer: inout JSONWriter) -> Bool {
        var isEmpty = true
        for name in ["result", "error"] {
            guard let range = JSONText.range(ofMember: name, in: object[...]) else { continue }
            writer.member(name, raw: Array(object[range]))
            isEmpty = false
        }
        return !isEmpty
    }
}
