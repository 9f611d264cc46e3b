import Net
import NeuroViewsCrypto
import Postgres

extension AccountService {
    /// Opens an account without a password and starts its first session. Nil if another request was faster. Throws
    /// `.providerEmailUnverified`, `.registrationClosed`, `.invitationRequired`, `.invitationInvalid`, `.rateLimited`.
    func openAccount(for identity: ProvenIdentity, _ attempt: IDTokenLogin) async throws -> Login? {
        guard settings.registration != .closed else { throw CloudSyncError.problem(.registrationClosed) }
        guard let email = identity.address else { throw CloudSyncError.problem(.providerEmailUnverified) }
        let hash = try PasswordHash.none()
        let open = opening(email, hash, attempt.invitation)
        do {
            return try await limits.passing(.registration(attempt.address), record: attempt.record) { _ in
                try await openAccount(open, hash, identity, attempt)
            }
        } catch CloudSyncError.problem(.emailTaken) {
            return nil
        } catch CloudSyncError.problem(.emailTokenInvalid) {
            throw attempt.invitation == nil ? CloudSyncError.problem(.invitationRequired) : .problem(.invitationInvalid)
        }
    }

    /// The statement that opens the account: by the request's invitation, by any invitation of the address, or for
    /// everybody.
    private func opening(_ email: String, _ hash: String, _ invitation: String?) -> BoundQuery<User> {
        let (address, hash) = (Parameter.text(email), Parameter.text(hash))
        if let invitation { return AddressSQL.acceptInvitation(.bytes(MailedToken(invitation).hash), address, hash) }
        return settings.registration == .open
            ? AccountSQL.open(address, hash, .text(nil)) : IdentitySQL.openInvited(address, hash)
    }

    private func openAccount(
        _ open: BoundQuery<User>,
        _ hash: String,
        _ identity: ProvenIdentity,
        _ attempt: IDTokenLogin
    ) async throws -> Login? {
        let opened: (User, StartedSession)? = try await database.backgroundTransaction(key: identity.token.subject) {
            guard let user = try await $0.run(open).first else { return nil }
            let first = IdentitySQL.addFirst(
                .text(user.id),
                .text(identity.issuer),
                .text(identity.token.subject),
                .text(identity.shownAddress)
            )
            guard try await !$0.run(first).isEmpty else { return nil }
            let account = FoundAccount(user: user, passwordHash: hash, isDisabled: false)
            return try await begin(account, identity, attempt, in: $0).map { (user, $0) }
        }
        return try opened.map { try login($0.0, $0.1, attempt.record) }
    }
}
