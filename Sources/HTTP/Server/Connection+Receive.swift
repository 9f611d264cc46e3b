import Net

extension Connection {
    /// The next request's head; nil when the client has nothing more to ask. Throws `WireError` or `SocketFailure`.
    func nextHead() async throws -> RequestHead? {
        var deadlineMs = parser.isIdle ? beginIdling() : beginReceiving()
        while true {
            if phase == .receiving, let head = try parsedHead() { return head }
            let count = try await socket.read(
                into: &parser.input,
                maxBytes: limits.pipelineMaxBytes,
                deadlineMs: deadlineMs
            )
            // An end in the middle of a head leaves nobody to answer.
            guard count > 0 else { return nil }
            if phase == .idle { deadlineMs = beginReceiving() }
        }
    }

    /// From now on, or still, the first byte of a request is waited for. Returns how long in this task.
    private func beginIdling() -> UInt64 {
        if phase != .idle {
            phase = .idle
            idleSinceMs = nowMs
        }
        // A handshake under way can't be left and taken up again.
        return hasServed ? min(idleUntilMs, nowMs + limits.restAfterMs) : idleUntilMs
    }

    /// From now on a head comes. Returns by when it has to be complete.
    private func beginReceiving() -> UInt64 {
        phase = .receiving
        requestDeadlineMs = nowMs + limits.requestTimeoutMs
        return min(nowMs + limits.headerTimeoutMs, requestDeadlineMs)
    }

    /// Nil as long as the head is not complete.
    private func parsedHead() throws(WireError) -> RequestHead? {
        while true {
            switch try parser.next() {
            case .head(let head):
                // What has no content is over already.
                if case .none = head.bodyLength { _ = try parser.next() }
                return head
            case .needsMore: return nil
            case .body, .end: continue
            }
        }
    }

    /// The next piece of the current body; nil at its end. `expected` is what is still to come, where that is known.
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
                    // Behind chunks of unknown length the next requests may begin. Behind a large piece they would keep its memory.
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
        // Time for the answer that says so.
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

    /// Sends an interim answer while the handler works. Throws `SocketFailure`.
    func sendInterim(_ bytes: [UInt8]) async throws(SocketFailure) {
        guard phase == .working else { throw phase == .abandoned ? .timedOut : .closed }
        phase = .receiving
        defer { phase = .working }
        try await socket.write(bytes, deadlineMs: nowMs + limits.transferTimeoutMs)
    }

    /// Lets the client read the answer before the connection goes: closing with unread input would reset it.
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
            // Whoever sends fast enough would keep the loop to itself.
            await socket.loop.yield()
        }
        socket.close()
    }
}
