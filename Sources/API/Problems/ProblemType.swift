import HTTP

/// The kinds of error that clients can distinguish. The codes are part of the API: none is renamed or reused.
public enum ProblemType: String, Sendable, CaseIterable {
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
        case .badRequest: "The request is not well-formed HTTP"
        case .invalidJSON: "The body is not JSON as this server takes it"
        case .invalidParameter: "A parameter is not valid"
        case .invalidHeader: "A header field is not valid"
        case .invalidContentCoding: "The body is not what Content-Encoding says"
        case .tokenMissing: "A bearer token is needed"
        case .tokenInvalid: "The token is not one of this server"
        case .tokenExpired: "The token has expired"
        case .tokenOutdated: "A newer token of this session has been used"
        case .sessionEnded: "The session has ended"
        case .accountDisabled: "The account is disabled"
        case .signatureMissing: "The request must be signed"
        case .signatureMalformed: "The signature headers are incomplete or malformed"
        case .signatureInvalid: "The signature does not fit the request"
        case .signatureVersionLow: "The signature's version is too low"
        case .clockSkew: "The signature's timestamp is too far from the server's clock"
        case .nonceUsed: "This signed request was taken before"
        case .credentialsInvalid: "Wrong e-mail address or password"
        case .codeInvalid: "The code is not valid"
        case .challengeExpired: "The login has expired"
        case .passkeyInvalid: "The passkey's answer is not valid"
        case .idTokenInvalid: "Invalid ID token"
        case .registrationClosed: "This server takes no registrations"
        case .invitationRequired: "An invitation is needed"
        case .invitationInvalid: "Invalid invitation"
        case .emailUnverified: "The e-mail address is not confirmed"
        case .emailTokenInvalid: "Invalid e-mail token"
        case .providerEmailUnverified: "The provider has not confirmed an e-mail address"
        case .mailUnavailable: "This server sends no mail"
        case .passkeysUnavailable: "This server has no passkeys"
        case .confirmationRequired: "The password is needed again"
        case .secondFactorRequired: "The second factor is needed"
        case .quotaExceeded: "The account has no room for this"
        case .consentRequired: "The account has not agreed to analytics"
        case .notFound: "There is no such resource"
        case .methodNotAllowed: "The resource does not have this method"
        case .requestTimeout: "The request came too slowly"
        case .emailTaken: "The e-mail address is registered already"
        case .secondFactorExists: "The account has an authenticator app already"
        case .passkeyExists: "The passkey is registered already"
        case .identityNotLinked: "Another account has the e-mail address"
        case .identityTaken: "Another account has the identity"
        case .lastLoginMethod: "The last way to log in can't be removed"
        case .configurationExists, .recordingExists: "The id is taken"
        case .editedLater: "The stored document was edited later"
        case .configurationDeleted: "The item was deleted"
        case .recordingDeleted: "The recording was deleted"
        case .versionMismatch: "The condition does not name the current version"
        case .versionPruned: "The version's document is no longer kept"
        case .versionIsDeletion: "The version is a deletion"
        case .uploadIncomplete: "Bytes of the file are missing"
        case .uploadNotActive: "The upload is no longer open"
        case .uploadSuperseded: "A newer request continues the upload"
        case .tusVersionNotSupported: "The version of tus is not supported"
        case .thumbnailNotReady: "The thumbnail is not there yet"
        case .thumbnailUnavailable: "The recording has no thumbnail"
        case .previewNotReady: "The preview is not there yet"
        case .previewUnavailable: "The recording has no preview"
        case .linkExpired: "The download link has expired"
        case .rangeNotSatisfiable: "The range is not in the file"
        case .storageUnavailable: "The store of files does not answer"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body is of another media type"
        case .unsupportedContentCoding: "The body's content coding is not supported here"
        case .invalidDocument: "The body breaks its schema"
        case .unprocessableParameter: "A parameter is missing or can't be used"
        case .providerUnknown: "Unknown provider"
        case .idMismatch: "The id in the body is not the one in the path"
        case .idempotencyKeyReused: "The Idempotency-Key came with another request before"
        case .batchRefused: "Another operation of the batch was refused"
        case .targetTooLong: "The request target is too long"
        case .headerTooLarge: "The header fields are too large or too many"
        case .expectationFailed: "The expectation can't be met"
        case .misdirectedRequest: "The request is for another server"
        case .methodNotImplemented: "Unknown method"
        case .codingNotImplemented: "The transfer coding is not known"
        case .versionNotSupported: "The HTTP version is not supported"
        case .tooManyConnections: "Your address has too many connections"
        case .tooManyCodes: "Too many wrong codes"
        case .rateLimited: "Too many attempts or writes"
        case .overloaded: "Too much is being asked at the moment"
        case .answerTimeout: "The answer took too long"
        case .databaseUnavailable: "The database can't be reached at the moment"
        case .providerUnavailable: "The provider can't be reached at the moment"
        case .insufficientStorage: "The server has no room for this"
        case .internalError: "The server made a mistake"
        }
    }

    /// Advice for the client: the text of the problem's page.
    var advice: String {
        switch self {
        case .badRequest: "Check the HTTP library: the message could be read in two ways, or a part is missing."
        case .invalidJSON:
            "Send one JSON value in UTF-8, at most 64 levels deep, without duplicate names, lone surrogates or U+0000."
        case .invalidParameter: "The detail names the parameter and what it takes."
        case .invalidHeader: "The detail names the header field and what it takes."
        case .invalidContentCoding: "Pack the body again, or send it without Content-Encoding."
        case .tokenMissing: "Log in and send `Authorization: Bearer TOKEN`."
        case .tokenInvalid: "Log in again."
        case .tokenExpired: "POST /auth/refresh with the expired token, then repeat the request with the new one."
        case .tokenOutdated:
            "Use the token that the last refresh gave. Without a newer one, refresh with this one: that ends the session, which "
                + "somebody else may have. Then log in."
        case .sessionEnded: "Log in again."
        case .accountDisabled: "Ask the operator of this server. What the account has is kept."
        case .signatureMissing: "Send X-Timestamp, X-Nonce and X-Signature, made with the session's signing_key."
        case .signatureMalformed:
            "X-Timestamp is in Unix seconds, X-Nonce 1 to 128 visible ASCII characters, X-Signature Base64 of 32 bytes, "
                + "X-Signature-Version 1, 2 or 3. In version 3 no signed field is empty."
        case .signatureInvalid:
            "Sign METHOD, absolute URL, timestamp and nonce (version 2: and the body's digest; version 3: and the signed fields) with the "
                + "decoded signing_key."
        case .signatureVersionLow:
            "Sign every request of the session by version 3. The server may want it, and a session can't go below a version that it has used."
        case .clockSkew: "Correct the clock by the member server_time (Unix seconds) and sign anew."
        case .nonceUsed: "A retry is signed anew, with a new nonce."
        case .credentialsInvalid: "Ask the person again."
        case .codeInvalid:
            "Ask the person for the code that the app shows now. Each code is good once; then wait for the next one."
        case .challengeExpired: "POST /auth/login again: a challenge is good for 5 minutes, 5 attempts and one login."
        case .passkeyInvalid:
            "Ask for new options, and let the person try again. A challenge is good for 5 minutes and one answer."
        case .idTokenInvalid:
            "Have the person sign in with the provider again. The detail says what is wrong with the token."
        case .registrationClosed: "Ask the operator of this server for an account."
        case .invitationRequired: "Ask the operator of this server for an invitation."
        case .invitationInvalid:
            "It was used, has expired, or is for another address. Ask the operator of this server for another one."
        case .emailUnverified:
            "Use the token that was mailed to the address. POST /auth/password-reset has another one mailed."
        case .emailTokenInvalid: "It was used, has expired, or is for something else. Ask for another mail."
        case .providerEmailUnverified:
            "Ask the person to confirm an address at the provider and to share it with the app, or to register with a password."
        case .mailUnavailable: "Ask the operator of this server for another password or address."
        case .passkeysUnavailable: "The operator of this server has to set passkey_rp_id. Use the password."
        case .confirmationRequired:
            "Ask the person for the password, POST it to /auth/confirm, and repeat the request within 10 minutes."
        case .secondFactorRequired:
            "POST the member challenge to /auth/second-factor within 5 minutes, with one of the members methods."
        case .quotaExceeded:
            "The members quota, limit and used say what there is too much of. items: delete some. document_bytes: send a "
                + "smaller one. history_bytes: take resolved conflicts off the list, which makes room at once, or wait until "
                + "old versions go. recording_bytes: delete recordings. open_uploads: complete or delete uploads. file_bytes: one file "
                + "may not be larger. events: wait until the oldest month goes. devices and passkeys: delete one that is no longer used. "
                + "identities: remove one. "
                + "tombstones: only the operator of this server can help."
        case .consentRequired:
            "Drop the events. Ask the person, and PUT /account/consents what they say, before events are collected again."
        case .notFound: "It never was, was deleted, or belongs to somebody else."
        case .methodNotAllowed: "The Allow field lists the methods of this resource."
        case .requestTimeout: "Send the request again over a better connection."
        case .emailTaken: "Log in instead."
        case .passkeyExists: "Use it to log in, or take another authenticator."
        case .secondFactorExists: "DELETE /account/totp first, with one of its codes or a recovery code."
        case .identityNotLinked:
            "Ask the person to log in to that account in another way, then link the identity: POST /account/identities."
        case .identityTaken: "Log in with the identity to that account, and remove it there first."
        case .lastLoginMethod: "Set a password by POST /auth/password-reset, or link another identity first."
        case .configurationExists:
            "Another item has this id. Compare with the member current; to change that item, send If-Match with the member "
                + "version."
        case .editedLater:
            "Take the member current, or PUT again with If-Match and its version. The document sent was kept, unless an "
                + "atomic batch was refused with it."
        case .configurationDeleted:
            "Drop it. A deleted configuration can be written again, with If-Match and the member version."
        case .recordingExists: "Choose another id for another recording. To change this one, PATCH it."
        case .recordingDeleted: "Drop it, or choose another id: a deleted recording does not come back."
        case .versionMismatch: "Merge with the member current and repeat with If-Match and the member version."
        case .versionPruned:
            "Choose a version that has_document; the operator decides how many are kept, and for how long."
        case .versionIsDeletion: "It has no document: choose the version before it, or DELETE to delete again."
        case .uploadIncomplete: "Ask for an upload URL again and send the rest: upload_offset says from where."
        case .uploadNotActive: "It has expired or failed. Ask for another upload URL, for another recording id."
        case .uploadSuperseded: "Ask for the offset and go on from there."
        case .tusVersionNotSupported: "Send Tus-Resumable: 1.0.0."
        case .thumbnailNotReady: "Ask again after the seconds that Retry-After says."
        case .thumbnailUnavailable: "Show a placeholder. PUT one, if you can make it."
        case .previewNotReady: "Ask again after the seconds that Retry-After says."
        case .previewUnavailable: "Offer the file itself: /recordings/{id}/content."
        case .linkExpired: "Ask for /recordings/{id}/content, /thumbnail or /preview again: the answer has a new link."
        case .rangeNotSatisfiable: "Ask for one range within the size that Content-Range says."
        case .storageUnavailable: "Repeat the request after the seconds that Retry-After says."
        case .bodyTooLarge: "The detail says how much is taken."
        case .unsupportedMediaType:
            "Send Content-Type: application/json, with PATCH application/merge-patch+json."
        case .unsupportedContentCoding: "The field Accept-Encoding names what is taken."
        case .invalidDocument: "The member errors has one entry for each violation, with a JSON Pointer into the body."
        case .unprocessableParameter:
            "The member errors has one entry for each parameter, with its name as the pointer and what it must be."
        case .providerUnknown: "Ask the operator of this server which OpenID providers are set up, and by which names."
        case .idMismatch: "Send the document to the path that ends in its own id."
        case .idempotencyKeyReused: "Take a new key for each request, and the same one for its repetitions only."
        case .batchRefused: "Nothing of the batch was done. Mend or leave out what was refused and send it again."
        case .targetTooLong: "Shorten the query."
        case .headerTooLarge: "Send fewer or shorter header fields."
        case .expectationFailed: "Only Expect: 100-continue is known."
        case .misdirectedRequest: "Send requests for https URLs over TLS, and to a host of the server's own."
        case .methodNotImplemented: "Methods are written in capitals. OPTIONS tells which ones a resource has."
        case .codingNotImplemented: "Only Transfer-Encoding: chunked is known."
        case .versionNotSupported: "Speak HTTP/1.1."
        case .overloaded: "Repeat the request after the seconds that Retry-After says."
        case .tooManyCodes: "Use a recovery code, or wait the seconds that Retry-After says."
        case .tooManyConnections:
            "Use the connections that are open, or close some and wait the seconds that Retry-After says."
        case .rateLimited:
            "Try again after the seconds that Retry-After says; RateLimit names the limit. A device or a network that has logged in before is not "
                + "stopped by what strangers try. For writes: send several in one batch."
        case .answerTimeout:
            "Repeat the request after the seconds that Retry-After says. What it asked for may have been done; a "
                + "configuration's write may be repeated as often as needed."
        case .databaseUnavailable:
            "Repeat the request after the seconds that Retry-After says. What it asked for may have been done; a "
                + "configuration's write may be repeated as often as needed."
        case .providerUnavailable:
            "Have the person sign in again after the seconds that Retry-After says, or log in another way."
        case .insufficientStorage:
            "Tell the operator that the disk is full, and continue the upload later: what came before is kept."
        case .internalError: "Tell the operator the member instance: the log has the details."
        }
    }
}
