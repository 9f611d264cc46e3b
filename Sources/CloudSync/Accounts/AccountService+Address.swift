import Net
import Postgres
import Tracing

extension AccountService {
    /// Sends a mail for a reset of the password. Same work and same time for every address. Throws `.mailUnavailable`,
    /// `.rateLimited`.
    package func requestReset(
        of email: String,
        from address: IPAddress?,
        record: RequestRecord? = nil
    ) async throws {
        guard let wakeMails = settings.wakeMails else { throw CloudSyncError.problem(.mailUnavailable) }
        try await limits.passing(.reset(address), record: record) { _ in
            _ = try await database.background(AddressSQL.requestReset(.text(email)), record: record)
        }
        wakeMails()
    }

    /// Sets another password by a mailed token, and ends the account's sessions. If the address was only registered,
    /// opens its account. Throws `.emailTokenInvalid`, `.registrationClosed`, `.invalid`.
    package func resetPassword(by token: MailedToken, to typed: String, record: RequestRecord? = nil) async throws {
        try await requireOpen(for: token, record)
        // The token is checked before the password is hashed, which costs much more.
        guard let email = try await database.background(AddressSQL.reset(.bytes(token.hash)), record: record).first
        else { throw CloudSyncError.problem(.emailTokenInvalid) }
        let password = try settings.passwords.accept(typed, for: email, at: "/new_password")
        // A client with the token has access to the mailbox, so it is known.
        let hash = try await hash(password, record, isKnown: true)
        let (place, client) = (record?.client?.subscriber.description, record?.client?.description)
        let reset = AddressSQL.resetPassword(.bytes(token.hash), .text(hash), .text(place), .text(client))
        _ = try await database.background(reset, record: record)
    }

    /// Opens the account of a registered address, or changes an account's address. Throws `.emailTokenInvalid`,
    /// `.registrationClosed`, `.invitationRequired`, `.emailTaken`.
    package func verifyAddress(by token: MailedToken, record: RequestRecord? = nil) async throws {
        try await requireOpen(for: token, record)
        let verify = AddressSQL.verify(.bytes(token.hash), .text(record?.client?.description))
        _ = try await database.background(verify, record: record)
        // A changed account gets a mail at its old address.
        settings.wakeMails?()
    }

    /// Throws `.registrationClosed` or `.invitationRequired` for a token of an address without an account: it was mailed
    /// when registration was open. The token stays valid, in case registration is opened again.
    private func requireOpen(for token: MailedToken, _ record: RequestRecord?) async throws {
        guard settings.registration != .open else { return }
        let opens = try await database.background(AddressSQL.opensAccount(.bytes(token.hash)), record: record)
        guard opens.isEmpty else {
            throw CloudSyncError.problem(settings.registration == .closed ? .registrationClosed : .invitationRequired)
        }
    }

    /// Sends a mail that proves a new address of the account. Throws `.mailUnavailable`, `.invalid`,
    /// `.credentialsInvalid`.
    package func requestAddress(_ email: String, password: String, for caller: Caller) async throws {
        try Self.requireMailable(email)
        // Must come first, as in every method: an ended session gets no other error.
        _ = try await proven(password, by: caller)
        guard let wakeMails = settings.wakeMails else { throw CloudSyncError.problem(.mailUnavailable) }
        let address = Parameter.text(email)
        _ = try await database.write(
            for: caller,
            // Also locks the account: a change of the password either ends this session before, or cancels this request
            // after.
            locking: [AddressSQL.lock(address), SessionSQL.lockAll(caller)],
            AddressSQL.requestAddress(address)
        )
        wakeMails()
    }
}
