import HTTP

/// The kinds of error that clients can distinguish. The codes are part of the API: none is renamed or reused.
package enum ProblemType: String, Sendable, CaseIterable {
    case badRequest = "bad-request"
    case invalidJSON = "invalid-json"
    case invalidParameter = "invalid-parameter"
    case invalidHeader = "invalid-header"
    case invalidContentCoding = "invalid-content-coding"
    case tokenMissing = "token-missing"
    case tokenInvalid = "token-invalid"
    case tokenExpired = "token-expired"
    case tokenOutdated = "token-outdated"
    case sessionEnded = "session-ended"
    case accountDisabled = "account-disabled"
    case signatureMissing = "signature-missing"
    case signatureMalformed = "signature-malformed"
    case signatureInvalid = "signature-invalid"
    case signatureVersionLow = "signature-version-low"
    case clockSkew = "clock-skew"
    case nonceUsed = "nonce-used"
    case credentialsInvalid = "credentials-invalid"
    case codeInvalid = "code-invalid"
    case challengeExpired = "challenge-expired"
    case passkeyInvalid = "passkey-invalid"
    case idTokenInvalid = "id-token-invalid"
    case registrationClosed = "registration-closed"
    case invitationRequired = "invitation-required"
    case invitationInvalid = "invitation-invalid"
    case emailUnverified = "email-unverified"
    case emailTokenInvalid = "email-token-invalid"
    case providerEmailUnverified = "provider-email-unverified"
    case mailUnavailable = "mail-unavailable"
    case passkeysUnavailable = "passkeys-unavailable"
    case confirmationRequired = "confirmation-required"
    case secondFactorRequired = "second-factor-required"
    case quotaExceeded = "quota-exceeded"
    case consentRequired = "consent-required"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case emailTaken = "email-taken"
    case secondFactorExists = "second-factor-exists"
    case passkeyExists = "passkey-exists"
    case identityNotLinked = "identity-not-linked"
    case identityTaken = "identity-taken"
    case lastLoginMethod = "last-login-method"
    case configurationExists = "configuration-exists"
    case editedLater = "edited-later"
    case configurationDeleted = "configuration-deleted"
    case recordingExists = "recording-exists"
    case recordingDeleted = "recording-deleted"
    case versionMismatch = "version-mismatch"
    case versionPruned = "version-pruned"
    case versionIsDeletion = "version-is-deletion"
    case uploadIncomplete = "upload-incomplete"
    case uploadNotActive = "upload-not-active"
    case uploadSuperseded = "upload-superseded"
    case tusVersionNotSupported = "tus-version-not-supported"
    case thumbnailNotReady = "thumbnail-not-ready"
    case thumbnailUnavailable = "thumbnail-unavailable"
    case previewNotReady = "preview-not-ready"
    case previewUnavailable = "preview-unavailable"
    case linkExpired = "link-expired"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case storageUnavailable = "storage-unavailable"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case unsupportedContentCoding = "unsupported-content-coding"
    case invalidDocument = "invalid-document"
    case unprocessableParameter = "unprocessable-parameter"
    case providerUnknown = "provider-unknown"
    case idMismatch = "id-mismatch"
    case idempotencyKeyReused = "idempotency-key-reused"
    case batchRefused = "batch-refused"
    case targetTooLong = "target-too-long"
    case headerTooLarge = "header-too-large"
    case expectationFailed = "expectation-failed"
    case misdirectedRequest = "misdirected-request"
    case methodNotImplemented = "method-not-implemented"
    case codingNotImplemented = "coding-not-implemented"
    case versionNotSupported = "version-not-supported"
    case tooManyConnections = "too-many-connections"
    case tooManyCodes = "too-many-codes"
    case rateLimited = "rate-limited"
    case overloaded = "overloaded"
    case answerTimeout = "answer-timeout"
    case databaseUnavailable = "database-unavailable"
    case providerUnavailable = "provider-unavailable"
    case insufficientStorage = "insufficient-storage"
    case internalError = "internal-error"
}

extension ProblemType {
    var status: Status {
        switch self {
        case .badRequest, .invalidJSON, .invalidParameter, .invalidHeader, .invalidContentCoding: .badRequest
        case .tokenMissing, .tokenInvalid, .tokenExpired, .tokenOutdated, .sessionEnded, .accountDisabled,
            .signatureMissing, .signatureMalformed, .signatureInvalid, .signatureVersionLow, .clockSkew, .nonceUsed,
            .credentialsInvalid, .codeInvalid, .challengeExpired, .passkeyInvalid, .idTokenInvalid:
            .unauthorized
        case .registrationClosed, .invitationRequired, .invitationInvalid, .emailUnverified, .emailTokenInvalid,
            .providerEmailUnverified, .mailUnavailable, .passkeysUnavailable, .confirmationRequired,
            .secondFactorRequired, .quotaExceeded,
            .consentRequired:
            .forbidden
        case .notFound, .thumbnailNotReady, .thumbnailUnavailable, .previewNotReady, .previewUnavailable: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .emailTaken, .secondFactorExists, .passkeyExists, .identityNotLinked, .identityTaken, .lastLoginMethod,
            .configurationExists, .editedLater, .configurationDeleted,
            .recordingExists, .recordingDeleted, .uploadIncomplete, .uploadSuperseded:
            .conflict
        case .versionPruned, .versionIsDeletion, .linkExpired, .uploadNotActive: .gone
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .versionMismatch, .tusVersionNotSupported: .preconditionFailed
        case .bodyTooLarge: .contentTooLarge
        case .unsupportedMediaType, .unsupportedContentCoding: .unsupportedMediaType
        case .invalidDocument, .unprocessableParameter, .providerUnknown, .idMismatch, .idempotencyKeyReused:
            .unprocessableContent
        case .batchRefused: Status(code: 424, reason: "Failed Dependency")
        case .targetTooLong: .uriTooLong
        case .headerTooLarge: .headerFieldsTooLarge
        case .expectationFailed: .expectationFailed
        case .misdirectedRequest: .misdirectedRequest
        case .methodNotImplemented, .codingNotImplemented: .notImplemented
        case .versionNotSupported: .versionNotSupported
        case .tooManyConnections, .tooManyCodes, .rateLimited: .tooManyRequests
        case .overloaded, .answerTimeout, .databaseUnavailable, .providerUnavailable, .storageUnavailable:
            .serviceUnavailable
        case .insufficientStorage: .insufficientStorage
        case .internalError: .internalServerError
        }
    }

