import Credentials
import JSONSchema
import Postgres

/// The errors that a caller can get. Independent of HTTP: `API` maps every case to a response, in one switch.
package enum CloudSyncError: Error, Sendable {
    /// The document or the parameters break their rules.
    case invalid([Violation])
    /// The parameters are well-formed but have no result; the pointers name them.
    case unprocessable([Violation])
    /// The document's id is not the one in the path.
    case idMismatch
    /// The patched document would be larger than a document may be.
    case patchedTooLarge(maxBytes: Int)
    /// The caller owns no such thing.
    case notFound
    /// The address is registered already.
    case emailTaken
    /// This server takes no registrations.
    case registrationClosed
    /// This server takes registrations by invitation only.
    case invitationRequired
    /// The invitation is unknown, was used, has expired, or is for another address.
    case invitationInvalid
    /// The password is right, but the address is not confirmed yet.
    case emailUnverified
    /// The mailed token is unknown, was used, or has expired.
    case mailedTokenInvalid
    /// This server sends no mail.
    case mailUnavailable
    /// The caller must send the password or another proof first.
    case confirmationRequired
    /// The password is right, but a second factor is needed: one of the methods, with the challenge.
    case secondFactorRequired(challenge: String, methods: [String])
    /// The code is not one of the account's, or was used already.
    case codeInvalid
    /// The login that waited for a second factor has ended.
    case challengeExpired
    /// The account has an authenticator app already.
    case secondFactorExists
    /// The signature of a passkey is not valid. The response does not reveal the passkey's owner, or that no such
    /// passkey exists.
    case passkeyRefused(WebAuthnError)
    /// The authenticator's passkey is registered already, for this or another account.
    case passkeyExists
    /// This server has no domain for passkeys.
    case passkeysUnavailable
    /// Too many wrong codes; the count starts again after these seconds.
    case tooManyCodes(retrySeconds: Int)
    /// The settings name no such OpenID provider.
    case providerUnknown
    /// The ID token is not valid here; the reason contains no value of the token.
    case idTokenInvalid(reason: String)
    /// The provider's keys can't be fetched, and no usable ones are cached.
    case providerUnavailable(retrySeconds: Int)
    /// The provider has not proven an address. A new account needs one.
    case providerEmailUnverified
    /// The identity has no account, and its address belongs to another account.
    case identityNotLinked
    /// The identity belongs to another account.
    case identityTaken
    /// Without this method, nobody could log in to the account.
    case lastLoginMethod
    /// Unknown address or wrong password; the response does not reveal which.
    case credentialsInvalid
    /// The request does not prove its sender.
    case unauthenticated(AuthenticationFailure)
    /// Retention has removed the version's document.
    case versionPruned
    /// The version is a deletion, which has no document.
    case versionIsDeletion
    /// The write would undo another write.
    case conflict(WriteConflict)
    /// The account has no room for the write.
    case quotaExceeded(QuotaExcess)
    /// The upload is not complete: `offset` of `size` bytes are here.
    case uploadIncomplete(offset: Int, size: Int)
    /// Another operation of an atomic batch was rejected.
    case batchRefused
    /// The Idempotency-Key was used for another request.
    case idempotencyKeyReused
    /// The account has not agreed to analytics, or has withdrawn.
    case consentRequired
    /// A limit of attempts is reached.
    case rateLimited(ReachedLimit)
    /// The server has more work than it can do soon.
    case overloaded
    /// The database can't be reached or has not answered. The request may or may not have taken effect.
    case databaseUnavailable(reason: String)
}

/// The reason why a request is not authenticated.
package enum AuthenticationFailure: Sendable, Equatable {
    /// No bearer token.
    case tokenMissing
    /// The token is not of this server, or was altered.
    case tokenInvalid
    /// The token has expired; refresh it.
    case tokenExpired
    /// A newer token of the session has been used.
    case tokenOutdated
    /// Logged out, or not used for too long.
    case sessionEnded
    /// The operator has disabled the account.
    case accountDisabled
    /// The server requires signed requests.
    case signatureMissing
    /// The signature headers are incomplete or malformed.
    case signatureMalformed
    /// The signature does not match the request.
    case signatureInvalid
    /// The server requires a higher version, or the session has used a higher one before.
    case signatureVersionLow
    /// Signed too long ago or too far in the future; carries the server's clock in Unix seconds.
    case clockSkew(serverTime: Int)
    /// This signed request was accepted before.
    case nonceUsed
}

extension CloudSyncError {
    /// The account was erased after the request's session was checked.
    static let accountGone = CloudSyncError.unauthenticated(.sessionEnded)

    /// Maps a database error that a caller can act on. Nil for a fault of this server.
    init?(_ error: DatabaseError) {
        switch error {
        case .unavailable(let reason), .connectionLost(let reason):
            self = .databaseUnavailable(reason: reason)
        case .unusable(let reason): self = .databaseUnavailable(reason: "\(reason)")
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
            // Only the operator can fix these.
            case "NV003", "NV021": self = .databaseUnavailable(reason: refusal.message)
            case ServerRefusal.uniqueViolation where refusal.constraint.hasPrefix("nonces_"):
                self = .unauthenticated(.nonceUsed)
            case ServerRefusal.uniqueViolation where refusal.constraint == "users_email_key":
                self = .emailTaken
            // All data of an account refer to its row.
            case ServerRefusal.foreignKeyViolation where refusal.constraint.contains("_user_id_"): self = .accountGone
            default:
                guard refusal.isTransient else { return nil }
                self = .databaseUnavailable(reason: refusal.loggable)
            }
        }
    }
}

/// Runs `body`. Maps its database errors to `CloudSyncError` if a caller can act on them.
func database<T>(_ body: () async throws(DatabaseError) -> T) async throws -> T {
    do {
        return try await body()
    } catch {
        throw CloudSyncError(error) ?? error
    }
}
