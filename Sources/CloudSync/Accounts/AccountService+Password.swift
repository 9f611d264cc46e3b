import Net
import NeuroViewsCrypto
import Postgres

extension AccountService {
    /// Checks the password and confirms the session: for 10 minutes, it may do actions that need a confirmation. Throws
    /// `.credentialsInvalid`, `.rateLimited`.
    package func confirm(password: String, for caller: Caller) async throws {
        _ = try await proven(password, by: caller)
        let confirm = SessionSQL.confirm(.text(caller.userID), .text(caller.sessionID))
        _ = try await database.write(for: caller, confirm)
    }

    /// Changes the password, ends every session, and starts a new one for the caller's device. Throws
    /// `.credentialsInvalid`, `.invalid`, `.rateLimited`.
    package func changePassword(
        from current: String,
        to new: String,
        for caller: Caller,
        at address: IPAddress?
    ) async throws -> Login {
        // A second try, in case a login has stored another hash of the same password meanwhile.
        for _ in 0..<2 {
            let account = try await proven(current, by: caller)
            let password = try settings.passwords.accept(new, for: account.user.email, at: "/new_password")
            if let login = try await replacePassword(of: account, with: password, for: caller, at: address) {
                return login
            }
        }
        throw CloudSyncError.unauthenticated(.sessionEnded)
    }

    /// Nil if the session has ended, or if the account's hash has changed since the check.
    private func replacePassword(
        of account: FoundAccount,
        with new: NewPassword,
        for caller: Caller,
        at address: IPAddress?
    ) async throws -> Login? {
        let hash = Parameter.text(try await hash(new, caller.record, isKnown: true))
        let (user, session) = (Parameter.text(account.user.id), Parameter.text(caller.sessionID))
        let client = Parameter.text(address?.description)
        let (_, replaced, sessions) = try await database.background(
            SessionSQL.lockAllSessions(user, session),
            SessionSQL.replacePassword(user, hash, .text(account.passwordHash), session, client),
            SessionSQL.startAgain(user, .text(keys.current.kid), session, client, hash),
            record: caller.record
        )
        guard !replaced.isEmpty else { return nil }
        return try sessions.first.map { try login(account.user, $0, caller.record) }
    }

    /// Returns the caller's account if the password is right. Spends the nonce, so that a signed guess counts once.
    /// Checks the session first, so that a stolen token of an ended session can't guess.
    func proven(_ password: String, by caller: Caller) async throws -> FoundAccount {
        try await database.write(for: caller)
        let read = AccountSQL.read(.text(caller.userID))
        guard let account = try await database.background(read, record: caller.record).first else {
            throw CloudSyncError.unauthenticated(.sessionEnded)
        }
        return try await limits.passing(.passwordCheck(sessionID: caller.sessionID), record: caller.record) { _ in
            let verdict = try await hashed(caller.record, isKnown: true) {
                try PasswordHash.verify(Password(password).bytes, against: account.passwordHash)
            }
            guard verdict.matches else {
                await noteFailedLogin(caller.userID, from: caller.record?.client, caller.record)
                throw CloudSyncError.problem(.credentialsInvalid)
            }
            return account
        }
    }
}
