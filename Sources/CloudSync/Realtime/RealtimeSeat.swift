import Net

/// An open socket, or a running request of a realtime route. Its registration comes before the check of its session, so the hub notices
/// an end of the session in between.
package final class RealtimeSeat: Sendable {
    package enum Door: Sendable, Equatable {
        /// `speaksV2`: the client knows more messages than the specification's five.
        case socket(speaksV2: Bool)
        /// A wait for the state or for the outcome of a command.
        case request
    }

    package let account: AccountID
    /// The session's id, in the form of an account's.
    let session: AccountID
    /// The counter of the seat's token.
    package let counter: Int
    package let door: Door
    /// The loop of the seat's connection.
    package let loop: EventLoop
    let receive: @Sendable (RealtimeDelivery) -> Void
    let turn = BatchTurn()

    /// `receive` is called on `loop`, in order. Nil if an id is no UUID.
    package init?(
        userID: String,
        sessionID: String,
        counter: Int,
        door: Door,
        loop: EventLoop,
        receive: @escaping @Sendable (RealtimeDelivery) -> Void
    ) {
        guard let account = AccountID(userID), let session = AccountID(sessionID) else { return nil }
        self.account = account
        self.session = session
        self.counter = counter
        self.door = door
        self.loop = loop
        self.receive = receive
    }

    /// A UUID in lower case. Each call makes a new text, to save memory.
    package var sessionID: String { session.text }
    var isSocket: Bool { door != .request }
    var speaksV2: Bool { door == .socket(speaksV2: true) }
}

/// A whole message for a socket.
package struct RealtimeOutput: Sendable {
    package let label: MessageLabel
    /// The first text of the message.
    package let text: [UInt8]
    /// Set for a command. Its text has the remaining time.
    private let command: WaitingCommand?

    init(_ label: MessageLabel, _ text: [UInt8], of command: WaitingCommand? = nil) {
        self.label = label
        self.text = text
        self.command = command
    }

    /// True for a message with a new text at each write.
    package var isTimed: Bool { command != nil }

    /// The message for a write at that time. Nil after a command's deadline.
    package func written(atMs nowMs: UInt64) -> [UInt8]? {
        if let command { command.text(nowMs: nowMs) } else { text }
    }
}

/// The hub's deliveries to a seat.
package enum RealtimeDelivery: Sendable {
    /// Whole messages, in order. The hub gives no more before `RealtimeHub.wrote`.
    case messages([RealtimeOutput])
    /// The bytes of the device's states. They count in the share of the seat's holder.
    case states(bytes: Int)
    /// A refused event. `reply` came with the event.
    case refused(PublishRefusal, reply: String?)
    /// The hub has removed the seat. Nothing follows.
    case ended(RealtimeEnd)
}

/// The hub's reasons to end a seat.
package enum RealtimeEnd: Sendable, Equatable {
    /// The session has ended, or the token is outdated.
    case sessionEnded
    /// The session has opened too many sockets since.
    case replaced
    /// The database can't be read, or the socket was too slow. A later try may succeed.
    case databaseAway
}

/// The hub's reasons to refuse an event.
package enum PublishRefusal: Sendable, Equatable {
    /// The status is of another device than the sender's, `own`.
    case otherDevice(own: String)
    /// The states of the device or of the account would be too large.
    case statesTooLarge
}
