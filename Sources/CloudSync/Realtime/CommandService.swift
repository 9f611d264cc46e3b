import Net
import Postgres
import Synchronization

/// Commands between the devices of an account. Each is a row: it is delivered at most once, and its first outcome counts on every server.
package final class CommandService: Sendable {
    /// The limit of open commands of an account.
    static let openMax = 16
    /// The time for open commands when the server stops.
    private static let stopMs: UInt64 = 2000

    private struct Open: Hashable {
        let account: AccountID
        let id: String
    }

    private let database: CallerDatabase
    private let hub: RealtimeHub
    private let counts: RealtimeCounts
    private let isStopping = Atomic(false)
    /// The commands that requests and sockets of this server wait for.
    private let open = Locked<[Open: Int]>([:])
    /// The reports of each account that are being stored.
    private let reports = Locked<[AccountID: Int]>([:])

    /// Stores commands in `database`. `hub` delivers them.
    package init(database: Database, hub: RealtimeHub, counts: RealtimeCounts) {
        self.database = CallerDatabase(database)
        self.hub = hub
        self.counts = counts
        hub.whenDelivered { [weak self] command, delivery in self?.note(command, delivery) }
        hub.whenExpired { counts.addOutcome(CommandOutcome.timeout, $0) }
    }

    /// Checks the caller's session. `spendsNonce`: a signed request opens a channel, so it can't be replayed.
    package func enter(_ caller: Caller, spendsNonce: Bool) async throws {
        if spendsNonce {
            try await database.write(for: caller)
        } else {
            try await database.read(for: caller)
        }
    }

    /// Sends a command and waits for its outcome, until the deadline. The same `id` with the same content gets the outcome of the first.
    /// `sender` is the name of the seat's device. Throws `.ambiguousTarget`, `.commandReused`, `.rateLimited`, `.overloaded`, and
    /// `.sessionEnded` for a request whose seat has ended.
    package func send(
        _ command: RemoteCommand,
        from seat: RealtimeSeat,
        named sender: String,
        for caller: Caller
    ) async throws -> CommandOutcome {
        guard !isStopping.load(ordering: .relaxed) else { throw CloudSyncError.problem(.overloaded) }
        let waited = Open(account: seat.account, id: command.id)
        open.withLock { $0[waited, default: 0] += 1 }
        defer { leave(waited) }
        let devices = await hub.state(for: seat).devices
        let found: FoundCommand
        switch CommandTarget.of(command, from: sender, among: devices) {
        case .several(let names):
            // It may be a retry, and the devices others than before. A refusal spends the nonce, too: the request can't be replayed.
            let known = try await database.write(for: caller, find(command, of: caller))
            guard let first = known.first else { throw CloudSyncError.ambiguousTarget(names: names) }
            found = first
        case .device(let name, let serverID):
            found = try await insert(command, sender, (name, serverID), outcome: nil, seat, caller)
        case .absent(let name):
            found = try await insert(
                command,
                sender,
                (name, hub.serverID),
                outcome: CommandOutcome.unreachable,
                seat,
                caller
            )
        }
        return try await outcome(of: command, found, seat)
    }

    /// Records a device's report. Without effect for a command that has ended, or that another device got. Returns false if the account
    /// has as many reports under way as it may have open commands: the database is slow, and nothing may pile up. Throws if the report
    /// was not stored.
    package func end(_ result: CommandResult, by device: String, of account: AccountID) async throws -> Bool {
        let hasRoom = reports.withLock { reports in
            guard reports[account, default: 0] < Self.openMax else { return false }
            reports[account, default: 0] += 1
            return true
        }
        guard hasRoom else { return false }
        defer { leaveReport(of: account) }
        try await end(account, result.replyTo, result.status, result.details, by: device)
        return true
    }

    private func leaveReport(of account: AccountID) {
        reports.withLock { reports in
            reports[account, default: 1] -= 1
            if reports[account] == 0 { reports[account] = nil }
        }
    }

    /// Refuses further commands. Open ones end soon.
    package func stop(on loop: EventLoop) {
        isStopping.store(true, ordering: .relaxed)
        loop.spawn { [self] in
            await loop.sleep(forMs: Self.stopMs)
            for command in open.withLock({ Array($0.keys) }) {
                _ = try? await end(command.account, command.id, CommandOutcome.timeout, nil, by: nil)
            }
        }
    }

    private func leave(_ waited: Open) {
        open.withLock { open in
            open[waited, default: 1] -= 1
            if open[waited] == 0 { open[waited] = nil }
        }
    }
}

