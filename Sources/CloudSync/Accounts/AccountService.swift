import Credentials
import Crypto
import Net
import Postgres

/// Accounts and their sessions.
public struct AccountService: Sendable {
    let database: CallerDatabase
    let keys: KeyRing
    /// One thread, for its clients in turn: a storm of logins waits for itself and slows nobody else.
    let hashing: BlockingPool
    let limits: AttemptLimits
    let settings: Settings

    /// What an operator may set.
    public struct Settings: Sendable {
        /// Who may register.
        public var registration: RegistrationPolicy
        /// What new passwords must be.
        public var passwords: PasswordRules
        /// How long a token is good, in seconds.
        public var tokenLifetimeSeconds: Int
        /// Unix seconds.
        public var now: @Sendable () -> Int
        /// Whose ID tokens are accepted.
        public var providers = OpenIDProviders()
        /// Called when a mail may be due; nil where no mail can be sent.
        public var wakeMails: (@Sendable () -> Void)?
        /// Whom passkeys know; nil where there are none.
        public var relyingParty: RelyingParty?

        /// Takes the values.
        public init(
            registration: RegistrationPolicy,
            passwords: PasswordRules = PasswordRules(),
            tokenLifetimeSeconds: Int,
            now: @escaping @Sendable () -> Int,
            wakeMails: (@Sendable () -> Void)? = nil,
            relyingParty: RelyingParty? = nil
        ) {
            self.registration = registration
            self.passwords = passwords
            self.tokenLifetimeSeconds = tokenLifetimeSeconds
            self.now = now
            self.wakeMails = wakeMails
            self.relyingParty = relyingParty
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
}

extension AccountService {
    /// Runs `work` on the hashing thread, in the share of the request's client. Who has a session, or logs in from where the account has logged
    /// in before, is known. Throws `.overloaded`.
    func hashed<T: Sendable>(
        _ record: RequestRecord?,
        isKnown: Bool,
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        let startedNs = Monotonic.nowNs()
        defer { record?.times.hashingNs += Monotonic.nowNs() - startedNs }
        let presence = record?.presence
        do {
            return try await hashing.run(
                of: Self.share(of: record?.client, isKnown: isKnown),
                isWanted: { presence?.isHere ?? true },
                work
            )
        } catch is BlockingPool.Full {
            throw CloudSyncError.overloaded
        }
    }

    /// Who is known and who is new take turns, so that strangers from many places keep nobody out who was here before. Of both, sites take turns,
    /// and in each of them its subscribers: strangers may have the same /48, and one of them many a /64.
    private static func share(of client: IPAddress?, isKnown: Bool) -> [String] {
        [isKnown ? "known" : "new"] + (client.map { [$0.site.description, $0.subscriber.description] } ?? [""])
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
