import Glibc
import Postgres

/// The deletion of rows that nothing needs any more. `all` is the table.
package struct Sweep: Sendable {
    /// The name in the log.
    package let name: String
    /// True if a clock that is ahead would delete rows that somebody may still need. Such a sweep needs a trusted clock.
    package let needsClock: Bool
    private let statements: [SweepStatement]

    private init(_ name: String, needsClock: Bool = true, _ statements: [SweepStatement]) {
        self.name = name
        self.needsClock = needsClock
        self.statements = statements
    }

    /// Deletes all due rows, some at a time. To be called now and then, on any number of servers. Returns the number of
    /// deleted rows. Throws `ClockDoubted`. A statement that reads some accounts at a time chooses them by `seconds`, a
    /// Unix time; nil: now.
    @discardableResult
    package func run(in database: Database, at seconds: Int? = nil) async throws -> Int {
        let (access, accounts) = (CallerDatabase(database), AccountRange(at: seconds ?? Int(time(nil))))
        var deleted = 0
        for statement in statements {
            var count = 0
            repeat {
                count = try await counts(of: statement.query(accounts), access).reduce(0, +)
                deleted += count
            } while count >= statement.againFrom
        }
        return deleted
    }

    private func counts(of query: BoundQuery<Int>, _ access: CallerDatabase) async throws -> [Int] {
        guard needsClock else { return try await access.background(query) }
        return try await access.sweep(query)
    }
}

/// A statement that deletes a limited number of rows, and returns their number.
private struct SweepStatement: Sendable {
    let query: @Sendable (AccountRange) -> BoundQuery<Int>
    /// The statement runs again after it has deleted at least so many rows.
    let againFrom: Int

    /// The limit of rows is the query's last parameter. A statement that skips locked rows of accounts may find fewer
    /// and still not be done: it goes on until there are none.
    init(_ query: Query<Int>, _ parameters: Parameter..., stepMax: Int = 1000, untilNone: Bool = false) {
        let bound = query(parameters + [Parameter.int(stepMax)])
        self.query = { _ in bound }
        againFrom = untilNone ? 1 : stepMax
    }

    init(once query: BoundQuery<Int>) {
        self.query = { _ in query }
        againFrom = .max
    }

    /// The lowest and the highest account of a run are the first parameters.
    init(byAccounts query: Query<Int>, stepMax: Int = 1000) {
        self.query = { accounts in query(.text(accounts.lowest), .text(accounts.highest), .int(stepMax)) }
        againFrom = stepMax
    }
}

extension Sweep {
    private static let accountEventsKeptDays = 400
    /// The lifetime of an unused session.
    private static let addressesKeptDays = 90

    /// Those whose number of deleted rows is not reported.
    package static let all: [Sweep] = [
        Sweep("old nonces", needsClock: false, [SweepStatement(once: nonces())]),
        // Also unfinished logins, and the digests of answered challenges.
        Sweep(
            "ended sessions",
            [ChallengeSQL.sweep, PasskeySQL.sweep, SessionSQL.sweepEnded].map { SweepStatement($0) }
                + [SweepStatement(byAccounts: SessionSQL.sweepUnused)]
        ),
        Sweep("used ID tokens", [SweepStatement(IdentitySQL.sweep)]),
        // Needed for minutes only.
        Sweep(
            "attempts",
            needsClock: false,
            [SweepStatement(AttemptSQL.sweep, .int(LimitedAttempt.Kind.longestSeconds))]
        ),
        Sweep("known addresses", [SweepStatement(AttemptSQL.sweepAddresses, .int(addressesKeptDays))]),
        // Also expired tokens, and registrations with unconfirmed addresses.
        Sweep("mails", MailSQL.sweep.map { SweepStatement($0) }),
        // Expired keys are ignored even before they are deleted.
        Sweep("old idempotency keys", [SweepStatement(idempotencyKeys, stepMax: 200, untilNone: true)]),
        // Of interrupted withdrawals, and of deleted accounts.
        Sweep(
            "events without consent",
            needsClock: false,
            [SweepStatement(erasures, stepMax: ConsentService.erasedAtOnce, untilNone: true)]
        ),
        Sweep("old crash reports", [SweepStatement(CrashReportSQL.sweep, .int(CrashReports.keptDays))]),
        Sweep(
            "old security events",
            [SweepStatement(AccountEventSQL.sweep, .int(accountEventsKeptDays), stepMax: 5000)]
        ),
        // A living server writes its rows again.
        Sweep("devices of stopped servers", needsClock: false, [SweepStatement(RealtimeSQL.sweepDevices)]),
        // Those whose servers are gone end first.
        Sweep("old commands", [SweepStatement(RealtimeSQL.sweepCommands)]),
    ]

    /// Ends expired uploads: their ids can be used again, the reserved room is free, and a job deletes the bytes.
    package static let expiredUploads = Sweep(
        "expired uploads",
        [SweepStatement(UploadSQL.sweep, stepMax: 200, untilNone: true)]
    )

    /// Empties the partition of expired nonces. To be run more often than every 15 minutes.
    private static let nonces = Query("SELECT sweep_nonces()") { columns throws(UnexpectedResult) -> Int in
        columns.skip()
        return 0
    }

    /// $1 limit of rows.
    private static let idempotencyKeys = Query("SELECT sweep_idempotency_keys($1)") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }

    /// Returns 1 if it has erased some events of one account. $1 limit of events.
    private static let erasures = Query("SELECT sweep_erasures($1)::int") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }
}
