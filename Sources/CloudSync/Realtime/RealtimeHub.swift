import Net
import Postgres
import Synchronization

/// The sockets and waiting requests of all accounts at this server. An account's state is on one loop, its home; seats are on their own loops.
/// It is read from the database after each hint, and once a minute without one.
package final class RealtimeHub: Sendable {
    package typealias DeliveryNote = @Sendable (_ command: OpenCommand, _ delivery: CommandDelivery) -> Void

    /// This server in `server_keys`.
    package let serverID: String
    private let database: Database
    private let loops: [EventLoop]
    private let homes: LoopLocal<AccountHome>
    private let shared: AccountHome.Shared
    private let hints: AccountHints
    private let bus = Locked(DurationHistogram())
    private let noteDelivery = Locked<DeliveryNote?>(nil)
    private let noteExpiry = Locked<(@Sendable (_ count: Int) -> Void)?>(nil)
    private let isStopped = Atomic(false)

    private static let tickMs: UInt64 = 1000
    private static let retryMs: UInt64 = 1000
    /// Under load, the hints of so many milliseconds share a read: most of its cost is the round trip.
    private static let gatherMs: UInt64 = 20
    private static let stopping = CloudSyncError.problem(.overloaded)
    private static let expireEveryMs: UInt64 = 10_000
    private static let expiredAtOnce = 1000

    /// Opens no connection. `serverID` is that of the process's note in `server_keys`.
    package init(database: Database, serverID: String, loops: [EventLoop], hints: AccountHints) {
        self.database = database
        self.serverID = serverID
        self.loops = loops
        self.hints = hints
        let shared = AccountHome.Shared()
        self.shared = shared
        var index = 0
        homes = LoopLocal(loops) {
            defer { index += 1 }
            return AccountHome(loops[index], serverID: serverID, shared)
        }
    }

    /// Sets what is told of commands. Called once, before the first seat. `note` runs on a loop.
    package func whenDelivered(_ note: @escaping DeliveryNote) { noteDelivery.withLock { $0 = note } }

    /// Sets what is told how many commands have ended because nobody was left to end them. Called once, before `start`.
    package func whenExpired(_ note: @escaping @Sendable (_ count: Int) -> Void) { noteExpiry.withLock { $0 = note } }

    private func place(of account: AccountID) -> Int { account.place(among: loops.count) }

    /// Runs `body` on the account's home loop: at once if this is it.
    private func atHome(_ account: AccountID, _ body: @escaping @Sendable (AccountHome) -> Void) {
        onHome(place(of: account), body)
    }

    private func onHome(_ index: Int, _ body: @escaping @Sendable (AccountHome) -> Void) {
        if loops[index].isCurrent { return follow(body) }
        loops[index].call { [self] in follow(body) }
    }

    /// Runs `body` on this loop, and what follows from it.
    private func follow(_ body: (AccountHome) -> Void) {
        guard let home = homes.current else { return }
        body(home)
        followUp(home)
    }

    /// Begins what a call has made necessary.
    private func followUp(_ home: AccountHome) {
        let notes = home.notes
        home.notes = []
        if !notes.isEmpty, let note = noteDelivery.withLock({ $0 }) {
            for (command, delivery) in notes { note(command, delivery) }
        }
        if home.hasReads, !home.isReading {
            home.isReading = true
            home.loop.spawn { [self] in await readAll() }
        }
        if !home.rows.isEmpty, !home.isWritingRows {
            home.isWritingRows = true
            home.loop.spawn { [self] in await writeRows() }
        }
    }
}

// MARK: Seats

extension RealtimeHub {
    /// Takes a seat, before its session is checked. Throws `.tooManyConnections`.
    package func open(_ seat: RealtimeSeat) async throws(CloudSyncError) {
        let isOpen = await loops[place(of: seat.account)].run { [homes] in homes.current?.open(seat) ?? false }
        guard isOpen else { throw .problem(.tooManyConnections) }
    }

    /// After the check of the session: reads the account's present state, and lets the seat take part. Returns the name of its device. Throws
    /// `.sessionEnded` and `.databaseUnavailable`; the caller then calls `leave`.
    package func ready(_ seat: RealtimeSeat) async throws -> String {
        let name: String? = try await loops[place(of: seat.account)].run { [self] in
            if let error = await read(seat.account) { throw error }
            return admit(seat)
        }
        guard let name else { throw CloudSyncError.unauthenticated(.sessionEnded) }
        return name
    }

    private func admit(_ seat: RealtimeSeat) -> String? {
        var name: String?
        follow { home in name = home.admit(seat) }
        return name
    }

