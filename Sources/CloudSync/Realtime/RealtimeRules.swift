import JSONSchema
import NeuroViewsJSON

/// The reason why a text of a socket is no message.
package enum RealtimeFault: Error, Sendable {
    /// It is not JSON.
    case notJSON
    /// It breaks the rules of its type. `reply` is the `id` that it has.
    case invalid([Violation], reply: String?)

    /// True for a message of a type that a newer server may know.
    package var isUnknownType: Bool {
        guard case .invalid(let violations, _) = self else { return false }
        return violations.contains { $0.pointer == "/type" && $0.keyword == "enum" }
    }
}

/// Reads the messages of sockets.
package struct RealtimeRules: Sendable {
    private let schema: Schema

    /// `message` is the schema of all messages that a client may send.
    package init(message: Schema) { schema = message }

    /// The message in `text`. Throws `RealtimeFault`.
    package func message(_ text: [UInt8]) throws(RealtimeFault) -> RealtimeMessage {
        let value = try Self.parsed(text)
        let violations = schema.violations(of: value)
        guard violations.isEmpty, let range = JSONText.range(ofMember: "data", in: text[...]) else {
            throw .invalid(violations, reply: Self.reply(to: value))
        }
        do throws(RealtimeViolation) {
            return try RealtimeMessage(value, data: Array(text[range]))
        } catch {
            throw .invalid([error.violation], reply: Self.reply(to: value))
        }
    }

    private static func reply(to value: JSONValue) -> String? {
        value["id"]?.string.flatMap { UUIDText.isValid($0) ? $0.lowercased() : nil }
    }

    private static func parsed(_ text: [UInt8]) throws(RealtimeFault) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(text, policy: .requestBody)
        } catch {
            throw .notJSON
        }
    }
}

/// A rule that no keyword of a schema expresses.
struct RealtimeViolation: Error {
    let violation: Violation

    init(_ pointer: String, _ keyword: String, _ detail: String) {
        violation = Violation(pointer: pointer, keyword: keyword, detail: detail)
    }
}
