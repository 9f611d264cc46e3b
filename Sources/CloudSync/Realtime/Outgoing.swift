/// A part of an account's state that one message tells of.
enum StateKey: Hashable, Sendable {
    case status(_ device: String)
    /// The start of a stream, or its end.
    case stream(_ device: String, _ session: String)
    case metrics(_ device: String, _ session: String)
    case error(_ device: String, _ session: String)
}

/// A command that waits for its device's socket.
struct WaitingCommand: Sendable {
    let command: OpenCommand
    /// Nothing is sent later, in milliseconds of this server's clock.
    let untilMs: UInt64

    /// The message with the time that is left. Nil if none is.
    func text(nowMs: UInt64) -> [UInt8]? {
        guard untilMs > nowMs else { return nil }
        return RealtimeText.command(command, remainingMs: Int(untilMs - nowMs))
    }
}

/// What one socket has still to get. It names changed states and does not copy them: a slow client gets the newest state of each, and costs
/// the size of the names.
struct Outgoing {
    /// The next thing to send.
    enum Item {
        case command(WaitingCommand)
        case heads
        case state(StateKey)
    }

    private static let commandsMax = 16
    /// Far more than a socket has to get that takes something now and then.
    private static let keysMax = 2048
    /// Up to so many keys a search costs less than a set.
    private static let searchedMax = 16

    private var commands: [WaitingCommand] = []
    private var hasHeads = false
    private var keys: [StateKey] = []
    /// The same keys, if there were more than `searchedMax` since the last one was taken.
    private var known: Set<StateKey> = []

    var isEmpty: Bool { !hasHeads && keys.isEmpty && commands.isEmpty }
    /// The commands that were not sent.
    var unsent: [OpenCommand] { commands.map(\.command) }
    /// True: so much has changed since the socket took something that it must begin anew.
    var isTooFarBehind: Bool { keys.count > Self.keysMax }

    /// False: too many commands wait already.
    mutating func add(_ command: WaitingCommand) -> Bool {
        guard commands.count < Self.commandsMax else { return false }
        commands.append(command)
        return true
    }

    /// False: an older notice was still waiting.
    @discardableResult
    mutating func addHeads() -> Bool {
        defer { hasHeads = true }
        return !hasHeads
    }

    /// False: an older state with this key was still waiting, and is not sent any more.
    @discardableResult
    mutating func add(_ key: StateKey) -> Bool {
        guard !isWaiting(key) else { return false }
        keys.append(key)
        if !known.isEmpty {
            known.insert(key)
        } else if keys.count > Self.searchedMax {
            known = Set(keys)
        }
        return true
    }

    private func isWaiting(_ key: StateKey) -> Bool { known.isEmpty ? keys.contains(key) : known.contains(key) }

    /// Removes and returns the next thing to send: commands first, then heads, then states in the order of their changes.
    mutating func next() -> Item? {
        if !commands.isEmpty { return .command(commands.removeFirst()) }
        if hasHeads {
            hasHeads = false
            return .heads
        }
        guard !keys.isEmpty else { return nil }
        let key = keys.removeFirst()
        if !known.isEmpty { known.remove(key) }
        return .state(key)
    }
}
