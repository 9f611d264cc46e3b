import Net

/// Ends the connection of one request from any thread. Does nothing after the request's handler has returned.
public struct RequestCut: Sendable {
    private let connection: Connection
    /// The number of the request: later the connection may serve another one.
    private let number: Int

    init(_ connection: Connection) {
        self.connection = connection
        number = connection.served
    }

    /// Cuts the connection soon: the handler still gets received bytes of the body, for half a second at most.
    public func callAsFunction() {
        connection.socket.loop.spawn { [self] in
            if connection.served == number { connection.cutOffSoon() }
        }
    }
}

extension Request {
    /// Ends this request's connection from any thread.
    public var cut: RequestCut { RequestCut(body.connection) }

    /// Ends the connection at once, without a response: the handler's response is dropped.
    public func cutOff() { body.connection.cutOff() }

    /// Ends the connection without a response, but lets the client read all sent
    /// bytes. The handler's response is dropped.
    public func hangUp() async { await body.connection.closeGently() }
}

extension Connection {
    private static let lastReadsMs: UInt64 = 500

    /// A handler that waits for the client has read all received bytes.
    fileprivate func cutOffSoon() {
        switch phase {
        case .receiving: cutOff()
        case .working: readsUntilMs = min(readsUntilMs, Monotonic.nowMs() + Self.lastReadsMs)
        case .idle, .abandoned, .sending, .upgraded, .closing: break
        }
    }

    /// Throws `SocketFailure.closed` when the request must end and has read all received bytes, or has no more time.
    func checkLastReads() throws(SocketFailure) {
        guard readsUntilMs != .max, nowMs >= readsUntilMs || !socket.hasInput else { return }
        cutOff()
        throw .closed
    }
}
