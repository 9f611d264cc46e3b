#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command for another device. Make a new one for each press: the same one again gets the outcome of the first.
public struct RemoteCommand: Identifiable, Hashable, Sendable {
    /// Of which the server knows whether it was sent before.
    public let id = UUID()
    /// Its name, or an object.
    public let command: JSONValue
    /// Its parameters, if it has any.
    public let parameters: JSONValue?
    /// The command is not delivered later: 0.5 to 30 seconds.
    public var timeout = Duration.seconds(10)

    /// A command by its name, of at most 64 bytes.
    public init(_ name: String, _ parameters: JSONValue? = nil) {
        (command, self.parameters) = (.string(name), parameters)
    }

    /// A command that is an object.
    public init(_ command: JSONValue.Object, _ parameters: JSONValue? = nil) {
        (self.command, self.parameters) = (.object(command), parameters)
    }
}

extension RemoteCommand {
    private static let timeouts = Duration.milliseconds(500)...Duration.seconds(30)

    /// The time that is left, in milliseconds; nil if it is too short for another attempt.
    static func timeoutMs(until end: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Int64? {
        let restMs = Int64(((end - now) / .milliseconds(1)).rounded(.up))
        return restMs >= 500 ? restMs : nil
    }

    /// The reason why nobody could carry it out; nil if there is none.
    var objection: String? {
        Self.timeouts.contains(timeout) ? nil : "The timeout of a command is 0.5 to 30 seconds."
    }

    /// The body of its request.
    func body(to device: String?, timeoutMs: Int64) -> [UInt8] {
        var members: JSONValue.Object = [
            "id": .string(id.uuidString.lowercased()), "command": command, "timeout_ms": .number(.init(timeoutMs)),
        ]
        if let parameters { members["parameters"] = parameters }
        if let device { members["to"] = .string(device) }
        return Array(JSONValue.object(members).text.utf8)
    }
}
