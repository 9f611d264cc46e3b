// MARK: The request as such

extension ProblemType {
    package static let badRequest = ProblemType("bad-request", 400, "Malformed HTTP request")
        .advising("Check the HTTP library: the message is ambiguous or incomplete.")
    package static let invalidJSON = ProblemType("invalid-json", 400, "The body is not valid JSON")
        .advising(
            "Send one JSON value in UTF-8, at most 64 levels deep, without duplicate names, lone surrogates or "
                + "U+0000."
        )
    package static let invalidParameter = ProblemType("invalid-parameter", 400, "Invalid parameter")
        .advising("The detail names the parameter and its allowed values.")
    package static let invalidHeader = ProblemType("invalid-header", 400, "Invalid header field")
        .advising("The detail names the header field and its allowed values.")
    package static let invalidContentCoding = ProblemType(
        "invalid-content-coding",
        400,
        "The body does not match its Content-Encoding"
    )
    .advising("Compress the body again, or send it without Content-Encoding.")
    package static let notFound = ProblemType("not-found", 404, "Not found")
        .advising("It never existed, was deleted, or belongs to another user.")
    package static let methodNotAllowed = ProblemType("method-not-allowed", 405, "Method not allowed")
        .advising("The Allow field lists the methods of this resource.")
    package static let requestTimeout = ProblemType("request-timeout", 408, "Request timeout")
        .advising("Send the request again over a faster connection.")
    package static let thumbnailNotReady = ProblemType("thumbnail-not-ready", 404, "The thumbnail is not ready")
        .advising("Repeat the request after the seconds in Retry-After.")
    package static let thumbnailUnavailable = ProblemType(
        "thumbnail-unavailable",
        404,
        "The recording has no thumbnail"
    )
    .advising("Show a placeholder. If you can make a thumbnail, PUT it.")
    package static let previewNotReady = ProblemType("preview-not-ready", 404, "The preview is not ready")
        .advising("Repeat the request after the seconds in Retry-After.")
    package static let previewUnavailable = ProblemType("preview-unavailable", 404, "The recording has no preview")
        .advising("Offer the file itself: /recordings/{id}/content.")
    package static let bodyTooLarge = ProblemType("body-too-large", 413, "The body is too large")
        .advising("The detail names the limit.")
    package static let unsupportedMediaType = ProblemType("unsupported-media-type", 415, "Unsupported media type")
        .advising("Send Content-Type: application/json; for PATCH, application/merge-patch+json.")
    package static let unsupportedContentCoding = ProblemType(
        "unsupported-content-coding",
        415,
        "Unsupported content coding"
    )
    .advising("Accept-Encoding lists the supported codings.")
    package static let targetTooLong = ProblemType("target-too-long", 414, "The request target is too long")
        .advising("Shorten the query.")
    package static let upgradeRequired = ProblemType("upgrade-required", 426, "WebSocket required")
        .advising(
            "Connect with a WebSocket client of version 13. Without one, use /realtime/commands and /realtime/state."
        )
    package static let headerTooLarge = ProblemType(
        "header-too-large",
        431,
        "The header fields are too large or too many"
    )
    .advising("Send fewer or shorter header fields.")
    package static let expectationFailed = ProblemType("expectation-failed", 417, "Expectation failed")
        .advising("Only Expect: 100-continue is supported.")
    package static let misdirectedRequest = ProblemType("misdirected-request", 421, "Misdirected request")
        .advising("Send requests for https URLs over TLS, and to a host name of this server.")
    package static let methodNotImplemented = ProblemType("method-not-implemented", 501, "Unknown method")
        .advising("Write methods in capitals. OPTIONS lists the methods of a resource.")
    package static let codingNotImplemented = ProblemType("coding-not-implemented", 501, "Unsupported transfer coding")
        .advising("Only Transfer-Encoding: chunked is supported.")
    package static let versionNotSupported = ProblemType("version-not-supported", 505, "Unsupported HTTP version")
        .advising("Use HTTP/1.1.")
}

// MARK: Its sender, and the sender's rights

