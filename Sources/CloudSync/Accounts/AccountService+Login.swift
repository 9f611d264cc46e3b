import Crypto

extension AccountService {
    /// Checked for an unknown address, so that it takes as long as a known one. No password is known to have this hash.
    private static let unknownAccountHash =
        "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Starts a session. Throws `.credentialsInvalid`, which takes as long for an unknown address as for a wrong password.
    public func logIn(_ attempt: LoginAttempt) async throws -> Login {
        let user = try await authenticated(attempt)
        return try await startSession(of: user, attempt)
    }

    /// The account whose password this is.
    private func authenticated(_ attempt: LoginAttempt) async throws -> User {
        let found = try await database.background(AccountSQL.find(.text(attempt.email)), record: attempt.record).first
        let stored = found?.passwordHash ?? Self.unknownAccountHash
        let verdict = try await hashed(attempt.record) {
            try PasswordHash.verify(Array(attempt.password.utf8), against: stored)
        }
        guard let user = found?.user, verdict.matches else { throw CloudSyncError.credentialsInvalid }
        if verdict.needsRehash { try await rehash(user, attempt) }
        return user
    }

    private func rehash(_ user: User, _ attempt: LoginAttempt) async throws {
        let hash = try await hashed(attempt.record) { try PasswordHash.hash(Array(attempt.password.utf8)) }
        _ = try await database.background(AccountSQL.rehash(.text(user.id), .text(hash)), record: attempt.record)
    }

    private func startSession(of user: User, _ attempt: LoginAttempt) async throws -> Login {
        let (sessions, _) = try await database.background(
            AccountSQL.startSession(.text(user.id), .text(keys.current.kid), .text(attempt.deviceID)),
            AccountSQL.noteDevice(.text(user.id), .text(attempt.deviceID), .text(attempt.deviceName)),
            record: attempt.record
        )
        guard let session = sessions.first else { throw CloudSyncError.credentialsInvalid }
        return Login(
            token: try token(userID: user.id, sessionID: session.id, counter: session.counter, keyID: keys.current.kid),
            user: user,
            signingKey: Base64.padded.encode(keys.current.signingKey(sessionID: session.id))
        )
    }
}
