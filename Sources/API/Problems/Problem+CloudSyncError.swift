import CloudSync
import Credentials
import HTTP
import JSON

extension Problem {
    private static let retrySeconds = 2

    /// The response to a domain error.
    init(_ error: CloudSyncError) {
        switch error {
        case .invalid(let violations):
            self.init(
                ProblemType.invalidDocument,
                violations.count == 1 ? "1 violation" : "\(violations.count) violations"
            )
            self.violations = violations
        case .unprocessable(let violations):
            let details = violations.map { "\($0.pointer.dropFirst()) \($0.detail)" }
            self.init(ProblemType.unprocessableParameter, details.joined(separator: "; ") + ".")
            self.violations = violations
        case .idMismatch: self.init(ProblemType.idMismatch)
        case .patchedTooLarge(let maxBytes):
            self.init(ProblemType.bodyTooLarge, "The patched document would exceed the limit of \(maxBytes) bytes.")
        case .notFound: self.init(ProblemType.notFound)
        case .emailTaken: self.init(ProblemType.emailTaken)
        case .registrationClosed: self.init(ProblemType.registrationClosed)
        case .invitationRequired: self.init(ProblemType.invitationRequired)
        case .invitationInvalid: self.init(ProblemType.invitationInvalid)
        case .emailUnverified: self.init(ProblemType.emailUnverified)
        case .mailedTokenInvalid: self.init(ProblemType.emailTokenInvalid)
        case .mailUnavailable: self.init(ProblemType.mailUnavailable)
        case .confirmationRequired: self.init(ProblemType.confirmationRequired)
        case .secondFactorRequired(let challenge, let methods):
            self.init(ProblemType.secondFactorRequired)
            let names = methods.map { "\"\($0)\"" }.joined(separator: ",")
            extensions = [("challenge", Array("\"\(challenge)\"".utf8)), ("methods", Array("[\(names)]".utf8))]
        case .codeInvalid: self.init(ProblemType.codeInvalid)
        case .challengeExpired: self.init(ProblemType.challengeExpired)
        case .secondFactorExists: self.init(ProblemType.secondFactorExists)
        case .passkeyRefused(let reason):
            self.init(ProblemType.passkeyInvalid, "The response was rejected: \(reason.rawValue).")
        case .passkeyExists: self.init(ProblemType.passkeyExists)
        case .passkeysUnavailable: self.init(ProblemType.passkeysUnavailable)
        case .providerUnknown: self.init(ProblemType.providerUnknown)
        case .idTokenInvalid(let reason):
            self.init(
                ProblemType.idTokenInvalid,
                "The ID token was rejected: \(reason). Let the user sign in with the provider again."
            )
        case .providerUnavailable(let seconds): self.init(ProblemType.providerUnavailable, retryAfterS: seconds)
        case .providerEmailUnverified: self.init(ProblemType.providerEmailUnverified)
        case .identityNotLinked: self.init(ProblemType.identityNotLinked)
        case .identityTaken: self.init(ProblemType.identityTaken)
        case .lastLoginMethod: self.init(ProblemType.lastLoginMethod)
        case .tooManyCodes(let seconds): self.init(ProblemType.tooManyCodes, retryAfterS: seconds)
        case .credentialsInvalid: self.init(ProblemType.credentialsInvalid)
        case .unauthenticated(let failure): self.init(failure)
        case .versionPruned: self.init(ProblemType.versionPruned)
        case .versionIsDeletion: self.init(ProblemType.versionIsDeletion)
        case .conflict(let conflict): self.init(conflict)
        case .quotaExceeded(let excess): self.init(excess)
        case .uploadIncomplete(let offset, let size):
            self.init(ProblemType.uploadIncomplete, Self.missing(offset, of: size))
            extensions = [("upload_offset", Array(String(offset).utf8)), ("file_size", Array(String(size).utf8))]
        case .batchRefused: self.init(ProblemType.batchRefused)
        case .idempotencyKeyReused: self.init(ProblemType.idempotencyKeyReused)
        case .consentRequired: self.init(ProblemType.consentRequired)
        case .rateLimited(let limit): self.init(limit)
        case .overloaded: self.init(ProblemType.overloaded, retryAfterS: Self.retrySeconds)
        case .databaseUnavailable: self.init(ProblemType.databaseUnavailable, retryAfterS: Self.retrySeconds)
        }
        if type.status == .unauthorized { fields.append(("WWW-Authenticate", type.challenge)) }
    }

