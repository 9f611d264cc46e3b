import Credentials
import JSONSchema
import Postgres
import Problems
import Uploads

/// The errors that a caller can get: a type of problem each, some with values.
package enum CloudSyncError: Error, Sendable {
    /// A problem without values.
    case problem(ProblemType)
    /// The request does not prove its sender.
    case unauthenticated(ProblemType)
    /// Signed too long ago or too far in the future; carries the server's clock in Unix seconds.
    case clockSkew(serverTime: Int)
    /// The document or the parameters break their rules.
    case invalid([Violation])
    /// The parameters are well-formed but have no result; the pointers name them.
    case unprocessable([Violation])
    /// The patched document would be larger than a document may be.
    case patchedTooLarge(maxBytes: Int)
    /// The password is right, but a second factor is needed: one of the methods, with the challenge.
    case secondFactorRequired(challenge: String, methods: [String])
    /// The signature of a passkey is not valid. The response does not reveal the passkey's owner, or that no such
    /// passkey exists.
    case passkeyRefused(WebAuthnError)
    /// Too many wrong codes; the count starts again after these seconds.
    case tooManyCodes(retrySeconds: Int)
    /// The code is right, but was used, or is older than a used one.
    case codeRepeated
    /// The ID token is not valid here; the reason contains no value of the token.
    case idTokenInvalid(reason: String)
    /// The provider's keys can't be fetched, and no usable ones are cached.
    case providerUnavailable(retrySeconds: Int)
    /// The write would undo another write.
    case conflict(WriteConflict)
    /// The account has no room for the write.
    case quotaExceeded(QuotaExcess)
    /// The file is not there: `offset` of `size` bytes are here, and the upload is in this stage. A complete one still
    /// waits for its metadata.
    case uploadIncomplete(offset: Int, size: Int, UploadState.Phase)
    /// A limit of attempts is reached.
    case rateLimited(ReachedLimit)
    /// Several devices could carry out the command: these.
    case ambiguousTarget(names: [String])
    /// The id of the command belongs to another one.
    case commandReused
    /// The database can't be reached or has not answered. The request may or may not have taken effect.
    case databaseUnavailable(reason: String)
}

extension CloudSyncError {
    /// The type of the problem.
    package var type: ProblemType {
        switch self {
        case .problem(let type), .unauthenticated(let type): type
        case .clockSkew: .clockSkew
        case .invalid: .invalidDocument
        case .unprocessable: .unprocessableParameter
        case .patchedTooLarge: .bodyTooLarge
        case .secondFactorRequired: .secondFactorRequired
        case .passkeyRefused: .passkeyInvalid
        case .tooManyCodes: .tooManyCodes
        case .codeRepeated: .codeInvalid
        case .idTokenInvalid: .idTokenInvalid
        case .providerUnavailable: .providerUnavailable
        case .conflict(let conflict): conflict.reason.type(of: conflict.subject)
        case .quotaExceeded: .quotaExceeded
        case .uploadIncomplete: .uploadIncomplete
        case .rateLimited: .rateLimited
        case .ambiguousTarget: .ambiguousTarget
        case .commandReused: .idempotencyKeyReused
        case .databaseUnavailable: .databaseUnavailable
        }
    }
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
            case "NV004": self = .problem(.confirmationRequired)
            case "NV005": self = .unauthenticated(.accountDisabled)
            case "NV006": self = .unauthenticated(.signatureVersionLow)
            case "NV030": self = .problem(.emailTokenInvalid)
            case "NV034": self = .problem(.overloaded)
            case "NV011": self = .problem(.idempotencyKeyReused)
            case "NV012": self = .problem(.consentRequired)
            case "NV040": self = .problem(.credentialsInvalid)
            case "NV052": self = .idTokenUsed
            case "NV053": self = .problem(.identityTaken)
            case "NV054": self = .tooManyIdentities
            // Only the operator can fix these.
            case "NV003", "NV021": self = .databaseUnavailable(reason: refusal.message)
            case ServerRefusal.uniqueViolation where refusal.constraint.hasPrefix("nonces_"):
                self = .unauthenticated(.nonceUsed)
            case ServerRefusal.uniqueViolation where refusal.constraint == "users_email_key":
                self = .problem(.emailTaken)
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
