import Net
import Tracing

/// One client connection: reads a request, passes it to the handler, writes the response, until either side closes.
///
/// `@unchecked Sendable`: used on its loop's thread only.
final class Connection: @unchecked Sendable {
    /// The state of a connection, for code that ends it from outside.
    enum Phase {
        /// It waits for the first byte of a request.
        case idle
        /// It reads, with a deadline of its own.
        case receiving
        /// The handler works.
        case working
        /// The handler still works, but the client already got a response that it took too long.
        case abandoned
        /// The response is made and written.
        case sending
        /// Another protocol uses it.
        case upgraded
        /// It is being closed.
        case closing
    }

    let socket: Socket
    let rules: ConnectionRules
    let home: LoopConnections
    // Unchecked, because each request uses them on one thread. Only `Socket.read` keeps an access while other code
    // runs, and it changes its argument at its end.
    @exclusivity(unchecked) var parser: RequestParser
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) var phase = Phase.receiving
    /// The index among the connections of its loop.
    var position = 0
    /// The holder that counts it; nil for those of proxies and of Unix sockets.
    let owner: Holder?
    /// False after it has given its place to a new connection.
    var hasPlace = true
    /// The deadline for the current request's response.
    @exclusivity(unchecked) var requestDeadlineMs = UInt64.max
    /// Until this time the current request reads only bytes that have arrived; `.max` while nothing ends it.
    @exclusivity(unchecked) var readsUntilMs = UInt64.max
    /// The remaining silence of the client in the body of the current request.
    @exclusivity(unchecked) var credit: RateCredit
    /// The time when bytes of the request's body arrived or of its response were sent.
    @exclusivity(unchecked) var heardMs: UInt64 = 0
    /// True if the current request was ended to make room.
    @exclusivity(unchecked) var isEvicted = false
    /// Set while a rate limits the current request.
    @exclusivity(unchecked) var pace: RequestPace?
    /// The trusted proxies, if the peer is one.
    private let proxies: TrustedProxies?
    /// The start of the wait for a request.
    @exclusivity(unchecked) var idleSinceMs: UInt64
    /// The number of answered requests, and thus of the current one.
    @exclusivity(unchecked) private(set) var served = 0
    @exclusivity(unchecked) var request: Request?
    /// The response that the client got in place of the handler's.
    @exclusivity(unchecked) var replacement: Response?
    /// Made for the first request and used again for each; another protocol needs none.
    @exclusivity(unchecked) var record: RequestRecord?
    @exclusivity(unchecked) var reservedBytes = 0
    /// The holder of the reserved bytes; set with the first ones of a request.
    @exclusivity(unchecked) var holder: Holder?

    /// The end of the idle time. A connection that never sent a request gets less than one that did.
    var idleUntilMs: UInt64 {
        idleSinceMs + (hasServed ? limits.idleTimeoutMs : min(limits.idleTimeoutMs, limits.headerTimeoutMs))
    }

    var hasServed: Bool { served > 0 }

    var limits: ServerLimits { rules.limits }
    var nowMs: UInt64 { socket.loop.nowMs }
    var inputBytes: Int { parser.input.count }

    init(_ socket: Socket, _ rules: ConnectionRules, _ home: LoopConnections, owner: Holder?, isProxy: Bool) {
        self.socket = socket
        self.owner = owner
        self.rules = rules
        self.home = home
        proxies = isProxy ? rules.limits.trustedProxies : nil
        parser = RequestParser(rules.wire)
        credit = RateCredit(rules.limits.bodyRate)
        idleSinceMs = socket.loop.nowMs
    }

    /// Serves requests until the connection ends, and closes it. In between it may rest without a task.
    func run() async {
        while true {
            switch await serveRequest() {
            case .answered: served &+= 1
            case .quiet: return rest()
            case .handedOver: return
            case .over:
                release()
                socket.close()
                return home.remove(self)
            }
            // A client that pipelines without end would keep the loop busy.
            if served % 32 == 0 { await socket.loop.yield() }
        }
    }

    /// A waiting task keeps the memory of the handlers, which is more than the rest of a connection.
    private func rest() {
        output = []
        // New connections are patient, so that a crowd of them delays no others.
        if hasServed { socket.setPatient(false) }
        socket.whenReadable(deadlineMs: idleUntilMs) { [self] in socket.loop.spawn { await self.run() } }
    }

    /// Sends a response without a request, and closes.
    func refuse(_ reason: Server.RefusalReason) async {
        phase = .sending
        requestDeadlineMs = nowMs + limits.transferTimeoutMs
        output.removeAll()
        let encoder = ResponseEncoder(minorVersion: 1, keepsAlive: false, isHead: false)
        _ = try? await send(rules.refusal(reason, nil), encoder)
        await closeGently()
    }

    /// The result of waiting for a request.
    private enum Turn {
        /// A request arrived and was answered.
        case answered
        /// No request has arrived yet.
        case quiet
        /// Another protocol uses the connection, and ends it.
        case handedOver
        /// The connection must be closed.
        case over
    }

    private func serveRequest() async -> Turn {
        do {
            guard let head = try await nextHead() else { return .over }
            return try await answer(head)
        } catch let error as WireError {
            home.counts.malformed += 1
            await refuse(.malformed(error))
        } catch SocketFailure.plainText {
            await refuse(.notTLS)
        } catch SocketFailure.insecure {
            home.counts.insecure += 1
        } catch let error as SocketFailure where error == .timedOut && phase == .idle {
            // Without a served request the connection can't rest: it may be a handshake that took too long.
            if hasServed, nowMs < idleUntilMs { return .quiet }
            home.counts.idleTimeouts += 1
        } catch let error as SocketFailure where error == .timedOut && phase == .receiving {
            home.counts.headerTimeouts += 1
            await refuse(.timedOut)
        } catch let error as SocketFailure where error == .timedOut {
            home.counts.writeTimeouts += 1
            socket.reset()
        } catch {}
        return .over
    }

    private func begin(_ head: RequestHead) -> Request {
        let record = self.record ?? RequestRecord(presence: socket.presence)
        self.record = record
        record.begin()
        let request = Request(
            head: head,
            body: RequestBody(head, self),
            peer: socket.peer,
            isSecure: socket.isSecure,
            proxies: proxies,
            record: record
        )
        self.request = request
        phase = .working
        beginHearing()
        return request
    }

    private func answer(_ head: RequestHead) async throws -> Turn {
        let request = begin(head)
        let body = request.body
        let response = await rules.handler(request)
        if phase == .abandoned {
            complete(request, response)
            await closeGently()
            return .over
        }
        body.readUsualPieces()
        release()
        let mayStay = head.keepsAlive && body.canBeDiscarded(maxBytes: limits.discardMaxBytes) && !rules.isStopping
        let closeTimeoutMs = pace == nil ? limits.closeTimeoutMs : limits.streamCloseTimeoutMs
        phase = .sending
        let encoder = ResponseEncoder(answering: head, keepsAlive: mayStay)
        var keepsAlive = mayStay
        do {
            if try !sendAtOnce(response, encoder) { keepsAlive = try await send(response, encoder) && mayStay }
        } catch {
            // The client is gone, but the outcome must be recorded.
            complete(request, response)
            throw error
        }
        // The request's time does not include the client's time to hang up.
        complete(request, response)
        release()
        if case .upgrade(let upgrade) = response.content {
            handOver(upgrade, of: request.client)
            return .handedOver
        }
        if keepsAlive { keepsAlive = await skipRest(of: body) }
        if !keepsAlive { await closeGently(timeoutMs: closeTimeoutMs) }
        return keepsAlive ? .answered : .over
    }

    /// Reads the rest of the body after the response: a refusal does not wait for unwanted content. Returns
    /// false when the next request can't follow.
    private func skipRest(of body: RequestBody) async -> Bool {
        if body.isComplete { return true }
        phase = .working
        return await body.discardRest(maxBytes: limits.discardMaxBytes)
    }

    private func complete(_ request: Request, _ response: Response) {
        request.record.end()
        rules.completion(request, replacement ?? response)
        replacement = nil
        pace = nil
        readsUntilMs = .max
        self.request = nil
    }
}
