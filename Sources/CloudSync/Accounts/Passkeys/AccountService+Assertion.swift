import Credentials
import Net
import NeuroViewsCrypto
import Postgres
import Tracing

/// A login by a passkey alone.
package struct PasskeyAttempt: Sendable {
    /// The authenticator's signed response.
    package var assertion: PasskeyAssertion
    /// The device of the new session.
    package var deviceID: String?
    /// Its name.
    package var deviceName: String?
    /// The client's address; nil behind a Unix socket.
    package var address: IPAddress?
    /// The request's times.
    package var record: RequestRecord?

    /// Takes the values.
    package init(
        assertion: PasskeyAssertion,
        deviceID: String?,
        deviceName: String?,
        address: IPAddress? = nil,
        record: RequestRecord? = nil
    ) {
        self.assertion = assertion
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.address = address
        self.record = record
    }
}

extension AccountService {
    /// Begins a login or confirmation by any passkey. Throws `.passkeysUnavailable`.
    package func requestPasskey() throws -> PasskeyRequest {
        PasskeyRequest(
            relyingPartyID: try relyingParty().id,
            challenge: try PasskeyChallenge(for: .assertion, keys.current, now: settings.now()).bytes
        )
    }

    /// Starts a session. The authenticator has verified its user, so no second factor is required. Throws
    /// `.passkeyRefused`, `.unauthenticated(.accountDisabled)`, `.rateLimited`.
    package func logIn(_ attempt: PasskeyAttempt) async throws -> Login {
        // The request names no account, so the authenticator must (WebAuthn level 2, section 7.2, step 6).
        guard attempt.assertion.userHandle != nil else { throw CloudSyncError.passkeyRefused(.userHandle) }
        // A second try, in case the password was changed meanwhile.
        for _ in 0..<2 {
            let find = PasskeySQL.find(attempt.assertion)
            let found = try await database.background(find, record: attempt.record).first
            let factor = try await notingCopy(of: found, attempt) { try checked(attempt.assertion, by: found) }
            let read = AccountSQL.read(.text(found?.userID))
            guard let account = try await database.background(read, record: attempt.record).first else {
                throw CloudSyncError.passkeyRefused(.signature)
            }
            if account.isDisabled { throw CloudSyncError.unauthenticated(.accountDisabled) }
            let login = try await limits.passing(.passkeyLogin(userID: account.user.id), record: attempt.record) { _ in
                try await start(account, factor, attempt)
            }
            if let login { return login }
        }
        throw CloudSyncError.passkeyRefused(.signature)
    }

    /// Notes a valid signature with a counter that does not grow: the passkey was copied.
    private func notingCopy<T>(
        of passkey: StoredPasskey?,
        _ attempt: PasskeyAttempt,
        _ body: () throws -> T
    ) async throws -> T {
        do {
            return try body()
        } catch CloudSyncError.passkeyRefused(.counter) {
            // Only a known passkey has a counter.
            if let passkey {
                await noteFailure(.passkeyCounter, of: passkey.userID, from: attempt.address, attempt.record)
            }
            throw CloudSyncError.passkeyRefused(.counter)
        }
    }

    /// Nil if the password or the account has changed since they were read.
    private func start(
        _ account: FoundAccount,
        _ factor: CheckedFactor,
        _ attempt: PasskeyAttempt
    ) async throws -> Login? {
        let device = (id: attempt.deviceID, name: attempt.deviceName)
        let session = try await database.backgroundTransaction(key: account.user.id) { transaction in
            _ = try await transaction.run(SessionSQL.lockAccount(.text(account.user.id)))
            let (session, spent) = try await begin(account, device, attempt.address, factor, transaction)
            guard spent else { throw CloudSyncError.passkeyRefused(.challenge) }
            guard let session else { return StartedSession?.none }
            try await transaction.commit([])
            return session
        }
        return try session.map { try login(account.user, $0, attempt.record) }
    }

    /// Confirms the session by a passkey. Throws `.passkeyRefused`.
    package func confirm(_ assertion: PasskeyAssertion, for caller: Caller) async throws {
        let find = PasskeySQL.find(assertion, of: caller.userID)
        let found = try await database.write(for: caller, find).first
        try await notingFailure(of: caller.userID, in: caller.sessionID, caller.record) {
            try await confirm(checked(assertion, by: found), for: caller, else: .passkeyRefused(.challenge))
        }
    }

    /// Checks an assertion, even of an unknown passkey. Throws `.passkeyRefused`, `.passkeysUnavailable`.
    func checked(_ assertion: PasskeyAssertion, by stored: StoredPasskey?) throws -> CheckedFactor {
        let challenge = try challenge(assertion.challenge, for: .assertion)
        let expected = try expectation(challenge, relyingParty())
        // Checked before the counter: a repeated response is no sign of a copied passkey.
        guard stored?.isAnswered != true else { throw CloudSyncError.passkeyRefused(.challenge) }
        let next = try passkeyChecked { () throws(WebAuthnError) in
            let owner = stored.map { Self.userHandle($0.userID) } ?? []
            return try assertion.verified(by: stored?.passkey(), of: owner, expected)
        }
        guard let stored else { throw CloudSyncError.passkeyRefused(.signature) }
        return CheckedFactor(
            spend: PasskeySQL.spend(
                .text(stored.userID),
                .bytes(challenge.digest),
                .int(challenge.expiresAt),
                .bytes(stored.credentialID),
                .int(stored.counter),
                .int(Int(next))
            )
        )
    }
}

extension AccountService {
    /// The issuers of ID tokens that are accepted here, for `has_other_login`.
    var issuers: Parameter { .texts(settings.providers.issuers) }

    /// The domain of passkeys that are accepted here, for `has_other_login`; null without passkeys.
    var domain: Parameter { .text(settings.relyingParty?.id) }

    func relyingParty() throws -> RelyingParty {
        guard let relyingParty = settings.relyingParty else { throw CloudSyncError.problem(.passkeysUnavailable) }
        return relyingParty
    }

    /// Reads the challenge in a message. Throws `.passkeyRefused` unless this installation made it, for that purpose,
    /// within 5 minutes.
    func challenge(_ bytes: [UInt8]?, for purpose: PasskeyChallenge.Purpose) throws -> PasskeyChallenge {
        guard let bytes else { throw CloudSyncError.passkeyRefused(.clientData) }
        guard let challenge = PasskeyChallenge(bytes, for: purpose, keys, now: settings.now()) else {
            throw CloudSyncError.passkeyRefused(.challenge)
        }
        return challenge
    }

    /// A passkey must always verify its user: it replaces password and second factor.
    func expectation(_ challenge: PasskeyChallenge, _ relyingParty: RelyingParty) -> WebAuthnExpectation {
        WebAuthnExpectation(relyingParty: relyingParty, challenge: challenge.bytes, requiresUserVerification: true)
    }

    func passkeyChecked<T>(_ body: () throws(WebAuthnError) -> T) throws -> T {
        do throws(WebAuthnError) {
            return try body()
        } catch {
            throw CloudSyncError.passkeyRefused(error)
        }
    }

    /// The account's user handle in authenticators: the 16 bytes of its id.
    static func userHandle(_ userID: String) -> [UInt8] {
        Hex.decode(userID.utf8.filter { $0 != UInt8(ascii: "-") }[...]) ?? []
    }
}
