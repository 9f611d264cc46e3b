/// The facts about its bytes that a request states.
package struct UploadContent: Sendable, Hashable {
    /// Length of the request's content, in bytes; nil when it is chunked.
    package var contentBytes: Int?
    /// Length of the whole upload as the request states it, in bytes; nil if it doesn't.
    package var length: Int?
    /// True if the client states that the upload ends with this content. Clients of tus never do.
    package var isLast: Bool
    /// The digests that the content must have.
    package var contentDigests: [UploadDigest]
    /// The digests that the whole file must have.
    package var representationDigests: [UploadDigest]

    /// Content with only the given values.
    package init(
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

    /// The SHA-256 that the whole file must have; nil if the request has none.
    package var sha256: [UInt8]? { representationDigests.first { $0.algorithm == .sha256 }?.bytes }

    /// Throws `unsupportedDigest` when the file's digest can't be kept until the last
    /// byte arrives, maybe in another request: only the SHA-256 is kept.
    func requireLastingDigest() throws(UploadRefusal) {
        if sha256 == nil, !representationDigests.isEmpty { throw .unsupportedDigest }
    }

    /// Length of the whole upload when this content starts at `offset`: Upload-Length, or the end of
    /// the last content. Nil when neither is known. Throws `inconsistentLength` when they disagree, or
    /// when the content exceeds the length.
    func statedLength(from offset: Int) throws(UploadRefusal) -> Int? {
        guard let contentBytes else { return length }
        let (end, isTooLong) = offset.addingReportingOverflow(contentBytes)
        guard !isTooLong else { throw .inconsistentLength }
        if let length, isLast ? end != length : end > length { throw .inconsistentLength }
        return length ?? (isLast ? end : nil)
    }
}
