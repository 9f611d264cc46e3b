import Net

/// One client connection: reads a request, has it answered, writes the answer, until either side closes.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class Connection: @unchecked Sendable {
    /// What a connection is doing, for those who end it from outside.
    enum Phase {
        /// It waits for the first byte of a request.
        case idle
        /// It reads, with a deadline of its own.
        case receiving
        /// The handler works.
        case working
        /// The handler still works, but the client has been told that it took too long.
        case abandoned
        /// The answer is being made and written.
        case sending
        /// It speaks another protocol.
        case upgraded
        /// It is being closed.
        case closing
    }

    let socket: Socket
    let rules: ConnectionRules
    let home: LoopConnections
    // Unchecked, as they are touched by every request on one thread: only `Socket.read` keeps an access while others run,
    // and it changes what it was given at its end.
    @exclusivity(unchecked) var parser: RequestParser
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) var phase = Phase.receiving
    /// Among the connections of its loop.
    var position = 0
    /// What it counts for in the bound of one address.
    let address: IPAddress?
    /// By when the request under way must have its answer.
    @exclusivity(unchecked) var requestDeadlineMs = UInt64.max
    /// Until when the request under way may read, and then only what has arrived; `.max` while nobody wants to end it.
    @exclusivity(unchecked) var readsUntilMs = UInt64.max
    /// How long the client may still be silent in the body of the request under way.
    @exclusivity(unchecked) var credit: RateCredit
    /// When something of the request's body came, or of its answer went.
    @exclusivity(unchecked) var heardMs: UInt64 = 0
    /// Whether the request under way was ended to make room.
    @exclusivity(unchecked) private(set) var isEvicted = false
    /// Set while the request under way is bounded by a rate.
    @exclusivity(unchecked) var pace: RequestPace?
    /// The proxies to believe, when the other side is one.
    private let proxies: TrustedProxies?
    /// Since when it waits for a request.
    @exclusivity(unchecked) var idleSinceMs: UInt64
    /// How many requests it has answered: the number of the one under way.
    @exclusivity(unchecked) private(set) var served = 0
    @exclusivity(unchecked) private var request: Request?
    /// What the client got in place of the handler's answer.
    @exclusivity(unchecked) private var replacement: Response?
    private let record: RequestRecord
    @exclusivity(unchecked) private(set) var reservedBytes = 0
    /// Whose the reserved bytes are; set with the first of a request.
    @exclusivity(unchecked) private(set) var holder: BufferHolder?

    /// When it has waited long enough. A connection that never asks anything is worth less than one that did.
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
            // A client that pipelines without end would keep the loop to itself.
            if served % 32 == 0 { await socket.loop.yield() }
        }
    }

    /// A waiting task keeps what the handlers needed, which is more than all the rest of a connection.
    private func rest() {
        output = []
        socket.whenReadable(deadlineMs: idleUntilMs) { [self] in socket.loop.spawn { await self.run() } }
    }

    /// Answers where there is no request, and closes.
    func refuse(_ reason: Server.RefusalReason) async {
        phase = .sending
        requestDeadlineMs = nowMs + limits.transferTimeoutMs
        output.removeAll()
        let encoder = ResponseEncoder(minorVersion: 1, keepsAlive: false, isHead: false)
        _ = try? await send(rules.refusal(reason, nil), encoder)
        await closeGently()
    }

    /// What became of the wait for a request.
    private enum Turn {
        /// It came and has its answer.
        case answered
        /// It did not come yet.
        case quiet
        /// The connection is to be closed.
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
            // Without an answer there is nothing to rest from: it may be a handshake that took too long.
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

    /// False when the connection is to be closed.
    private func answer(_ head: RequestHead) async throws -> Bool {
        record.begin()
        let body = RequestBody(head, self)
        let request = Request(
            head: head,
            body: body,
            peer: socket.peer,
            isSecure: socket.isSecure,
            proxies: proxies,
            record: record
        )
        self.request = request
        phase = .working
        beginHearing()
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
            // The client is gone, but what was done is to be known.
            complete(request, response)
            throw error
        }
        // How long the client takes to hang up is not the request's time.
        complete(request, response)
        release()
        if case .upgrade(let upgrade) = response.content { await handOver(upgrade) }
        if keepsAlive { keepsAlive = await skipRest(of: body) }
        if !keepsAlive { await closeGently(timeoutMs: closeTimeoutMs) }
        return keepsAlive
    }

    /// Reads what the handler left unread, behind the answer: a refusal does not wait for content that nobody wants. False when the next
    /// request can't follow.
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
    /// Counts bytes of the request that are kept until it is answered, and ends others' requests where there is no room. Throws
    /// `.overloaded`.
    func reserve(_ count: Int) throws(RequestBodyError) {
        guard rules.reserve(count) || home.makeRoom(count, for: self) && rules.reserve(count) else {
            home.counts.overBudget += 1
            throw .overloaded
        }
        note(reserved: count)
    }

    /// The same with a look at the connections of other loops.
    func reserveAnywhere(_ count: Int) async throws(RequestBodyError) {
        if !rules.reserve(count) {
            guard home.makeRoom(count, for: self), rules.reserve(count) else {
                await home.makeRoomElsewhere(count)
                return try reserve(count)
            }
        }
        note(reserved: count)
    }

    /// Counts bytes that only make the request faster. Returns whether there is so much room.
    func reserveForSpeed(_ count: Int) -> Bool {
        guard rules.reserveForSpeed(count) else { return false }
        note(reserved: count)
        return true
    }

    /// Ends what `reserveForSpeed` began.
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

    /// Who has what this connection reserves, or would.
    var wouldBeHolder: BufferHolder {
        holder ?? address.map { BufferHolder(subscriber: $0) } ?? BufferHolder(request?.client)
    }

    /// Ends the request under way, and counts what it holds no longer: it is freed in a moment.
    func evict() {
        isEvicted = true
        home.counts.evicted += 1
        release()
        if phase == .sending { cutOffAnswer() } else { socket.endReading() }
    }

    /// Begins the body of a request.
    private func beginHearing() {
        isEvicted = false
        heardMs = nowMs
        credit = RateCredit(limits.bodyRate)
    }

    /// Notes a piece of a body.
    func heard(_ count: Int, waitedMs: UInt64) {
        if let pace {
            pace.received(count, waitedMs: waitedMs)
        } else {
            credit.spend(waitedMs: waitedMs, earning: count)
        }
    }

    /// Has `count` bytes counted for the answer, of which some may be counted already. Throws `.overloaded`.
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

    /// A client that does not read its answers makes the server keep them: what is more than a little needs room in
    /// the budget.
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

    /// What an answer keeps in memory while its client reads; nil for little.
    private func keptBytes(_ content: ResponseContent) -> Int? {
        switch content {
        // It grew beyond what is in it, and a piece of it is copied to be written.
        case .bytes(let bytes) where bytes.count > limits.discardMaxBytes:
            bytes.capacity + min(bytes.count, limits.transferMaxBytes)
        case .stream(let keptBytes, _, _): keptBytes
        case .empty, .bytes, .upgrade: nil
        }
    }
}

