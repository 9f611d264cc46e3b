/// The commands for the app. One stream gets them: the newest one.
final class CommandFeed: Sendable {
    private struct Current {
        weak var listener: CommandListener?
    }

    private let current = Guarded(Current())

    /// Ends the stream.
    deinit { current.withLock { $0.listener }?.end() }

    /// A stream of the commands from now on. It ends the one before.
    func watch() -> AsyncStream<ReceivedCommand> {
        let listener = CommandListener()
        let before = current.withLock { current in
            defer { current.listener = listener }
            return current.listener
        }
        before?.end()
        return AsyncStream { await listener.next() }
    }

    /// Gives a command to the app. Returns false if nobody listens, or too many commands wait.
    func give(_ command: ReceivedCommand) -> Bool {
        current.withLock { $0.listener }?.add(command) ?? false
    }
}

/// The stream of one listener.
final class CommandListener: Sendable {
    /// As many as the server lets wait for a device.
    private static let waitingMax = 16

    fileprivate struct State {
        var waiting: [ReceivedCommand] = []
        var continuation: CheckedContinuation<ReceivedCommand?, Never>?
        var isEnded = false
    }

    private let state = Guarded(State())

    /// The app has let go of the stream.
    deinit { end() }

    /// Returns false if the stream has ended or is full.
    func add(_ command: ReceivedCommand) -> Bool {
        let (isTaken, continuation) = state.withLock { state -> (Bool, CheckedContinuation<ReceivedCommand?, Never>?) in
            defer { state.continuation = nil }
            if let continuation = state.continuation { return (true, continuation) }
            if state.waiting.count == Self.waitingMax { state.dropLate(at: .now) }
            guard !state.isEnded, state.waiting.count < Self.waitingMax else {
                return (false, nil)
            }
            state.waiting.append(command)
            return (true, nil)
        }
        continuation?.resume(returning: command)
        return isTaken
    }

    /// The next command that is not too late; nil at the end, or in a cancelled task.
    func next() async -> ReceivedCommand? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isReady, command) = state.withLock { state in
                    state.dropLate(at: .now)
                    let isReady = state.isEnded || !state.waiting.isEmpty
                    if !isReady { state.continuation = continuation }
                    return (isReady, state.waiting.isEmpty ? nil : state.waiting.removeFirst())
                }
                if isReady { continuation.resume(returning: command) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends the stream. What waits is refused: nobody else will answer it.
    func end() {
        let (continuation, waiting) = state.withLock { state in
            defer { (state.continuation, state.waiting) = (nil, []) }
            state.isEnded = true
            return (state.continuation, state.waiting)
        }
        continuation?.resume(returning: nil)
        if waiting.isEmpty { return }
        Task { for command in waiting { await command.finish(.noListener) } }
    }
}

extension CommandListener.State {
    fileprivate mutating func dropLate(at now: ContinuousClock.Instant) { waiting.removeAll { $0.deadline <= now } }
}

extension CommandAnswer {
    /// Nobody carries commands out.
    static let noListener = CommandAnswer.refused("This device takes no commands now.")
}
