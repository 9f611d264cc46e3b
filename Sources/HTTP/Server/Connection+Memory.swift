import Net

/// The memory of the current request: bytes of its body, then of its response.
extension Connection {
    /// Counts bytes of the request that are kept until its response. Without room, requests of others end, on any
    /// loop. `release` ends each count: after the response, at an eviction, or in `run` when the connection is over.
    /// Throws `.overloaded`.
    func reserve(_ count: Int) async throws(RequestBodyError) {
        let wish = needing(count)
        if !mustPause(wish) {
            if rules.reserve(wish) { return note(count, of: wish.holder) }
            if await home.makeRoom(for: wish, besides: self) { return note(count, of: wish.holder) }
        }
        throw refused()
    }

    /// The same without a wait: only requests on this loop end.
    func reserveNow(_ count: Int) throws(RequestBodyError) {
        let wish = needing(count)
        guard !mustPause(wish), rules.reserve(wish) || home.evict(for: wish, besides: self) else { throw refused() }
        note(count, of: wish.holder)
    }

    private func needing(_ count: Int) -> BufferWish {
        let asking = holder ?? owner ?? home.holder(of: request?.client)
        return BufferWish(bytes: count, holder: asking, reservedBytes: reservedBytes)
    }

    private func refused() -> RequestBodyError {
        home.counts.overBudget += 1
        return .overloaded
    }

    /// Counts `count` bytes for the response, including bytes that are already counted. Throws `.overloaded`.
    func reserveForAnswer(_ count: Int) async throws(RequestBodyError) {
        if count > reservedBytes { try await reserve(count - reservedBytes) }
    }

    /// True if a request of the holder was ended just now, so that this one must not take its place. Small requests
    /// may: other people share the address. Responses that have begun go on.
    private func mustPause(_ wish: BufferWish) -> Bool {
        guard wish.reservedBytes + wish.bytes > limits.discardMaxBytes else { return false }
        let hasBegun = phase == .sending && wish.reservedBytes > 0
        return !hasBegun && wish.holder.isCutOff(nowMs: nowMs)
    }

    /// Counts bytes that only make the request faster. Returns false when there is no room.
    func reserveForSpeed(_ count: Int) -> Bool {
        guard rules.reserveForSpeed(count) else { return false }
        let holder = needing(count).holder
        holder.add(bytes: count)
        note(count, of: holder)
        return true
    }

    /// Releases the bytes of `reserveForSpeed`.
    func releaseForSpeed(_ count: Int) {
        // An eviction has released it already.
        if !isEvicted { giveBack(count) }
    }

    /// A file that the kernel sends takes the memory of the socket's buffer alone. The reservation follows it, up to
    /// `maxBytes`, as far as there is room: the kernel limits the buffer itself.
    func followSendBuffer(maxBytes: Int) {
        let more = min(socket.queuedBytes, maxBytes) - reservedBytes
        if more < 0 {
            giveBack(-more)
        } else if more > 0, !isEvicted {
            let wish = needing(more)
            if rules.reserve(wish) { note(more, of: wish.holder) }
        }
    }

    /// Counts bytes of a connection that was handed over. Only requests on this loop end for them. Returns false when
    /// there is no room.
    func reserve(_ count: Int, of client: SocketAddress?) -> Bool {
        let asking = holder ?? owner ?? home.holder(of: client)
        let wish = BufferWish(bytes: count, holder: asking, reservedBytes: reservedBytes)
        guard rules.reserve(wish) || home.evict(for: wish, besides: self) else {
            home.counts.overBudget += 1
            return false
        }
        note(count, of: asking)
        return true
    }

    /// Ends the count of so many bytes.
    func releaseReserved(_ count: Int) {
        giveBack(count)
        // The table of holders forgets one without bytes.
        if reservedBytes == 0 { holder = nil }
    }

    private func note(_ count: Int, of holder: Holder) {
        self.holder = holder
        reservedBytes += count
        home.note(count)
    }

    private func giveBack(_ count: Int) {
        guard let holder else { return }
        rules.release(count)
        holder.add(bytes: -count)
        note(-count, of: holder)
    }

    /// Ends the current request for one of `asking`. Returns its bytes, which are freed in a moment. `rules` counts them
    /// until the caller passes them on.
    func evict(for asking: Holder) -> Int {
        isEvicted = true
        home.counts.evicted += 1
        if let holder, holder !== asking { holder.cutOff(untilMs: nowMs + limits.cutOffPauseMs) }
        let freed = forgetReserved()
        if phase == .sending { cutOffAnswer() } else { socket.endReading() }
        return freed
    }

    func release() {
        if holder != nil { rules.release(forgetReserved()) }
    }

    private func forgetReserved() -> Int {
        let count = reservedBytes
        holder?.add(bytes: -count)
        home.note(-count)
        reservedBytes = 0
        holder = nil
        return count
    }

    /// Starts the body of a request.
    func beginHearing() {
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

    /// Returns the response, or a refusal if it finds no room. A client that does not read its responses makes the
    /// server keep them, so all but small ones count against the budget.
    func affordable(_ response: Response) async -> Response {
        guard let bytes = keptBytes(response.content), let request, request.head.method != .head else {
            return response
        }
        do {
            try await reserveForAnswer(bytes)
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