    /// Waits for a read that begins from now on. Call it on the home loop. Returns its error.
    private func read(_ account: AccountID) async -> (any Error)? {
        await withUnsafeContinuation { (continuation: AccountHome.Reader) in
            guard let home = homes.current, !isStopped.load(ordering: .relaxed) else {
                return continuation.resume(returning: Self.stopping)
            }
            home.read(account, then: continuation)
            followUp(home)
        }
    }

    /// Removes a seat. Can be called on any thread, and again.
    package func leave(_ seat: RealtimeSeat) {
        atHome(seat.account) { home in home.with(seat.account) { $0.leave(seat, nowMs: Monotonic.nowMs()) } }
    }

    /// Removes a seat, and waits for that: a new one can have its place.
    package func left(_ seat: RealtimeSeat) async {
        await loops[place(of: seat.account)].run { [self] in leave(seat) }
    }

    /// All messages of the last batch are in the kernel's buffer. The next batch may follow. Called on the seat's loop.
    package func wrote(_ seat: RealtimeSeat) {
        guard seat.turn.end() else { return }
        atHome(seat.account) { home in home.with(seat.account) { $0.wrote(seat, nowMs: Monotonic.nowMs()) } }
    }

    /// Passes an event on to all other sockets of the account. `reply` comes back with a refusal.
    package func publish(_ event: RealtimeEvent, from seat: RealtimeSeat, reply: String?) {
        atHome(seat.account) { home in
            home.with(seat.account) { $0.publish(event, from: seat, reply: reply, nowMs: Monotonic.nowMs()) }
        }
    }
}

// MARK: Waits

extension RealtimeHub {
    /// The present state of the seat's account.
    package func state(for seat: RealtimeSeat) async -> RealtimeState {
        let state = await loops[place(of: seat.account)].run { [homes] in homes.current?.state(of: seat.account) }
        return state ?? RealtimeState(version: 0, heads: RealtimeHeads(), devices: [])
    }

    /// Waits for a state with another version, at most `limitMs` milliseconds and while the seat is there. Returns the state then.
    package func state(for seat: RealtimeSeat, after version: Int, forMs limitMs: UInt64) async -> RealtimeState {
        await loops[place(of: seat.account)].run { [self] in await watch(seat, version, limitMs) }
        return await state(for: seat)
    }

    private func watch(_ seat: RealtimeSeat, _ version: Int, _ limitMs: UInt64) async {
        guard let home = homes.current else { return }
        let watcher = StateWatcher(seat, version: version, on: home.loop)
        home.add(watcher)
        let deadlineMs = Monotonic.nowMs() + limitMs
        while home.holds(seat), home.state(of: seat.account).version == version, Monotonic.nowMs() < deadlineMs {
            await watcher.wakeup.wait(forMs: deadlineMs - min(deadlineMs, Monotonic.nowMs()))
        }
        home.remove(watcher)
    }

    /// Waits for the outcome of a command of the seat's account, at most `limitMs` milliseconds. Nil: there is none yet. Throws
    /// `.sessionEnded` for a request whose seat has ended.
    package func outcome(
        of commandID: String,
        for seat: RealtimeSeat,
        forMs limitMs: UInt64
    ) async throws -> CommandEnd? {
        try await loops[place(of: seat.account)].run { [self] in try await awaitEnd(of: commandID, seat, limitMs) }
    }

    private func awaitEnd(of commandID: String, _ seat: RealtimeSeat, _ limitMs: UInt64) async throws -> CommandEnd? {
        guard let home = homes.current else { return nil }
        let awaited = AwaitedEnd(seat, commandID, on: home.loop)
        home.add(awaited)
        home.hint(seat.account, .commands)
        followUp(home)
        let deadlineMs = Monotonic.nowMs() + limitMs
        while awaited.end == nil, !home.hasEnded(seat), Monotonic.nowMs() < deadlineMs {
            await awaited.wakeup.wait(forMs: deadlineMs - min(deadlineMs, Monotonic.nowMs()))
        }
        home.remove(awaited)
        if awaited.end == nil, home.hasEnded(seat) { throw CloudSyncError.unauthenticated(.sessionEnded) }
        return awaited.end
    }
}

// MARK: Hints

extension RealtimeHub {
    /// Tells this server and the others that something of the account has changed. Call it after the commit.
    package func announce(_ kinds: HintKinds, of account: AccountID) {
        hints.add(account, kinds)
        hint(account, kinds)
    }

    /// Takes the hints of another server.
    package func take(_ batch: HintBatch) {
        if batch.isAll { sweepNow() }
        for (account, kinds) in batch.kinds { hint(account, kinds) }
    }