extension ProblemType {
    package static let tokenMissing = ProblemType("token-missing", 401, "Missing bearer token")
        .advising("Log in and send `Authorization: Bearer TOKEN`.")
    package static let tokenInvalid = ProblemType("token-invalid", 401, "Invalid token")
        .advising("Log in again.")
    package static let tokenExpired = ProblemType("token-expired", 401, "The token has expired")
        .advising("POST /auth/refresh with the expired token, then repeat the request with the new one.")
    package static let tokenOutdated = ProblemType("token-outdated", 401, "Outdated token")
        .advising(
            "Read the stored token again. Without a newer one, refresh with this token. If that gets 401, log in: "
                + "another client has the newer token."
        )
    package static let sessionEnded = ProblemType("session-ended", 401, "The session has ended")
        .advising("Log in again.")
    package static let accountDisabled = ProblemType("account-disabled", 401, "The account is disabled")
        .advising("Contact the operator of this server. The account's data are kept.")
    package static let signatureMissing = ProblemType("signature-missing", 401, "Missing request signature")
        .advising("Send X-Timestamp, X-Nonce and X-Signature, computed with the session's signing_key.")
    package static let signatureMalformed = ProblemType(
        "signature-malformed",
        401,
        "Incomplete or malformed signature headers"
    )
    .advising(
        "X-Timestamp must be Unix seconds, X-Nonce 1 to 128 visible ASCII characters, X-Signature Base64 of "
            + "32 bytes, X-Signature-Version 1 or 3. In version 3 no signed field may be empty."
    )
    package static let signatureInvalid = ProblemType("signature-invalid", 401, "Invalid request signature")
        .advising(
            "Sign METHOD, absolute URL, timestamp and nonce (version 3: also the signed fields and the body's "
                + "digest) with the decoded signing_key."
        )
    package static let signatureVersionLow = ProblemType(
        "signature-version-low",
        401,
        "The signature version is too low"
    )
    .advising(
        "Sign every request of the session by version 3. The server may require it, and a session that has used "
            + "it stays with it."
    )
    package static let clockSkew = ProblemType("clock-skew", 401, "The timestamp is too far from the server's clock")
        .advising("Set the clock by `server_time` (Unix seconds) and sign again.")
    package static let nonceUsed = ProblemType("nonce-used", 401, "The nonce was already used")
        .advising("Sign each retry again, with a new nonce.")
    package static let credentialsInvalid = ProblemType("credentials-invalid", 401, "Wrong e-mail address or password")
        .advising("Check both, and try again.")
    package static let codeInvalid = ProblemType("code-invalid", 401, "Invalid code")
        .advising("Ask the user for the current code of the app. Each code is valid once; then wait for the next one.")
    package static let challengeExpired = ProblemType("challenge-expired", 401, "The login challenge has expired")
        .advising("POST /auth/login again: a challenge is valid for 5 minutes, 5 attempts and one login.")
    package static let passkeyInvalid = ProblemType("passkey-invalid", 401, "Invalid passkey response")
        .advising(
            "Request new options and let the user try again. A challenge is valid for 5 minutes and one "
                + "response."
        )
    package static let idTokenInvalid = ProblemType("id-token-invalid", 401, "Invalid ID token")
        .advising("Let the user sign in with the provider again. The detail names the fault of the token.")
    package static let registrationClosed = ProblemType("registration-closed", 403, "Registration is closed")
        .advising("Ask the operator of this server for an account.")
    package static let invitationRequired = ProblemType("invitation-required", 403, "Invitation required")
        .advising("Ask the operator of this server for an invitation.")
    package static let invitationInvalid = ProblemType("invitation-invalid", 403, "Invalid invitation")
        .advising("It was used, has expired, or is for another address. Ask the operator of this server for a new one.")
    package static let emailUnverified = ProblemType("email-unverified", 403, "The e-mail address is not confirmed")
        .advising(
            "Use the token in the mail to the address. POST /auth/password-reset sends another one, "
                + "for /auth/password-reset/confirm."
        )
    package static let emailTokenInvalid = ProblemType("email-token-invalid", 403, "Invalid e-mail token")
        .advising("It was used, has expired, or is for another purpose. Request a new mail.")
    package static let providerEmailUnverified = ProblemType(
        "provider-email-unverified",
        403,
        "No confirmed e-mail address from the provider"
    )
    .advising(
        "Ask the user to confirm an address at the provider and to share it with the app, or to register "
            + "with a password."
    )
    package static let mailUnavailable = ProblemType("mail-unavailable", 403, "This server sends no mail")
        .advising("Ask the operator of this server to change the password or the address.")
    package static let passkeysUnavailable = ProblemType("passkeys-unavailable", 403, "Passkeys are not configured")
        .advising(
            "Log in with the password. The operator of this server enables passkeys with the setting "
                + "passkey_rp_id."
        )
    package static let confirmationRequired = ProblemType("confirmation-required", 403, "Confirmation required")
        .advising("Ask the user for the password, POST it to /auth/confirm, and repeat the request within 10 minutes.")
    package static let secondFactorRequired = ProblemType("second-factor-required", 403, "Second factor required")
        .advising("POST `challenge` to /auth/second-factor within 5 minutes, with one of the `methods`.")
    package static let quotaExceeded = ProblemType("quota-exceeded", 403, "Quota exceeded")
        .advising(
            "`quota` names the resource, `limit` its limit and `used` the amount in use. items: delete some. "
                + "document_bytes: send a smaller document. history_bytes: delete resolved conflicts, or wait until "
                + "old versions expire. recording_bytes: delete recordings. open_uploads: complete or delete uploads. "
                + "file_bytes: send a smaller file. events: wait until the oldest month expires. devices, passkeys: "
                + "delete an unused one. identities: remove one. tombstones: ask the operator of this server."
        )
    package static let consentRequired = ProblemType("consent-required", 403, "Consent required")
        .advising(
            "Discard the events. Ask the user for consent to their category, and PUT the answer to /account/consents "
                + "before events are collected again."
        )
}

