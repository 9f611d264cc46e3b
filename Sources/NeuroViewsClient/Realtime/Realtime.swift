#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The realtime state of a client. Confined to the actor.
final class Realtime {
    /// The time between two sendings of changed states: five a second.
    static let statePause = Duration.milliseconds(200)
    /// The time before an outcome that the server has not stored is sent again.
    static let resultPause = Duration.seconds(1)
    /// The first messages of a socket come within this time. The app sees them as a whole.
    static let beginningPause = Duration.milliseconds(100)

    enum Beginning {
        case awaited
        case isHere
    }

    /// Counts the links, so that one that ends late ends no newer one.
    var linkNumber = 0
    /// The socket that messages go to.
    private(set) var channel: (any Channel)?
    /// The account that the socket is for.
    private(set) var user: UUID?
    /// The account of the states and commands below.
    private var owner: UUID?
    var own = OwnStates()
    var commands = CommandMemory()
    /// The newest change of the configurations that no sync has been asked for.
    var head: String?
    /// The newest change of the recordings that the app knows.
    var recordingsHead: String?
    /// The state of the first messages of the newest socket; nil after them.
    private(set) var beginning: Beginning?
    /// True while the states that change wait for the end of a pause.
    var isPausing = false
    private(set) var book = PresenceBook()
    /// The outcomes of commands, until their deadlines. A dead socket loses them, and so does a server without its database.
    private var results: [UUID: (message: [UInt8], deadline: ContinuousClock.Instant)] = [:]

    /// Removes the states of another account than this one.
    func enter(_ account: UUID?) {
        if owner == account { return }
        owner = account
        (own, commands, results) = (OwnStates(), CommandMemory(), [:])
    }

    /// Uses a new socket, and sends all states.
    func connect(_ next: any Channel, of user: UUID) {
        enter(user)
        beginning = .awaited
        if self.user != user { (head, recordingsHead) = (nil, nil) }
        (channel, self.user) = (next, user)
        for message in own.takeAll() { next.send(message) }
        forgetLateResults()
        for result in results.values { next.send(result.message) }
    }

    /// The socket has ended.
    func disconnect(_ ended: any Channel) { if channel === ended { channel = nil } }

    /// A message of a socket has come. Returns true for the first one of the newest: the server sends what is there now,
    /// but not who has gone meanwhile.
    func begins(_ from: any Channel) -> Bool {
        guard beginning == .awaited, channel === from else { return false }
        beginning = .isHere
        book = PresenceBook()
        return true
    }

    /// The first messages of a socket are here. Returns false if it is not the newest any more.
    func endBeginning(of from: any Channel) -> Bool {
        guard beginning == .isHere, channel === from else { return false }
        beginning = nil
        return true
    }

    /// Notes a message of another device. Returns true if it is about presence.
    func take(_ arrival: RealtimeArrival) -> Bool { book.take(arrival) }

    /// Sends the outcome of a command now, and over each further socket until the deadline. The server takes the first one.
    func send(result message: [UInt8], of command: UUID, deadline: ContinuousClock.Instant) {
        forgetLateResults()
        results[command] = (message, deadline)
        channel?.send(message)
    }

    /// Sends an outcome again, unless its time is over.
    func sendAgain(_ command: UUID) {
        forgetLateResults()
        if let result = results[command] { channel?.send(result.message) }
    }

    /// True if its outcome can still be sent.
    func keepsResult(of command: UUID) -> Bool { results[command].map { $0.deadline > .now } ?? false }

    private func forgetLateResults() {
        let now = ContinuousClock.now
        results = results.filter { $0.value.deadline > now }
    }
}
