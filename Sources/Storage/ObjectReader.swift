import CLinux
import Glibc
import Net
import NeuroViewsCrypto

/// A source of bytes, read in pieces. It blocks; one call at a time.
protocol PieceSource: Sendable {
    /// The next piece, nil at the end.
    func piece() throws -> [UInt8]?
}

/// An open range of an object. It needs the memory of two pieces for any size. Releasing it ends the read.
package struct ObjectReader: Sendable {
    /// The size of the whole object, in bytes.
    package let objectBytes: Int
    /// The bytes that `next` returns: the requested range, cut at the object's end.
    package let range: Range<Int>
    /// The open file of an object on disk, for sendfile(2) of `range`; nil in S3.
    package let file: StoredFile?
    let source: any PieceSource
    let pool: StoragePool

    /// Returns the next piece, at most 256 KiB; nil at the end. Never call it twice at the same time. Throws
    /// `StorageError`.
    package func next() async throws -> [UInt8]? {
        try await pool.runStorage { [source] in try source.piece() }
    }

    /// Reads a part of an object on disk into the page cache, so sendfile(2) does not wait for the disk. Does nothing
    /// in S3. Throws `StorageError.busy`.
    package func prefetch(_ part: Range<Int>) async throws {
        guard let file else { return }
        try await pool.runStorage { _ = nv_read_ahead(file.descriptor, off_t(part.lowerBound), part.count) }
    }

    /// Copies the remaining bytes to an open file, from `offset` on. Throws `StorageError`, and `SystemError` for that
    /// file, which is not the store's.
    package func copy(to descriptor: Int32, at offset: Int) async throws {
        var offset = offset
        while let next = try await copyPiece(to: descriptor, at: offset) { offset = next }
    }

    /// Copies one piece and returns the offset of the next one; nil at the end.
    private func copyPiece(to descriptor: Int32, at offset: Int) async throws -> Int? {
        try await pool.runStorage { [source] in
            guard let piece = try source.piece() else { return nil }
            try writeAll(piece, to: descriptor, at: offset)
            return offset + piece.count
        }
    }

    /// Returns all remaining bytes of a small object. Throws `StorageError`, `.unavailable` for more than `maxBytes`.
    package func all(maxBytes: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            bytes += piece
            guard bytes.count <= maxBytes else {
                throw StorageError.unavailable("the object has more than \(maxBytes) bytes")
            }
        }
        return bytes
    }

    /// Returns the SHA-256 of the remaining bytes (32 bytes), computed on the pool. Throws `StorageError` and
    /// `CancellationError`.
    package func sha256() async throws -> [UInt8] {
        var digest = SHA256()
        while let longer = try await extended(digest) {
            try Task.checkCancellation()
            digest = longer
        }
        return digest.digest()
    }

    /// Adds one piece to the digest; nil at the end.
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
    /// Cuts `wanted` at the object's end; nil means the whole object. Throws `StorageError.outOfRange`.
    static func inObject(_ wanted: Range<Int>?, objectBytes: Int) throws(StorageError) -> Range<Int> {
        guard let wanted else { return 0..<objectBytes }
        guard wanted.lowerBound < objectBytes else { throw .outOfRange(sizeBytes: objectBytes) }
        return wanted.clamped(to: 0..<objectBytes)
    }
}
