import Net

/// Accepts connections on its loops and passes their requests to a handler.
public final class Server: Sendable {
    /// Makes the response to one request.
    public typealias Handler = @Sendable (Request) async -> Response
    /// Makes the response when the handler makes none. It gets the request if there is one.
    public typealias Refusal = @Sendable (RefusalReason, Request?) -> Response
    /// Called when a response was sent or the client was gone, on the connection's loop.
    public typealias Completion = @Sendable (Request, Response) -> Void

    /// The reason for a response without the handler.
    public enum RefusalReason: Sendable, Equatable {
        /// The message is not a request.
        case malformed(WireError)
        /// The limit of connections is reached.
        case tooManyConnections
        /// The limit of connections per address is reached.
        case tooManyConnectionsOfAddress
        /// The head was not complete in time.
        case timedOut
        /// The handler did not answer in time. It may still complete its work.
        case unanswered
        /// There is no memory for such a large response.
        case overloaded
        /// The client uses plain HTTP on a TLS port. This response, too, is sent in plain text.
        case notTLS
    }

    /// The address of the listener.
    public var address: Endpoint { listener.address }

    private let listener: Listener
    private let loops: [EventLoop]
    private let tls: TLSEndpoint?
    let service: ConnectionService
    private let acceptors = Locked<[(EventLoop, Acceptor)]>([])
    private static let lookEveryMs: UInt64 = 10
    /// More than any kernel queues.
    private static let queueMax = 1 << 17

    /// Serves the connections of `listener`, over TLS if `tls` is set; `start` accepts the first one.
    /// Every response has the `fixedFields`, pages have the `pageFields` in their place.
    public init(
        _ listener: Listener,
        loops: [EventLoop],
        limits: ServerLimits,
        tls: TLSEndpoint? = nil,
        fixedFields: FieldBlock = [],
        pageFields: FieldBlock = [],
        refusal: @escaping Refusal,
        handler: @escaping Handler,
        completion: @escaping Completion = { _, _ in }
    ) {
        self.listener = listener
        self.loops = loops
        self.tls = tls
        service = ConnectionService(
            loops: loops,
            rules: ConnectionRules(
                limits: limits,
                fixedFields: fixedFields,
                pageFields: pageFields,
                handler: handler,
                refusal: refusal,
                completion: completion
            )
        )
    }

    /// Binds to `address` first. Throws `SystemError`.
    public convenience init(
        _ address: SocketAddress,
        loops: [EventLoop],
        limits: ServerLimits,
        tls: TLSEndpoint? = nil,
        fixedFields: FieldBlock = [],
        refusal: @escaping Refusal,
        handler: @escaping Handler
    ) throws(SystemError) {
        self.init(
            try Listener(address),
            loops: loops,
            limits: limits,
            tls: tls,
            fixedFields: fixedFields,
            refusal: refusal,
            handler: handler
        )
    }

    /// The state of the connections and how they ended, for each loop in order.
    public func statistics() async -> [ConnectionStatistics] { await service.statistics() }

    /// Starts to accept connections.
    public func start() async throws {
        for loop in loops {
            let acceptor = try await loop.run { [listener, service, tls] in
                try listener.accept(on: loop) { socket in
                    if let tls { guard (try? socket.startTLS(tls)) != nil else { return socket.close() } }
                    service.take(socket)
                }
            }
            acceptors.withLock { $0.append((loop, acceptor)) }
        }
    }

    /// Accepts no further connection, answers received requests and closes the rest. Returns when every connection is
    /// closed, at the latest after `timeoutMs`. Returns the number of connections that were cut off then. `keepsListening`
    /// leaves the listener to another server of this process.
    @discardableResult
    public func drain(timeoutMs: UInt64, keepsListening: Bool = false) async -> Int {
        let beginMs = Monotonic.nowMs()
        if listener.isShared || keepsListening {
            // Waiting connections belong to the successor.
            await stopAccepting()
        } else {
            await onEachLoop { service, loop in service.closeIdle(on: loop) }
            listener.stopInviting()
            // A handshake takes a round trip to the client; its connection must still be accepted.
            await closeIdle(untilMs: beginMs + min(timeoutMs, service.limits.handshakeGraceMs)) { false }
            await stopAccepting()
            await acceptRest()
            // From now on clients must be refused, and not wait for a response that is never sent.
            listener.close()
        }
        await onEachLoop { service, loop in service.closeIdle(on: loop) }
        await closeIdle(untilMs: beginMs + timeoutMs) { [service] in service.connectionCount == 0 }
        let left = service.connectionCount
        await onEachLoop { service, loop in service.closeAll(on: loop) }
        return left
    }

    private func stopAccepting() async {
        for (loop, acceptor) in acceptors.withLock({ $0 }) { await loop.run { acceptor.stop() } }
    }

    private func acceptRest() async {
        for (loop, acceptor) in acceptors.withLock({ $0 }) {
            await loop.run { acceptor.takeRest(maxCount: Self.queueMax) }
        }
    }

    /// Repeats the look, because a connection closes only some time after its last response.
    private func closeIdle(untilMs: UInt64, isDone: @escaping @Sendable () -> Bool) async {
        while !isDone(), Monotonic.nowMs() < untilMs {
            await onEachLoop { service, loop in service.closeIdle(on: loop) }
            await loops[0].run { [loop = loops[0]] in await loop.sleep(forMs: Self.lookEveryMs) }
        }
    }

    private func onEachLoop(_ body: @escaping @Sendable (ConnectionService, EventLoop) -> Void) async {
        for loop in loops { await loop.run { [service] in body(service, loop) } }
    }
}
