/// What a request says about the bytes that it carries.
public struct UploadContent: Sendable, Hashable {
    /// Length of the request's content, in bytes; nil when it is chunked.
    public var contentBytes: Int?
    /// Length of the whole upload as the request states it, in bytes; nil when it doesn't.
    public var length: Int?
    /// Whether the client says that the upload ends with this content. tus never says so.
    public var isLast: Bool
    /// The digests that the content must have.
    public var contentDigests: [UploadDigest]
    /// The digests that the whole file must have.
    public var representationDigests: [UploadDigest]

    /// Content with nothing but what is given.
    public init(
        contentBytes: Int?,
        length: Int? = nil,
        isLast: Bool,
        contentDigests: [UploadDigest] = [],
        representationDigests: [UploadDigest] = []
    ) {
        self.contentBytes = contentBytes
        self.length = length
        self.isLast = isLast
        self.contentDigests = contentDigests
        self.representationDigests = representationDigests
    }

    /// The SHA-256 that the whole file must have; nil when the request doesn't give it.
    public var sha256: [UInt8]? { representationDigests.first { $0.algorithm == .sha256 }?.bytes }

    /// Throws `unsupportedDigest` when the file's digest can't be kept until its last part has come: the SHA-256 alone is.
    func requireLastingDigest() throws(UploadRefusal) {
        if sha256 == nil, !representationDigests.isEmpty { throw .unsupportedDigest }
    }

    /// Length of the whole upload when this content begins at `offset`: Upload-Length, or the end of the last content. Nil
    /// when neither is known. Throws `inconsistentLength` when they disagree, or when the content goes past the end.
    func statedLength(from offset: Int) throws(UploadRefusal) -> Int? {
        guard let contentBytes else { return length }
        let (end, isTooLong) = offset.addingReportingOverflow(contentBytes)
        guard !isTooLong else { throw .inconsistentLength }
        if let length, isLast ? end != length : end > length { throw .inconsistentLength }
        return length ?? (isLast ? end : nil)
    }
}
