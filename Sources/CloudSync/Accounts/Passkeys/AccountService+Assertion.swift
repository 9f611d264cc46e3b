import Credentials
import Crypto
import Net
import Postgres

/// A login by a passkey alone, and from where.
public struct PasskeyAttempt: Sendable {
    /// What the authenticator signed.
    public var assertion: PasskeyAssertion
    /// The device that logs in.
    public var deviceID: String?
    /// Its name.
    public var deviceName: String?
    /// The client's address; nil behind a Unix socket.
    public var address: IPAddress?
    /// The request's times.
    public var record: RequestRecord?

    /// Takes the values.
    public init(
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
    /// Begins a login or another proof by a passkey, for whomever. Throws `.passkeysUnavailable`.
    public func requestPasskey() throws -> PasskeyRequest {
        PasskeyRequest(
            relyingPartyID: try relyingParty().id,
            challenge: try PasskeyChallenge(for: .assertion, keys.current, now: settings.now()).bytes
        )
    }

    /// Starts a session. The authenticator has checked who its person is, so no second factor is asked for. Throws `.passkeyRefused`,
    /// `.unauthenticated(.accountDisabled)`, `.rateLimited`.
    public func logIn(_ attempt: PasskeyAttempt) async throws -> Login {
        // Nobody has said whose passkey it is, so the authenticator must (WebAuthn level 2, section 7.2, step 6).
        guard attempt.assertion.userHandle != nil else { throw CloudSyncError.passkeyRefused(.userHandle) }
        // Once more when the password was changed in between.
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

    /// Notes a good signature with a counter that does not grow: somebody has copied the passkey.
    private func notingCopy<T>(
        of passkey: StoredPasskey?,
        _ attempt: PasskeyAttempt,
        _ body: () throws -> T
    ) async throws -> T {
        do {
            return try body()
        } catch CloudSyncError.passkeyRefused(.counter) {
            await noteFailure(.secondFactorFailed, of: passkey?.userID, from: attempt.address, attempt.record)
            throw CloudSyncError.passkeyRefused(.counter)
        }
    }

    /// Nil when the password or the account has changed since they were read.
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

    /// Notes that the person at the session has used a passkey. Throws `.passkeyRefused`.
    public func confirm(_ assertion: PasskeyAssertion, for caller: Caller) async throws {
        let find = PasskeySQL.find(assertion, of: caller.userID)
        let found = try await database.write(for: caller, find).first
        try await notingFailure(of: caller.userID, caller.record) {
            try await confirm(checked(assertion, by: found), for: caller, else: .passkeyRefused(.challenge))
        }
    }

    /// Also of an unknown passkey. Throws `.passkeyRefused`, `.passkeysUnavailable`.
    func checked(_ assertion: PasskeyAssertion, by stored: StoredPasskey?) throws -> CheckedFactor {
        let challenge = try challenge(assertion.challenge, for: .assertion)
        let expected = try expectation(challenge, relyingParty())
        // Before the counter: an answer that is sent again is no copy of the passkey.
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
    /// Whose ID tokens open accounts here, for `has_other_login`.
    var issuers: Parameter { .texts(settings.providers.issuers) }

    /// The domain whose passkeys open accounts here, for `has_other_login`; null where none do.
    var domain: Parameter { .text(settings.relyingParty?.id) }

    func relyingParty() throws -> RelyingParty {
        guard let relyingParty = settings.relyingParty else { throw CloudSyncError.passkeysUnavailable }
        return relyingParty
    }

    /// The challenge in a message. Throws `.passkeyRefused` unless this installation made it, for that purpose, within 5 minutes.
    func challenge(_ bytes: [UInt8]?, for purpose: PasskeyChallenge.Purpose) throws -> PasskeyChallenge {
        guard let bytes else { throw CloudSyncError.passkeyRefused(.clientData) }
        guard let challenge = PasskeyChallenge(bytes, for: purpose, keys, now: settings.now()) else {
            throw CloudSyncError.passkeyRefused(.challenge)
        }
        return challenge
    }

    /// A passkey always checks who its person is: it stands for password and second factor.
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

    /// What authenticators keep of an account: the 16 bytes of its id.
    static func userHandle(_ userID: String) -> [UInt8] {
        Hex.decode(userID.utf8.filter { $0 != UInt8(ascii: "-") }[...]) ?? []
    }
}
