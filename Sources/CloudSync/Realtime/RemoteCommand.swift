import FoundationEssentials
import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON

/// A command for one device, as its sender wrote it.
package struct RemoteCommand: Sendable {
    /// The limit of command and parameters together.
    package static let maxBytes = 4 << 10
    private static let nameMaxBytes = 64
    private static let usualTimeoutMs = 10_000
    /// No command has more time, whatever the database's clock shows after a step.
    static let timeoutMaxMs = 30_000

    /// A UUID in lower case: the sender's, or a new one.
    package let id: String
    /// The device that the sender named.
    package let to: String?
    /// Nothing is delivered later.
    package let timeoutMs: Int
    /// The command's name; nil for a command that is an object.
    package let name: String?
    /// An object with `command` and `parameters`.
    let data: [UInt8]
    /// Equal for the same command to the same device. A retry may have a shorter timeout.
    let digest: [UInt8]

    /// `envelope` has `id`, `to` and `timeout_ms`, `content` the command. Both are valid by their schema. `data` is the text of
    /// `content`, and `pointer` its place in what the client sent.
    init(
        _ envelope: JSONValue,
        _ content: JSONValue,
        data: [UInt8],
        at pointer: String
    ) throws(RealtimeViolation) {
        id = envelope["id"]?.string?.lowercased() ?? UUID().uuidString.lowercased()
        to = envelope["to"]?.string
        timeoutMs = envelope["timeout_ms"]?.number?.int64.map { Int($0) } ?? Self.usualTimeoutMs
        name = content["command"]?.string
        self.data = data
        digest = SHA256.hash(content.canonical() + [0x0a] + Array((to ?? "").utf8))
        if let name, name.utf8.count > Self.nameMaxBytes {
            throw RealtimeViolation(
                pointer + "/command",
                "maxLength",
                "must have at most \(Self.nameMaxBytes) bytes, has \(name.utf8.count)"
            )
        }
        let count = Self.size(data)
        guard count <= Self.maxBytes else {
            let rule = "must have at most \(Self.maxBytes) bytes with the command, has \(count)"
            throw RealtimeViolation(pointer + "/parameters", "maxLength", rule)
        }
    }

    /// The body of a request, valid by its schema. Throws `.invalid`.
    package init(body: [UInt8], _ value: JSONValue) throws(CloudSyncError) {
        var (members, writer): ([JSONObject.Member], JSONWriter) = ([], JSONWriter())
        writer.beginObject()
        for name in ["command", "parameters"] {
            guard let part = value[name], let range = JSONText.range(ofMember: name, in: body[...]) else { continue }
            members.append(JSONObject.Member(name: name, value: part))
            writer.member(name, raw: Array(body[range]))
        }
        writer.endObject()
        do throws(RealtimeViolation) {
            self = try RemoteCommand(value, .object(JSONObject(members)), data: writer.bytes, at: "")
        } catch {
            throw .invalid([error.violation])
        }
    }

    private static func size(_ data: [UInt8]) -> Int {
        ["command", "parameters"].reduce(0) { $0 + (JSONText.range(ofMember: $1, in: data[...])?.count ?? 0) }
    }
}
