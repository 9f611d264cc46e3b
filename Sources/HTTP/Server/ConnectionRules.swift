import Net
import Synchronization

/// Shared by the connections of all loops: limits, handlers, and the few counters across loops. None
/// of it has a lock that a request takes, except one of a new client behind a proxy.
final class ConnectionRules: Sendable {
    let limits: ServerLimits
    let wire: BoundedLimits
    /// The fields of every response that is not a page.
    let fixedFields: FieldBlock
    private let pageFields: FieldBlock
    let handler: Server.Handler
    let refusal: Server.Refusal
    let completion: Server.Completion
    private let room: BufferRoom
    private let draining = Atomic(false)
    private let open = Atomic(0)
    private let buffered = Atomic(0)
    private let holders = Locked(HolderTable())

    init(
        limits: ServerLimits,
        fixedFields: FieldBlock,
        pageFields: FieldBlock = [],
        handler: @escaping Server.Handler,
        refusal: @escaping Server.Refusal,
        completion: @escaping Server.Completion
    ) {
        self.limits = limits
        wire = BoundedLimits(limits.wire)
        self.fixedFields = fixedFields
        self.pageFields = pageFields
        self.handler = handler
        self.refusal = refusal
        self.completion = completion
        room = BufferRoom(maxBytes: limits.buffersMaxBytes)
    }

    /// The fields that a response has besides its own.
    func fields(of response: Response) -> FieldBlock { response.isPage ? pageFields : fixedFields }

    var isStopping: Bool { draining.load(ordering: .relaxed) }
    var connectionCount: Int { open.load(ordering: .relaxed) }

    func stop() { draining.store(true, ordering: .relaxed) }
}

// MARK: Connections

extension ConnectionRules {
    /// Counts a connection of an address. Returns nil when the address has too many. `Holder.leave` ends the count.
    func enter(_ subscriber: IPAddress) -> Holder? {
        holders.withLock { table in
            let holder = table.holder(of: subscriber, nowMs: Monotonic.nowMs())
            return holder.enter(max: limits.connectionsPerAddressMax) ? holder : nil
        }
    }

    /// The holder of an address. Takes a lock.
    func holder(of subscriber: IPAddress?) -> Holder {
        holders.withLock { $0.holder(of: subscriber, nowMs: Monotonic.nowMs()) }
    }

    /// Takes one of all places for connections. Returns false when there is none; `leavePlace` returns it.
    func takePlace() -> Bool {
        if open.add(1, ordering: .relaxed).newValue <= limits.connectionsMax { return true }
        leavePlace()
        return false
    }

    func leavePlace() { open.subtract(1, ordering: .relaxed) }
}

// MARK: Memory

extension ConnectionRules {
    /// Counts bytes that will be kept in memory; false when there is no room.
    func reserve(_ wish: BufferWish) -> Bool {
        guard room.has(wish.bytes, use(of: wish)) else { return false }
        buffered.add(wish.bytes, ordering: .relaxed)
        wish.holder.add(bytes: wish.bytes)
        return true
    }

    /// Passes bytes of ended requests on to another one, in one step: nobody can take them in between. Only releases
    /// them, and returns false, if they make no room for it.
    func pass(_ freed: Int, to wish: BufferWish) -> Bool {
        // They are counted until now.
        var rest = use(of: wish)
        rest.all -= freed
        guard freed >= wish.bytes || room.has(wish.bytes, rest) else {
            release(freed)
            return false
        }
        buffered.add(wish.bytes - freed, ordering: .relaxed)
        wish.holder.add(bytes: wish.bytes)
        return true
    }

    /// Returns true if a request of `holder` that waits for its client must end for another one.
    func ends(_ holder: Holder, isSilent: Bool, for wish: BufferWish) -> Bool {
        let isOwn = holder === wish.holder
        return room.ends(bytes: holder.byteCount, isSilent: isSilent, isOwn: isOwn, for: wish.bytes, use(of: wish))
    }

    private func use(of wish: BufferWish) -> BufferUse {
        BufferUse(
            all: buffered.load(ordering: .relaxed),
            holder: wish.holder.byteCount,
            request: wish.reservedBytes
        )
    }

    /// Counts bytes that only make a request faster. Returns false if more than a quarter would be in use.
    func reserveForSpeed(_ count: Int) -> Bool {
        let maxBytes = limits.buffersMaxBytes / 4
        guard buffered.load(ordering: .relaxed) + count <= maxBytes else { return false }
        if buffered.add(count, ordering: .relaxed).newValue <= maxBytes { return true }
        // Another loop was faster.
        release(count)
        return false
    }

    func release(_ count: Int) {
        if count > 0 { buffered.subtract(count, ordering: .relaxed) }
    }
}
