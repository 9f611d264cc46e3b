import Crypto
import Net
import Postgres

/// Limits on guesses of passwords and on registrations, counted in PostgreSQL by all servers together. Requests that try nothing know nothing
/// of them.
public struct AttemptLimits: Sendable {
    private let database: CallerDatabase
    private let keys: KeyRing
    private var secret: Parameter { .bytes(keys.current.attemptKey) }
    private let maxima: Maxima

    /// How many attempts pass; 0: any number.
    public struct Maxima: Sendable {
        /// Failed logins of an account, from all unknown devices and addresses together.
        public var login = 10
        /// Failed logins of an account from a device that it has logged in from, and wrong passwords within a session.
        public var device = 20
        /// Failed logins of an account from an address that it has logged in from.
        public var knownAddress = 20
        /// Failed logins from an address.
        public var address = 100
        /// Logins of an account by a passkey alone. Each costs little, and is checked before it counts: it is no guess.
        public var passkeyLogins = 100
        /// Registrations from an address, and as many requests for resets.
        public var registrations = 100

        /// The usual ones.
        public init() {}
    }

    /// Counts in `database`. Servers with the same master key count together.
    public init(database: Database, keys: KeyRing, maxima: Maxima = Maxima()) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.maxima = maxima
    }

    /// Runs `body` when the attempt is within its limits, and throws `.rateLimited` otherwise. `body` is told whether it is a login from a
    /// device or an address that the account has logged in from. The attempt counts from before `body` begins, so
    /// that a thousand at once are no more than a thousand in turn. One that comes to nothing for another reason than its own is given
    /// back, and so is a guess that was right.
    public func passing<T>(
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

    /// Whether an attempt that ended so was one: not when the server could not do it, or did not accept the form of it.
    private static func counts(_ error: any Error) -> Bool {
        switch error as? CloudSyncError {
        // Not authenticated: the password was right. One that opens no account counts, since anybody can register one.
        case nil, .overloaded, .databaseUnavailable, .providerUnavailable, .invalid, .unauthenticated: false
        default: true
        }
    }

    /// Nil when nothing limits it.
    private func reserve(_ attempt: LimitedAttempt, _ record: RequestRecord?) async throws -> AttemptSQL.Outcome? {
        guard let query = AttemptSQL.reserve(attempt, secret, maxima) else { return nil }
        let outcome = try await database.background(query, record: record).first
        if let limit = outcome?.reached {
            let waitSeconds = outcome?.waitSeconds ?? attempt.kind.windowSeconds
            throw CloudSyncError.rateLimited(ReachedLimit(attempt.kind, limit: limit, waitSeconds: waitSeconds))
        }
        return outcome
    }

    /// One that can't be given back counts until its time is over.
    private func release(_ id: String, _ record: RequestRecord?) async {
        _ = try? await database.background(AttemptSQL.release(.text(id)), record: record)
    }
}
