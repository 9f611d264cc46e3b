import CloudSync
import Credentials
import HTTP
import JSONSchema
import NeuroViewsJSON
import Problems
import Uploads

extension Problem {
    private static let pauseSeconds = ServerLimits.retrySeconds

    /// The response to a domain error.
    init(_ error: CloudSyncError) {
        self.init(error.type)
        add(error)
        if [.overloaded, .databaseUnavailable, .tooManyConnections].contains(type) { retrySeconds = Self.pauseSeconds }
        if status == .unauthorized { fields.append(("WWW-Authenticate", challenge)) }
    }

    /// WWW-Authenticate of a 401 (RFC 6750, section 3). It has the error of a token if the request had a token.
    private var challenge: String {
        let ofToken: [ProblemType] = [.tokenInvalid, .tokenExpired, .tokenOutdated, .sessionEnded, .accountDisabled]
        return ofToken.contains(type) ? "Bearer error=\"invalid_token\"" : "Bearer"
    }

    /// The values of an error.
    private mutating func add(_ error: CloudSyncError) {
        switch error {
        case .problem, .unauthenticated, .databaseUnavailable, .codeRepeated: break
        case .invalid(let violations):
            detail = Self.sentence(violations)
            self.violations = violations
        case .unprocessable(let violations):
            let details = violations.map { "\($0.pointer.dropFirst()) \($0.detail)" }
            detail = details.joined(separator: "; ") + "."
            self.violations = violations
        case .patchedTooLarge(let maxBytes):
            detail = "The patched document would exceed the limit of \(maxBytes) bytes."
        case .clockSkew(let serverTime): extensions = [("server_time", Array(String(serverTime).utf8))]
        case .secondFactorRequired(let challenge, let methods):
            let names = methods.map { "\"\($0)\"" }.joined(separator: ",")
            extensions = [("challenge", Array("\"\(challenge)\"".utf8)), ("methods", Array("[\(names)]".utf8))]
        case .passkeyRefused(let reason): detail = "The response was rejected: \(reason.rawValue)."
        case .idTokenInvalid(let reason):
            detail = "The ID token was rejected: \(reason). Let the user sign in with the provider again."
        case .providerUnavailable(let seconds), .tooManyCodes(let seconds): retrySeconds = seconds
        case .conflict(let conflict): add(conflict)
        case .quotaExceeded(let excess): add(excess)
        case .uploadIncomplete(let offset, let size, let phase):
            detail = Self.missing(offset, of: size, phase)
            // Of an upload that has ended no bytes count, also if all were received.
            let counted = phase == .open || phase == .complete ? offset : 0
            extensions = [("upload_offset", Array(String(counted).utf8)), ("file_size", Array(String(size).utf8))]
        case .rateLimited(let limit): add(limit)
        case .ambiguousTarget(let names):
            let list = JSONValue.array(names.map { .string($0) }).serialized()
            extensions = [("devices", list)]
        case .commandReused: detail = "Use a new id for each command, and the same id only for its retries."
        }
    }

    private mutating func add(_ conflict: WriteConflict) {
        extensions = [
            ("current", conflict.current ?? Array("null".utf8)),
            ("version", conflict.version.map { Array("\"\($0.text)\"".utf8) } ?? Array("null".utf8)),
        ]
        if let version = conflict.version { fields = [("ETag", EntityTag.of(version))] }
        if conflict.reason == .versionMismatch, conflict.version == nil {
            detail = "There is no such item: repeat the request without If-Match."
        }
    }

    /// The first violation, and the number of all: `errors` has them.
    private static func sentence(_ violations: [Violation]) -> String {
        guard let first = violations.first else { return ProblemType.invalidDocument.advice }
        let place = first.pointer.isEmpty ? "The body" : first.pointer
        let count = violations.count == 1 ? "" : " There are \(violations.count) violations."
        return "\(place) \(first.detail).\(count)"
    }

    /// Names the request that works at this stage.
    private static func missing(_ offset: Int, of size: Int, _ phase: UploadState.Phase) -> String {
        switch phase {
        case .open where offset < size:
            return "\(offset) of \(size) bytes were received. Request the upload URL again, and send the rest to it."
        case .open: return unended(size)
        case .complete: return "All \(size) bytes were received. Complete the recording with its metadata."
        case .cancelled, .failed, .expired:
            return "The upload is \(phase.rawValue): none of its bytes count. Request a new upload URL for this "
                + "recording, and send the whole file."
        }
    }

    private static func unended(_ size: Int) -> String {
        "All \(size) bytes were received, but no request has ended the upload. Send an empty PATCH to the upload URL, "
            + "with Upload-Offset: \(size) and Upload-Complete: ?1."
    }

    /// The fields are those of draft-ietf-httpapi-ratelimit-headers-10.
    private mutating func add(_ reached: ReachedLimit) {
        let (name, window) = (reached.name, reached.windowSeconds)
        retrySeconds = reached.waitSeconds
        fields = [
            ("RateLimit-Policy", "\"\(name)\";q=\(reached.limit);w=\(window)"),
            ("RateLimit", "\"\(name)\";r=0;t=\(reached.waitSeconds)"),
        ]
    }

    private mutating func add(_ excess: QuotaExcess) {
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
        case .overloaded: self.init(CloudSyncError.problem(.overloaded))
        case .cutOff: self.init(ProblemType.badRequest, "The connection was closed before the end of the body.")
        }
    }

    /// The response to a body that is not JSON.
    init(_ error: JSONError) {
        let isEmpty = error.offset == 0 && error.reason == .unexpectedEnd
        self.init(ProblemType.invalidJSON, isEmpty ? "The body is empty; JSON is expected." : "\(error)")
    }
}
