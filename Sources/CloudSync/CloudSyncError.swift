import Credentials
import JSONSchema
import Postgres

/// What can go wrong for a caller. Knows no HTTP: `API` maps every case to an answer, in one switch.
public enum CloudSyncError: Error, Sendable {
    /// The document or the parameters break their rules.
    case invalid([Violation])
    /// Parameters are well-formed, but there is no answer to them; the pointers name them.
    case unprocessable([Violation])
    /// The document's id is not the one in the path.
    case idMismatch
    /// What a patch makes of the document has more bytes than a document may have.
    case patchedTooLarge(maxBytes: Int)
    /// There is no such thing among the caller's own.
    case notFound
    /// Somebody has registered with that address.
    case emailTaken
    /// This server takes no registrations.
    case registrationClosed
    /// This server takes registrations by invitation only.
    case invitationRequired
    /// The invitation is unknown, was used, has expired, or is for another address.
    case invitationInvalid
    /// The password is right, and the address is still to be proven.
    case emailUnverified
    /// The mailed token is unknown, was used, or has expired.
    case mailedTokenInvalid
    /// This server sends no mail.
    case mailUnavailable
    /// The person must give the password, or another proof, before this.
    case confirmationRequired
    /// The password is right, and something is needed beside it: one of the methods, with the challenge.
    case secondFactorRequired(challenge: String, methods: [String])
    /// Not a code of the account, or one that was used.
    case codeInvalid
    /// The login that waited for the second factor is over.
    case challengeExpired
    /// The account has an authenticator app already.
    case secondFactorExists
    /// What a passkey signed is not good. Whose passkey it is, and that there is none, is not told.
    case passkeyRefused(WebAuthnError)
    /// The authenticator's passkey is registered already, for this or another account.
    case passkeyExists
    /// This server has no domain that passkeys could belong to.
    case passkeysUnavailable
    /// Too many wrong codes; they count anew after so many seconds.
    case tooManyCodes(retrySeconds: Int)
    /// The settings name no OpenID provider so.
    case providerUnknown
    /// The ID token proves nothing here; the reason names no value of it.
    case idTokenInvalid(reason: String)
    /// The provider's keys can't be fetched, and there are none that may be used.
    case providerUnavailable(retrySeconds: Int)
    /// The provider has not proven an address, which a new account needs.
    case providerEmailUnverified
    /// The identity has no account, and its address is another account's.
    case identityNotLinked
    /// The identity is another account's.
    case identityTaken
    /// Without it nobody could log in to the account.
    case lastLoginMethod
    /// Unknown address or wrong password; which of them is not told.
    case credentialsInvalid
    /// The request does not prove who sends it.
    case unauthenticated(AuthenticationFailure)
    /// The version's document was emptied by retention.
    case versionPruned
    /// The version is a deletion, which has no document.
    case versionIsDeletion
    /// The write would undo another one.
    case conflict(WriteConflict)
    /// The account has no room for the write.
    case quotaExceeded(QuotaExcess)
    /// So many bytes of the file are there, but not all.
    case uploadIncomplete(offset: Int, size: Int)
    /// Another operation of an atomic batch was refused.
    case batchRefused
    /// The Idempotency-Key came with another request before.
    case idempotencyKeyReused
    /// The account has not agreed to analytics, or no longer does.
    case consentRequired
    /// A limit of attempts is reached.
    case rateLimited(ReachedLimit)
    /// More is being asked than can be done soon.
    case overloaded
    /// The database can't be reached or has not answered: what was asked may have happened or not.
    case databaseUnavailable(reason: String)
}

/// Why a request is not believed.
public enum AuthenticationFailure: Sendable, Equatable {
    /// No bearer token.
    case tokenMissing
    /// Not a token of this server, or changed on its way.
    case tokenInvalid
    /// Its time is over; refresh it.
    case tokenExpired
    /// A newer token of the session has been used.
    case tokenOutdated
    /// Logged out, or not used for too long.
    case sessionEnded
    /// An operator has disabled the account.
    case accountDisabled
    /// The server wants signed requests.
    case signatureMissing
    /// The signature headers are incomplete or malformed.
    case signatureMalformed
    /// The signature does not fit the request.
    case signatureInvalid
    /// The server, or the session by what it has signed before, wants a higher version.
    case signatureVersionLow
    /// Signed too long ago or too far ahead; carries the server's clock in Unix seconds.
    case clockSkew(serverTime: Int)
    /// This signed request was taken before.
    case nonceUsed
}

extension CloudSyncError {
    /// The account was erased after the request's session was checked.
    static let accountGone = CloudSyncError.unauthenticated(.sessionEnded)

    /// Names what the database reported, where a caller can do something about it. Nil: it is our own mistake.
    init?(_ error: DatabaseError) {
        switch error {
        case .unavailable(let reason), .connectionLost(let reason):
            self = .databaseUnavailable(reason: reason)
        case .refused(let refusal):
            switch refusal.state {
            case "NV001": self = .unauthenticated(.sessionEnded)
            case "NV002": self = .unauthenticated(.tokenOutdated)
            case "NV004": self = .confirmationRequired
            case "NV005": self = .unauthenticated(.accountDisabled)
            case "NV006": self = .unauthenticated(.signatureVersionLow)
            case "NV030": self = .mailedTokenInvalid
            case "NV034": self = .overloaded
            case "NV011": self = .idempotencyKeyReused
            case "NV012": self = .consentRequired
            case "NV040": self = .credentialsInvalid
            case "NV052": self = .idTokenUsed
            case "NV053": self = .identityTaken
            case "NV054": self = .tooManyIdentities
            // Only the operator can mend it.
            case "NV003", "NV021": self = .databaseUnavailable(reason: refusal.message)
            case ServerRefusal.uniqueViolation where refusal.constraint.hasPrefix("nonces_"):
                self = .unauthenticated(.nonceUsed)
            case ServerRefusal.uniqueViolation where refusal.constraint == "users_email_key":
                self = .emailTaken
            // Everything of an account refers to it.
            case ServerRefusal.foreignKeyViolation where refusal.constraint.contains("_user_id_"): self = .accountGone
            default:
                guard refusal.isTransient else { return nil }
                self = .databaseUnavailable(reason: refusal.loggable)
            }
        }
    }
}

/// Calls the database; what it reports becomes a `CloudSyncError` where a caller can do something about it.
func database<T>(_ body: () async throws(DatabaseError) -> T) async throws -> T {
    do {
        return try await body()
    } catch {
        throw CloudSyncError(error) ?? error
    }
}
