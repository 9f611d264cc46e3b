import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The devices of the account in touch with each other. Nothing of it is stored: a device that is away misses it.
extension NeuroViews {
    /// The account's other devices that are connected now, from the server.
    public func presence() async throws(ClientError) -> Presence {
        try await RealtimeState.read(session, as: core.account?.id).presence
    }

    /// Returns a stream of the presence, from now on and while the client is started. A slow listener gets the newest one. It is
    /// empty after the end of the link, and after a log out.
    public nonisolated func presenceChanges() -> AsyncStream<Presence> { presenceFeed.watch() }

    /// Tells the others what this device does, such as `["state": "recording"]`, and the names of the commands that it carries
    /// out. Without any, the device gets only commands that name it. Needs a log in, and is told while the client is started,
    /// to those who connect later, too. The newest status counts; at most five in a second are sent. Another account that logs
    /// in tells its own.
    ///
    /// - Throws: `.invalidArgument` for a status of more than 16 KiB.
    public func setStatus(_ status: JSONValue.Object, accepts: [String] = []) throws(ClientError) {
        guard let device = try session.deviceID else { throw .needsLogIn(nil) }
        let message = RealtimeText.status(status, accepts: accepts, of: device)
        try Self.check(message)
        realtime.enter(core.account?.id)
        realtime.own.set(status: message)
        tellStates()
    }

    /// Tells the others of a stream of this device. It is told like the status. At most four streams are known: another one
    /// takes the place of the first.
    ///
    /// - Throws: `.invalidArgument` for a report of more than 16 KiB, and for one of a stream that was not started.
    public func reportStream(_ report: StreamReport) throws(ClientError) {
        try Self.check(RealtimeText.stream(report).message)
        realtime.enter(core.account?.id)
        guard realtime.own.take(report) else {
            throw .invalidArgument("The stream was not started, or has been stopped.")
        }
        tellStates()
    }

    /// Sends a command to a device, and returns its outcome. Without a device, it goes to the one that accepts it. It needs no
    /// ``start()``. A lost answer is asked for again within the command's timeout, and the command is never done twice.
    ///
    /// - Throws: `.refused` with `ambiguous-target` if several devices might be meant. After `.offline`, `.tryLater`,
    ///   `.unexpectedAnswer` and `.answerTooLarge` nobody knows whether it was done; send the same command again within its timeout to learn it.
    public func send(_ command: RemoteCommand, to device: String? = nil) async throws(ClientError) -> CommandOutcome {
        if let objection = command.objection { throw .invalidArgument(objection) }
        let (end, user) = (ContinuousClock.now + command.timeout, core.account?.id)
        var pause = CommandPause()
        var timeoutMs = RemoteCommand.timeoutMs(until: end, at: .now)
        var failure = ClientError.tryLater(nil, seconds: nil)
        while let ms = timeoutMs {
            do throws(ClientError) {
                return try await post(command.body(to: device, timeoutMs: ms), as: user)
            } catch {
                guard error.isResultUnknown else { throw error }
                failure = error
            }
            let wait = pause.next(retryAfterS: failure.retryAfterSeconds)
            guard ContinuousClock.now + wait < end, (try? await Task.sleep(for: wait)) != nil else { break }
            timeoutMs = RemoteCommand.timeoutMs(until: end, at: .now)
        }
        throw failure
    }

    /// Returns a stream of the commands for this device, from now on and while the client is started. The newest stream gets
    /// them. Name the commands by ``setStatus(_:accepts:)``, and answer each by ``ReceivedCommand/finish(_:)``. A command
    /// that has waited too long does not come, and none comes twice. Those that still wait at the end of the stream are refused.
    public nonisolated func commands() -> AsyncStream<ReceivedCommand> { commandFeed.watch() }

    private func post(_ body: [UInt8], as user: UUID?) async throws(ClientError) -> CommandOutcome {
        let answer = try await session.ask("POST", "/realtime/commands", body: body, as: user)
        guard let outcome = answer.json.flatMap({ CommandOutcome($0) }) else {
            throw .unexpectedAnswer("The answer to POST /realtime/commands is not as the interface has it.")
        }
        return outcome
    }

    private static func check(_ message: [UInt8]) throws(ClientError) {
        guard message.count <= RealtimeText.maxBytes else {
            let reason = "A message has at most \(RealtimeText.maxBytes) bytes, and this one has \(message.count)."
            throw .invalidArgument(reason)
        }
    }
}

/// The pauses between the attempts of a command, which has seconds.
struct CommandPause {
    private var ms: Int64 = 250

    /// The next one: the server's, or twice as long as the one before.
    mutating func next(retryAfterS: Int64?) -> Duration {
        defer { ms *= 2 }
        return retryAfterS.map { .seconds($0) } ?? .milliseconds(ms)
    }
}

/// A report on a stream of this device. The id is the stream's `session_id`.
public enum StreamReport: Hashable, Sendable {
    /// It has begun, or goes to other destinations now: at most 16. Their `stream_key` and `auth_token` do not leave the device.
    case started(UUID, destinations: [JSONValue.Object])
    /// The newest figures. A stream of which nothing is told for a minute is over for the others.
    case metrics(UUID, JSONValue.Object)
    /// The newest error. The stream may go on.
    case failed(UUID, JSONValue)
    /// It has ended.
    case stopped(UUID)
}