// MARK: Documents, versions and uploads

extension ProblemType {
    package static let emailTaken = ProblemType("email-taken", 409, "The e-mail address is already registered")
        .advising("Log in instead.")
    package static let secondFactorExists = ProblemType(
        "second-factor-exists",
        409,
        "The account already has an authenticator app"
    )
    .advising("DELETE /account/totp first, with one of its codes or a recovery code.")
    package static let passkeyExists = ProblemType("passkey-exists", 409, "The passkey is already registered")
        .advising("Use it to log in, or choose another authenticator.")
    package static let identityNotLinked = ProblemType(
        "identity-not-linked",
        409,
        "The e-mail address belongs to another account"
    )
    .advising(
        "Ask the user to log in to that account in another way, then link the identity: POST "
            + "/account/identities."
    )
    package static let identityTaken = ProblemType("identity-taken", 409, "The identity belongs to another account")
        .advising("Log in to that account with the identity, and remove it there first.")
    package static let lastLoginMethod = ProblemType(
        "last-login-method",
        409,
        "The last login method cannot be removed"
    )
    .advising("Set a password by POST /auth/password-reset, or link another identity first.")
    package static let configurationExists = ProblemType("configuration-exists", 409, "The id is already in use")
        .advising(
            "Another item has this id. Compare it with `current`; to change that item, send If-Match with "
                + "`version`."
        )
    package static let editedLater = ProblemType("edited-later", 409, "The stored document was edited later")
        .advising(
            "Use `current`, or PUT again with If-Match and `version`. The sent document was stored as a "
                + "conflict, unless an atomic batch was rejected with it."
        )
    package static let configurationDeleted = ProblemType("configuration-deleted", 409, "The item was deleted")
        .advising("Discard it, or write it again with If-Match and `version`.")
    package static let recordingExists = ProblemType("recording-exists", 409, "The id is already in use")
        .advising("Choose another id for a new recording. To change this one, PATCH it.")
    package static let recordingDeleted = ProblemType("recording-deleted", 409, "The recording was deleted")
        .advising("Discard it, or choose another id: a deleted recording cannot be restored.")
    package static let versionMismatch = ProblemType(
        "version-mismatch",
        412,
        "The condition does not match the current version"
    )
    .advising("Merge with `current` and repeat the request with If-Match and `version`.")
    package static let versionPruned = ProblemType("version-pruned", 410, "The document of this version was deleted")
        .advising("Choose a version with `has_document`. The operator limits the number and the age of kept documents.")
    package static let versionIsDeletion = ProblemType("version-is-deletion", 410, "The version is a deletion")
        .advising("It has no document. Choose the version before it, or DELETE to delete again.")
    package static let ambiguousTarget = ProblemType("ambiguous-target", 409, "Several devices could do it")
        .advising("Send the command again with `to`: one of `devices`.")
    package static let uploadIncomplete = ProblemType("upload-incomplete", 409, "The upload is incomplete")
        .advising("Request an upload URL again and send the rest, from `upload_offset` on.")
    package static let uploadNotActive = ProblemType("upload-not-active", 410, "The upload is not active")
        .advising("It has expired or failed. Request a new upload URL for the same recording, and send the whole file.")
    package static let uploadSuperseded = ProblemType("upload-superseded", 409, "A newer request continues the upload")
        .advising("Request the offset and continue there.")
    package static let tusVersionNotSupported = ProblemType("tus-version-not-supported", 412, "Unsupported tus version")
        .advising("Send Tus-Resumable: 1.0.0.")
    package static let linkExpired = ProblemType("link-expired", 410, "The download link has expired")
        .advising(
            "Request /recordings/{id}/content, /thumbnail or /preview again for a new link, or the recording for a new "
                + "thumbnail_url."
        )
    package static let rangeNotSatisfiable = ProblemType("range-not-satisfiable", 416, "Range not satisfiable")
        .advising("Request one range within the size in Content-Range.")
    package static let invalidDocument = ProblemType("invalid-document", 422, "The body does not match its schema")
        .advising("`errors` has one entry for each violation, with a JSON Pointer into the body.")
    package static let unprocessableParameter = ProblemType(
        "unprocessable-parameter",
        422,
        "Missing or invalid parameter"
    )
    .advising("`errors` has one entry for each parameter, with its name as the pointer and its allowed values.")
    package static let providerUnknown = ProblemType("provider-unknown", 422, "Unknown provider")
        .advising("Ask the operator of this server for the names of the configured OpenID providers.")
    package static let idMismatch = ProblemType("id-mismatch", 422, "The ids in the body and the path differ")
        .advising("Send the document to the path with its own id.")
    package static let idempotencyKeyReused = ProblemType(
        "idempotency-key-reused",
        422,
        "The Idempotency-Key was used for another request"
    )
    .advising("Use a new key for each request, and the same key only for its retries.")
    package static let batchRefused = ProblemType("batch-refused", 424, "Another operation of the batch failed")
        .advising("Nothing of the batch was done. Correct or remove the rejected operations and send it again.")
}

