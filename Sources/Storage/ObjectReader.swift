import CLinux
import Crypto
import Glibc
import Net

/// Bytes that come piece by piece. Blocks; one call at a time.
protocol PieceSource: Sendable {
    /// The next piece, nil at the end.
    func piece() throws -> [UInt8]?
}

/// A range of an object that is being read. It takes the memory of two pieces, whatever the size. Dropping it ends the reading.
public struct ObjectReader: Sendable {
    /// The size of the whole object, in bytes.
    public let objectBytes: Int
    /// The bytes that `next` returns: the range that was asked for, cut at the object's end.
    public let range: Range<Int>
    /// The open file of an object on disk, for sendfile(2) of `range`; nil for one in S3.
    public let file: StoredFile?
    let source: any PieceSource
    let pool: StoragePool

    /// The next piece, at most 256 KiB; nil at the end. Not to be called twice at the same time. Throws `StorageError`.
    public func next() async throws -> [UInt8]? {
        try await pool.runStorage { [source] in try source.piece() }
    }

    /// Has a part of the object on disk read into the page cache, so that sendfile(2) does not wait for the disk. Does nothing for one in S3.
    /// Throws `StorageError.busy`.
    public func prefetch(_ part: Range<Int>) async throws {
        guard let file else { return }
        try await pool.runStorage { _ = nv_read_ahead(file.descriptor, off_t(part.lowerBound), part.count) }
    }

    /// Writes what is left to read into an open file, from `offset` on. Throws `StorageError`.
    public func copy(to descriptor: Int32, at offset: Int) async throws {
        var offset = offset
        while let next = try await copyPiece(to: descriptor, at: offset) { offset = next }
    }

    /// Where the next piece goes; nil at the end.
    private func copyPiece(to descriptor: Int32, at offset: Int) async throws -> Int? {
        try await pool.runStorage { [source] in
            guard let piece = try source.piece() else { return nil }
            try writeAll(piece, to: descriptor, at: offset)
            return offset + piece.count
        }
    }

    /// Everything that is left, for small objects. Throws `StorageError`, `.unavailable` for more than `maxBytes`.
    public func all(maxBytes: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            bytes += piece
            guard bytes.count <= maxBytes else {
                throw StorageError.unavailable("the object has more than \(maxBytes) bytes")
            }
        }
        return bytes
    }

    /// The SHA-256 of what is left to read, 32 bytes, computed on the pool. Throws `StorageError`, and `CancellationError`.
    public func sha256() async throws -> [UInt8] {
        var digest = SHA256()
        while let longer = try await extended(digest) {
            try Task.checkCancellation()
            digest = longer
        }
        return digest.digest()
    }

    /// The digest with one piece more, nil at the end.
    private func extended(_ digest: SHA256) async throws -> SHA256? {
        try await pool.runStorage { [source] in
            guard let piece = try source.piece() else { return nil }
            var longer = digest
            longer.update(piece)
            return longer
        }
    }
}

extension Range<Int> {
    /// The part of `wanted` that an object of that size has; all of it for nil. Throws `StorageError.outOfRange`.
    static func inObject(_ wanted: Range<Int>?, objectBytes: Int) throws(StorageError) -> Range<Int> {
        guard let wanted else { return 0..<objectBytes }
        guard wanted.lowerBound < objectBytes else { throw .outOfRange(sizeBytes: objectBytes) }
        return wanted.clamped(to: 0..<objectBytes)
    }
}
