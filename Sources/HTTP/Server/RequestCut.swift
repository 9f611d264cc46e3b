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

    /// Cuts the connection soon. The handler's reads and writes then fail.
    public func callAsFunction() {
        connection.socket.loop.spawn { [self] in
            if connection.served == number, connection.hasHandler { connection.cutOff() }
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
    /// Whether a handler works, or reads the body.
    var hasHandler: Bool { phase == .working || phase == .receiving }
}
