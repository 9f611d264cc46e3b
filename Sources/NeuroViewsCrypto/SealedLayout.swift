/// The places of a file's bytes in its `SealedStream`.
public struct SealedLayout: Sendable, Hashable {
    /// Length of a segment in the stream, in bytes; the first one with the header. The last one may be shorter.
    public static let segmentBytes: Int64 = 1 << 20
    /// The place of a segment has 32 bits in its nonce.
    private static let segmentsMax: Int64 = 1 << 32
    private static let tagBytes = Int64(AESGCM.tagBytes)
    private static let headerBytes = Int64(SealedStream.Header.count)
    /// Of the file, in each segment but the first and the last one.
    private static let fileBytes = segmentBytes - tagBytes

    /// Bytes of the file.
    public let plainBytes: Int64
    /// The number of segments: one at least.
    public let segmentCount: Int64

    /// Bytes of the stream.
    public var sealedBytes: Int64 { plainBytes + Self.headerBytes + segmentCount * Self.tagBytes }

    /// The layout for a file of so many bytes.
    public init(plainBytes: Int64) {
        self.plainBytes = plainBytes
        segmentCount = max(1, (plainBytes + Self.headerBytes + Self.fileBytes - 1) / Self.fileBytes)
    }

    /// The layout of a stream of so many bytes; nil if no stream has this length.
    public init?(sealedBytes: Int64) {
        let limits = Self.headerBytes + Self.tagBytes...Self.segmentsMax * Self.segmentBytes
        guard limits.contains(sealedBytes) else { return nil }
        let count = (sealedBytes - 1) / Self.segmentBytes + 1
        self.init(plainBytes: sealedBytes - Self.headerBytes - count * Self.tagBytes)
        // A last segment without a byte is written for an empty file alone.
        guard segmentCount == count else { return nil }
    }

    /// The place of a segment in the stream, with the header in front of the first one.
    public func sealedRange(of index: Int64) -> Range<Int64> {
        let start = index * Self.segmentBytes
        return start..<min(start + Self.segmentBytes, sealedBytes)
    }

    /// The place of a segment's bytes in the file.
    public func plainRange(of index: Int64) -> Range<Int64> {
        let start = index == 0 ? 0 : index * Self.fileBytes - Self.headerBytes
        return start..<min((index + 1) * Self.fileBytes - Self.headerBytes, plainBytes)
    }

    /// True for the last segment.
    public func isLast(_ index: Int64) -> Bool { index == segmentCount - 1 }
}
