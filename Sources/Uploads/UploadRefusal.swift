/// The reason why a request to an upload resource is rejected.
package enum UploadRefusal: Error, Sendable, Hashable {
    /// An upload resource does not have this method.
    case methodNotAllowed
    /// The request needs this field, and it is absent or malformed.
    case missingField(String)
    /// The field has an impossible value.
    case invalidField(String)
    /// The field may occur once.
    case repeatedField(String)
    /// The field doesn't belong in this request.
    case unexpectedField(String)
    /// The content must have this media type.
    case unsupportedMediaType(accepted: String)
    /// Another version of tus.
    case unsupportedTusVersion
    /// Upload-Checksum has an algorithm that this server doesn't know.
    case unsupportedChecksum
    /// The digest in this field has the wrong length for its algorithm.
    case invalidDigest(String)
    /// The file arrives in parts, and its digest has only algorithms that are not kept between them.
    case unsupportedDigest
    /// The digest of the whole file differs from an earlier one of the client.
    case otherDigest
    /// The client's lengths disagree with each other, or with the number of bytes that it sent.
    case inconsistentLength
    /// The upload is larger than allowed.
    case tooLarge(maxBytes: Int)
    /// The content would not start at the end of the upload.
    case offsetMismatch(expected: Int, provided: Int)
    /// The upload is complete and never changes again.
    case completed
    /// The upload is complete, and the request sends a file with other bytes.
    case otherContent
    /// The upload was cancelled, has expired, or failed.
    case notActive(UploadState.Phase)
    /// A newer request took the upload over. No response is sent: the connection is closed.
    case superseded
    /// The content's digest differs. Nothing was appended.
    case contentMismatch
    /// The whole file's digest differs. The upload has failed.
    case representationMismatch
}
