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
    /// The address that counts for the limit per address.
    let address: IPAddress?
    /// The deadline for the current request's response.
    @exclusivity(unchecked) var requestDeadlineMs = UInt64.max
    /// Until this time the current request reads only bytes that have arrived; `.max` while nothing ends it.
    @exclusivity(unchecked) var readsUntilMs = UInt64.max
    /// The remaining silence of the client in the body of the current request.
    @exclusivity(unchecked) var credit: RateCredit
    /// The time when bytes of the request's body arrived or of its response were sent.
    @exclusivity(unchecked) var heardMs: UInt64 = 0
    /// True if the current request was ended to make room.
    @exclusivity(unchecked) private(set) var isEvicted = false
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
    private let record: RequestRecord
    @exclusivity(unchecked) private(set) var reservedBytes = 0
    /// The holder of the reserved bytes; set with the first ones of a request.
    @exclusivity(unchecked) private(set) var holder: BufferHolder?

    /// The end of the idle time. A connection that never sent a request gets less than one that did.
    var idleUntilMs: UInt64 {
        idleSinceMs + (hasServed ? limits.idleTimeoutMs : min(limits.idleTimeoutMs, limits.headerTimeoutMs))
    }

    var hasServed: Bool { served > 0 }

    var limits: ServerLimits { rules.limits }
    var nowMs: UInt64 { socket.loop.nowMs }
    var inputBytes: Int { parser.input.count }

    init(_ socket: Socket, _ rules: ConnectionRules, _ home: LoopConnections, address: IPAddress?, isProxy: Bool) {
        self.socket = socket
        self.address = address
        record = RequestRecord(presence: socket.presence)
        self.rules = rules
        self.home = home
        proxies = isProxy ? rules.limits.trustedProxies : nil
        parser = RequestParser(limits: rules.limits.wire)
        credit = RateCredit(rules.limits.bodyRate)
        idleSinceMs = socket.loop.nowMs
    }

    /// Serves requests until the connection ends, and closes it. In between it may rest without a task.
    func run() async {
        while true {
            switch await serveRequest() {
            case .answered: served &+= 1
            case .quiet: return rest()
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
        /// The connection must be closed.
        case over
    }

    private func serveRequest() async -> Turn {
        do {
            guard let head = try await nextHead() else { return .over }
            return try await answer(head) ? .answered : .over
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

    /// Returns false when the connection must be closed.
    private func answer(_ head: RequestHead) async throws -> Bool {
        let request = begin(head)
        let body = request.body
        let response = await rules.handler(request)
        if phase == .abandoned {
            complete(request, response)
            await closeGently()
            return false
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
        if case .upgrade(let upgrade) = response.content { await handOver(upgrade) }
        if keepsAlive { keepsAlive = await skipRest(of: body) }
        if !keepsAlive { await closeGently(timeoutMs: closeTimeoutMs) }
        return keepsAlive
    }

    /// Reads the rest of the body after the response: a refusal does not wait for unwanted content. Returns
    /// false when the next request can't follow.
    private func skipRest(of body: RequestBody) async -> Bool {
        if body.isComplete { return true }
        phase = .working
        return await body.discardRest(maxBytes: limits.discardMaxBytes)
    }

    private func complete(_ request: Request, _ response: Response) {
        record.end()
        rules.completion(request, replacement ?? response)
        replacement = nil
        pace = nil
        readsUntilMs = .max
        self.request = nil
    }
}

// MARK: Memory

extension Connection {
    /// Counts bytes of the request that are kept until its response, and ends others' requests when
    /// there is no room. `release` ends each count: after the response, at an eviction, or in `run` when the connection
    /// is over. Throws `.overloaded`.
    func reserve(_ count: Int) throws(RequestBodyError) {
        guard rules.reserve(count) || home.makeRoom(count, for: self) && rules.reserve(count) else {
            home.counts.overBudget += 1
            throw .overloaded
        }
        note(reserved: count)
    }

    /// The same, but may also end requests on other loops.
    func reserveAnywhere(_ count: Int) async throws(RequestBodyError) {
        if !rules.reserve(count) {
            guard home.makeRoom(count, for: self), rules.reserve(count) else {
                await home.makeRoomElsewhere(count)
                return try reserve(count)
            }
        }
        note(reserved: count)
    }

    /// Counts bytes that only make the request faster. Returns false when there is no room.
    func reserveForSpeed(_ count: Int) -> Bool {
        guard rules.reserveForSpeed(count) else { return false }
        note(reserved: count)
        return true
    }

    /// Releases the bytes of `reserveForSpeed`.
    func releaseForSpeed(_ count: Int) {
        // An eviction has released it already.
        guard !isEvicted else { return }
        rules.release(count)
        note(reserved: -count)
    }

    private func note(reserved count: Int) {
        let holder = wouldBeHolder
        self.holder = holder
        reservedBytes += count
        home.note(count, heldBy: holder)
    }

    /// The holder of the bytes that this connection has reserved or will reserve.
    var wouldBeHolder: BufferHolder {
        holder ?? address.map { BufferHolder(subscriber: $0) } ?? BufferHolder(request?.client)
    }

    /// Ends the current request and no longer counts its bytes: they are freed in a moment.
    func evict() {
        isEvicted = true
        home.counts.evicted += 1
        release()
        if phase == .sending { cutOffAnswer() } else { socket.endReading() }
    }

    /// Starts the body of a request.
    private func beginHearing() {
        isEvicted = false
        heardMs = nowMs
        credit = RateCredit(limits.bodyRate)
    }

    /// Counts a piece of a body.
    func heard(_ count: Int, waitedMs: UInt64) {
        if let pace {
            pace.received(count, waitedMs: waitedMs)
        } else {
            credit.spend(waitedMs: waitedMs, earning: count)
        }
    }

    /// Counts `count` bytes for the response, including bytes that are already counted. Throws `.overloaded`.
    func reserveForAnswer(_ count: Int) throws(RequestBodyError) {
        if count > reservedBytes { try reserve(count - reservedBytes) }
    }

    private func release() {
        if let holder, reservedBytes > 0 {
            rules.release(reservedBytes)
            home.note(-reservedBytes, heldBy: holder)
        }
        reservedBytes = 0
        holder = nil
    }

    /// Returns the response, or a refusal if it finds no room. A client that does not read its responses makes the
    /// server keep them, so all but small ones count against the budget.
    func affordable(_ response: Response) -> Response {
        guard let bytes = keptBytes(response.content), let request, request.head.method != .head else {
            return response
        }
        do {
            try reserveForAnswer(bytes)
            return response
        } catch {
            let refusal = rules.refusal(.overloaded, request)
            replacement = refusal
            return refusal
        }
    }

    /// Bytes that a response keeps in memory while its client reads; nil for a small one.
    private func keptBytes(_ content: ResponseContent) -> Int? {
        switch content {
        // The array grew beyond its content, and a piece of it is copied to be written.
        case .bytes(let bytes) where bytes.count > limits.discardMaxBytes:
            bytes.capacity + min(bytes.count, limits.transferMaxBytes)
        case .stream(let keptBytes, _, _): keptBytes
        case .empty, .bytes, .upgrade: nil
        }
    }
}
