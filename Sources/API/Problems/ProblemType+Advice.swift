extension ProblemType {
    /// Advice for the client: the text of the problem's page.
    var advice: String {
        switch self {
        case .badRequest: "Check the HTTP library: the message is ambiguous or incomplete."
        case .invalidJSON:
            "Send one JSON value in UTF-8, at most 64 levels deep, without duplicate names, lone surrogates or U+0000."
        case .invalidParameter: "The detail names the parameter and its allowed values."
        case .invalidHeader: "The detail names the header field and its allowed values."
        case .invalidContentCoding: "Compress the body again, or send it without Content-Encoding."
        case .tokenMissing: "Log in and send `Authorization: Bearer TOKEN`."
        case .tokenInvalid: "Log in again."
        case .tokenExpired: "POST /auth/refresh with the expired token, then repeat the request with the new one."
        case .tokenOutdated:
            "Use the token from the last refresh. If you do not have it, refresh with this token: that ends the "
                + "session, because another client may have the newer token. Then log in."
        case .sessionEnded: "Log in again."
        case .accountDisabled: "Contact the operator of this server. The account's data are kept."
        case .signatureMissing: "Send X-Timestamp, X-Nonce and X-Signature, computed with the session's signing_key."
        case .signatureMalformed:
            "X-Timestamp must be Unix seconds, X-Nonce 1 to 128 visible ASCII characters, X-Signature Base64 of "
                + "32 bytes, X-Signature-Version 1, 2 or 3. In version 3 no signed field may be empty."
        case .signatureInvalid:
            "Sign METHOD, absolute URL, timestamp and nonce (version 2: also the body's digest; version 3: also "
                + "the signed fields) with the decoded signing_key."
        case .signatureVersionLow:
            "Sign every request of the session by version 3. The server may require it, and a session cannot go "
                + "below a version that it has used."
        case .clockSkew: "Set the clock by `server_time` (Unix seconds) and sign again."
        case .nonceUsed: "Sign each retry again, with a new nonce."
        case .credentialsInvalid: "Ask the user again."
        case .codeInvalid:
            "Ask the user for the current code of the app. Each code is valid once; then wait for the next one."
        case .challengeExpired: "POST /auth/login again: a challenge is valid for 5 minutes, 5 attempts and one login."
        case .passkeyInvalid:
            "Request new options and let the user try again. A challenge is valid for 5 minutes and one response."
        case .idTokenInvalid: "Let the user sign in with the provider again. The detail names the fault of the token."
        case .registrationClosed: "Ask the operator of this server for an account."
        case .invitationRequired: "Ask the operator of this server for an invitation."
        case .invitationInvalid:
            "It was used, has expired, or is for another address. Ask the operator of this server for a new one."
        case .emailUnverified: "Use the token in the mail to the address. POST /auth/password-reset sends a new mail."
        case .emailTokenInvalid: "It was used, has expired, or is for another purpose. Request a new mail."
        case .providerEmailUnverified:
            "Ask the user to confirm an address at the provider and to share it with the app, or to register with"
                + " a password."
        case .mailUnavailable: "Ask the operator of this server to change the password or the address."
        case .passkeysUnavailable:
            "Log in with the password. The operator of this server enables passkeys with the setting passkey_rp_id."
        case .confirmationRequired:
            "Ask the user for the password, POST it to /auth/confirm, and repeat the request within 10 minutes."
        case .secondFactorRequired:
            "POST `challenge` to /auth/second-factor within 5 minutes, with one of the `methods`."
        case .quotaExceeded:
            "`quota` names the resource, `limit` its limit and `used` the amount in use. items: delete some. "
                + "document_bytes: send a smaller document. history_bytes: delete resolved conflicts, or wait until old"
                + " versions expire. recording_bytes: delete recordings. open_uploads: complete or delete uploads. "
                + "file_bytes: send a smaller file. events: wait until the oldest month expires. devices, passkeys: "
                + "delete an unused one. identities: remove one. tombstones: ask the operator of this server."
        case .consentRequired:
            "Discard the events. Ask the user, and PUT the answer to /account/consents before events are "
                + "collected again."
        case .notFound: "It never existed, was deleted, or belongs to another user."
        case .methodNotAllowed: "The Allow field lists the methods of this resource."
        case .requestTimeout: "Send the request again over a faster connection."
        case .emailTaken: "Log in instead."
        case .passkeyExists: "Use it to log in, or choose another authenticator."
        case .secondFactorExists: "DELETE /account/totp first, with one of its codes or a recovery code."
        case .identityNotLinked:
            "Ask the user to log in to that account in another way, then link the identity: POST /account/identities."
        case .identityTaken: "Log in to that account with the identity, and remove it there first."
        case .lastLoginMethod: "Set a password by POST /auth/password-reset, or link another identity first."
        case .configurationExists:
            "Another item has this id. Compare it with `current`; to change that item, send If-Match with `version`."
        case .editedLater:
            "Use `current`, or PUT again with If-Match and `version`. The sent document was stored as a conflict,"
                + " unless an atomic batch was rejected with it."
        case .configurationDeleted: "Discard it, or write it again with If-Match and `version`."
        case .recordingExists: "Choose another id for a new recording. To change this one, PATCH it."
        case .recordingDeleted: "Discard it, or choose another id: a deleted recording cannot be restored."
        case .versionMismatch: "Merge with `current` and repeat the request with If-Match and `version`."
        case .versionPruned:
            "Choose a version with `has_document`. The operator limits the number and the age of kept documents."
        case .versionIsDeletion: "It has no document. Choose the version before it, or DELETE to delete again."
        case .uploadIncomplete: "Request an upload URL again and send the rest, from `upload_offset` on."
        case .uploadNotActive: "It has expired or failed. Request a new upload URL with a new recording id."
        case .uploadSuperseded: "Request the offset and continue there."
        case .tusVersionNotSupported: "Send Tus-Resumable: 1.0.0."
        case .thumbnailNotReady: "Repeat the request after the seconds in Retry-After."
        case .thumbnailUnavailable: "Show a placeholder. If you can make a thumbnail, PUT it."
        case .previewNotReady: "Repeat the request after the seconds in Retry-After."
        case .previewUnavailable: "Offer the file itself: /recordings/{id}/content."
        case .linkExpired: "Request /recordings/{id}/content, /thumbnail or /preview again for a new link."
        case .rangeNotSatisfiable: "Request one range within the size in Content-Range."
        case .storageUnavailable: "Repeat the request after the seconds in Retry-After."
        case .bodyTooLarge: "The detail names the limit."
        case .unsupportedMediaType: "Send Content-Type: application/json; for PATCH, application/merge-patch+json."
        case .unsupportedContentCoding: "Accept-Encoding lists the supported codings."
        case .invalidDocument: "`errors` has one entry for each violation, with a JSON Pointer into the body."
        case .unprocessableParameter:
            "`errors` has one entry for each parameter, with its name as the pointer and its allowed values."
        case .providerUnknown: "Ask the operator of this server for the names of the configured OpenID providers."
        case .idMismatch: "Send the document to the path with its own id."
        case .idempotencyKeyReused: "Use a new key for each request, and the same key only for its retries."
        case .batchRefused:
            "Nothing of the batch was done. Correct or remove the rejected operations and send it again."
        case .targetTooLong: "Shorten the query."
        case .headerTooLarge: "Send fewer or shorter header fields."
        case .expectationFailed: "Only Expect: 100-continue is supported."
        case .misdirectedRequest: "Send requests for https URLs over TLS, and to a host name of this server."
        case .methodNotImplemented: "Write methods in capitals. OPTIONS lists the methods of a resource."
        case .codingNotImplemented: "Only Transfer-Encoding: chunked is supported."
        case .versionNotSupported: "Use HTTP/1.1."
        case .overloaded: "Repeat the request after the seconds in Retry-After."
        case .tooManyCodes: "Use a recovery code, or wait the seconds in Retry-After."
        case .tooManyConnections: "Reuse the open connections, or close some and wait the seconds in Retry-After."
        case .rateLimited:
            "Repeat the request after the seconds in Retry-After. RateLimit names the limit. Attempts by unknown "
                + "clients do not block a device or a network that has logged in before. For writes: send several in "
                + "one batch."
        case .answerTimeout:
            "Repeat the request after the seconds in Retry-After. The server may have processed it; a write of a "
                + "configuration can be repeated safely."
        case .databaseUnavailable:
            "Repeat the request after the seconds in Retry-After. The server may have processed it; a write of a "
                + "configuration can be repeated safely."
        case .providerUnavailable: "Let the user sign in again after the seconds in Retry-After, or log in another way."
        case .insufficientStorage:
            "Report the full disk to the operator, and continue the upload later: the received bytes are kept."
        case .internalError: "Report the `instance` value to the operator: the log has the details."
        }
    }
}
