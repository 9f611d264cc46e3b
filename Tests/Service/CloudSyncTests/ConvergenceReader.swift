import CloudSync
import Net
import Synchronization
import TestSupport

/// One device that only polls.
struct ConvergenceReader: Sendable {
    enum Cursor: Sendable, CustomStringConvertible {
        case token(limit: Int?)
        case lastSync
        /// By token, in pages of so many rows.
        case pages(rows: Int)
        /// Everything each time, in pages of so many rows, with a pause before each.
        case fullSet(rows: Int)

        var description: String {
            switch self {
            case .token(let limit): "sync_token" + (limit.map { ", limit \($0)" } ?? "")
            case .lastSync: "last_sync"
            case .pages(let rows): "sync_token, pages of \(rows)"
            case .fullSet(let rows): "nothing, pages of \(rows)"
            }
        }
    }

    let world: World
    let caller: Caller
    let cursor: Cursor
    var random: SeededRandom
    private(set) var replica = Replica()
    private(set) var polls = 0
    /// Full sets whose items don't come to the state_hash beside them.
    private(set) var wrongHashes = 0

    init(world: World, caller: Caller, cursor: Cursor, random: SeededRandom) {
        self.world = world
        self.caller = caller
        self.cursor = cursor
        self.random = random
    }

    /// Polls until the writers are done, and then to the end.
    mutating func run(until isDone: Flag) async throws {
        while !isDone.isSet {
            try await poll()
            // A device polls now and then; without a pause the readers would leave the writers no processor.
            await EventLoop.current?.sleep(forMs: UInt64(random.below(6)))
        }
        try await poll()
    }

    private mutating func poll() async throws {
        polls += 1
        let server = world.servers[random.below(world.servers.count)]
        switch cursor {
        case .token(let limit): try await server.pull(&replica, limit: limit, for: caller)
        case .lastSync:
            let cursor = Timestamp(replica.serverTime).map { DeltaRequest.Cursor.lastSync($0) } ?? .none
            guard let pulled = try await server.pullAll(DeltaRequest(cursor: cursor), for: caller) else { return }
            replica.store(pulled)
        case .pages(let rows): try await paging(rows).pull(&replica, for: caller)
        case .fullSet(let rows):
            let pulled = try await paging(rows).pullAll(DeltaRequest(cursor: .none), for: caller) {
                await EventLoop.current?.sleep(forMs: 3)
            }
            // Nothing of before counts: each answer stands for itself.
            replica = Replica()
            guard let pulled else { return }
            replica.store(pulled)
            if try pulled.computedHash() != pulled.delta.stateHash { wrongHashes += 1 }
        }
    }

    private func paging(_ rows: Int) -> ConfigurationService {
        var limits = DeltaLimits()
        limits.rows = rows
        return world.server(limits)
    }
}

/// Set once, by whoever knows that no more will come.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
