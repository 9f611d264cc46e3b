import Net

extension Connection {
    /// The next request's head; nil when the client has no more requests. Throws `WireError` or `SocketFailure`.
    func nextHead() async throws -> RequestHead? {
        var deadlineMs = parser.isIdle ? beginIdling() : beginReceiving()
        while true {
            if phase == .receiving, let head = try parsedHead() { return head }
            let count = try await socket.read(
                into: &parser.input,
                maxBytes: limits.pipelineMaxBytes,
                deadlineMs: deadlineMs
            )
            // After an end in the middle of a head, no client reads a response.
            guard count > 0 else { return nil }
            if phase == .idle { deadlineMs = beginReceiving() }
        }
    }

    /// Starts or continues the wait for the first byte of a request. Returns the deadline of this task.
    private func beginIdling() -> UInt64 {
        if phase != .idle {
            phase = .idle
            idleSinceMs = nowMs
        }
        // A TLS handshake in progress can't be suspended and resumed.
        return hasServed ? min(idleUntilMs, nowMs + limits.restAfterMs) : idleUntilMs
    }

    /// Starts to receive a head. Returns its deadline.
    private func beginReceiving() -> UInt64 {
        phase = .receiving
        requestDeadlineMs = nowMs + limits.requestTimeoutMs
        return min(nowMs + limits.headerTimeoutMs, requestDeadlineMs)
    }

    /// Nil while the head is incomplete.
    private func parsedHead() throws(WireError) -> RequestHead? {
        while true {
            switch try parser.next() {
            case .head(let head):
                // A request without content is complete already.
                if case .none = head.bodyLength { _ = try parser.next() }
                return head
            case .needsMore: return nil
            case .body, .end: continue
            }
        }
    }

    /// The next piece of the current body; nil at its end. `expected` is the length of the rest, if known.
    func nextBodyPiece(
        startedMs: UInt64,
        expected: Int?,
        readMaxBytes: Int
    ) async throws(RequestBodyError) -> [UInt8]? {
        guard phase == .working else { throw phase == .abandoned ? .timedOut : .cutOff }
        let beganMs = nowMs
        let deadlineMs = pace?.receiveDeadlineMs(nowMs: beganMs) ?? bodyDeadlineMs(startedMs)
        phase = .receiving
        defer { phase = .working }
        while true {
            do {
                switch try parser.next() {
                case .body(let piece):
                    heard(piece.count, waitedMs: nowMs - beganMs)
                    noteProgress()
                    return piece
                case .end, .head: return nil
                case .needsMore:
                    guard !isEvicted else { throw RequestBodyError.overloaded }
                    try checkLastReads()
                    // After chunks of unknown length the next requests may follow. After a
                    // large piece they would keep its memory.
                    let wanted = min(expected ?? 0, readMaxBytes)
                    let maxBytes = max(wanted, min(wanted + limits.pipelineMaxBytes, Socket.readUsualBytes))
                    let count = try await socket.read(into: &parser.input, maxBytes: maxBytes, deadlineMs: deadlineMs)
                    if count == 0 { throw SocketFailure.closed }
                }
            } catch let error as WireError {
                home.counts.malformed += 1
                throw .malformed(error)
            } catch {
                throw failed(error)
            }
        }
    }

    private func bodyDeadlineMs(_ startedMs: UInt64) -> UInt64 {
        min(nowMs + credit.remainingMs, startedMs + limits.bodyTimeoutMs, requestDeadlineMs)
    }

    private func failed(_ error: any Error) -> RequestBodyError {
        if isEvicted { return .overloaded }
        guard error as? SocketFailure == .timedOut else { return .cutOff }
        home.counts.bodyTimeouts += 1
        // Time for the response about it.
        requestDeadlineMs = nowMs + limits.transferTimeoutMs
        return .timedOut
    }

    func sendContinue() async throws(RequestBodyError) {
        do {
            try await sendInterim(ResponseEncoder.continueInterim)
        } catch {
            throw phase == .abandoned ? .timedOut : .cutOff
        }
    }

    /// Sends an interim response while the handler works. Throws `SocketFailure`.
    func sendInterim(_ bytes: [UInt8]) async throws(SocketFailure) {
        guard phase == .working else { throw phase == .abandoned ? .timedOut : .closed }
        phase = .receiving
        defer { phase = .working }
        try await socket.write(bytes, deadlineMs: nowMs + limits.transferTimeoutMs)
    }

    /// Lets the client read the response before the connection closes: closing with unread input would reset it.
    func closeGently(timeoutMs: UInt64? = nil) async {
        phase = .closing
        socket.shutdownWrite()
        let deadlineMs = nowMs + (timeoutMs ?? limits.closeTimeoutMs)
        var rest: [UInt8] = []
        var discarded = 0
        while discarded < limits.closeDiscardMaxBytes, nowMs < deadlineMs,
            let count = try? await socket.read(into: &rest, deadlineMs: deadlineMs), count > 0
        {
            discarded += count
            rest.removeAll(keepingCapacity: true)
            // A client that sends fast enough would keep the loop busy.
            await socket.loop.yield()
        }
        socket.close()
    }
}
