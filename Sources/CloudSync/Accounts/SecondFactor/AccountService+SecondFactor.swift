import Net
import NeuroViewsCrypto
import Postgres

extension AccountService {
    private static let challengeBytes = 32

    /// To be called after the password check. Throws `.secondFactorRequired` with a challenge if the account has a
    /// second factor.
    func requireSecondFactor(_ account: FoundAccount, _ attempt: LoginAttempt) async throws {
        let user = Parameter.text(account.user.id)
        guard let methods = try await database.background(TOTPSQL.methods(user), record: attempt.record).first else {
            return
        }
        let challenge = try SecureRandom.bytes(Self.challengeBytes)
        _ = try await database.background(
            SessionSQL.lockAccount(user),
            ChallengeSQL.add(
                user,
                .bytes(SHA256.hash(challenge)),
                .bytes(Self.digest(account)),
                .text(attempt.deviceID),
                .text(attempt.deviceName),
                .int(ChallengeSQL.countMax),
                .int(ChallengeSQL.attemptsMax)
            ),
            record: attempt.record
        )
        throw CloudSyncError.secondFactorRequired(challenge: Base64.url.encode(challenge), methods: methods)
    }

    /// The second step of a login. Throws `.challengeExpired`, `.codeInvalid`, `.codeRepeated`, `.tooManyCodes`,
    /// `.passkeyRefused`, and `.databaseUnavailable` if this server lacks the key of the account's app. That uses no
    /// attempt.
    package func logIn(_ attempt: SecondFactorAttempt) async throws -> Login {
        guard let token = Base64.url.decode(attempt.challenge), token.count == Self.challengeBytes else {
            throw CloudSyncError.problem(.challengeExpired)
        }
        let digest = SHA256.hash(token)
        if case .code = attempt.factor {
            let keyIDs = try await database.background(ChallengeSQL.masterKeys(.bytes(digest)), record: attempt.record)
            try requireMasterKeys(keyIDs)
        }
        let taken = try await database.background(ChallengeSQL.take(.bytes(digest)), record: attempt.record)
        guard let challenge = taken.first else { throw CloudSyncError.problem(.challengeExpired) }
        let read = AccountSQL.read(.text(challenge.userID))
        guard let account = try await database.background(read, record: attempt.record).first,
            constantTimeEquals(Self.digest(account), challenge.passwordDigest)
        else { throw CloudSyncError.problem(.challengeExpired) }
        return try await notingFailure(of: challenge.userID, attempt.record) {
            let factor = try await checked(attempt, of: challenge.userID)
            return try await start(account, challenge, digest, factor, attempt)
        }
    }

    private func checked(_ attempt: SecondFactorAttempt, of userID: String) async throws -> CheckedFactor {
        switch attempt.factor {
        case .code(let code):
            let found = try await database.background(
                TOTPSQL.beginCheck(.text(userID), .int(TOTPSQL.failuresMax), .bool(false)),
                TOTPSQL.wait(.text(userID), .bool(false)),
                record: attempt.record
            )
            return try checked(code: code, of: userID, found, absent: .problem(.codeInvalid))
        case .recoveryCode(let code): return try checked(recoveryCode: code, of: userID)
        case .assertion(let assertion):
            let find = PasskeySQL.find(assertion, of: userID)
            return try checked(assertion, by: try await database.background(find, record: attempt.record).first)
        }
    }

    /// Spends challenge and factor and starts the session, all or nothing.
    private func start(
        _ account: FoundAccount,
        _ challenge: LoginChallenge,
        _ digest: [UInt8],
        _ factor: CheckedFactor,
        _ attempt: SecondFactorAttempt
    ) async throws -> Login {
        let device = (id: challenge.deviceID, name: challenge.deviceName)
        let session = try await database.backgroundTransaction(key: account.user.id) { transaction in
            let lock = SessionSQL.lockAccount(.text(account.user.id))
            let (_, ended) = try await transaction.run(lock, ChallengeSQL.end(.bytes(digest)))
            guard !ended.isEmpty else { throw CloudSyncError.problem(.challengeExpired) }
            let (session, spent) = try await begin(account, device, attempt.address, factor, transaction)
            guard spent else { throw attempt.factor.refusal }
            guard let session else { throw CloudSyncError.problem(.challengeExpired) }
            try await transaction.commit([])
            return session
        }
        return try login(account.user, session, attempt.record)
    }

    /// In a transaction that has locked the account: starts its session and spends the factor. `session` is nil if the
    /// account or its password has changed. `isSpent` is false if another request was faster. In both cases the caller
    /// must roll back.
    func begin(
        _ account: FoundAccount,
        _ device: (id: String?, name: String?),
        _ address: IPAddress?,
        _ factor: CheckedFactor,
        _ transaction: CallerTransaction
    ) async throws -> (session: StartedSession?, isSpent: Bool) {
        let (user, id, kid) = (Parameter.text(account.user.id), Parameter.text(device.id), keys.current.kid)
        let hash = Parameter.text(account.passwordHash)
        let (_, sessions, _, _, spent) = try await transaction.run(
            SessionSQL.makeRoom(user, id, .int(Self.sessionsMax), hash),
            SessionSQL.start(user, .text(kid), id, .text(address?.description), hash),
            AccountSQL.noteDevice(user, id, .text(device.name), .int(DeviceService.countMax)),
            AccountEventSQL.noteLogin(user, from: address),
            factor.spend
        )
        return (sessions.first, !spent.isEmpty)
    }

    private static func digest(_ account: FoundAccount) -> [UInt8] { SHA256.hash(Array(account.passwordHash.utf8)) }
}
