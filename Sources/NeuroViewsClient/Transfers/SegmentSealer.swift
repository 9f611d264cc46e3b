import NeuroViewsCrypto

/// Seals a file segment by segment, into one buffer.
final class SegmentSealer {
    /// EIO, for a cipher that can't work: memory is exhausted.
    private static let cipherFailure: Int32 = 5

    let layout: SealedLayout
    /// The segment that was sealed last, with the header in front of the first one.
    private(set) var segment: [UInt8] = []
    private let file: LocalFile
    private let stream: SealedStream

    init(_ file: LocalFile, bytes: Int64, _ seal: UploadSeal) throws(LocalFileError) {
        do throws(CryptoError) {
            stream = try SealedStream(key: seal.fileKey, seal.header, context: [])
        } catch {
            throw .system(Self.cipherFailure)
        }
        (self.file, layout) = (file, SealedLayout(plainBytes: bytes))
    }

    /// The tag of the segment. It tells segments with different bytes apart.
    var tag: ArraySlice<UInt8> { segment.suffix(AESGCM.tagBytes) }

    /// Reads and seals a segment.
    func seal(_ index: Int64) throws(LocalFileError) {
        let range = layout.plainRange(of: index)
        let header = index == 0 ? stream.header.bytes : []
        try file.fill(
            &segment,
            from: header.count,
            count: Int(range.upperBound - range.lowerBound),
            at: range.lowerBound
        )
        segment.replaceSubrange(..<header.count, with: header)
        do throws(CryptoError) {
            try stream.seal(&segment, at: index, isLast: layout.isLast(index))
        } catch {
            throw .system(Self.cipherFailure)
        }
    }
}

/// What the first pass over a sealed file finds. Nothing of the file is sent before it ends.
struct SealedDigest: Sendable {
    /// Of the sealed bytes.
    let sha256: [UInt8]
    /// Of all segments, in their order.
    let tags: [UInt8]

    /// Seals the whole file and keeps the digest, on a thread of its own for the time. Throws `.changed` if the file changes
    /// meanwhile.
    @concurrent
    static func of(
        _ path: String,
        expecting identity: FileIdentity,
        _ seal: UploadSeal
    ) async throws(LocalFileError) -> SealedDigest {
        let file = try LocalFile.open(path, expecting: identity)
        let sealer = try SegmentSealer(file, bytes: identity.size, seal)
        var (digest, tags) = (SHA256(), [UInt8]())
        for index in 0..<sealer.layout.segmentCount {
            guard !Task.isCancelled else { throw .cancelled }
            try sealer.seal(index)
            digest.update(sealer.segment)
            tags += sealer.tag
            // Other work of the app may need this thread.
            await Task.yield()
        }
        guard try file.identity() == identity else { throw .changed }
        return SealedDigest(sha256: digest.digest(), tags: tags)
    }
}
