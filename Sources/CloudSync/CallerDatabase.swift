import Net
import Postgres

/// The database as services use it: a transaction belongs to a caller, or runs in the background role. Nothing else reaches the tables.
/// Errors that a caller can act on are thrown as `CloudSyncError`.
public struct CallerDatabase: Sendable {
    private let database: Database

    /// Runs transactions in `database`.
    public init(_ database: Database) { self.database = database }

    /// Runs queries that only read, as one transaction of the caller's. A later one may see more than those before it (READ COMMITTED).
    func read<each Value>(
        for caller: Caller,
        _ queries: repeat BoundQuery<each Value>
    ) async throws -> (repeat [each Value]) {
        var steps = [caller.enter]
        repeat steps.append((each queries).step)
        var results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.read(steps, record: caller.record)
        }.dropFirst()
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    /// Reads rows where libpq keeps them, for answers too large to copy.
    func readRows(for caller: Caller, _ step: Step) async throws -> Rows {
        try await readRows(for: caller, then: step).rows
    }

    /// The same behind queries. Each statement sees what is committed when it begins: a later one may see more, never less.
    func readRows<each Value>(
        for caller: Caller,
        _ queries: repeat BoundQuery<each Value>,
        then step: Step
    ) async throws -> (values: (repeat [each Value]), rows: Rows) {
        var steps = [caller.enter]
        repeat steps.append((each queries).step)
        steps.append(step)
        let results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.read(steps, record: caller.record)
        }
        var values = results.dropFirst()
        return ((repeat try (each queries).values(of: values.removeFirst())), values.removeFirst())
    }

    /// Runs queries as one transaction of the caller's, on a connection of its own. Spends the nonce of a signed request, unless an
    /// earlier transaction of the request has. Without a query it does only that. `locks` run before the session is checked.
    func write<each Value>(
        for caller: Caller,
        locking locks: [Step] = [],
        _ queries: repeat BoundQuery<each Value>
    ) async throws -> (repeat [each Value]) {
        var steps = locks + [caller.enterSpendingNonce()]
        let count = steps.count
        repeat steps.append((each queries).step)
        var results = try await transaction { [steps] () throws(DatabaseError) in
            do throws(DatabaseError) {
                return try await database.write(steps, key: caller.userID, record: caller.record)
            } catch {
                if case .refused = error { caller.keepNonce() }
                throw error
            }
        }.dropFirst(count)
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    /// Runs a transaction of several round trips of the caller's, on a connection of its own. Spends the nonce as `write` does. What is not
    /// committed is undone.
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

    /// The same in the background role, for no caller. Its statements name the user whose rows they change.
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

    /// Runs a step that no answer waits for long, and behind none of the caller's writes. Each of its locks is waited for so long at most.
    /// It is not noted in the request's record: the request may be answered by then.
    func note(_ step: Step, for caller: Caller, lockTimeoutMs: Int) async throws {
        let steps = [Self.limitLockWait(.int(lockTimeoutMs)), caller.enter, step]
        _ = try await transaction { () throws(DatabaseError) in
            try await database.write(steps, key: "note \(caller.userID)")
        }
    }

    /// Runs queries as one transaction in the background role, for no caller: login, sweeps.
    func background<each Value>(
        _ queries: repeat BoundQuery<each Value>,
        record: RequestRecord? = nil
    ) async throws -> (repeat [each Value]) {
        var steps: [Step] = []
        repeat steps.append((each queries).step)
        var results = try await transaction { [steps] () throws(DatabaseError) in
            try await database.background(steps, record: record)
        }[...]
        return (repeat try (each queries).values(of: results.removeFirst()))
    }

    private static let limitLockWait = Statement("SELECT limit_lock_wait($1)")

    private func transaction<T>(_ body: () async throws(DatabaseError) -> T) async throws -> T {
        try await CloudSync.database(body)
    }
}

/// A transaction of a caller's, which its first statements enter; or of nobody's.
///
/// `@unchecked Sendable`: used by its body alone, which runs one thing after the other.
final class CallerTransaction: @unchecked Sendable {
    private let transaction: Transaction
    private let caller: Caller?
    private var hasEntered = false
    private(set) var isCommitted = false

    fileprivate init(_ transaction: Transaction, _ caller: Caller?) {
        self.transaction = transaction
        self.caller = caller
    }

    /// Runs queries. The transaction stays open, with its locks.
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

    /// An undone transaction has not spent the nonce.
    private func perform(
        _ steps: [Step],
        _ send: ([Step]) async throws(DatabaseError) -> [Rows]
    ) async throws(DatabaseError) -> [Rows] {
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