    /// The connection for hints has begun to listen, or was lost. What came while it did not listen was missed.
    package func busChanged(isConnected: Bool) {
        shared.isBusConnected.store(isConnected, ordering: .relaxed)
        if isConnected { sweepNow() }
    }

    /// A notification came back to this server after that time.
    package func noteBusRound(ns: UInt64) { bus.withLock { $0.add(ns) } }

    private func hint(_ account: AccountID, _ kinds: HintKinds) {
        guard shared.accounts.load(ordering: .relaxed) > 0 else { return }
        atHome(account) { $0.hint(account, kinds) }
    }

    private func sweepNow() {
        for index in loops.indices { onHome(index) { $0.sweepNow() } }
    }
}

// MARK: Work in the background

extension RealtimeHub {
    /// Begins to look each second for what has ended.
    package func start() {
        for loop in loops {
            loop.spawn { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    await loop.sleep(forMs: Self.tickMs)
                    follow { $0.tick() }
                }
            }
        }
        loops[0].spawn { [self] in
            while !isStopped.load(ordering: .relaxed) {
                await loops[0].sleep(forMs: Self.expireEveryMs)
                await expire()
            }
        }
    }

    /// Ends commands that no server waits for.
    func expire() async {
        let expire = RealtimeSQL.expire(.int(Self.expiredAtOnce))
        let found: [AccountID]? = await CallerDatabase(database).aside("overdue commands", expire)
        guard let ended = found, !ended.isEmpty else { return }
        noteExpiry.withLock { $0 }?(ended.count)
        for account in Set(ended) { announce(.commands, of: account) }
    }

    /// Deletes this server's rows, so that other servers show its devices no longer. Call it when its sockets are closed.
    package func stop() async {
        isStopped.store(true, ordering: .relaxed)
        let leave = RealtimeSQL.leave(.text(serverID))
        let left: [AccountID]? = await CallerDatabase(database).aside("end of connected devices", leave)
        for account in Set(left ?? []) { hints.add(account, .devices) }
    }

    /// What the hub holds and has seen.
    package func statistics() async -> RealtimeStatistics {
        var sum = RealtimeStatistics()
        for statistics in await homes.gather({ $0.statistics }) { sum.add(statistics) }
        sum.bus = bus.withLock { $0 }
        sum.isBusConnected = shared.isBusConnected.load(ordering: .relaxed)
        return sum
    }

    /// Reads hinted accounts until there are none: one round trip at a time.
    private func readAll() async {
        guard let home = homes.current else { return }
        while !isStopped.load(ordering: .relaxed), let batch = home.nextBatch() {
            do {
                let found = try await batch.refresh.run(in: database, as: serverID)
                home.take(found, batch)
                followUp(home)
                if home.hasReads, !batch.isFull { await home.loop.sleep(forMs: Self.gatherMs) }
            } catch {
                if home.failed(batch, error) { database.report(error, aside: "state of connected devices") }
                await home.loop.sleep(forMs: Self.retryMs)
            }
        }
        home.isReading = false
        if isStopped.load(ordering: .relaxed) { home.endReaders(Self.stopping) }
    }

    /// Writes due rows until there are none.
    private func writeRows() async {
        guard let home = homes.current else { return }
        while !isStopped.load(ordering: .relaxed), !home.rows.isEmpty {
            let rows = home.takeRows()
            do {
                try await write(rows)
                home.hasFailedRows = false
                // Not before the commit, and for other servers alone.
                for account in Set(rows.map(\.key.account)) { hints.add(account, .devices) }
                await home.loop.sleep(forMs: DeviceRows.batchEveryMs)
            } catch {
                if !home.hasFailedRows { database.report(error, aside: "rows of connected devices") }
                home.hasFailedRows = true
                home.putBack(rows.map(\.key))
                await home.loop.sleep(forMs: Self.retryMs)
            }
        }
        home.isWritingRows = false
    }

    private func write(_ rows: [(key: DeviceRows.Key, change: DeviceRows.Change)]) async throws {
        var written: [(key: DeviceRows.Key, states: [UInt8]?)] = []
        var deleted: [DeviceRows.Key] = []
        for (key, change) in rows {
            switch change {
            case .write(let states): written.append((key, states))
            case .delete: deleted.append(key)
            }
        }
        guard !rows.isEmpty else { return }
        _ = try await CallerDatabase(database).background(
            RealtimeSQL.writeRows(
                .uuids(written.map(\.key.account.text)),
                .texts(written.map(\.key.device)),
                .array(of: .text, written.map { $0.states?[...] }),
                .text(serverID)
            ),
            RealtimeSQL.deleteRows(
                .uuids(deleted.map(\.account.text)),
                .texts(deleted.map(\.device)),
                .text(serverID)
            )
        )
    }
}
