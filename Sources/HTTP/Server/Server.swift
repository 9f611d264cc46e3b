import Net

/// Accepts connections on its loops and has a handler answer their requests.
public final class Server: Sendable {
    /// Answers one request.
    public typealias Handler = @Sendable (Request) async -> Response
    /// Makes the answer where there is no request to answer.
    public typealias Refusal = @Sendable (RefusalReason) -> Response

    /// Why a connection is answered without a request.
    public enum RefusalReason: Sendable, Equatable {
        /// The message is no request.
        case malformed(WireError)
        /// There are as many connections as the limits allow.
        case tooManyConnections
        /// The client speaks plain HTTP to a port of TLS. This answer, too, is sent in plain text.
        case notTLS
    }

    /// Where it listens.
    public var address: SocketAddress { listener.address }

    private let listener: Listener
    private let loops: [EventLoop]
    private let tls: TLSEndpoint?
    private let service: ConnectionService
    private let acceptors = Locked<[(EventLoop, Acceptor)]>([])

    /// Serves what comes to `listener`, over TLS when it is given how; `start` takes the first connection. `fixedFields`
    /// stand in every answer.
    public init(
        _ listener: Listener,
        loops: [EventLoop],
        limits: ServerLimits,
        tls: TLSEndpoint? = nil,
        fixedFields: FieldBlock = [],
        refusal: @escaping Refusal,
        handler: @escaping Handler
    ) {
        self.listener = listener
        self.loops = loops
        self.tls = tls
        service = ConnectionService(limits: limits, fixedFields: fixedFields, handler: handler, refusal: refusal)
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

    /// Takes no further connection, lets the requests under way finish and closes the rest.
    /// Returns when every connection is closed, at the latest after `timeoutMs`.
    public func drain(timeoutMs: UInt64) async {
        for (loop, acceptor) in acceptors.withLock({ $0 }) {
            await loop.run { acceptor.stop() }
        }
        // Clients are to be refused from now on, not to wait for an answer that never comes.
        listener.close()
        for loop in loops {
            await loop.run { [service] in service.closeIdle(on: loop) }
        }
        let loop = loops[0]
        await loop.run { [service] in
            let deadlineMs = loop.nowMs + timeoutMs
            while service.connectionCount > 0, loop.nowMs < deadlineMs { await loop.sleep(forMs: 10) }
        }
        for loop in loops {
            await loop.run { [service] in service.closeAll(on: loop) }
        }
    }
}
