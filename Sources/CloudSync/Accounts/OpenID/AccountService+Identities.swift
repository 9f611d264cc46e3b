import Net
import Postgres

extension AccountService {
    /// Returns the identities of the caller's account, ordered by the time of their link.
    package func identities(of caller: Caller) async throws -> [LinkedIdentity] {
        try await database.read(for: caller, IdentitySQL.list(.text(caller.userID))).map(named)
    }

    /// Links a token's identity to the caller's account. Has no effect if it is linked already. Throws
    /// `.confirmationRequired`, `.identityTaken`, `.quotaExceeded`, `.idTokenInvalid`, `.providerUnknown`,
    /// `.providerUnavailable`, `.rateLimited`.
    package func link(_ proof: IDTokenProof, for caller: Caller, from address: IPAddress?) async throws
        -> LinkedIdentity
    {
        let session = Parameter.text(caller.sessionID)
        _ = try await database.write(for: caller, SessionSQL.requireConfirmation(session))
        let identity = try await proven(proof, by: caller)
        let link = IdentitySQL.link(
            .text(caller.userID),
            .text(identity.issuer),
            .text(identity.token.subject),
            .text(identity.shownAddress),
            .int(IdentitySQL.countMax),
            session,
            .text(address?.description)
        )
        let (_, linked, _) = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            SessionSQL.requireConfirmation(session),
            link,
            identity.spend
        )
        guard let linked = linked.first else { throw CloudSyncError.accountGone }
        return named(linked)
    }

    /// Removes an identity from the caller's account. Throws `.confirmationRequired`, `.notFound`, `.lastLoginMethod`.
    package func unlink(_ id: String, for caller: Caller, from address: IPAddress?) async throws {
        let (user, session) = (Parameter.text(caller.userID), Parameter.text(caller.sessionID))
        let (_, removed) = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            SessionSQL.requireConfirmation(session),
            IdentitySQL.unlink(user, .text(id), issuers, domain, session, .text(address?.description))
        )
        guard let isRemoved = removed.first ?? nil else { throw CloudSyncError.problem(.notFound) }
        guard isRemoved else { throw CloudSyncError.problem(.lastLoginMethod) }
    }

    /// Confirms the session by a fresh token of one of the account's identities. Throws `.idTokenInvalid`,
    /// `.providerUnknown`, `.providerUnavailable`, `.rateLimited`.
    package func confirm(_ proof: IDTokenProof, for caller: Caller) async throws {
        try await database.write(for: caller)
        let identity = try await proven(proof, by: caller)
        let user = Parameter.text(caller.userID)
        try await database.transaction(for: caller) { transaction in
            let (_, standing) = try await transaction.run(
                SessionSQL.confirm(user, .text(caller.sessionID)),
                identity.standing(of: user)
            )
            guard !standing.isEmpty else { throw CloudSyncError.identityOfOthers }
            try await transaction.commit([identity.spend.step])
        }
    }

    /// Returns the identity of a token. Bad tokens count like wrong passwords of the session.
    private func proven(_ proof: IDTokenProof, by caller: Caller) async throws -> ProvenIdentity {
        try await limits.passing(.passwordCheck(sessionID: caller.sessionID), record: caller.record) { _ in
            try await unspent(proof, caller.record)
        }
    }

    private func named(_ identity: LinkedIdentity) -> LinkedIdentity {
        var identity = identity
        identity.provider = settings.providers.name(ofIssuer: identity.issuer)
        return identity
    }
}

extension CloudSyncError {
    /// A valid token of somebody else.
    fileprivate static let identityOfOthers = CloudSyncError.idTokenInvalid(
        reason: "the identity is not linked to this account"
    )
}
