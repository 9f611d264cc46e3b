#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command that another device of the account has sent to this one. Carry it out, then ``finish(_:)``.
public struct ReceivedCommand: Identifiable, Sendable {
    /// The sender's id of it.
    public let id: UUID
    /// The device that sent it, as in ``OnlineDevice/id``.
    public let sender: String
    /// Its name, or an object.
    public let command: JSONValue
    /// Its parameters, if it has any.
    public let parameters: JSONValue?
    /// Do not carry it out later: the sender has been told that nothing happened in time.
    public let deadline: ContinuousClock.Instant
    private let answer: @Sendable (CommandAnswer) async -> Void

    init(
        _ arrival: ArrivedCommand,
        at now: ContinuousClock.Instant,
        _ answer: @escaping @Sendable (CommandAnswer) async -> Void
    ) {
        (id, sender, command, parameters) = (arrival.id, arrival.sender, arrival.command, arrival.parameters)
        deadline = now + .milliseconds(arrival.timeoutMs)
        self.answer = answer
    }

    /// The name of a command that has one.
    public var name: String? { command.string }

    /// Tells the sender the outcome. Only the first call counts.
    public func finish(_ answer: CommandAnswer) async { await self.answer(answer) }
}

/// What a device answers to a command.
public enum CommandAnswer: Hashable, Sendable {
    /// It is done, with this result.
    case done(JSONValue? = nil)
    /// It could not be done, for this reason.
    case failed(JSONValue? = nil)
    /// The device will not do it, for this reason.
    case refused(JSONValue? = nil)
}
