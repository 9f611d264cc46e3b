import Glibc
import Net

/// An upload's file, open for writing. An upload may have several open files. Appends exclude each other; only an
/// append at the file's end is written. Every function runs on the blocking pool.
package final class UploadFile: Sendable {
    private let descriptor: Int32
    private let volume: Volume
    private let pool: StoragePool
    private let turn = Locked(())

    /// Blocks. `flags` may contain O_CREAT. Throws `StorageError`.
    init(_ path: String, flags: Int32, volume: Volume, pool: StoragePool) throws(StorageError) {
        descriptor = open(path, O_RDWR | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw .lastFailure("open") }
        self.volume = volume
        self.pool = pool
    }

    deinit { close(descriptor) }

    /// Writes all of `bytes` at `offset`, which must be the file's length, and returns the new length. Throws
    /// `StorageError`, such as `.wrongOffset` or `.full`; nothing is written then.
    @discardableResult
    package func append(_ bytes: [UInt8], at offset: Int) async throws -> Int {
        try await append(bytes, at: offset) { offset + bytes.count }
    }

    /// The same, but then runs `work` on the pool too and returns its result.
    package func append<T: Sendable>(
        _ bytes: [UInt8],
        at offset: Int,
        then work: @escaping @Sendable () -> T
    ) async throws -> T {
        try await pool.runStorage {
            try self.exclusively {
                let lengthBytes = try self.currentLength()
                guard lengthBytes == offset else { throw StorageError.wrongOffset(lengthBytes: lengthBytes) }
                try self.volume.admit(bytes.count)
                try self.write(bytes, at: offset)
            }
            return work()
        }
    }

    /// Returns after everything appended is on the disk (fdatasync). Throws `StorageError`. After an error, bytes not
    /// yet on the disk may be lost, even if a later call succeeds.
    package func synchronize() async throws {
        try await pool.runStorage {
            guard fdatasync(self.descriptor) == 0 else { throw StorageError.lastFailure("fdatasync") }
        }
    }

    /// Truncates the file to `lengthBytes`. Throws `StorageError`, `.wrongOffset` if the file is shorter than that.
    package func truncate(to lengthBytes: Int) async throws {
        try await pool.runStorage {
            try self.exclusively {
                let current = try self.currentLength()
                guard lengthBytes <= current else { throw StorageError.wrongOffset(lengthBytes: current) }
                try self.cut(at: lengthBytes)
            }
        }
    }

    /// Returns the file's length in bytes, never one in the middle of an append. Throws `StorageError`.
    package func length() async throws -> Int {
        try await pool.runStorage { try self.exclusively { try self.currentLength() } }
    }

    /// `turn` excludes other users of this open file. flock(2) excludes other open files of the upload, also in other
    /// processes.
    private func exclusively<T: Sendable>(_ body: () throws -> T) throws -> T {
        try turn.withLock { _ in
            let status = retryingInterrupted { Int(flock(descriptor, LOCK_EX)) }
            guard status == 0 else { throw StorageError.lastFailure("flock") }
            defer { flock(descriptor, LOCK_UN) }
            return try body()
        }
    }

    private func currentLength() throws(StorageError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .lastFailure("fstat") }
        return Int(status.st_size)
    }

    private func cut(at lengthBytes: Int) throws(StorageError) {
        guard ftruncate(descriptor, lengthBytes) == 0 else { throw .lastFailure("ftruncate") }
    }

    /// Writes all bytes or none.
    private func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor, at: offset)
        } catch {
            try cut(at: offset)
            throw StorageError(error)
        }
    }
}

/// Writes all of `bytes`. After an error, a part may be written.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(SystemError) {
    var written = 0
    while written < bytes.count {
        // A short write is rare; only then is the rest copied.
        let rest = written == 0 ? bytes : Array(bytes[written...])
        let count = retryingInterrupted { pwrite(descriptor, rest, rest.count, offset + written) }
        guard count > 0 else { throw SystemError(call: "pwrite", code: errno) }
        written += count
    }
}
