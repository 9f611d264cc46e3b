/// A request that may append, in the form that its connection needs while bytes arrive.
package struct UploadTransfer: Sendable, Hashable {
    /// The end of a transfer.
    package enum End: Sendable, Hashable {
        /// The content was read to its end.
        case whole
        /// The connection was lost or cut before.
        case interrupted
    }

    /// The client's dialect.
    package let dialect: UploadDialect
    /// The upload's epoch; a newer request has a higher one.
    package let epoch: Int
    /// The start of the content, in bytes. The caller first truncates the file there.
    package let start: Int
    /// True if the request created the upload.
    package let isCreation: Bool
    /// The request's statements about its content.
    package let content: UploadContent

    /// True if offsets may be stored and reported before the end, and bytes before an interruption count. A content
    /// digest forbids it: if it differs, nothing is appended, and a reported offset never goes back.
    package var showsProgress: Bool { content.contentDigests.isEmpty }
}

/// The next step for a request that the upload's state admits.
package enum UploadAdmission: Sendable, Hashable {
    /// Read the content.
    case transfer(UploadTransfer)
    /// Send 104 and close the connection. Then the client asks for the offset and continues, or learns that the upload
    /// is complete. After a 500, URLSession would give up.
    case resume
    /// The upload was already complete and this adds nothing: send the stored response. If content arrives
    /// nevertheless, the refusal is `completed`.
    case storedAnswer
    /// The upload was already complete and the request sends a whole file again: compare the content with
    /// the stored bytes, and send the stored response if they are equal. Otherwise the refusal is
    /// `otherContent`, after the last byte.
    case repetition
    /// Report the state.
    case report
    /// Delete the bytes.
    case cancelled
    /// Report the abilities of the resource.
    case describe
}
