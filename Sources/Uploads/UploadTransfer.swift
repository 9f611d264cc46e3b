/// A request that may append, as its connection needs it while the bytes flow.
public struct UploadTransfer: Sendable, Hashable {
    /// How a transfer ended.
    public enum End: Sendable, Hashable {
        /// The content was read to its end.
        case whole
        /// The connection was lost or cut before.
        case interrupted
    }

    /// The client's dialect.
    public let dialect: UploadDialect
    /// The upload's epoch; a newer request has a higher one.
    public let epoch: Int
    /// Where the content begins, in bytes. The caller first truncates the file there.
    public let start: Int
    /// Whether the request created the upload.
    public let isCreation: Bool
    /// What the request says about its content.
    public let content: UploadContent

    /// Whether offsets may be stored and reported before the end, and what came before an interruption counts. A content digest forbids
    /// it: when it differs, nothing is appended, and an offset that was reported never goes back.
    public var showsProgress: Bool { content.contentDigests.isEmpty }
}

/// The next step for a request that the upload's state admits.
public enum UploadAdmission: Sendable, Hashable {
    /// Read the content.
    case transfer(UploadTransfer)
    /// Send 104 and close the connection: the client asks for the offset and goes on, or learns that the upload is complete. A 500 would make
    /// URLSession give up.
    case resume
    /// The upload was complete before and this adds nothing: send the stored answer. When content comes nevertheless, the refusal is
    /// `completed`.
    case storedAnswer
    /// The upload was complete before and the request sends a whole file again: compare the content with the stored bytes, and send the
    /// stored answer when they are the same. Otherwise the refusal is `otherContent`, behind the last byte.
    case repetition
    /// Report the state.
    case report
    /// Delete the bytes.
    case cancelled
    /// Report what the resource can do.
    case describe
}
