import CloudSync
import Net
import Synchronization
import TestSupport

/// A device that only polls.
struct ConvergenceReader: Sendable {
    enum Cursor: Sendable, CustomStringConvertible {
        case token(limit: Int?)
        case lastSync
        /// By token, in pages of `rows` rows.
        case pages(rows: Int)
        /// A full set each time, in pages of `rows` rows, with a pause before each page.
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
    /// The number of full sets with a wrong state_hash.
    private(set) var wrongHashes = 0

    init(world: World, caller: Caller, cursor: Cursor, random: SeededRandom) {
        self.world = world
        self.caller = caller
        self.cursor = cursor
        self.random = random
    }

    /// Polls until the writers are done, then polls once more.
    mutating func run(until isDone: Flag) async throws {
        while !isDone.isSet {
            try await poll()
            // Devices poll with pauses. Without a pause, the readers would take the CPU from the writers.
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
            // Each full set is independent of earlier answers.
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

/// A flag that can be set once.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