// MARK: Ending it from outside, on its loop

extension Connection {
    /// Whether nothing is under way: an idle connection on which nothing has arrived for a while. A client that is at
    /// work would find its connection closed under its next request.
    var isForsaken: Bool {
        guard phase == .idle else { return false }
        let graceMs = hasServed ? limits.nextRequestGraceMs : limits.firstRequestGraceMs
        // A request may be here already, though the loop has not told its connection.
        return Monotonic.nowMs() >= idleSinceMs + graceMs && !socket.hasInput
    }

    /// Whether the request under way holds memory and waits for its client.
    var isEvictable: Bool { reservedBytes > 0 && !isEvicted && (phase == .receiving || phase == .sending) }

    /// Whether `giveUp` is due.
    var isLate: Bool {
        switch phase {
        case .idle, .receiving, .upgraded, .closing: false
        case .working, .abandoned, .sending: requestDeadlineMs <= nowMs
        }
    }

    /// Ends a request that took too long.
    func giveUp() async {
        switch phase {
        case .working:
            home.counts.requestTimeouts += 1
            await abandon()
        case .sending:
            home.counts.requestTimeouts += 1
            cutOffAnswer()
        case .idle, .receiving, .abandoned, .upgraded, .closing: socket.close()
        }
    }

    /// Answers in place of the handler, which goes on: what it has begun in the database ends as it ends.
    private func abandon() async {
        phase = .abandoned
        socket.presence.leave()
        requestDeadlineMs = nowMs + limits.closeTimeoutMs
        guard let request else { return socket.close() }
        let encoder = ResponseEncoder(answering: request.head, keepsAlive: false)
        let response = rules.refusal(.unanswered, request)
        replacement = response
        var bytes: [UInt8] = []
        let head = ResponseHead(status: response.status, fields: response.fields)
        guard case .bytes(let content) = response.content else { return socket.close() }
        let body = encoder.append(
            head,
            framing: .length(content.count),
            date: home.date.now(),
            fixedFields: rules.fixedFields,
            to: &bytes
        )
        if case .sized = body { bytes.append(contentsOf: content) }
        try? await socket.write(bytes, deadlineMs: nowMs)
        socket.shutdownWrite()
    }

    func close() { socket.close() }

    /// In the middle of an answer nobody is to take it for a whole one.
    func cutOff() { socket.abort() }
}
