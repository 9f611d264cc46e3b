import Crypto
import Net
import Postgres

extension AccountService {
    /// Checked for an unknown address, so that it takes as long as a known one. No password is known to have this hash.
    private static let unknownAccountHash =
        "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Starts a session. Throws `.secondFactorRequired`, `.rateLimited`, `.unauthenticated(.accountDisabled)`, and `.credentialsInvalid`, which
    /// takes as long for an unknown address as for a wrong password; for the right password of an address that is still to be proven
    /// `.emailUnverified`.
    public func logIn(_ attempt: LoginAttempt) async throws -> Login {
        attempt.record?.tried = keys.current.logName(of: attempt.email)
        // Once more when the password or its hash was changed in between.
        for _ in 0..<2 {
            let account = try await limits.passing(.login(attempt), record: attempt.record) { isKnown in
                try await authenticated(attempt, isKnown: isKnown)
            }
            try await requireSecondFactor(account, attempt)
            if let login = try await startSession(of: account, attempt) { return login }
        }
        throw CloudSyncError.credentialsInvalid
    }

    /// The account whose password this is.
    private func authenticated(_ attempt: LoginAttempt, isKnown: Bool) async throws -> FoundAccount {
        let email = Parameter.text(attempt.email)
        let (found, registered) = try await database.background(
            AccountSQL.find(email),
            AddressSQL.registered(email),
            record: attempt.record
        )
        let stored = found.first?.passwordHash ?? Self.unknownAccountHash
        // What registers an address takes the same work and gets the same answers whether it has an account.
        let (verdict, isRegistered) = try await hashed(attempt.record, isKnown: isKnown) {
            let password = Password(attempt.password).bytes
            let isRegistered = try registered.first.map { try PasswordHash.verify(password, against: $0).matches }
            return (try PasswordHash.verify(password, against: stored), isRegistered ?? false)
        }
        guard verdict.matches, let account = found.first else {
            if isRegistered { throw CloudSyncError.emailUnverified }
            await noteFailedLogin(found.first?.user.id, from: attempt.address, attempt.record)
            throw CloudSyncError.credentialsInvalid
        }
        if account.isDisabled { throw CloudSyncError.unauthenticated(.accountDisabled) }
        return verdict.needsRehash ? try await rehashed(account, attempt, isKnown: isKnown) : account
    }

    private func rehashed(
        _ account: FoundAccount,
        _ attempt: LoginAttempt,
        isKnown: Bool
    ) async throws -> FoundAccount {
        let hash = try await hashed(attempt.record, isKnown: isKnown) {
            try PasswordHash.hash(Password(attempt.password).bytes)
        }
        let rehash = AccountSQL.rehash(.text(account.user.id), .text(hash), .text(account.passwordHash))
        _ = try await database.background(rehash, record: attempt.record)
        return FoundAccount(user: account.user, passwordHash: hash, isDisabled: account.isDisabled)
    }

    /// Nil when the account's hash is another one than the one that was checked.
    private func startSession(of account: FoundAccount, _ attempt: LoginAttempt) async throws -> Login? {
        let (user, device) = (Parameter.text(account.user.id), Parameter.text(attempt.deviceID))
        let address = Parameter.text(attempt.address?.description)
        let (_, _, sessions, _, _) = try await database.background(
            SessionSQL.lockAccount(user),
            SessionSQL.makeRoom(user, device, .int(Self.sessionsMax)),
            SessionSQL.start(user, .text(keys.current.kid), device, address, .text(account.passwordHash)),
            AccountSQL.noteDevice(user, device, .text(attempt.deviceName), .int(DeviceService.countMax)),
            AccountEventSQL.noteLogin(user, from: attempt.address),
            record: attempt.record
        )
        return try sessions.first.map { try login(account.user, $0, attempt.record) }
    }

    /// A new session's first token and its key. The log knows who it was.
    func login(_ user: User, _ session: StartedSession, _ record: RequestRecord?) throws -> Login {
        record?.account = user.id
        record?.session = session.id
        // Another one may be current by now.
        guard let master = keys[kid: session.keyID] else { throw CloudSyncError.overloaded }
        return Login(
            token: try token(userID: user.id, sessionID: session.id, counter: session.counter, keyID: master.kid),
            user: user,
            signingKey: Base64.padded.encode(master.signingKey(sessionID: session.id))
        )
    }
}
