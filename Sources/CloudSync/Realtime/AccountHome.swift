import Net
import Synchronization

/// The accounts of one loop. Only this loop uses their state. The hub calls it there, and begins the work that each call makes necessary.
final class AccountHome {
    /// The continuation of a task that waits for a read of an account's state.
    typealias Reader = UnsafeContinuation<(any Error)?, Never>

    /// The part that all loops share.
    final class Shared: Sendable {
        /// The number of accounts in memory. While it is 0, hints cost nothing.
        let accounts = Atomic(0)
        let isBusConnected = Atomic(false)
    }

    fileprivate struct Hint {
        var kinds: HintKinds
        var sinceNs: UInt64
    }

    let loop: EventLoop
    let serverID: String
    private let shared: Shared

    private(set) var accounts: [AccountID: RealtimeAccount] = [:]
    private var hinted: [AccountID: Hint] = [:]
    /// The accounts that the sweep under way has not read yet.
    private var sweeping: [AccountID] = []
    private var readers: [(account: AccountID, reader: Reader)] = []
    private var awaited: [AccountID: [AwaitedEnd]] = [:]
    private var watchers: [AccountID: [StateWatcher]] = [:]
    private var outbox: [(seat: RealtimeSeat, delivery: RealtimeDelivery)] = []
    private var isDraining = false
    private var sweptAtMs: UInt64
    private var failingSinceMs: UInt64?

    /// True while a task reads accounts.
    var isReading = false
    /// True while a task writes rows.
    var isWritingRows = false
    /// True after a failed write of rows, until the next success.
    var hasFailedRows = false
    private(set) var rows = DeviceRows()
    /// The deliveries of commands that the hub has not taken yet.
    var notes: [(command: OpenCommand, delivery: CommandDelivery)] = []
    private(set) var figures = RealtimeStatistics()

    init(_ loop: EventLoop, serverID: String, _ shared: Shared) {
        self.loop = loop
        self.serverID = serverID
        self.shared = shared
        sweptAtMs = Monotonic.nowMs()
    }

    var hasReads: Bool { !hinted.isEmpty || !sweeping.isEmpty }

    /// Runs `body` on an account, and carries out its effects. Does nothing if the account has no seat here.
    func with(_ id: AccountID, _ body: (RealtimeAccount) -> Void) {
        guard let account = accounts[id] else { return }
        body(account)
        settle(account)
    }

    /// Carries out the effects of an account's changes.
    private func settle(_ account: RealtimeAccount) {
        let nowNs = Monotonic.nowNs()
        let nowMs = nowNs / 1_000_000
        let effects = account.takeEffects(nowMs: nowMs)
        for name in effects.rows {
            let key = DeviceRows.Key(account: account.id, device: name)
            rows.note(key, writtenAtMs: account.rowWrittenAtMs(of: name), nowMs: nowMs)
        }
        figures.superseded += effects.superseded
        for sinceNs in effects.noticesFromNs { figures.notices.add(nowNs - sinceNs) }
        notes += effects.commands
        if outbox.isEmpty { outbox = effects.deliveries } else { outbox += effects.deliveries }
        wake(account)
        forgetIfIdle(account)
        drain()
    }

    /// Wakes the requests whose wait may be over. There are rarely any.
    private func wake(_ account: RealtimeAccount) {
        if !watchers.isEmpty {
            for watcher in watchers[account.id] ?? [] {
                let isOver = watcher.version != account.version || account.index(of: watcher.seat) == nil
                if isOver { watcher.wakeup.signal() }
            }
        }
        guard !awaited.isEmpty else { return }
        for waiting in awaited[account.id] ?? [] where hasEnded(waiting.seat) { waiting.wakeup.signal() }
    }

    private func forgetIfIdle(_ account: RealtimeAccount) {
        guard account.isIdle, awaited[account.id] == nil, accounts[account.id] === account else { return }
        accounts[account.id] = nil
        shared.accounts.subtract(1, ordering: .relaxed)
    }

    /// Gives deliveries to their seats. A seat of this loop may call the hub meanwhile. The deliveries of such a call are given after
    /// those before it.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while !outbox.isEmpty {
            var deliveries: [(seat: RealtimeSeat, delivery: RealtimeDelivery)] = []
            swap(&deliveries, &outbox)
            for (seat, delivery) in deliveries {
                if seat.loop === loop { seat.receive(delivery) } else { seat.loop.call { seat.receive(delivery) } }
            }
        }
    }
}

