import Net

/// Ends the connection of one request from any thread. Once the request's handler has returned it does nothing.
public struct RequestCut: Sendable {
    private let connection: Connection
    /// The connection may serve another request by then.
    private let number: Int

    init(_ connection: Connection) {
        self.connection = connection
        number = connection.served
    }

    /// Cuts the connection soon: the handler still gets what has arrived of the body, for half a second at most.
    public func callAsFunction() {
        connection.socket.loop.spawn { [self] in
            if connection.served == number { connection.cutOffSoon() }
        }
    }
}

extension Request {
    /// Ends this request's connection from elsewhere.
    public var cut: RequestCut { RequestCut(body.connection) }

    /// Ends the connection at once, without an answer: the handler's response is dropped.
    public func cutOff() { body.connection.cutOff() }

    /// Ends the connection without an answer, but so that the client can read all that was sent: the response is dropped.
    public func hangUp() async { await body.connection.closeGently() }
}

extension Connection {
    private static let lastReadsMs: UInt64 = 500

    /// A handler that waits for the client has read everything that has arrived.
    fileprivate func cutOffSoon() {
        switch phase {
        case .receiving: cutOff()
        case .working: readsUntilMs = min(readsUntilMs, Monotonic.nowMs() + Self.lastReadsMs)
        case .idle, .abandoned, .sending, .upgraded, .closing: break
        }
    }

    /// Throws `SocketFailure.closed` when the request is to end with what has arrived, and that is read.
    func checkLastReads() throws(SocketFailure) {
        guard readsUntilMs != .max, nowMs >= readsUntilMs || !socket.hasInput else { return }
        cutOff()
        throw .closed
    }
}
