import Net

/// Ends a connection from outside, on its loop.
extension Connection {
    /// True if the connection is idle and nothing has arrived for a while. Closing it sooner would hit
    /// the next request of an active client.
    var isForsaken: Bool {
        guard phase == .idle else { return false }
        let graceMs = hasServed ? limits.nextRequestGraceMs : limits.firstRequestGraceMs
        // A request may have arrived, though the loop has not informed its connection yet.
        return Monotonic.nowMs() >= idleSinceMs + graceMs && !socket.hasInput
    }

    /// True if the current request holds memory and waits for its client.
    var isEvictable: Bool { reservedBytes > 0 && !isEvicted && (phase == .receiving || phase == .sending) }

    /// True if `giveUp` is due.
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

    /// Answers in place of the handler, which continues: its work in the database is not cancelled.
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

    /// In the middle of a response, no client may treat it as complete.
    func cutOff() { socket.abort() }
}
