import Crypto
import JSONSchema
import Net
import Postgres

/// Accounts and their sessions.
public struct AccountService: Sendable {
    let database: CallerDatabase
    let keys: KeyRing
    /// One thread: a storm of logins waits for itself and slows nobody else.
    let hashing: BlockingPool
    let limits: AttemptLimits
    let settings: Settings

    /// What an operator may set.
    public struct Settings: Sendable {
        /// Whether anybody may register.
        public var allowsRegistration: Bool
        /// How long a token is good, in seconds.
        public var tokenLifetimeSeconds: Int
        /// Unix seconds.
        public var now: @Sendable () -> Int

        /// Takes the values.
        public init(allowsRegistration: Bool, tokenLifetimeSeconds: Int, now: @escaping @Sendable () -> Int) {
            self.allowsRegistration = allowsRegistration
            self.tokenLifetimeSeconds = tokenLifetimeSeconds
            self.now = now
        }
    }

    /// Keeps accounts in `database`; passwords are hashed on `hashing`.
    public init(
        database: Database,
        keys: KeyRing,
        hashing: BlockingPool,
        limits: AttemptLimits,
        settings: Settings
    ) {
        self.database = CallerDatabase(database)
        self.keys = keys
        self.hashing = hashing
        self.limits = limits
        self.settings = settings
    }

    /// Opens an account for whoever asks, from this address. Throws `.registrationClosed`, `.emailTaken`, `.rateLimited`.
    public func register(
        email: String,
        password: String,
        from address: IPAddress?,
        record: RequestRecord? = nil
    ) async throws -> User {
        guard settings.allowsRegistration else { throw CloudSyncError.registrationClosed }
        return try await limits.passing(.registration(address), record: record) {
            try await add(email: email, password: password, by: nil, record: record)
        }
    }

    /// Opens an account in an operator's name, which the trail keeps. Throws `.invalid`, `.emailTaken`.
    public func add(
        email: String,
        password: String,
        by operatorName: String?,
        record: RequestRecord? = nil
    ) async throws -> User {
        guard Format.email.accepts(email) else {
            let detail = "must be \(Format.email.phrase)"
            throw CloudSyncError.invalid([Violation(pointer: "/email", keyword: "format", detail: detail)])
        }
        let hash = try await hashed(record) { try PasswordHash.hash(Array(password.utf8)) }
        let users = try await database.background(
            AccountSQL.register(.text(email), .text(hash), .text(operatorName)),
            record: record
        )
        guard let user = users.first else { throw CloudSyncError.emailTaken }
        return user
    }
}

extension AccountService {
    /// Runs `work` on the hashing thread.
    func hashed<T: Sendable>(
        _ record: RequestRecord?,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        let startedNs = Monotonic.nowNs()
        defer { record?.times.hashingNs += Monotonic.nowNs() - startedNs }
        do {
            return try await hashing.run(work)
        } catch is BlockingPool.Full {
            throw CloudSyncError.overloaded
        }
    }

    /// A token of the session with this rotation counter.
    func token(userID: String, sessionID: String, counter: Int, keyID: String) throws -> Token {
        let now = settings.now()
        let expiry = now + settings.tokenLifetimeSeconds
        let claims = try TokenClaims(
            sessionID: sessionID,
            userID: userID,
            counter: counter,
            issuedAt: now,
            expiresAt: expiry
        )
        return Token(text: try keys.tokens.sign(claims, kid: keyID), expiresAt: Timestamp(seconds: expiry).text)
    }
}
