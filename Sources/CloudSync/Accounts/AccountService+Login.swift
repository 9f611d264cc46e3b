import NeuroViewsCrypto
import Postgres
import Tracing

extension AccountService {
    /// Starts a session. Throws `.secondFactorRequired`, `.rateLimited`, `.unauthenticated(.accountDisabled)`,
    /// `.credentialsInvalid`, `.emailUnverified`. An unknown address and a wrong password take the same time.
    /// `.emailUnverified`: the password is right, but the address is not confirmed yet.
    package func logIn(_ attempt: LoginAttempt) async throws -> Login {
        attempt.record?.tried = keys.current.logName(of: attempt.email)
        // A second try, in case the password or its hash was changed meanwhile.
        for _ in 0..<2 {
            let found = try await limits.passing(.login(attempt), record: attempt.record) { isKnown in
                try await authenticated(attempt, isKnown: isKnown)
            }
            guard let account = found else { continue }
            try await requireSecondFactor(account, attempt)
            if let login = try await startSession(of: account, attempt) { return login }
        }
        throw CloudSyncError.problem(.credentialsInvalid)
    }

    /// Returns the account if the password is right. Nil if its hash has changed since the check.
    private func authenticated(_ attempt: LoginAttempt, isKnown: Bool) async throws -> FoundAccount? {
        let email = Parameter.text(attempt.email)
        let (found, registered) = try await database.background(
            AccountSQL.find(email),
            AddressSQL.registered(email),
            record: attempt.record
        )
        let (cost, standIn) = (settings.passwordCost, standIn(for: attempt.email))
        let stored = found.first?.passwordHash ?? PasswordHash.unmatched(cost)
        // Registered addresses take the same work and get the same responses, with or without an account.
        let (verdict, isRegistered) = try await hashed(attempt.record, isKnown: isKnown) {
            let password = Password(attempt.password).bytes
            let isRegistered = try registered.first.map { try PasswordHash.verify(password, against: $0).matches }
            return (try PasswordHash.verify(password, against: stored, current: cost), isRegistered ?? false)
        }
        guard verdict.matches, let account = found.first else {
            if isRegistered { throw CloudSyncError.problem(.emailUnverified) }
            await noteFailedLogin(found.first?.user.id ?? standIn, from: attempt.address, attempt.record)
            throw CloudSyncError.problem(.credentialsInvalid)
        }
        if account.isDisabled { throw CloudSyncError.unauthenticated(.accountDisabled) }
        return verdict.needsRehash ? try await rehashed(account, attempt, isKnown: isKnown) : account
    }

    private func rehashed(
        _ account: FoundAccount,
        _ attempt: LoginAttempt,
        isKnown: Bool
    ) async throws -> FoundAccount? {
        let hash = try await hashed(attempt.record, isKnown: isKnown) {
            try PasswordHash.hash(Password(attempt.password).bytes, parameters: settings.passwordCost)
        }
        let rehash = AccountSQL.rehash(.text(account.user.id), .text(hash), .text(account.passwordHash))
        guard try await !database.background(rehash, record: attempt.record).isEmpty else { return nil }
        return FoundAccount(user: account.user, passwordHash: hash, isDisabled: account.isDisabled)
    }

    /// Nil if the account's hash has changed since the check.
    private func startSession(of account: FoundAccount, _ attempt: LoginAttempt) async throws -> Login? {
        let (user, device) = (Parameter.text(account.user.id), Parameter.text(attempt.deviceID))
        let (address, hash) = (Parameter.text(attempt.address?.description), Parameter.text(account.passwordHash))
        let (_, _, sessions, _, _) = try await database.background(
            SessionSQL.lockAccount(user),
            SessionSQL.makeRoom(user, device, .int(Self.sessionsMax), hash),
            SessionSQL.start(user, .text(keys.current.kid), device, address, hash),
            AccountSQL.noteDevice(user, device, .text(attempt.deviceName), .int(DeviceService.countMax)),
            AccountEventSQL.noteLogin(user, from: attempt.address),
            record: attempt.record
        )
        return try sessions.first.map { try login(account.user, $0, attempt.record) }
    }

    /// Makes the first token and the key of a new session. Adds the account and the session to the log record.
    func login(_ user: User, _ session: StartedSession, _ record: RequestRecord?) throws -> Login {
        record?.account = user.id
        record?.session = session.id
        // The session's master key may no longer be the current one.
        guard let master = keys[kid: session.keyID] else { throw CloudSyncError.problem(.overloaded) }
        return Login(
            token: try token(userID: user.id, sessionID: session.id, counter: session.counter, keyID: master.kid),
            user: user,
            signingKey: Base64.padded.encode(master.signingKey(sessionID: session.id))
        )
    }
}
