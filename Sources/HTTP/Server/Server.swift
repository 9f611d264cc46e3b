import Net

/// Accepts connections on its loops and has a handler answer their requests.
public final class Server: Sendable {
    /// Answers one request.
    public typealias Handler = @Sendable (Request) async -> Response
    /// Makes the answer where the handler makes none. The request is given where there was one.
    public typealias Refusal = @Sendable (RefusalReason, Request?) -> Response
    /// Told when an answer was sent or the client had gone, on the connection's loop.
    public typealias Completion = @Sendable (Request, Response) -> Void

    /// Why a connection is answered without the handler.
    public enum RefusalReason: Sendable, Equatable {
        /// The message is no request.
        case malformed(WireError)
        /// There are as many connections as the limits allow.
        case tooManyConnections
        /// There are as many of the same address as the limits allow.
        case tooManyConnectionsOfAddress
        /// The head did not come in time.
        case timedOut
        /// The handler did not answer in time. It may still do what it was asked.
        case unanswered
        /// There is no memory for so large an answer.
        case overloaded
        /// The client speaks plain HTTP to a port of TLS. This answer, too, is sent in plain text.
        case notTLS
    }

    /// Where it listens.
    public var address: Endpoint { listener.address }

    private let listener: Listener
    private let loops: [EventLoop]
    private let tls: TLSEndpoint?
    let service: ConnectionService
    private let acceptors = Locked<[(EventLoop, Acceptor)]>([])
    private static let lookEveryMs: UInt64 = 10
    /// More than any kernel queues.
    private static let queueMax = 1 << 17

    /// Serves what comes to `listener`, over TLS when it is given how; `start` takes the first connection. `fixedFields`
    /// stand in every answer.
    public init(
        _ listener: Listener,
        loops: [EventLoop],
        limits: ServerLimits,
        tls: TLSEndpoint? = nil,
        fixedFields: FieldBlock = [],
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

    /// What the connections are doing and how they ended, of each loop in their order.
    public func statistics() async -> [ConnectionStatistics] { await service.statistics() }

    /// Begins to take connections.
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

    /// Takes no further connection, answers what has come and closes the rest. Returns when every connection is closed,
    /// at the latest after `timeoutMs`, and says how many were cut off then.
    @discardableResult
    public func drain(timeoutMs: UInt64) async -> Int {
        let beginMs = Monotonic.nowMs()
        if listener.isShared {
            // What waits there is the successor's.
            await stopAccepting()
        } else {
            await onEachLoop { service, loop in service.closeIdle(on: loop) }
            listener.stopInviting()
            // A handshake takes as long as the way to the client and back; what it ends in is still to be accepted.
            await closeIdle(untilMs: beginMs + min(timeoutMs, service.limits.handshakeGraceMs)) { false }
            await stopAccepting()
            await acceptRest()
            // Clients are to be refused from now on, not to wait for an answer that never comes.
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

    /// Looks again and again, because a connection is closed only some time after its last answer.
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
