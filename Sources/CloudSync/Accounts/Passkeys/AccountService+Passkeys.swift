import Credentials
import Net
import NeuroViewsCrypto
import Postgres

/// The parameters for an authenticator to make a new passkey.
package struct PasskeyCreation: Sendable {
    /// The domain of the passkey.
    package let relyingPartyID: String
    /// The account's name in the authenticator: the bytes of the account's id.
    package let userHandle: [UInt8]
    /// The account's address.
    package let email: String
    /// The bytes for the authenticator to sign.
    package let challenge: [UInt8]
    /// The account's passkeys. An authenticator that has one of them makes no other.
    package let existing: [ListedPasskey]
}

/// The parameters for an authenticator to prove its user.
package struct PasskeyRequest: Sendable {
    /// The domain of the passkey.
    package let relyingPartyID: String
    /// The bytes for the authenticator to sign.
    package let challenge: [UInt8]
}

extension AccountService {
    /// Begins a registration. Throws `.confirmationRequired`, `.passkeysUnavailable`.
    package func beginPasskey(for caller: Caller) async throws -> PasskeyCreation {
        let user = Parameter.text(caller.userID)
        let confirmation = SessionSQL.requireConfirmation(.text(caller.sessionID))
        let (_, existing, emails) = try await database.write(
            for: caller,
            confirmation,
            PasskeySQL.list(user),
            AccountSQL.email(user)
        )
        let purpose = PasskeyChallenge.Purpose.registration(sessionID: caller.sessionID)
        return PasskeyCreation(
            relyingPartyID: try relyingParty().id,
            userHandle: Self.userHandle(caller.userID),
            email: emails.first ?? "",
            challenge: try PasskeyChallenge(for: purpose, keys.current, now: settings.now()).bytes,
            existing: existing
        )
    }

    /// Adds a passkey. Throws `.confirmationRequired`, `.passkeyRefused`, `.passkeyExists`, `.quotaExceeded`.
    package func addPasskey(
        _ registration: PasskeyRegistration,
        name: String?,
        for caller: Caller,
        from address: IPAddress?
    ) async throws -> ListedPasskey {
        let confirmation = SessionSQL.requireConfirmation(.text(caller.sessionID))
        // Must come first, as in every method: an ended session gets no other error.
        _ = try await database.write(for: caller, confirmation)
        let purpose = PasskeyChallenge.Purpose.registration(sessionID: caller.sessionID)
        let challenge = try challenge(registration.challenge, for: purpose)
        let relyingParty = try relyingParty()
        let expected = expectation(challenge, relyingParty)
        let passkey = try passkeyChecked { () throws(WebAuthnError) in try registration.verified(expected) }
        let user = Parameter.text(caller.userID)
        let spend = PasskeySQL.spendChallenge(user, .bytes(challenge.digest), .int(challenge.expiresAt))
        let (key, counter) = (Parameter.bytes(passkey.key.encoded), Parameter.int(Int(passkey.counter)))
        let add = PasskeySQL.add(user, .bytes(passkey.id), key, counter, .text(name), .text(relyingParty.id))
        let note = AccountEventSQL.note(.passkeyAdded, by: caller, from: address).step
        return try await database.transaction(for: caller) { transaction in
            let (_, counts, spent, added) = try await transaction.run(
                PasskeySQL.lock(user),
                PasskeySQL.count(user),
                spend,
                add
            )
            guard !spent.isEmpty else { throw CloudSyncError.passkeyRefused(.challenge) }
            let used = counts.first ?? 0
            guard used < PasskeySQL.countMax else {
                throw CloudSyncError.quotaExceeded(.init(quota: .passkeys, limit: PasskeySQL.countMax, used: used))
            }
            guard let passkey = added.first else { throw CloudSyncError.problem(.passkeyExists) }
            try await transaction.commit([note])
            return passkey
        }
    }

    /// Returns the caller's passkeys, the oldest first.
    package func passkeys(of caller: Caller) async throws -> [ListedPasskey] {
        try await database.read(for: caller, PasskeySQL.list(.text(caller.userID)))
    }

    /// Removes a passkey. Throws `.confirmationRequired`, `.notFound`, `.lastLoginMethod`.
    package func removePasskey(_ id: String, for caller: Caller, from address: IPAddress?) async throws {
        let (user, session) = (Parameter.text(caller.userID), Parameter.text(caller.sessionID))
        let (_, removed) = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            SessionSQL.requireConfirmation(session),
            PasskeySQL.remove(user, .text(id), issuers, domain, session, .text(address?.description))
        )
        guard let isRemoved = removed.first ?? nil else { throw CloudSyncError.problem(.notFound) }
        guard isRemoved else { throw CloudSyncError.problem(.lastLoginMethod) }
    }
}