    /// WWW-Authenticate of a 401 (RFC 6750, section 3). It has the error of a token if the request had a token.
    var challenge: String {
        switch self {
        case .tokenInvalid, .tokenExpired, .tokenOutdated, .sessionEnded, .accountDisabled:
            "Bearer error=\"invalid_token\""
        default: "Bearer"
        }
    }

    /// The same for every occurrence.
    var title: String {
        switch self {
        case .badRequest: "Malformed HTTP request"
        case .invalidJSON: "The body is not valid JSON"
        case .invalidParameter: "Invalid parameter"
        case .invalidHeader: "Invalid header field"
        case .invalidContentCoding: "The body does not match its Content-Encoding"
        case .tokenMissing: "Missing bearer token"
        case .tokenInvalid: "Invalid token"
        case .tokenExpired: "The token has expired"
        case .tokenOutdated: "Outdated token"
        case .sessionEnded: "The session has ended"
        case .accountDisabled: "The account is disabled"
        case .signatureMissing: "Missing request signature"
        case .signatureMalformed: "Incomplete or malformed signature headers"
        case .signatureInvalid: "Invalid request signature"
        case .signatureVersionLow: "The signature version is too low"
        case .clockSkew: "The timestamp is too far from the server's clock"
        case .nonceUsed: "The nonce was already used"
        case .credentialsInvalid: "Wrong e-mail address or password"
        case .codeInvalid: "Invalid code"
        case .challengeExpired: "The login challenge has expired"
        case .passkeyInvalid: "Invalid passkey response"
        case .idTokenInvalid: "Invalid ID token"
        case .registrationClosed: "Registration is closed"
        case .invitationRequired: "Invitation required"
        case .invitationInvalid: "Invalid invitation"
        case .emailUnverified: "The e-mail address is not confirmed"
        case .emailTokenInvalid: "Invalid e-mail token"
        case .providerEmailUnverified: "No confirmed e-mail address from the provider"
        case .mailUnavailable: "This server sends no mail"
        case .passkeysUnavailable: "Passkeys are not configured"
        case .confirmationRequired: "Confirmation required"
        case .secondFactorRequired: "Second factor required"
        case .quotaExceeded: "Quota exceeded"
        case .consentRequired: "Consent to analytics required"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .requestTimeout: "Request timeout"
        case .emailTaken: "The e-mail address is already registered"
        case .secondFactorExists: "The account already has an authenticator app"
        case .passkeyExists: "The passkey is already registered"
        case .identityNotLinked: "The e-mail address belongs to another account"
        case .identityTaken: "The identity belongs to another account"
        case .lastLoginMethod: "The last login method cannot be removed"
        case .configurationExists, .recordingExists: "The id is already in use"
        case .editedLater: "The stored document was edited later"
        case .configurationDeleted: "The item was deleted"
        case .recordingDeleted: "The recording was deleted"
        case .versionMismatch: "The condition does not match the current version"
        case .versionPruned: "The document of this version was deleted"
        case .versionIsDeletion: "The version is a deletion"
        case .uploadIncomplete: "The upload is incomplete"
        case .uploadNotActive: "The upload is not active"
        case .uploadSuperseded: "A newer request continues the upload"
        case .tusVersionNotSupported: "Unsupported tus version"
        case .thumbnailNotReady: "The thumbnail is not ready"
        case .thumbnailUnavailable: "The recording has no thumbnail"
        case .previewNotReady: "The preview is not ready"
        case .previewUnavailable: "The recording has no preview"
        case .linkExpired: "The download link has expired"
        case .rangeNotSatisfiable: "Range not satisfiable"
        case .storageUnavailable: "File storage unavailable"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "Unsupported media type"
        case .unsupportedContentCoding: "Unsupported content coding"
        case .invalidDocument: "The body does not match its schema"
        case .unprocessableParameter: "Missing or invalid parameter"
        case .providerUnknown: "Unknown provider"
        case .idMismatch: "The ids in the body and the path differ"
        case .idempotencyKeyReused: "The Idempotency-Key was used for another request"
        case .batchRefused: "Another operation of the batch failed"
        case .targetTooLong: "The request target is too long"
        case .headerTooLarge: "The header fields are too large or too many"
        case .expectationFailed: "Expectation failed"
        case .misdirectedRequest: "Misdirected request"
        case .methodNotImplemented: "Unknown method"
        case .codingNotImplemented: "Unsupported transfer coding"
        case .versionNotSupported: "Unsupported HTTP version"
        case .tooManyConnections: "Too many connections from your address"
        case .tooManyCodes: "Too many wrong codes"
        case .rateLimited: "Too many attempts or writes"
        case .overloaded: "The server is overloaded"
        case .answerTimeout: "Response timeout"
        case .databaseUnavailable: "The database is unavailable"
        case .providerUnavailable: "The provider is unavailable"
        case .insufficientStorage: "Insufficient storage"
        case .internalError: "Internal server error"
        }
    }
}