// MARK: Limits and faults

extension ProblemType {
    package static let storageUnavailable = ProblemType("storage-unavailable", 503, "File storage unavailable")
        .advising("Repeat the request after the seconds in Retry-After.")
    package static let tooManyConnections = ProblemType("too-many-connections", 429, "Too many connections")
        .advising("Reuse the open connections, or close some and wait the seconds in Retry-After.")
    package static let tooManyCodes = ProblemType("too-many-codes", 429, "Too many wrong codes")
        .advising("Use a recovery code, or wait the seconds in Retry-After.")
    package static let rateLimited = ProblemType("rate-limited", 429, "Too many attempts or writes")
        .advising(
            "Repeat the request after the seconds in Retry-After. RateLimit names the limit. Attempts by unknown "
                + "clients do not block a device or a network that has logged in before. For writes: send several in "
                + "one batch."
        )
    package static let overloaded = ProblemType("overloaded", 503, "The server is overloaded")
        .advising("Repeat the request after the seconds in Retry-After.")
    package static let answerTimeout = ProblemType("answer-timeout", 503, "Response timeout")
        .advising(
            "Repeat the request after the seconds in Retry-After. The server may have processed it; a write of a "
                + "configuration can be repeated safely."
        )
    package static let databaseUnavailable = ProblemType("database-unavailable", 503, "The database is unavailable")
        .advising(
            "Repeat the request after the seconds in Retry-After. The server may have processed it; a write of a "
                + "configuration can be repeated safely."
        )
    package static let providerUnavailable = ProblemType("provider-unavailable", 503, "The provider is unavailable")
        .advising("Let the user sign in again after the seconds in Retry-After, or log in another way.")
    package static let insufficientStorage = ProblemType("insufficient-storage", 507, "Insufficient storage")
        .advising("Report the full disk to the operator, and continue the upload later: the received bytes are kept.")
    package static let internalError = ProblemType("internal-error", 500, "Internal server error")
        .advising("Report the `instance` value to the operator: the log has the details.")
}

// MARK: Uploads, in IANA's registry of HTTP problem types

extension ProblemType {
    package static let digestUnsupported = registered(
        "digest-unsupported-algorithms",
        400,
        "Unsupported Hashing Algorithms"
    )
    package static let digestInvalid = registered("digest-invalid-values", 400, "Invalid Digest Values")
    package static let digestMismatch = registered("digest-mismatched-values", 400, "Mismatched Digest Values")
    package static let lengthInconsistent = registered(
        "inconsistent-upload-length",
        400,
        "Inconsistent Upload Length Values"
    )
    package static let offsetMismatch = registered("mismatching-upload-offset", 409, "Mismatching Upload Offset")
    package static let uploadCompleted = registered("completed-upload", 400, "Upload Is Completed")

    private static func registered(_ code: String, _ status: Int, _ title: String) -> ProblemType {
        ProblemType(code, status, title, isRegistered: true)
    }
}