extension CommandService {
    private func find(_ command: RemoteCommand, of caller: Caller) -> BoundQuery<FoundCommand> {
        CommandSQL.find(.text(caller.userID), .text(command.id), .bytes(command.digest))
    }

    /// Inserts the row unless it is there, and returns it. With an outcome nothing is delivered.
    private func insert(
        _ command: RemoteCommand,
        _ sender: String,
        _ target: (name: String?, serverID: String),
        outcome: String?,
        _ seat: RealtimeSeat,
        _ caller: Caller
    ) async throws -> FoundCommand {
        let user = Parameter.text(caller.userID)
        let insert = CommandSQL.insert(
            user,
            .text(command.id),
            .bytes(command.digest),
            .text(sender),
            .text(target.name),
            .text(target.serverID),
            .int(command.timeoutMs),
            outcome == nil ? .utf8(command.data[...]) : .null,
            .text(outcome),
            .int(Self.openMax)
        )
        let (_, inserted, found) = try await database.write(
            for: caller,
            SyncSQL.lockConfigurationsHead(user),
            insert,
            find(command, of: caller)
        )
        guard let row = found.first else {
            throw CloudSyncError.rateLimited(
                ReachedLimit("commands", windowSeconds: 30, limit: Self.openMax, waitSeconds: 1)
            )
        }
        if !inserted.isEmpty {
            if let outcome { counts.addOutcome(outcome) } else { hub.announce(.commands, of: seat.account) }
        }
        return row
    }

    private func outcome(
        of command: RemoteCommand,
        _ found: FoundCommand,
        _ seat: RealtimeSeat
    ) async throws -> CommandOutcome {
        guard found.isSame else { throw CloudSyncError.commandReused }
        if let outcome = found.outcome {
            return CommandOutcome(id: command.id, status: outcome, details: found.result)
        }
        let waitMs = UInt64(max(0, found.remainingMs))
        if let end = try await hub.outcome(of: command.id, for: seat, forMs: waitMs) {
            return CommandOutcome(id: command.id, status: end.outcome, details: end.result)
        }
        return try await end(seat.account, command.id, CommandOutcome.timeout, nil, by: nil)
    }

    /// Ends a command unless it has ended, and returns its outcome.
    @discardableResult
    private func end(
        _ account: AccountID,
        _ id: String,
        _ outcome: String,
        _ details: [UInt8]?,
        by device: String?
    ) async throws -> CommandOutcome {
        let user = Parameter.text(account.text)
        let result = details.map { Parameter.utf8($0[...]) } ?? .null
        let (ended, found) = try await database.background(
            CommandSQL.end(user, .text(id), .text(outcome), result, .text(device)),
            CommandSQL.find(user, .text(id), .bytes([])),
            share: account.text
        )
        if !ended.isEmpty {
            counts.addOutcome(outcome)
            hub.announce(.commands, of: account)
        }
        // Only an erased account, and a row that a crash has lost, have none.
        return CommandOutcome(
            id: id,
            status: found.first?.outcome ?? outcome,
            details: found.first?.result
        )
    }

    /// Called on a loop, which must not wait.
    private func note(_ command: OpenCommand, _ delivery: CommandDelivery) {
        let outcome: String
        switch delivery {
        case .written(speaksV2: true): return
        case .written(speaksV2: false): outcome = CommandOutcome.delivered
        case .unreachable: outcome = CommandOutcome.unreachable
        }
        EventLoop.current?.spawn { [self] in
            _ = try? await end(command.account, command.id, outcome, nil, by: nil)
        }
    }
}