// MARK: Seats

extension AccountHome {
    func open(_ seat: RealtimeSeat) -> Bool {
        if accounts[seat.account] == nil {
            accounts[seat.account] = RealtimeAccount(seat.account)
            shared.accounts.add(1, ordering: .relaxed)
        }
        var isOpen = false
        with(seat.account) { isOpen = $0.open(seat, nowMs: Monotonic.nowMs()) }
        return isOpen
    }

    /// Admits a seat. Returns the name of its device; nil if the seat has ended.
    func admit(_ seat: RealtimeSeat) -> String? {
        var name: String?
        with(seat.account) { name = $0.admit(seat, nowMs: Monotonic.nowMs()) }
        return name
    }

    func holds(_ seat: RealtimeSeat) -> Bool { accounts[seat.account]?.index(of: seat) != nil }

    /// True for a request whose session has ended. A socket's commands get their outcome also after its end.
    func hasEnded(_ seat: RealtimeSeat) -> Bool { !seat.isSocket && !holds(seat) }

    func state(of id: AccountID) -> RealtimeState {
        accounts[id]?.state(serverID: serverID) ?? RealtimeState(version: 0, heads: RealtimeHeads(), devices: [])
    }

    func add(_ watcher: StateWatcher) { watchers[watcher.seat.account, default: []].append(watcher) }

    func remove(_ watcher: StateWatcher) {
        let rest = (watchers[watcher.seat.account] ?? []).filter { $0 !== watcher }
        watchers[watcher.seat.account] = rest.isEmpty ? nil : rest
    }

    func add(_ end: AwaitedEnd) { awaited[end.account, default: []].append(end) }

    func remove(_ end: AwaitedEnd) {
        let rest = (awaited[end.account] ?? []).filter { $0 !== end }
        awaited[end.account] = rest.isEmpty ? nil : rest
        if let account = accounts[end.account] { forgetIfIdle(account) }
    }
}

// MARK: Reads

extension AccountHome {
    /// The accounts of one round trip, and the tasks that wait for it.
    struct Batch {
        var refresh = Refresh()
        /// The start of the read. The remaining times of commands count from here, so that a slow answer does not lengthen them.
        var beganMs = Monotonic.nowMs()
        fileprivate var hints: [AccountID: Hint] = [:]
        fileprivate var swept: Set<AccountID> = []
        fileprivate var readers: [Reader] = []

        /// True if more accounts wait than one read has.
        var isFull: Bool { hints.count >= Refresh.accountsMax }
    }

    private static let sweepEveryMs: UInt64 = 60_000
    /// The same while no hints of other servers arrive.
    private static let sweepAloneEveryMs: UInt64 = 5000
    /// Sockets end after so long without a successful read.
    private static let failingMaxMs: UInt64 = 60_000

    /// Notes the kinds of state that have changed. Accounts without a seat here are not read.
    func hint(_ id: AccountID, _ kinds: HintKinds) {
        guard accounts[id] != nil else { return }
        let nowNs = Monotonic.nowNs()
        hinted[id, default: Hint(kinds: [], sinceNs: nowNs)].kinds.formUnion(kinds)
    }

    /// Resumes `reader` after a read of the account's whole state. Only a read that begins after this call counts.
    func read(_ id: AccountID, then reader: Reader) {
        guard accounts[id] != nil else { return reader.resume(returning: nil) }
        hint(id, .all)
        readers.append((id, reader))
    }

    /// Resumes all waiting tasks with an error, since the server stops reading.
    func endReaders(_ error: any Error) {
        for (_, reader) in readers { reader.resume(returning: error) }
        readers = []
    }

    /// Begins to read all accounts, since hints may have been missed.
    func sweepNow() {
        // Accounts of the last sweep stay in front, so that sweeps in quick succession starve none.
        sweeping = Array(Set(accounts.keys).subtracting(sweeping)) + sweeping
        sweptAtMs = Monotonic.nowMs()
    }

    /// Lets the accounts end silent streams and absent devices, and begins a sweep that is due. Ends the sockets if reads have failed for
    /// too long. Called once a second.
    func tick(nowMs: UInt64 = Monotonic.nowMs()) {
        for account in Array(accounts.values) where account.tick(nowMs: nowMs) { settle(account) }
        let isAlone = !shared.isBusConnected.load(ordering: .relaxed)
        if sweeping.isEmpty, nowMs >= sweptAtMs + (isAlone ? Self.sweepAloneEveryMs : Self.sweepEveryMs) { sweepNow() }
        if let failingSinceMs, nowMs >= failingSinceMs + Self.failingMaxMs { endAll() }
    }

