/// Opens WebSockets (RFC 6455) to the server.
package protocol ChannelTransport: Sendable {
    /// Sends the request of an upgrade, which has the fields of a session, and returns the server's answer. A cancelled task
    /// ends it: the call throws `.cancelled`.
    func open(_ request: TransferRequest) async throws(TransportError) -> ChannelOpening
}

/// The answer to the request of an upgrade.
package enum ChannelOpening: Sendable {
    case opened(any Channel)
    /// Any answer but 101.
    case refused(TransferAnswer)
}

/// An open WebSocket. It ends when nobody has it any more.
package protocol Channel: AnyObject, Sendable {
    /// Sends a text message, without waiting. After the end it is dropped.
    func send(_ message: [UInt8])

    /// The next message, or the end. One task at a time waits for it; if that task is cancelled, the channel ends.
    func receive() async -> ChannelEvent

    /// Begins the closing handshake. Messages that are on their way may still come before the end.
    func close()
}

/// What comes from a WebSocket.
package enum ChannelEvent: Sendable, Equatable {
    /// With the time of its arrival: its reader may be late.
    case message([UInt8], at: ContinuousClock.Instant = .now)
    /// Nothing follows.
    case ended(ChannelEnd)
}

/// The reason why a WebSocket ended.
package struct ChannelEnd: Sendable, Equatable {
    /// The peer's close code; nil if the connection broke, or this side ended it.
    package let code: Int?
    package let reason: String

    package init(code: Int? = nil, reason: String = "") { (self.code, self.reason) = (code, reason) }
}

/// The limits of a WebSocket. Only tests change them.
package struct ChannelLimits: Sendable {
    /// The time until the answer to the upgrade, in seconds.
    package var openingS = 15
    /// Of the answer's head and of a refusal's body.
    package var answerMaxBytes = 64 << 10
    /// Of a message. The server's have at most 16 KiB and the sender's name.
    package var messageMaxBytes = 64 << 10
    /// Messages that wait for their reader. With more of them, nothing is read from the connection.
    package var waitingMax = 64
    /// Bytes that wait for the connection. More of them end it: the peer reads nothing.
    package var outgoingMaxBytes = 256 << 10
    /// The time without a byte after which the peer is asked for one.
    package var pingAfter = Duration.seconds(30)
    /// The time in which it must come, and the one for the peer's close.
    package var patience = Duration.seconds(10)
    package var closing = Duration.seconds(2)

    package init() {}
}
