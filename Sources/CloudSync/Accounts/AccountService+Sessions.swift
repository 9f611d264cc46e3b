import Net
import Postgres

extension AccountService {
    /// Limit of live sessions of an account.
    static let sessionsMax = 100

    /// Returns the session's next token. A retry gets the same one again: `attempt` is a UUID that a client repeats until
    /// it has the token. A reused token ends the session: if two clients have it, one of them has stolen it.
    package func refresh(_ caller: Caller, attempt: String?, from address: IPAddress?) async throws -> Token {
        let rotate = SessionSQL.rotate(
            .text(caller.userID),
            .text(caller.sessionID),
            .int(caller.counter),
            .text(attempt),
            .text(address?.description),
            .text(address?.site.description)
        )
        let rotated = try await database.write(for: caller.withAnyToken, rotate)
        // The transaction that has ended the session is committed, with its event.
        guard let counter = rotated.first ?? nil else { throw CloudSyncError.unauthenticated(.sessionEnded) }
        return try token(
            userID: caller.userID,
            sessionID: caller.sessionID,
            counter: counter,
            keyID: caller.keyID
        )
    }

    /// Ends the caller's session, on every server at once.
    package func logOut(_ caller: Caller) async throws {
        _ = try await database.write(for: caller, SessionSQL.end(.text(caller.userID), .text(caller.sessionID)))
    }

    /// Returns every live session, the last used first.
    package func sessions(of caller: Caller) async throws -> [ListedSession] {
        try await database.read(for: caller, SessionSQL.list(.text(caller.userID), .text(caller.sessionID)))
    }

    /// Ends one session of the caller's account, on every server at once. Throws `.notFound`. Throws
    /// `.confirmationRequired` if that session has a fresh proof of its person and the caller's has none.
    package func endSession(_ id: String, for caller: Caller) async throws {
        let session = Parameter.text(caller.sessionID)
        let (_, ended) = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            SessionSQL.requireStanding(session, .text(id), .text(nil)),
            SessionSQL.revoke(.text(caller.userID), .text(id))
        )
        if ended.isEmpty { throw CloudSyncError.problem(.notFound) }
    }

    /// Ends all sessions but the caller's. Throws `.confirmationRequired`.
    package func endOtherSessions(of caller: Caller) async throws {
        let session = Parameter.text(caller.sessionID)
        _ = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            SessionSQL.requireConfirmation(session),
            SessionSQL.revokeOthers(.text(caller.userID), session)
        )
    }
}
