import Net
import Synchronization

/// Shared by the connections of all loops: limits, handlers, and the few counters across loops. None
/// of it has a lock that a request takes.
final class ConnectionRules: Sendable {
    let limits: ServerLimits
    /// The fields of every response.
    let fixedFields: FieldBlock
    let handler: Server.Handler
    let refusal: Server.Refusal
    let completion: Server.Completion
    private let draining = Atomic(false)
    private let open = Atomic(0)
    private let buffered = Atomic(0)
    private let addresses = Locked<[IPAddress: Int]>([:])

    /// The reason why a connection was rejected.
    enum Refused { case byTotal, byAddress }

    init(
        limits: ServerLimits,
        fixedFields: FieldBlock,
        handler: @escaping Server.Handler,
        refusal: @escaping Server.Refusal,
        completion: @escaping Server.Completion
    ) {
        self.limits = limits
        self.fixedFields = fixedFields
        self.handler = handler
        self.refusal = refusal
        self.completion = completion
    }

    var isStopping: Bool { draining.load(ordering: .relaxed) }
    var connectionCount: Int { open.load(ordering: .relaxed) }

    func stop() { draining.store(true, ordering: .relaxed) }

    /// Counts a new connection, also by its address unless that is nil. Returns nil when it
    /// may stay; then `leave` ends the count.
    func enter(_ address: IPAddress?) -> Refused? {
        guard open.add(1, ordering: .relaxed).newValue <= limits.connectionsMax else {
            open.subtract(1, ordering: .relaxed)
            return .byTotal
        }
        guard let address, !countIn(address) else { return nil }
        open.subtract(1, ordering: .relaxed)
        return .byAddress
    }

    func leave(_ address: IPAddress?) {
        open.subtract(1, ordering: .relaxed)
        guard let address else { return }
        addresses.withLock { counts in
            let left = (counts[address] ?? 1) - 1
            counts[address] = left > 0 ? left : nil
        }
    }

    private func countIn(_ address: IPAddress) -> Bool {
        addresses.withLock { counts in
            let count = counts[address] ?? 0
            guard count < limits.connectionsPerAddressMax else { return false }
            counts[address] = count + 1
            return true
        }
    }

    /// Counts bytes that will be kept in memory; false when there are too many already. The last reservation may exceed
    /// the limit: otherwise a response larger than the whole budget could never be sent.
    func reserve(_ count: Int) -> Bool {
        guard buffered.load(ordering: .relaxed) < limits.buffersMaxBytes else { return false }
        buffered.add(count, ordering: .relaxed)
        return true
    }

    /// The same for bytes that only make a request faster. Returns false if more than a quarter would be in use.
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
