import Net

/// A socket, or a request to one of the two routes of realtime while it lasts. It is registered before its session is checked: so an end of
/// the session in between is not missed.
package final class RealtimeSeat: Sendable {
    package enum Door: Sendable, Equatable {
        /// `speaksV2`: the client knows the messages that were added to the specification's five.
        case socket(speaksV2: Bool)
        /// A wait for the state or for the outcome of a command.
        case request
    }

    package let account: AccountID
    /// The session's id, in the form of an account's.
    let session: AccountID
    /// The counter of the token that opened the seat.
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

    /// A UUID in lower case, made at each call: the text is as large as the rest of the seat.
    package var sessionID: String { session.text }
    var isSocket: Bool { door != .request }
    var speaksV2: Bool { door == .socket(speaksV2: true) }
}

/// A whole message for a socket.
package struct RealtimeOutput: Sendable {
    package let label: MessageLabel
    /// The message when it was made.
    package let text: [UInt8]
    /// Set for a command, whose text names the time that is left.
    private let command: WaitingCommand?

    init(_ label: MessageLabel, _ text: [UInt8], of command: WaitingCommand? = nil) {
        self.label = label
        self.text = text
        self.command = command
    }

    /// True for a message that is made again when it is written.
    package var isTimed: Bool { command != nil }

    /// The message for a write at that time. Nil for a command whose time is over.
    package func written(atMs nowMs: UInt64) -> [UInt8]? {
        if let command { command.text(nowMs: nowMs) } else { text }
    }
}

/// What the hub gives to a seat.
package enum RealtimeDelivery: Sendable {
    /// Whole messages, in order. The hub gives no more before `RealtimeHub.wrote`.
    case messages([RealtimeOutput])
    /// The account holds so many bytes for the seat's device: they count in the share of the seat's holder.
    case states(bytes: Int)
    /// An event was not taken. `reply` is what came with it.
    case refused(PublishRefusal, reply: String?)
    /// The hub has removed the seat. Nothing follows.
    case ended(RealtimeEnd)
}

/// The reasons for which the hub ends a seat.
package enum RealtimeEnd: Sendable, Equatable {
    /// The session has ended, or the token is outdated.
    case sessionEnded
    /// The session has opened too many sockets since.
    case replaced
    /// The state can't be read, or the socket was too slow to follow it. A later try may succeed.
    case databaseAway
}

/// The reasons for which an event is not taken.
package enum PublishRefusal: Sendable, Equatable {
    /// The status is of another device than the sender's, `own`.
    case otherDevice(own: String)
    /// The states of the device or of the account would be too large.
    case statesTooLarge
}
