import Net

/// The memory of bodies and large answers: the requests that make room for others.
extension LoopConnections {
    private static let forwardedMax = 1024

    /// Counts bytes that a request here has reserved or released.
    func note(_ count: Int) {
        counts.reservedBytes += count
        rush.bytes = max(rush.bytes, counts.reservedBytes)
    }

    /// The holder of a client that a proxy reported. Those of the last clients are known without a lock.
    func holder(of client: SocketAddress?) -> Holder {
        let address = client.flatMap { IPAddress($0.host)?.subscriber }
        if let known = forwarded[address], !known.isForgotten { return known }
        if forwarded.count >= Self.forwardedMax { forwarded.removeAll() }
        let holder = rules.holder(of: address)
        forwarded[address] = holder
        return holder
    }

    /// Ends requests on any loop, those of the largest holder first, and passes their bytes to one of this loop.
    /// Returns false when no request must make room for it.
    func makeRoom(for wish: BufferWish, besides asking: Connection) async -> Bool {
        var offers = [(bytes: mostBytes(for: wish, besides: asking), home: nil as LoopBound<LoopConnections>?)]
        for other in others() {
            let bytes = await other.loop.run { other.value.mostBytes(for: wish, besides: nil) }
            offers.append((bytes: bytes, home: other))
        }
        for offer in offers.sorted(by: { $0.bytes > $1.bytes }) where offer.bytes > 0 {
            let isDone: Bool
            if let other = offer.home {
                isDone = await other.loop.run { other.value.evict(for: wish, besides: nil) }
            } else {
                isDone = evict(for: wish, besides: asking)
            }
            if isDone { return true }
        }
        // A request may have ended meanwhile.
        return rules.reserve(wish)
    }

    /// The bytes of the largest holder here with a request that must make room; 0 if there is none.
    func mostBytes(for wish: BufferWish, besides asking: Connection?) -> Int {
        open.reduce(0) { most, connection in
            guard connection !== asking, connection.makesRoom(for: wish), let holder = connection.holder else {
                return most
            }
            return max(most, holder.byteCount)
        }
    }

    /// Ends requests of this loop, and passes their bytes to another one in one step. Returns false if they make
    /// too little room.
    func evict(for wish: BufferWish, besides asking: Connection?) -> Bool {
        // A look at all connections is only useful if it frees more than a little.
        let wanted = max(wish.bytes, rules.limits.buffersMaxBytes / 64)
        var freed = 0
        for connection in evictable(for: wish, besides: asking) where freed < wanted {
            freed += connection.evict(for: wish.holder)
        }
        return freed > 0 && rules.pass(freed, to: wish)
    }

    /// The connections that must make room, first to last, by the bytes of their holder and the length of their
    /// silence.
    private func evictable(for wish: BufferWish, besides asking: Connection?) -> [Connection] {
        let candidates = open.compactMap { connection -> (connection: Connection, bytes: Int, silentMs: UInt64)? in
            guard connection !== asking, connection.makesRoom(for: wish), let holder = connection.holder else {
                return nil
            }
            return (connection, holder.byteCount, connection.silentMs)
        }
        return candidates.sorted { ($0.bytes, $0.silentMs) > ($1.bytes, $1.silentMs) }.map(\.connection)
    }
}

extension Connection {
    fileprivate var silentMs: UInt64 { nowMs - heardMs }

    /// True if the current request must end for another one.
    fileprivate func makesRoom(for wish: BufferWish) -> Bool {
        guard isEvictable, let holder else { return false }
        return rules.ends(holder, isSilent: silentMs >= limits.silenceMs, for: wish)
    }
}
