/// A type of problem (RFC 9457), by its code. All occurrences of a type have these values in common.
/// The codes are part of the interface: none is renamed or used again.
///
/// A new one is a row here and its place in `all`; a code in `ProblemCode` of OpenAPI/features/service.json, at the same
/// place; and an example of that name.
package struct ProblemType: Sendable, Hashable, CustomStringConvertible {
    /// The last part of the type's URI.
    package let code: String
    /// The status of its response; uploads may have another one.
    package let status: Int
    /// A short text, the same for every occurrence.
    package let title: String
    /// Advice for the client: the text of its page, and the default detail of an occurrence.
    package let advice: String
    /// True for a type of IANA's registry. It has no page here, and is not in `all`.
    private let isRegistered: Bool

    init(_ code: String, _ status: Int, _ title: String, _ advice: String = "", isRegistered: Bool = false) {
        (self.code, self.status, self.title, self.advice) = (code, status, title, advice)
        self.isRegistered = isRegistered
    }

    func advising(_ advice: String) -> ProblemType { ProblemType(code, status, title, advice) }

    /// The URI. Without a registration it is a page of the server at the public URL `base`.
    package func uri(under base: String) -> String {
        isRegistered ? "https://iana.org/assignments/http-problem-types#\(code)" : "\(base)/problems/\(code)"
    }

    /// The code names it.
    package static func == (left: ProblemType, right: ProblemType) -> Bool { left.code == right.code }

    /// The code.
    package var description: String { code }

    /// The code names it.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ProblemType {
    /// All of them, in the order of the document.
    package static let all: [ProblemType] = [
        .badRequest, .invalidJSON, .invalidParameter, .invalidHeader, .invalidContentCoding, .tokenMissing,
        .tokenInvalid, .tokenExpired, .tokenOutdated, .sessionEnded, .accountDisabled, .signatureMissing,
        .signatureMalformed, .signatureInvalid, .signatureVersionLow, .clockSkew, .nonceUsed, .credentialsInvalid,
        .codeInvalid, .challengeExpired, .passkeyInvalid, .idTokenInvalid, .registrationClosed, .invitationRequired,
        .invitationInvalid, .emailUnverified, .emailTokenInvalid, .providerEmailUnverified, .mailUnavailable,
        .passkeysUnavailable, .confirmationRequired, .secondFactorRequired, .quotaExceeded, .consentRequired,
        .notFound, .methodNotAllowed, .requestTimeout, .emailTaken, .secondFactorExists, .passkeyExists,
        .identityNotLinked, .identityTaken, .lastLoginMethod, .configurationExists, .editedLater,
        .configurationDeleted, .recordingExists, .recordingDeleted, .versionMismatch, .versionPruned,
        .versionIsDeletion, .ambiguousTarget, .uploadIncomplete, .uploadNotActive, .uploadSuperseded,
        .tusVersionNotSupported,
        .thumbnailNotReady, .thumbnailUnavailable, .previewNotReady, .previewUnavailable, .linkExpired,
        .rangeNotSatisfiable, .storageUnavailable, .bodyTooLarge, .unsupportedMediaType, .unsupportedContentCoding,
        .invalidDocument, .unprocessableParameter, .providerUnknown, .idMismatch, .idempotencyKeyReused,
        .batchRefused, .targetTooLong, .upgradeRequired, .headerTooLarge, .expectationFailed, .misdirectedRequest,
        .methodNotImplemented, .codingNotImplemented, .versionNotSupported, .tooManyConnections, .tooManyCodes,
        .rateLimited, .overloaded, .answerTimeout, .databaseUnavailable, .providerUnavailable, .insufficientStorage,
        .internalError,
    ]
}
