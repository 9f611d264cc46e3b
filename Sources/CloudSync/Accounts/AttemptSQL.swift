import Net
import Postgres

/// The calls of Migrations/functions/attempts.sql.
enum AttemptSQL {
    /// A counted attempt has an id. A rejected one has the reached limit and the seconds until there is room.
    /// `isKnown`: a login from a device or an address of earlier logins.
    typealias Outcome = (id: String?, reached: Int?, waitSeconds: Int?, isKnown: Bool)

    /// Nil if attempts of the kind are unlimited.
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
            // The same counter as for failed logins of unknown clients in `reserve_login`.
            let place = Parameter.text(address?.subscriber.description ?? "none")
            return reserveOne(secret, .text("address"), place, .int(maxima.address), window)
        case .passwordCheck(let session):
            return one(secret, attempt.kind, session, maxima.device)
        case .passkeyLogin(let userID): return one(secret, attempt.kind, userID, maxima.passkeyLogins)
        case .registration(let address), .reset(let address):
            // All clients behind a Unix socket without a trusted proxy count as one. Each attempt leaves a row, so a
            // whole site counts as one, too.
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

    /// $1 the longest time that an attempt counts, in seconds, $2 limit of rows.
    static let sweep = Query("SELECT sweep_attempts($1, $2)") { columns throws(UnexpectedResult) -> Int in
        try columns.next()
    }

    /// $1 days, $2 limit of rows.
    static let sweepAddresses = Query("SELECT sweep_known_addresses($1, $2)") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }
}
