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
    /// Those that will ask, the next one last.
    private var due: [(client: Int, atMs: Double)] = []
    private var asked: [(client: Int, atMs: Double)] = []
    private var slots: [[Int]]
    /// When each connection has its next answer.
    private var endsMs: [Double]

    init(_ clients: [Client], connections: Int = 2, waitersMax: Int = 1024) {
        self.clients = clients
        pool = PoolState(PoolState.Limits(connections: connections, leasesPerConnection: 64, waitersMax: waitersMax))
        slots = Array(repeating: [], count: connections)
        endsMs = Array(repeating: .infinity, count: connections)
        for client in clients.indices { plan(client, atMs: clients[client].firstMs) }
    }

    mutating func run(forMs durationMs: Double) {
        while let slot = endsMs.indices.min(by: { endsMs[$0] < endsMs[$1] }) {
            let dueMs = due.last?.atMs ?? .infinity
            nowMs = min(dueMs, endsMs[slot])
            guard nowMs <= durationMs else { return }
            if endsMs[slot] <= dueMs { answer(slot) } else if let next = due.popLast() { ask(next.client) }
        }
    }

    /// Of clients that ask at one time, the one planned first is first.
    private mutating func plan(_ client: Int, atMs: Double) {
        var (low, high) = (0, due.count)
        while low < high {
            let middle = (low + high) / 2
            if due[middle].atMs > atMs { low = middle + 1 } else { high = middle }
        }
        due.insert((client, atMs), at: low)
    }

    private mutating func ask(_ client: Int) {
        let (id, share) = (asked.count, clients[client].share)
        asked.append((client, nowMs))
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
        plan(asked[id].client, atMs: nowMs + client.pauseMs)
        endsMs[slot] = slots[slot].first.map { nowMs + costMs($0) } ?? .infinity
        perform(pool.release(slot: slot, waiter: id, costNs: UInt64(client.costMs * 1e6)))
    }

    private func costMs(_ id: Int) -> Double { clients[asked[id].client].costMs }
}
