import Credentials
import Net
import NeuroViewsCrypto
import Postgres
import Tracing

/// Accounts and their sessions.
package struct AccountService: Sendable {
    let database: CallerDatabase
    let keys: KeyRing
    /// One thread, shared by clients in turn: a flood of logins delays only other logins.
    let hashing: BlockingPool
    let limits: AttemptLimits
    let settings: Settings

    /// The operator's settings.
    package struct Settings: Sendable {
        /// The registration policy.
        package var registration: RegistrationPolicy
        /// The rules of new passwords.
        package var passwords: PasswordRules
        /// The cost of new password hashes, and of the check for an unknown address.
        package var passwordCost = ScryptParameters.standard
        /// The lifetime of a token, in seconds.
        package var tokenLifetimeSeconds = 3600
        /// Unix seconds.
        package var now: @Sendable () -> Int
        /// The accepted OpenID providers.
        package var providers = OpenIDProviders()
        /// Called when a mail may be due; nil if this server sends no mail.
        package var wakeMails: (@Sendable () -> Void)?
        /// The relying party of passkeys; nil without passkeys.
        package var relyingParty: RelyingParty?

        /// Takes the values.
        package init(
            registration: RegistrationPolicy,
            passwords: PasswordRules = PasswordRules(),
            now: @escaping @Sendable () -> Int,
            wakeMails: (@Sendable () -> Void)? = nil,
            relyingParty: RelyingParty? = nil
        ) {
            self.registration = registration
            self.passwords = passwords
            self.now = now
            self.wakeMails = wakeMails
            self.relyingParty = relyingParty
        }
    }

    /// Stores accounts in `database`; hashes passwords on `hashing`.
    package init(
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
    /// Runs `work` on the hashing thread, in the share of the request's client. `isKnown`: the client has a session or
    /// a mailed token, or logs in from a device or address of earlier logins. Throws `.overloaded`.
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
            throw CloudSyncError.problem(.overloaded)
        }
    }

    /// Known and new clients take turns, so that a flood of strangers does not lock out known clients. Within each
    /// group, sites take turns, and within a site its subscribers. Strangers may share a /48, and one stranger may have
    /// many /64.
    private static func share(of client: IPAddress?, isKnown: Bool) -> [String] {
        [isKnown ? "known" : "new"] + (client.map { [$0.site.description, $0.subscriber.description] } ?? [""])
    }

    /// Makes a token of the session with this rotation counter.
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
