import Net

/// The places for connections: when all are taken, an idle connection gives its own to a new one.
extension LoopConnections {
    /// One look finds so many connections that give way.
    private static let yieldingMax = 256
    /// A look sorts all idle connections, so the next one is due after a millisecond for so many connections.
    private static let lookedAtPerMs = 16
    private static let lookPauseMaxMs = 500

    /// Takes the place of the longest idle connection of the largest holder, on any loop. Returns false when no
    /// connection must give way to this holder's, or the wait is over meanwhile.
    func makePlace(for wait: PlaceWait) async -> Bool {
        var offers: [(place: IdlePlace, home: LoopBound<LoopConnections>?)] = []
        if let place = offer(to: wait.owner) { offers.append((place: place, home: nil)) }
        for other in others() {
            guard let place = await other.loop.run({ other.value.offer(to: wait.owner) }) else { continue }
            offers.append((place: place, home: other))
        }
        for offer in offers.sorted(by: { $0.place.givesWay(before: $1.place) }) {
            let isDone: Bool
            if let other = offer.home {
                isDone = await other.loop.run { other.value.giveWay(to: wait) }
            } else {
                isDone = giveWay(to: wait)
            }
            if isDone { return true }
        }
        // A connection may have ended meanwhile.
        return rules.takePlace()
    }

    /// The first connection here that must give way; nil if there is none.
    func offer(to newcomer: Holder?) -> IdlePlace? {
        // The last look may be outdated.
        for _ in 0..<2 {
            if yielding.isEmpty {
                look()
                // A second look costs as much, and while all are busy each new connection asks.
                if yielding.isEmpty { return nil }
            } else {
                lookAgain()
            }
            while let last = yielding.last, !last.connection.isIdle(since: last.sinceMs) { yielding.removeLast() }
            guard let last = yielding.last, let owner = last.connection.owner else { continue }
            return owner.givesWay(to: newcomer) ? IdlePlace(of: owner, sinceMs: last.sinceMs) : nil
        }
        return nil
    }

    /// Closes the first connection here that must give way. Its place remains taken, by the new connection. Returns
    /// false if there is none, or if the wait is over.
    func giveWay(to wait: PlaceWait) -> Bool {
        if wait.isOver { return false }
        // Since the offer, others may have taken all that the last look had found.
        if yielding.isEmpty { look() } else { lookAgain() }
        while let last = yielding.last {
            // The holder of one that has ended says nothing about the next one.
            guard last.connection.isIdle(since: last.sinceMs), let owner = last.connection.owner else {
                yielding.removeLast()
                continue
            }
            guard owner.givesWay(to: wait.owner) else { return false }
            yielding.removeLast()
            guard last.connection.givePlace() else { continue }
            counts.idleEvicted += 1
            return true
        }
        return false
    }

    private func lookAgain() {
        if Monotonic.nowMs() >= yieldingUntilMs { look() }
    }

    private func look() {
        let entries = open.indices.compactMap { index -> IdleOrder.Entry? in
            let connection = open[index]
            guard connection.isIdle(since: connection.idleSinceMs), let owner = connection.owner else { return nil }
            return IdleOrder.Entry(holder: owner, sinceMs: connection.idleSinceMs, index: index)
        }
        yielding = IdleOrder.first(Self.yieldingMax, of: entries).reversed().map { index in
            (connection: open[index], sinceMs: open[index].idleSinceMs)
        }
        let pauseMs = min(open.count / Self.lookedAtPerMs, Self.lookPauseMaxMs)
        yieldingUntilMs = Monotonic.nowMs() + UInt64(pauseMs)
    }

    /// Releases the connections of the last look.
    func forgetYielding() {
        if open.isEmpty || Monotonic.nowMs() >= yieldingUntilMs { yielding = [] }
    }
}

extension Connection {
    /// True while it waits for a request since then.
    fileprivate func isIdle(since sinceMs: UInt64) -> Bool { phase == .idle && hasPlace && idleSinceMs == sinceMs }

    /// Closes an idle connection, whose place remains taken. Returns false if a request has arrived.
    fileprivate func givePlace() -> Bool {
        if socket.hasInput { return false }
        hasPlace = false
        owner?.leave()
        socket.close()
        return true
    }
}
