import Net

/// One client connection: reads a request, has it answered, writes the answer, until either side closes.
final class Connection {
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
        /// It is being closed.
        case closing
    }

    let socket: Socket
    let rules: ConnectionRules
    let home: LoopConnections
    var parser: RequestParser
    var output: [UInt8] = []
    var phase = Phase.receiving
    /// Among the connections of its loop.
    var position = 0
    /// By when the request under way must have its answer.
    var requestDeadlineMs = UInt64.max
    /// The proxies to believe, when the other side is one.
    private let proxies: TrustedProxies?
    /// Since when it waits for a request.
    var idleSinceMs: UInt64
    private var served = 0
    private var request: Request?
    /// What the client got in place of the handler's answer.
    private var replacement: Response?
    private let record = RequestRecord()
    private var reservedBytes = 0

    /// A connection that never asks anything is worth less than one that did.
    var idleLimitMs: UInt64 {
        served == 0 ? min(limits.idleTimeoutMs, limits.headerTimeoutMs) : limits.idleTimeoutMs
    }

    var limits: ServerLimits { rules.limits }
    var nowMs: UInt64 { socket.loop.nowMs }
    var inputBytes: Int { parser.input.count }

    init(_ socket: Socket, _ rules: ConnectionRules, _ home: LoopConnections, isProxy: Bool) {
        self.socket = socket
        self.rules = rules
        self.home = home
        proxies = isProxy ? rules.limits.trustedProxies : nil
        parser = RequestParser(limits: rules.limits.wire)
        idleSinceMs = socket.loop.nowMs
    }

    /// Serves requests until the connection ends, and closes it.
    func serve() async {
        while await serveRequest() {
            served &+= 1
            // A client that pipelines without end would keep the loop to itself.
            if served % 32 == 0 { await socket.loop.yield() }
        }
        release()
        socket.close()
    }

    /// Answers where there is no request, and closes.
    func refuse(_ reason: Server.RefusalReason) async {
        phase = .sending
        requestDeadlineMs = nowMs + limits.transferTimeoutMs
        _ = try? await send(rules.refusal(reason, nil), to: nil, keepsAlive: false)
        await closeGently()
    }

    /// False when the connection is to be closed.
    private func serveRequest() async -> Bool {
        do {
            guard let head = try await nextHead() else { return false }
            return try await answer(head)
        } catch let error as WireError {
            home.counts.malformed += 1
            await refuse(.malformed(error))
        } catch let error as SocketFailure where error == .timedOut && phase == .receiving {
            home.counts.headerTimeouts += 1
            await refuse(.timedOut)
        } catch let error as SocketFailure where error == .timedOut {
            home.counts.writeTimeouts += 1
            socket.abort()
        } catch SocketFailure.plainText {
            await refuse(.notTLS)
        } catch {}
        return false
    }

    private func answer(_ head: RequestHead) async throws -> Bool {
        record.begin()
        let body = RequestBody(head, self)
        let request = Request(head: head, body: body, peer: socket.peer, proxies: proxies, record: record)
        self.request = request
        phase = .working
        let response = await rules.handler(request)
        guard phase != .abandoned else {
            complete(request, response)
            await closeGently()
            return false
        }
        release()
        let keepsAlive = try await deliver(response, to: request)
        release()
        if !keepsAlive { await closeGently() }
        return keepsAlive
    }

    /// False when the connection must end after this answer.
    private func deliver(_ response: Response, to request: Request) async throws -> Bool {
        // Also when the client is gone: what was done is to be known. How long it takes to hang up is not.
        defer { complete(request, response) }
        let isReadable = await request.body.discardRest(maxBytes: limits.discardMaxBytes)
        let mayStay = request.head.keepsAlive && isReadable && !rules.isStopping
        phase = .sending
        return try await send(affordable(response, request), to: request.head, keepsAlive: mayStay)
    }

    private func complete(_ request: Request, _ response: Response) {
        record.end()
        rules.completion(request, replacement ?? response)
        replacement = nil
        self.request = nil
    }
}

// MARK: Memory

extension Connection {
    /// Counts bytes of the request that are kept until it is answered. Throws `.overloaded`.
    func reserve(_ count: Int) throws(RequestBodyError) {
        guard rules.reserve(count) else {
            home.counts.overBudget += 1
            throw .overloaded
        }
        reservedBytes += count
    }

    private func release() {
        rules.release(reservedBytes)
        reservedBytes = 0
    }

    /// A client that does not read its answers makes the server keep them: what is more than a little needs room in
    /// the budget.
    private func affordable(_ response: Response, _ request: Request) -> Response {
        guard case .bytes(let bytes) = response.content, bytes.count > limits.discardMaxBytes,
            request.head.method != .head
        else { return response }
        do {
            try reserve(bytes.count)
            return response
        } catch {
            let refusal = rules.refusal(.overloaded, request)
            replacement = refusal
            return refusal
        }
    }
}

// MARK: Ending it from outside, on its loop

extension Connection {
    /// Whether nothing is under way: an idle connection on which nothing has arrived for a while. A client that is at
    /// work would find its connection closed under its next request.
    var isForsaken: Bool {
        guard phase == .idle else { return false }
        let graceMs = served == 0 ? limits.firstRequestGraceMs : limits.nextRequestGraceMs
        // A request may be here already, though the loop has not told its connection.
        return Monotonic.nowMs() >= idleSinceMs + graceMs && !socket.hasInput
    }

    /// Whether `giveUp` is due.
    var isLate: Bool {
        switch phase {
        case .idle, .receiving, .closing: false
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
            socket.abort()
        case .idle, .receiving, .abandoned, .closing: socket.close()
        }
    }

    /// Answers in place of the handler, which goes on: what it has begun in the database ends as it ends.
    private func abandon() async {
        phase = .abandoned
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
            date: rules.date.now(),
            fixedFields: rules.fixedFields,
            to: &bytes
        )
        if case .sized = body { bytes.append(contentsOf: content) }
        try? await socket.write(bytes, deadlineMs: nowMs)
        socket.shutdownWrite()
    }

    func close() { socket.close() }

    /// In the middle of an answer, too: nobody is to take it for a whole one.
    func abort() { socket.abort() }
}