    private init(_ type: ProblemType, retryAfterS seconds: Int) {
        self.init(type)
        fields = [("Retry-After", String(seconds))]
    }

    private init(_ failure: AuthenticationFailure) {
        switch failure {
        case .tokenMissing: self.init(ProblemType.tokenMissing)
        case .tokenInvalid: self.init(ProblemType.tokenInvalid)
        case .tokenExpired: self.init(ProblemType.tokenExpired)
        case .tokenOutdated: self.init(ProblemType.tokenOutdated)
        case .sessionEnded: self.init(ProblemType.sessionEnded)
        case .accountDisabled: self.init(ProblemType.accountDisabled)
        case .signatureMissing: self.init(ProblemType.signatureMissing)
        case .signatureMalformed: self.init(ProblemType.signatureMalformed)
        case .signatureInvalid: self.init(ProblemType.signatureInvalid)
        case .signatureVersionLow: self.init(ProblemType.signatureVersionLow)
        case .clockSkew(let serverTime):
            self.init(ProblemType.clockSkew)
            extensions = [("server_time", Array(String(serverTime).utf8))]
        case .nonceUsed: self.init(ProblemType.nonceUsed)
        }
    }

    private init(_ conflict: WriteConflict) {
        let isRecording = conflict.subject == .recording
        switch conflict.reason {
        case .versionMismatch: self.init(ProblemType.versionMismatch)
        case .exists: self.init(isRecording ? ProblemType.recordingExists : .configurationExists)
        case .editedLater: self.init(ProblemType.editedLater)
        case .deleted: self.init(isRecording ? ProblemType.recordingDeleted : .configurationDeleted)
        }
        extensions = [
            ("current", conflict.current ?? Array("null".utf8)),
            ("version", conflict.version.map { Array("\"\($0.text)\"".utf8) } ?? Array("null".utf8)),
        ]
        if let version = conflict.version { fields = [("ETag", EntityTag.of(version))] }
    }

    private static func missing(_ offset: Int, of size: Int) -> String {
        guard offset == size else { return "\(offset) of \(size) bytes were received." }
        return
            "All \(size) bytes were received, but no request has ended the upload. Send an empty PATCH to the upload URL, "
            + "with Upload-Offset: \(size) and Upload-Complete: ?1."
    }

    /// The fields are those of draft-ietf-httpapi-ratelimit-headers-10.
    private init(_ reached: ReachedLimit) {
        self.init(ProblemType.rateLimited)
        let (name, window) = (reached.name, reached.windowSeconds)
        fields = [
            ("Retry-After", "\(reached.waitSeconds)"),
            ("RateLimit-Policy", "\"\(name)\";q=\(reached.limit);w=\(window)"),
            ("RateLimit", "\"\(name)\";r=0;t=\(reached.waitSeconds)"),
        ]
    }

    private init(_ excess: QuotaExcess) {
        self.init(ProblemType.quotaExceeded)
        extensions = [
            ("quota", Array("\"\(excess.quota.rawValue)\"".utf8)),
            ("limit", Array(String(excess.limit).utf8)),
            ("used", Array(String(excess.used).utf8)),
        ]
    }
}

extension Problem {
    /// The response to a body that could not be read.
    init(_ error: RequestBodyError, maxBytes: Int) {
        switch error {
        case .tooLarge: self.init(ProblemType.bodyTooLarge, "The body may have at most \(maxBytes) bytes.")
        case .malformed(let error): self.init(ProblemType.badRequest, "\(error)")
        case .timedOut: self.init(ProblemType.requestTimeout)
        case .overloaded: self.init(CloudSyncError.overloaded)
        case .cutOff: self.init(ProblemType.badRequest, "The connection was closed before the end of the body.")
        }
    }

    /// The response to a body that is not JSON.
    init(_ error: JSONError) { self.init(ProblemType.invalidJSON, "\(error)") }
}
