import HTTP
import Problems

extension UploadRefusal {
    /// The status of the response in a dialect.
    package func status(in dialect: UploadDialect) -> Status {
        switch self {
        case .methodNotAllowed: .methodNotAllowed
        case .missingField, .invalidField, .repeatedField, .unexpectedField, .unsupportedChecksum, .unsupportedDigest,
            .invalidDigest, .otherDigest, .inconsistentLength, .completed, .representationMismatch:
            .badRequest
        case .unsupportedMediaType: .unsupportedMediaType
        case .unsupportedTusVersion: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .offsetMismatch, .otherContent, .superseded: .conflict
        case .notActive(let phase): phase == .cancelled || dialect.forbidsStateInQuestions ? .notFound : .gone
        case .contentMismatch: dialect == .tus ? Status(code: 460) : .badRequest
        }
    }

    /// The type of the problem.
    package var problem: ProblemType {
        switch self {
        case .methodNotAllowed: .methodNotAllowed
        case .missingField, .invalidField, .repeatedField, .unexpectedField: .invalidHeader
        case .unsupportedMediaType: .unsupportedMediaType
        case .unsupportedTusVersion: .tusVersionNotSupported
        case .unsupportedChecksum, .unsupportedDigest: .digestUnsupported
        case .invalidDigest: .digestInvalid
        case .inconsistentLength: .lengthInconsistent
        case .tooLarge: .bodyTooLarge
        case .offsetMismatch: .offsetMismatch
        case .completed, .otherContent: .uploadCompleted
        case .notActive(.cancelled): .notFound
        case .notActive: .uploadNotActive
        case .superseded: .uploadSuperseded
        case .contentMismatch, .representationMismatch, .otherDigest: .digestMismatch
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
        case .repeatedField(let name): "Send the field \(name) once."
        case .unexpectedField(let name): "The field \(name) is not allowed in this request."
        case .unsupportedMediaType(let accepted): "Send Content-Type: \(accepted)."
        case .unsupportedTusVersion: "Send Tus-Resumable: \(Tus.version)."
        case .unsupportedChecksum: "The algorithm in Upload-Checksum must be one of \(Tus.checksumAlgorithms)."
        case .invalidDigest(let name): "A digest in \(name) is not a byte sequence of its algorithm's length."
        case .unsupportedDigest:
            "Send sha-256 in Repr-Digest of an upload that can be resumed. sha-512 alone is supported only in a plain request with the whole file."
        case .otherDigest:
            "Repr-Digest differs from the SHA-256 that an earlier request gave for this file; nothing was stored."
        case .inconsistentLength: "The length differs from an earlier length, or from the number of sent bytes."
        case .tooLarge(let maxBytes): "An upload may have at most \(maxBytes) bytes."
        case .offsetMismatch(let expected, let provided): "The upload's offset is \(expected), not \(provided)."
        case .completed: "The upload is complete; it cannot be appended to or cancelled."
        case .otherContent:
            "The upload is complete with other bytes; nothing was stored. Upload a new file as a new recording."
        case .notActive(let phase): "The upload is \(phase.rawValue). Request a new upload URL for its recording."
        case .superseded: "A newer request continues this upload."
        case .contentMismatch: "The content does not match its digest; it was not appended."
        case .representationMismatch: "The file does not match its digest; the upload has failed."
        }
    }
}