    /// Ends all seats but those that are being opened: these get the error of their own read.
    private func endAll() {
        for account in Array(accounts.values) {
            for seated in account.seats where seated.isAdmitted {
                account.end(seated.seat, .databaseAway, nowMs: Monotonic.nowMs())
            }
            settle(account)
        }
    }

    /// Returns the next accounts to read: hinted ones first, then those of a sweep. Nil if there are none.
    func nextBatch() -> Batch? {
        var batch = Batch()
        for (id, hint) in hinted.prefix(Refresh.accountsMax) {
            batch.hints[id] = hint
            hinted[id] = nil
        }
        while batch.hints.count < Refresh.accountsMax, let id = sweeping.popLast() {
            if batch.hints[id] == nil { batch.swept.insert(id) }
            batch.hints[id] = Hint(kinds: .all, sinceNs: batch.hints[id]?.sinceNs ?? 0)
        }
        guard !batch.hints.isEmpty else { return nil }
        batch.readers = readers.filter { batch.hints[$0.account] != nil }.map(\.reader)
        readers.removeAll { batch.hints[$0.account] != nil }
        for (id, hint) in batch.hints { add(id, hint.kinds, to: &batch.refresh) }
        return batch
    }

    private func add(_ id: AccountID, _ kinds: HintKinds, to refresh: inout Refresh) {
        guard let account = accounts[id] else { return }
        if kinds.contains(.sessions) { refresh.seats += account.seats.map(\.seat) }
        if kinds.contains(.heads) { refresh.heads.append(id) }
        if kinds.contains(.devices) { refresh.devices.append(id) }
        guard kinds.contains(.commands) else { return }
        refresh.commands.append(id)
        refresh.awaited += (awaited[id] ?? []).filter { $0.end == nil }.map { (account: id, id: $0.id) }
    }

    /// Takes the result of a read.
    func take(_ found: Refresh.Found, _ batch: Batch) {
        failingSinceMs = nil
        let parts = FoundParts(found, batch.refresh, serverID: serverID)
        for (id, hint) in batch.hints {
            guard let account = accounts[id] else { continue }
            let version = account.version
            let times = FoundParts.Times(hintedNs: hint.sinceNs, beganMs: batch.beganMs, nowMs: Monotonic.nowMs())
            parts.give(to: account, hint.kinds, times)
            if account.version != version, batch.swept.contains(id), shared.isBusConnected.load(ordering: .relaxed) {
                figures.repairs += 1
            }
            settle(account)
        }
        for found in found.ends {
            for waiting in awaited[found.account] ?? [] where waiting.id == found.id { waiting.take(found.end) }
        }
        for reader in batch.readers { reader.resume(returning: nil) }
    }

    /// Keeps the hints of a batch that could not be read. Returns true for the first failure after a success.
    func failed(_ batch: Batch, _ error: any Error) -> Bool {
        for (id, hint) in batch.hints where accounts[id] != nil {
            hinted[id, default: hint].kinds.formUnion(hint.kinds)
        }
        for reader in batch.readers { reader.resume(returning: error) }
        defer { failingSinceMs = failingSinceMs ?? Monotonic.nowMs() }
        return failingSinceMs == nil
    }
}

// MARK: Rows and figures

extension AccountHome {
    /// Removes and returns the rows that are due, each with its change.
    func takeRows() -> [(key: DeviceRows.Key, change: DeviceRows.Change)] {
        let nowMs = Monotonic.nowMs()
        return rows.take(nowMs: nowMs).map { key in
            let change = accounts[key.account]?.rowChange(of: key.device, nowMs: nowMs)
            return (key: key, change: change ?? .delete)
        }
    }

    /// Notes rows again that could not be written.
    func putBack(_ keys: [DeviceRows.Key]) {
        for key in keys { rows.note(key, writtenAtMs: 0, nowMs: Monotonic.nowMs()) }
    }

    var statistics: RealtimeStatistics {
        var statistics = figures
        for account in accounts.values { account.count(in: &statistics) }
        return statistics
    }
}
