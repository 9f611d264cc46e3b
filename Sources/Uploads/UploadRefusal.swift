/// Why a request to an upload resource is refused.
public enum UploadRefusal: Error, Sendable, Hashable {
    /// The method is none of an upload resource.
    case methodNotAllowed
    /// The request needs this field, and it is absent or malformed.
    case missingField(String)
    /// The field has a value that can't be.
    case invalidField(String)
    /// The field doesn't belong in this request.
    case unexpectedField(String)
    /// The content must have this media type.
    case unsupportedMediaType(accepted: String)
    /// Another version of tus.
    case unsupportedTusVersion
    /// Upload-Checksum has an algorithm that this server doesn't know.
    case unsupportedChecksum
    /// The digest in this field can't be one of its algorithm.
    case invalidDigest(String)
    /// The digest of a file that comes in parts has only algorithms that nobody remembers between them.
    case unsupportedDigest
    /// The digest of the whole file is another one than the client gave before.
    case otherDigest
    /// Lengths that the client stated disagree with each other, or with the number of bytes that it sent.
    case inconsistentLength
    /// The upload is larger than allowed.
    case tooLarge(maxBytes: Int)
    /// The content would not begin where the upload ends.
    case offsetMismatch(expected: Int, provided: Int)
    /// The upload is complete and is not changed any more.
    case completed
    /// The upload is complete, and the request sends a file with other bytes.
    case otherContent
    /// The upload was cancelled, has expired, or failed.
    case notActive(UploadState.Phase)
    /// A newer request took the upload over. There is nobody to answer: its connection is closed.
    case superseded
    /// The content's digest differs. Nothing was appended.
    case contentMismatch
    /// The whole file's digest differs. The upload has failed.
    case representationMismatch
}
