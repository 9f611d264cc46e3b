import NeuroViewsCrypto
import Postgres
import Tracing

extension AccountService {
    /// Starts a session for the person of an ID token. Opens an account for a new person if registration allows it.
    /// Throws `.idTokenInvalid`, `.providerUnknown`, `.providerUnavailable`, `.secondFactorRequired`, `.rateLimited`,
    /// `.unauthenticated(.accountDisabled)`, and the errors of `openAccount`.
    package func logIn(_ attempt: IDTokenLogin) async throws -> Login {
        let identity = try await limits.passing(.idToken(attempt.address), record: attempt.record) { _ in
            try await unspent(attempt.proof, attempt.record)
        }
        // A second try, in case another request has linked or removed the identity or changed the password meanwhile.
        for _ in 0..<2 {
            // The address is looked up first: if another request opens the account now, the identity is found.
            let (sameAddress, accounts) = try await database.background(
                AccountSQL.find(.text(identity.address ?? "")),
                IdentitySQL.account(.text(identity.issuer), .text(identity.token.subject)),
                record: attempt.record
            )
            if let account = accounts.first {
                if let login = try await logIn(account, identity, attempt) { return login }
            } else {
                // An address alone never gives access.
                guard sameAddress.isEmpty else { throw CloudSyncError.problem(.identityNotLinked) }
                if let login = try await openAccount(for: identity, attempt) { return login }
            }
        }
        throw CloudSyncError.problem(.overloaded)
    }

    /// Returns the identity of a token that was not used yet.
    func unspent(_ proof: IDTokenProof, _ record: RequestRecord?) async throws -> ProvenIdentity {
        let identity = try await settings.providers.identity(proof, at: settings.now())
        guard try await database.background(IdentitySQL.used(.bytes(identity.digest)), record: record).isEmpty else {
            throw CloudSyncError.idTokenUsed
        }
        return identity
    }

    private func logIn(_ account: FoundAccount, _ identity: ProvenIdentity, _ attempt: IDTokenLogin) async throws
        -> Login?
    {
        if account.isDisabled { throw CloudSyncError.unauthenticated(.accountDisabled) }
        do {
            try await requireSecondFactor(account, attempt.loginAttempt(account.user))
        } catch CloudSyncError.secondFactorRequired(let challenge, let methods) {
            _ = try await database.background(identity.spend, record: attempt.record)
            throw CloudSyncError.secondFactorRequired(challenge: challenge, methods: methods)
        }
        return try await startSession(of: account, identity, attempt)
    }

    /// Nil if the identity is no longer the account's, or if the account's password has changed.
    private func startSession(
        of account: FoundAccount,
        _ identity: ProvenIdentity,
        _ attempt: IDTokenLogin
    ) async throws -> Login? {
        let user = Parameter.text(account.user.id)
        let session: StartedSession? = try await database.backgroundTransaction(key: account.user.id) { transaction in
            let (_, standing) = try await transaction.run(SessionSQL.lockAccount(user), identity.standing(of: user))
            guard !standing.isEmpty else { return nil }
            return try await begin(account, identity, attempt, in: transaction)
        }
        return try session.map { try login(account.user, $0, attempt.record) }
    }

    /// Starts the session, spends the token and commits. Nil if no session was started: nothing is committed then.
    func begin(
        _ account: FoundAccount,
        _ identity: ProvenIdentity,
        _ attempt: IDTokenLogin,
        in transaction: CallerTransaction
    ) async throws -> StartedSession? {
        let (user, device) = (Parameter.text(account.user.id), Parameter.text(attempt.deviceID))
        let (address, hash) = (Parameter.text(attempt.address?.description), Parameter.text(account.passwordHash))
        let (_, sessions, _, _, _) = try await transaction.run(
            SessionSQL.makeRoom(user, device, .int(Self.sessionsMax), hash),
            SessionSQL.start(user, .text(keys.current.kid), device, address, hash),
            AccountSQL.noteDevice(user, device, .text(attempt.deviceName), .int(DeviceService.countMax)),
            AccountEventSQL.noteLogin(user, from: attempt.address),
            identity.spend
        )
        guard let session = sessions.first else { return nil }
        try await transaction.commit([])
        return session
    }
}

extension IDTokenLogin {
    /// The attempt for the second step of the login.
    fileprivate func loginAttempt(_ user: User) -> LoginAttempt {
        LoginAttempt(
            email: user.email,
            password: "",
            deviceID: deviceID,
            deviceName: deviceName,
            address: address,
            record: record
        )
    }
}

extension ProvenIdentity {
    /// Spends the token.
    var spend: BoundQuery<Void> { IdentitySQL.spend(.bytes(digest), .int(token.acceptedUntil)) }

    /// Finds the identity among an account's.
    func standing(of user: Parameter) -> BoundQuery<Bool> {
        IdentitySQL.standing(user, .text(issuer), .text(token.subject))
    }
}

extension CloudSyncError {
    /// An ID token is valid for one request.
    static let idTokenUsed = CloudSyncError.idTokenInvalid(reason: "the token was used before")
    static let tooManyIdentities = CloudSyncError.quotaExceeded(
        QuotaExcess(quota: .identities, limit: IdentitySQL.countMax, used: IdentitySQL.countMax)
    )
}
