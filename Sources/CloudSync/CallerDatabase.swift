import Postgres
import Tracing

/// The services' access to the database, and the only one to the tables. A transaction belongs to a caller, or runs in
/// the background role. Errors that a caller can act on are thrown as `CloudSyncError`. Every statement of a caller
/// names the caller's account: see `NamedAccount`.
package struct CallerDatabase: Sendable {
    private let database: Database

    /// Runs transactions in `database`.
    package init(_ database: Database) { self.database = database }

    /// Runs queries that only read in one transaction of the caller. A later query may see more than an earlier one
    /// (READ COMMITTED). Accounts take turns. A read that grows with the account's data goes on the large lane.
    func read<each Value>(
        for caller: Caller,
        on lane: ReadLane = .small,
        _ queries: repeat BoundQuery<each Value>
    ) async throws -> (repeat [each Value]) {
        var steps = [caller.enter]
        repeat steps.append((each queries).step)
        try NamedAccount.require(in: steps, of: caller)
        var results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.read(steps, on: lane, share: caller.userID, record: caller.record)
        }.dropFirst()
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    /// Reads one row of the caller. Throws `.notFound` without one.
    func readOne<Value>(for caller: Caller, _ query: BoundQuery<Value>) async throws -> Value {
        guard let value = try await read(for: caller, query).first else { throw CloudSyncError.problem(.notFound) }
        return value
    }

    /// Reads rows without copying them out of libpq, for large responses.
    func readRows(for caller: Caller, on lane: ReadLane, _ step: Step) async throws -> Rows {
        try await readRows(for: caller, on: lane, then: step).rows
    }

    /// Runs queries first, then reads rows. Each statement sees the commits before its start, so a later one never sees
    /// less.
    func readRows<each Value>(
        for caller: Caller,
        on lane: ReadLane,
        _ queries: repeat BoundQuery<each Value>,
        then step: Step
    ) async throws -> (values: (repeat [each Value]), rows: Rows) {
        var steps = [caller.enter]
        repeat steps.append((each queries).step)
        steps.append(step)
        try NamedAccount.require(in: steps, of: caller)
        let results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.read(steps, on: lane, share: caller.userID, record: caller.record)
        }
        var values = results.dropFirst()
        return ((repeat try (each queries).values(of: values.removeFirst())), values.removeFirst())
    }

    /// Runs queries in one transaction of the caller, on a connection of its own. Spends the nonce of a signed request,
    /// unless it was spent earlier; without a query, does only that. `locks` run before the session check.
    ///
    /// A request that lacks a confirmation spends its nonce all the same, so nobody can send it again after the
    /// confirmation.
    func write<each Value>(
        for caller: Caller,
        locking locks: [Step] = [],
        _ queries: repeat BoundQuery<each Value>
    ) async throws -> (repeat [each Value]) {
        let isSpending = caller.hasNonce
        var steps = locks + [caller.enterSpendingNonce()]
        let count = steps.count
        repeat steps.append((each queries).step)
        try NamedAccount.require(in: steps, of: caller)
        do {
            var results = try await transaction { [steps] () throws(DatabaseError) in
                do throws(DatabaseError) {
                    return try await database.write(steps, key: caller.userID, record: caller.record)
                } catch {
                    if case .refused = error, isSpending { caller.keepNonce() }
                    throw error
                }
            }.dropFirst(count)
            return (repeat try (each queries).values(of: results.removeFirst()))
        } catch CloudSyncError.problem(.confirmationRequired) {
            try await write(for: caller)
            throw CloudSyncError.problem(.confirmationRequired)
        }
    }

    /// Runs a transaction of several round trips for the caller, on a connection of its own. Spends the nonce as
    /// `write` does. Rolls back if `body` does not commit.
    func transaction<T: Sendable>(
        for caller: Caller,
        _ body: @escaping @Sendable (CallerTransaction) async throws -> T
    ) async throws -> T {
        do {
            return try await database.transaction(as: .application, key: caller.userID, record: caller.record) {
                let own = CallerTransaction($0, caller)
                do {
                    return try await body(own)
                } catch {
                    if !(error is DatabaseError), !own.isCommitted { caller.keepNonce() }
                    throw error
                }
            }
        } catch let error as DatabaseError {
            throw CloudSyncError(error) ?? error
        }
    }

    /// Runs a transaction in the background role, without a caller. Its statements name the user whose rows they
    /// change.
    func backgroundTransaction<T: Sendable>(
        key: String,
        _ body: @escaping @Sendable (CallerTransaction) async throws -> T
    ) async throws -> T {
        do {
            return try await database.transaction(as: .background, key: key) {
                try await body(CallerTransaction($0, nil))
            }
        } catch let error as DatabaseError {
            throw CloudSyncError(error) ?? error
        }
    }

    /// Runs a step that must delay neither its response nor the caller's writes. `lockTimeoutMs` limits the wait for
    /// each lock. The request's record does not count it, since the response may already be sent.
    func note(_ step: Step, for caller: Caller, lockTimeoutMs: Int) async throws {
        let steps = [Self.limitLockWait(.int(lockTimeoutMs)), caller.enter, step]
        try NamedAccount.require(in: steps, of: caller)
        _ = try await transaction { () throws(DatabaseError) in
            try await database.write(steps, key: "note \(caller.userID)")
        }
    }

    /// Runs queries in one transaction in the background role, without a caller: login, sweeps. The accounts of requests take turns, strangers by
    /// their site, and the server's own work is one share. `share` is for a request whose record has neither account nor address.
    func background<each Value>(
        _ queries: repeat BoundQuery<each Value>,
        share: String? = nil,
        record: RequestRecord? = nil
    ) async throws -> (repeat [each Value]) {
        var steps: [Step] = []
        repeat steps.append((each queries).step)
        var results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.background(steps, share: share ?? record?.share, record: record)
        }[...]
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    /// Runs queries in the background role that no response depends on. Reports their error, and returns nil then.
    /// `purpose` names the queries in the log.
    func aside<each Value>(
        _ purpose: String,
        _ queries: repeat BoundQuery<each Value>,
        record: RequestRecord? = nil
    ) async -> (repeat [each Value])? {
        do {
            let results: (repeat [each Value]) = try await background(repeat each queries, record: record)
            return results
        } catch {
            database.report(error, aside: purpose)
            return nil
        }
    }

    private static let limitLockWait = Statement("SELECT limit_lock_wait($1)")

    private func transaction<T>(_ body: () async throws(DatabaseError) -> T) async throws -> T {
        try await CloudSync.database(body)
    }
}

