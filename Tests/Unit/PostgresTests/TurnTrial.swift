@testable import Postgres

/// Clients of a `PoolState` in virtual time. Each connection works on its batches one after the other, as PostgreSQL does.
struct TurnTrial {
    /// Asks again when it has its answer, after a pause.
    struct Client {
        let share: String
        let costMs: Double
        var pauseMs = 0.0
        var firstMs = 0.0

        static func flood(_ share: String, _ count: Int, costMs: Double) -> [Client] {
            Array(repeating: Client(share: share, costMs: costMs), count: count)
        }
    }

    /// What one share got.
    struct Figures {
        var served = 0
        var workMs = 0.0
        var longestMs = 0.0
    }

    private(set) var figures: [String: Figures] = [:]
    private(set) var refused: [String: Int] = [:]
    private let clients: [Client]
    private var pool: PoolState
    private var nowMs = 0.0
    /// When each client asks next.
    private var dueMs: [Double]
    private var asked: [(client: Int, atMs: Double)] = []
    private var slots: [[Int]]
    /// When each connection has its next answer.
    private var endsMs: [Double]

    init(_ clients: [Client], connections: Int = 2, waitersMax: Int = 1024) {
        self.clients = clients
        pool = PoolState(PoolState.Limits(connections: connections, leasesPerConnection: 64, waitersMax: waitersMax))
        dueMs = clients.map(\.firstMs)
        slots = Array(repeating: [], count: connections)
        endsMs = Array(repeating: .infinity, count: connections)
    }

    mutating func run(forMs durationMs: Double) {
        while let client = dueMs.indices.min(by: { dueMs[$0] < dueMs[$1] }),
            let slot = endsMs.indices.min(by: { endsMs[$0] < endsMs[$1] })
        {
            nowMs = min(dueMs[client], endsMs[slot])
            guard nowMs <= durationMs else { return }
            if endsMs[slot] <= dueMs[client] { answer(slot) } else { ask(client) }
        }
    }

    private mutating func ask(_ client: Int) {
        let (id, share) = (asked.count, clients[client].share)
        asked.append((client, nowMs))
        dueMs[client] = .infinity
        if let slot = pool.acquireAtOnce(id, share: share) { return begin(id, on: slot) }
        perform(pool.acquire(id, share: share))
    }

    private mutating func perform(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .connect(let slot), .connectLater(let slot, _): perform(pool.connected(slot: slot))
            case .lease(let slot, let waiter): begin(waiter, on: slot)
            case .refuse(let waiter, _): refused[clients[asked[waiter].client].share, default: 0] += 1
            }
        }
    }

    private mutating func begin(_ id: Int, on slot: Int) {
        slots[slot].append(id)
        if slots[slot].count == 1 { endsMs[slot] = nowMs + costMs(id) }
    }

    private mutating func answer(_ slot: Int) {
        let id = slots[slot].removeFirst()
        let (client, askedMs) = (clients[asked[id].client], asked[id].atMs)
        figures[client.share, default: Figures()].served += 1
        figures[client.share, default: Figures()].workMs += client.costMs
        let longestMs = figures[client.share]?.longestMs ?? 0
        figures[client.share, default: Figures()].longestMs = max(longestMs, nowMs - askedMs)
        dueMs[asked[id].client] = nowMs + client.pauseMs
        endsMs[slot] = slots[slot].first.map { nowMs + costMs($0) } ?? .infinity
        perform(pool.release(slot: slot, waiter: id, costNs: UInt64(client.costMs * 1e6)))
    }

    private func costMs(_ id: Int) -> Double { clients[asked[id].client].costMs }
}
