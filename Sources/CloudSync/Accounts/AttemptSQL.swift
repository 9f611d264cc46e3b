import Net
import Postgres

/// The calls of Migrations/functions/attempts.sql.
enum AttemptSQL {
    /// An attempt that was counted has an id, one that was not has the limit that is reached and the seconds until there is room. A login of a
    /// device or from an address that the account has logged in from is known.
    typealias Outcome = (id: String?, reached: Int?, waitSeconds: Int?, isKnown: Bool)

    /// Nil when nothing limits attempts of the kind.
    static func reserve(
        _ attempt: LimitedAttempt,
        _ secret: Parameter,
        _ maxima: AttemptLimits.Maxima
    ) -> BoundQuery<Outcome>? {
        let window = Parameter.int(attempt.kind.windowSeconds)
        switch attempt {
        case .login(let login):
            let limits = [maxima.login, maxima.device, maxima.knownAddress, maxima.address]
            guard limits.contains(where: { $0 > 0 }) else { return nil }
            let (email, device) = (Parameter.text(login.email), Parameter.text(login.deviceID))
            let numbers = Parameter.ints(limits.map { Int32(clamping: $0) })
            let place = Parameter.text(login.address?.subscriber.description)
            return reserveLogin(secret, email, device, place, numbers, window)
        case .idToken(let address):
            guard maxima.address > 0 else { return nil }
            // As `reserve_login` counts a stranger's guess.
            let place = Parameter.text(address?.subscriber.description ?? "none")
            return reserveOne(secret, .text("address"), place, .int(maxima.address), window)
        case .passwordCheck(let session):
            return one(secret, attempt.kind, session, maxima.device)
        case .passkeyLogin(let userID): return one(secret, attempt.kind, userID, maxima.passkeyLogins)
        case .registration(let address), .reset(let address):
            // Clients behind a Unix socket without a trusted proxy can't be told apart: they count as one.
            // Each leaves a row for all servers to carry, so whole sites count as one.
            return one(secret, attempt.kind, address?.site.description ?? "none", maxima.registrations)
        }
    }

    private static func one(
        _ secret: Parameter,
        _ kind: LimitedAttempt.Kind,
        _ subject: String,
        _ limit: Int
    ) -> BoundQuery<Outcome>? {
        guard limit > 0 else { return nil }
        return reserveOne(secret, .text(kind.rawValue), .text(subject), .int(limit), .int(kind.windowSeconds))
    }

    private static let reserveLogin = Query(
        "SELECT attempt, reached, wait_seconds, is_known FROM reserve_login($1::bytea, $2, $3, $4::inet, $5::int[], $6)",
        outcome
    )

    private static let reserveOne = Query(
        "SELECT attempt, reached, wait_seconds, false FROM reserve_one($1::bytea, $2, $3, $4, $5)",
        outcome
    )

    @Sendable
    private static func outcome(_ columns: inout Columns) throws(UnexpectedResult) -> Outcome {
        (try columns.next(), try columns.next(), try columns.next(), try columns.next())
    }

    /// $1 is the attempt.
    static let release = Query("SELECT release_attempt($1)")

    /// $1 the longest that an attempt counts, in seconds, $2 rows.
    static let sweep = Query("SELECT sweep_attempts($1, $2)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }

    /// $1 days, $2 rows.
    static let sweepAddresses = Query("SELECT sweep_known_addresses($1, $2)") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }
}