/// A transaction of a caller, or of the background role. For a caller, the first statements include `Caller.enter`.
///
/// `@unchecked Sendable`: only its body uses it, and runs one call after the other.
final class CallerTransaction: @unchecked Sendable {
    private let transaction: Transaction
    private let caller: Caller?
    private var hasEntered = false
    private(set) var isCommitted = false

    fileprivate init(_ transaction: Transaction, _ caller: Caller?) {
        self.transaction = transaction
        self.caller = caller
    }

    /// Runs queries. The transaction and its locks stay open.
    func run<each Value>(_ queries: repeat BoundQuery<each Value>) async throws -> (repeat [each Value]) {
        var steps: [Step] = []
        repeat steps.append((each queries).step)
        var results = try await perform(steps) { [transaction] steps throws(DatabaseError) in
            try await transaction.run(steps)
        }[...]
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    /// Runs the last steps and commits.
    func commit(_ steps: [Step]) async throws {
        _ = try await perform(steps) { [transaction] steps throws(DatabaseError) in
            try await transaction.commit(steps)
        }
        isCommitted = true
    }

    /// A transaction that was rolled back has not spent the nonce.
    private func perform(
        _ steps: [Step],
        _ send: ([Step]) async throws(DatabaseError) -> [Rows]
    ) async throws -> [Rows] {
        if let caller { try NamedAccount.require(in: steps, of: caller) }
        let enter = hasEntered ? [] : caller.map { [$0.enterSpendingNonce()] } ?? []
        do throws(DatabaseError) {
            let results = try await send(enter + steps)
            hasEntered = true
            return Array(results.dropFirst(enter.count))
        } catch {
            if case .refused = error { caller?.keepNonce() }
            throw error
        }
    }
}

extension RequestRecord {
    /// Who takes turns with others: the account, or the site of a stranger.
    fileprivate var share: String? { account ?? client?.site.description }
}
