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
            throw CloudSyncError.unauthenticated(try await endReused(caller) ? .sessionEnded : .tokenOutdated)
        }
    }

    private func endReused(_ caller: Caller) async throws -> Bool {
        let nonce = caller.takeNonce()
        let end = SessionSQL.endReused(
            .text(caller.sessionID),
            .int(caller.counter),
            .int(nonce?.signedAt),
            .text(nonce?.value)
        )
        return try await database.background(end, record: caller.record).first == true
    }

    /// Runs what may need a confirmation. A request that is refused for the lack of one has used its nonce up.
    private func confirmed<T>(_ caller: Caller, _ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch CloudSyncError.confirmationRequired {
            try await database.write(for: caller)
            throw CloudSyncError.confirmationRequired
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

    /// Ends one session of the caller's account, on every server at once. Throws `.notFound`, and `.confirmationRequired` where the other
    /// session's person has proven more.
    public func endSession(_ id: String, for caller: Caller) async throws {
        let session = Parameter.text(caller.sessionID)
        let (_, ended) = try await confirmed(caller) {
            try await database.write(
                for: caller,
                locking: [SessionSQL.lockAll(session)],
                SessionSQL.requireStanding(session, .text(id), .text(nil)),
                SessionSQL.revoke(.text(id))
            )
        }
        if ended.isEmpty { throw CloudSyncError.notFound }
    }

    /// Ends all sessions but the asking one. Throws `.confirmationRequired`.
    public func endOtherSessions(of caller: Caller) async throws {
        let session = Parameter.text(caller.sessionID)
        _ = try await confirmed(caller) {
            try await database.write(
                for: caller,
                locking: [SessionSQL.lockAll(session)],
                SessionSQL.requireConfirmation(session),
                SessionSQL.revokeOthers(session)
            )
        }
    }
}
