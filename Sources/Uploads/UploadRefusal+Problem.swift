import HTTP
import Problems

/// The type of a problem (RFC 9457).
package enum UploadProblem: Sendable, Hashable {
    /// A type of IANA's registry, with its title.
    case registered(name: String, title: String)
    /// A type of this server.
    case own(ProblemType)

    /// The URI of a registered type; nil for this server's own codes, whose URI depends on its public URL.
    package var uri: String? {
        guard case .registered(let name, _) = self else { return nil }
        return "https://iana.org/assignments/http-problem-types#\(name)"
    }
}

extension UploadRefusal {
    /// The status of the response in a dialect.
    package func status(in dialect: UploadDialect) -> Status {
        switch self {
        case .methodNotAllowed: .methodNotAllowed
        case .missingField, .invalidField, .unexpectedField, .unsupportedChecksum, .unsupportedDigest, .invalidDigest,
            .otherDigest, .inconsistentLength, .completed, .representationMismatch:
            .badRequest
        case .unsupportedMediaType: .unsupportedMediaType
        case .unsupportedTusVersion: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .offsetMismatch, .otherContent, .superseded: .conflict
        case .notActive(let phase): phase == .cancelled || dialect.forbidsStateInQuestions ? .notFound : .gone
        case .contentMismatch: dialect == .tus ? Status(code: 460, reason: "Checksum Mismatch") : .badRequest
        }
    }

    /// The type of the problem.
    package var problem: UploadProblem {
        switch self {
        case .methodNotAllowed: .own(.methodNotAllowed)
        case .missingField, .invalidField, .unexpectedField: .own(.invalidHeader)
        case .unsupportedMediaType: .own(.unsupportedMediaType)
        case .unsupportedTusVersion: .own(.tusVersionNotSupported)
        case .unsupportedChecksum, .unsupportedDigest:
            .registered("digest-unsupported-algorithms", "Unsupported Hashing Algorithms")
        case .invalidDigest: .registered("digest-invalid-values", "Invalid Digest Values")
        case .inconsistentLength: .registered("inconsistent-upload-length", "Inconsistent Upload Length Values")
        case .tooLarge: .own(.bodyTooLarge)
        case .offsetMismatch: .registered("mismatching-upload-offset", "Mismatching Upload Offset")
        case .completed, .otherContent: .registered("completed-upload", "Upload Is Completed")
        case .notActive(.cancelled): .own(.notFound)
        case .notActive: .own(.uploadNotActive)
        case .superseded: .own(.uploadSuperseded)
        case .contentMismatch, .representationMismatch, .otherDigest:
            .registered("digest-mismatched-values", "Mismatched Digest Values")
        }
    }

    /// The members of the problem beyond those of RFC 9457.
    package var members: [(name: String, value: Int)] {
        guard case .offsetMismatch(let expected, let provided) = self else { return [] }
        return [("expected-offset", expected), ("provided-offset", provided)]
    }

    /// A sentence for the client's developer.
    package var detail: String {
        switch self {
        case .methodNotAllowed: "An upload supports the methods \(UploadAnswers.methods)."
        case .missingField(let name): "The field \(name) is missing or malformed."
        case .invalidField(let name): "The field \(name) is invalid."
        case .unexpectedField(let name): "The field \(name) is not allowed in this request."
        case .unsupportedMediaType(let accepted): "Send Content-Type: \(accepted)."
        case .unsupportedTusVersion: "Send Tus-Resumable: \(Tus.version)."
        case .unsupportedChecksum: "The algorithm in Upload-Checksum must be one of \(Tus.checksumAlgorithms)."
        case .invalidDigest(let name): "A digest in \(name) is not a byte sequence of its algorithm's length."
        case .unsupportedDigest:
            "Send sha-256 in Repr-Digest of a file in several parts. sha-512 is supported only when one request has the whole file."
        case .otherDigest:
            "Repr-Digest differs from the SHA-256 that an earlier request gave for this file; nothing was stored."
        case .inconsistentLength: "The length differs from an earlier length, or from the number of sent bytes."
        case .tooLarge(let maxBytes): "An upload may have at most \(maxBytes) bytes."
        case .offsetMismatch(let expected, let provided): "The upload's offset is \(expected), not \(provided)."
        case .completed: "The upload is complete; it cannot be appended to or cancelled."
        case .otherContent:
            "The upload is complete with other bytes; nothing was stored. Upload a new file as a new recording."
        case .notActive(let phase): "The upload is not active: it is \(phase.rawValue)."
        case .superseded: "A newer request continues this upload."
        case .contentMismatch: "The content does not match its digest; it was not appended."
        case .representationMismatch: "The file does not match its digest; the upload has failed."
        }
    }
}

extension UploadProblem {
    fileprivate static func registered(_ name: String, _ title: String) -> UploadProblem {
        .registered(name: name, title: title)
    }
}
