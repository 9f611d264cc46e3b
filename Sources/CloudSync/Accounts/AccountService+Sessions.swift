import Net
import Postgres

extension AccountService {
    /// Live sessions of an account.
    static let sessionsMax = 100

    /// Gives the session's next token, or the same again while its answer may have been lost. An outdated token ends the session: of two
    /// that have it, one has stolen it.
    public func refresh(_ caller: Caller, from address: IPAddress?) async throws -> Token {
        do {
            let rotate = SessionSQL.rotate(
                .text(caller.sessionID),
                .int(caller.counter),
                .text(address?.description)
            )
            guard let counter = try await database.write(for: caller, rotate).first else {
                throw CloudSyncError.unauthenticated(.sessionEnded)
            }
            return try token(
                userID: caller.userID,
                sessionID: caller.sessionID,
                counter: counter,
                keyID: caller.keyID
            )
        } catch CloudSyncError.unauthenticated(.tokenOutdated) {
            // That transaction is rolled back; the end must stay.
            let end = SessionSQL.endReused(.text(caller.sessionID), .int(caller.counter))
            let ended = try await database.background(end, record: caller.record)
            throw CloudSyncError.unauthenticated(ended.isEmpty ? .tokenOutdated : .sessionEnded)
        }
    }

    /// Ends the asking session, on every server at once.
    public func logOut(_ caller: Caller) async throws {
        _ = try await database.write(for: caller, SessionSQL.end(.text(caller.sessionID)))
    }

    /// Every live session, last used first.
    public func sessions(of caller: Caller) async throws -> [ListedSession] {
        try await database.read(for: caller, SessionSQL.list(.text(caller.sessionID)))
    }

    /// Ends one session of the caller's account, on every server at once. Throws `.notFound`.
    public func endSession(_ id: String, for caller: Caller) async throws {
        let lock = SessionSQL.lockAll(.text(caller.sessionID))
        let ended = try await database.write(for: caller, locking: [lock], SessionSQL.end(.text(id)))
        if ended.isEmpty { throw CloudSyncError.notFound }
    }

    /// Ends all sessions but the asking one. Throws `.confirmationRequired`.
    public func endOtherSessions(of caller: Caller) async throws {
        let session = Parameter.text(caller.sessionID)
        _ = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(session)],
            SessionSQL.requireConfirmation(session),
            SessionSQL.endOthers(session)
        )
    }
}
