import NeuroViewsCrypto

/// The bytes of an upload: those of the local file, or of the sealed file.
struct UploadContent: Sendable {
    let file: LocalFile
    /// Nil for an upload in the clear.
    var sealed: SealedContent?

    /// A part of it for a request.
    func region(offset: Int64, length: Int64, sent: @escaping @Sendable (Int64) -> Void) -> FileRegion {
        FileRegion(
            descriptor: file.descriptor,
            offset: offset,
            length: length,
            source: sealed.map { SealedRegion(file, $0) },
            sent: sent
        )
    }
}

/// The seal of a file, with the results of the first pass.
struct SealedContent: Sendable {
    let plainBytes: Int64
    let seal: UploadSeal
    /// Of all segments, in their order.
    let tags: [UInt8]

    /// Nil for tags of another number of segments.
    init?(_ plainBytes: Int64, _ seal: UploadSeal, tags: [UInt8]) {
        let count = SealedLayout(plainBytes: plainBytes).segmentCount
        guard Int64(tags.count) == count * Int64(AESGCM.tagBytes) else { return nil }
        (self.plainBytes, self.seal, self.tags) = (plainBytes, seal, tags)
    }

    fileprivate func tag(of index: Int64) -> ArraySlice<UInt8> {
        let start = Int(index) * AESGCM.tagBytes
        return tags[start..<start + AESGCM.tagBytes]
    }
}

/// Seals the segments of a region during the transfer, with one in memory at a time. A segment that differs from that of the first
/// pass is never sent, since another one went under the same key and nonce.
final class SealedRegion: RegionSource {
    private struct State {
        var sealer: SegmentSealer?
        /// The segment that the sealer has.
        var index: Int64?
    }

    private let file: LocalFile
    private let content: SealedContent
    private let state = Guarded(State())

    init(_ file: LocalFile, _ content: SealedContent) { (self.file, self.content) = (file, content) }

    func bytes(at offset: Int64) throws(TransportError) -> ArraySlice<UInt8> {
        try state.withLock { state -> Result<ArraySlice<UInt8>, TransportError> in
            do throws(LocalFileError) {
                return .success(try bytes(at: offset, &state))
            } catch {
                state = State()
                return .failure(Self.failure(error))
            }
        }.get()
    }

    private func bytes(at offset: Int64, _ state: inout State) throws(LocalFileError) -> ArraySlice<UInt8> {
        let sealer =
            if let known = state.sealer { known } else {
                try SegmentSealer(file, bytes: content.plainBytes, content.seal)
            }
        state.sealer = sealer
        let index = offset / SealedLayout.segmentBytes
        if state.index != index {
            state.index = nil
            try sealer.seal(index)
            guard sealer.tag == content.tag(of: index) else { throw .changed }
            state.index = index
        }
        return sealer.segment[Int(offset - sealer.layout.sealedRange(of: index).lowerBound)...]
    }

    private static func failure(_ error: LocalFileError) -> TransportError {
        switch error {
        case .system(let code): .file(code: code)
        case .noFile, .changed, .cancelled: .fileChanged
        }
    }
}
