import Crypto
import Postgres

extension AccountService {
    private static let challengeBytes = 32

    /// After the password was found right: throws `.secondFactorRequired` with a challenge when the account has a second factor.
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

    /// The second step of a login. Throws `.challengeExpired`, `.codeInvalid`, `.tooManyCodes`.
    public func logIn(_ attempt: SecondFactorAttempt) async throws -> Login {
        guard let token = Base64.url.decode(attempt.challenge), token.count == Self.challengeBytes else {
            throw CloudSyncError.challengeExpired
        }
        let digest = SHA256.hash(token)
        let taken = try await database.background(ChallengeSQL.take(.bytes(digest)), record: attempt.record)
        guard let challenge = taken.first else { throw CloudSyncError.challengeExpired }
        let read = AccountSQL.read(.text(challenge.userID))
        guard let account = try await database.background(read, record: attempt.record).first,
            constantTimeEquals(Self.digest(account), challenge.passwordDigest)
        else { throw CloudSyncError.challengeExpired }
        return try await notingWrongFactor(of: challenge.userID, from: attempt.address, record: attempt.record) {
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
            return try checked(code: code, of: userID, found, absent: .codeInvalid)
        case .recoveryCode(let code): return try checked(recoveryCode: code, of: userID)
        }
    }

    /// Spends challenge and factor and starts the session, or does none of it.
    private func start(
        _ account: FoundAccount,
        _ challenge: LoginChallenge,
        _ digest: [UInt8],
        _ factor: CheckedFactor,
        _ attempt: SecondFactorAttempt
    ) async throws -> Login {
        let (user, device) = (Parameter.text(account.user.id), Parameter.text(challenge.deviceID))
        let address = Parameter.text(attempt.address?.description)
        let kid = keys.current.kid
        let session = try await database.backgroundTransaction(key: account.user.id) { transaction in
            let (_, ended) = try await transaction.run(SessionSQL.lockAccount(user), ChallengeSQL.end(.bytes(digest)))
            guard !ended.isEmpty else { throw CloudSyncError.challengeExpired }
            let (_, sessions, _, _, _, spent) = try await transaction.run(
                SessionSQL.makeRoom(user, device, .int(Self.sessionsMax)),
                SessionSQL.start(user, .text(kid), device, address, .text(account.passwordHash)),
                AccountSQL.noteDevice(user, device, .text(challenge.deviceName), .int(DeviceService.countMax)),
                AttemptSQL.noteAddress(user, attempt.address),
                AccountEventSQL.noteLogin(user),
                factor.spend
            )
            guard !spent.isEmpty else { throw CloudSyncError.codeInvalid }
            guard let session = sessions.first else { throw CloudSyncError.challengeExpired }
            try await transaction.commit([])
            return session
        }
        return try login(account.user, session)
    }

    private static func digest(_ account: FoundAccount) -> [UInt8] { SHA256.hash(Array(account.passwordHash.utf8)) }
}
