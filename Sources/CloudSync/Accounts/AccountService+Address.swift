import Net
import Postgres

extension AccountService {
    /// Has a mail sent by which the password can be reset. Does and takes the same for every address. Throws `.mailUnavailable`,
    /// `.rateLimited`.
    public func requestReset(
        of email: String,
        from address: IPAddress?,
        record: RequestRecord? = nil
    ) async throws {
        guard let wakeMails = settings.wakeMails else { throw CloudSyncError.mailUnavailable }
        try await limits.passing(.reset(address), record: record) { _ in
            _ = try await database.background(AddressSQL.requestReset(.text(email)), record: record)
        }
        wakeMails()
    }

    /// Gives the account that the token was mailed for another password, and ends its sessions. Opens the account of an address that was
    /// registered only. Throws `.mailedTokenInvalid`, `.invalid`.
    public func resetPassword(by token: MailedToken, to typed: String, record: RequestRecord? = nil) async throws {
        // Before the password is hashed, which costs much more.
        guard let email = try await database.background(AddressSQL.reset(.bytes(token.hash)), record: record).first
        else { throw CloudSyncError.mailedTokenInvalid }
        let password = try settings.passwords.accept(typed, for: email, at: "/new_password")
        // Whoever has the token has the mailbox.
        let hash = try await hash(password, record, isKnown: true)
        let client = Parameter.text(record?.client?.subscriber.description)
        let reset = AddressSQL.resetPassword(.bytes(token.hash), .text(hash), client)
        _ = try await database.background(reset, record: record)
    }

    /// Opens the account of a registered address, or gives an account its new one. Throws `.mailedTokenInvalid`, `.emailTaken`.
    public func verifyAddress(by token: MailedToken, record: RequestRecord? = nil) async throws {
        _ = try await database.background(AddressSQL.verify(.bytes(token.hash)), record: record)
        // The old address of an account is told.
        settings.wakeMails?()
    }

    /// Has a mail sent that proves a new address of the account. Throws `.mailUnavailable`, `.invalid`, `.credentialsInvalid`.
    public func requestAddress(_ email: String, password: String, for caller: Caller) async throws {
        try Self.requireMailable(email)
        // First of all, as everywhere: a session that has ended hears nothing else.
        _ = try await proven(password, by: caller)
        guard let wakeMails = settings.wakeMails else { throw CloudSyncError.mailUnavailable }
        let address = Parameter.text(email)
        _ = try await database.write(
            for: caller,
            // The account, too: a change of the password either ends this session before, or cancels this request afterwards.
            locking: [AddressSQL.lock(address), SessionSQL.lockAll(.text(caller.sessionID))],
            AddressSQL.requestAddress(address)
        )
        wakeMails()
    }
}
