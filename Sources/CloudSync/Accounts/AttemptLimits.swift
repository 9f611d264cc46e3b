import NeuroViewsCrypto
import Postgres
import Tracing

/// Limits of password guesses and registrations. PostgreSQL counts them for all servers together. Other requests are
/// not affected.
package struct AttemptLimits: Sendable {
    private let database: CallerDatabase
    private let keys: KeyRing
    private var secret: Parameter { .bytes(keys.current.attemptKey) }
    private let maxima: Maxima

    /// The limits; 0 means unlimited.
    package struct Maxima: Sendable, Equatable {
        /// Failed logins of an account, from all unknown devices and addresses together.
        package var login = 10
        /// Failed logins of an account from a device of earlier logins, and wrong passwords within a session.
        package var device = 20
        /// Failed logins of an account from an address of earlier logins.
        package var knownAddress = 20
        /// Failed logins from an address.
        package var address = 100
        /// Logins of an account by a passkey alone. Such a login is checked before it counts, so it is no guess; each
        /// costs little.
        package var passkeyLogins = 100
        /// Registrations from an address; requests for resets have the same limit.
        package var registrations = 100

        /// Takes the defaults.
        package init() {}
    }

    /// Counts in `database`. Servers with the same master key count together.
    package init(database: Database, keys: KeyRing, maxima: Maxima = Maxima()) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.maxima = maxima
    }

    /// Runs `body` if the attempt is within its limits, and throws `.rateLimited` otherwise. `isKnown` is true for a
    /// login from a device or an address of earlier logins. The attempt counts from before `body`, so that parallel
    /// attempts can't exceed a limit. It is released if it failed for other reasons than its own, and if a guess was
    /// right.
    package func passing<T>(
        _ attempt: LimitedAttempt,
        record: RequestRecord? = nil,
        _ body: (_ isKnown: Bool) async throws -> T
    ) async throws -> T {
        let reserved = try await reserve(attempt, record)
        let isKnown = reserved?.isKnown ?? false
        guard let id = reserved?.id else { return try await body(isKnown) }
        do {
            let value = try await body(isKnown)
            if attempt.kind.isGivenBackOnSuccess { await release(id, record) }
            return value
        } catch {
            if !Self.counts(error) { await release(id, record) }
            throw error
        }
    }

    /// Returns false for errors that are not the attempt's fault: the server could not do it, or its form was invalid.
    private static func counts(_ error: any Error) -> Bool {
        switch error as? CloudSyncError {
        // `.unauthenticated`: the password was right. A password of an unconfirmed registration counts, since anybody
        // can register.
        case nil, .problem(.overloaded), .databaseUnavailable, .providerUnavailable, .invalid, .unauthenticated: false
        default: true
        }
    }

    /// Nil without a limit.
    private func reserve(_ attempt: LimitedAttempt, _ record: RequestRecord?) async throws -> AttemptSQL.Outcome? {
        guard let query = AttemptSQL.reserve(attempt, secret, maxima) else { return nil }
        let outcome = try await database.background(query, record: record).first
        if let limit = outcome?.reached {
            let waitSeconds = outcome?.waitSeconds ?? attempt.kind.windowSeconds
            throw CloudSyncError.rateLimited(ReachedLimit(attempt.kind, limit: limit, waitSeconds: waitSeconds))
        }
        return outcome
    }

    /// If the release fails, the attempt counts until it expires.
    private func release(_ id: String, _ record: RequestRecord?) async {
        _ = await database.aside("release of an attempt", AttemptSQL.release(.text(id)), record: record)
    }
}
