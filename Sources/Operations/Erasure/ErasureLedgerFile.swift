import CloudSync
import Glibc
import Machine
import NeuroViewsCrypto

/// The file of the erasure ledger. It only grows. Each line is `key` or `erased` and 64 hexadecimal digits.
struct ErasureLedgerFile {
    /// The entries of a ledger.
    struct Content: Equatable {
        /// The first key makes new digests. There are several if data folders were merged.
        var keys: [ErasureLedgerKey] = []
        var digests: Set<[UInt8]> = []

        /// The entries that `other` lacks.
        func subtracting(_ other: Content) -> Content {
            Content(keys: keys.filter { !other.keys.contains($0) }, digests: digests.subtracting(other.digests))
        }
    }

    let path: String

    /// The reasons for which a ledger cannot be used.
    enum Problem: Error {
        case system(FileError)
        case damaged(line: Int)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let lineMaxBytes = 128

    /// Returns no entries if there is no file. An incomplete last line of a crash is ignored: the database has that
    /// entry too. Any other invalid line is an error, because it could belong to an erased account.
    func read() throws(Problem) -> Content {
        let bytes: [UInt8]
        do throws(FileError) {
            guard access(path, F_OK) == 0 || errno != ENOENT else { return Content() }
            let file = try FileDescriptor.own(path, O_RDONLY)
            guard flock(file.number, LOCK_SH) == 0 else { throw FileError("lock", path) }
            bytes = try file.read(maxBytes: .max)
        } catch {
            throw .system(error)
        }
        var content = Content()
        let lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !Self.trimmed(line).isEmpty {
            if Self.take(line, into: &content) || index == lines.count - 1 { continue }
            throw .damaged(line: index + 1)
        }
        return content
    }

    /// Removes the carriage return that some editors write.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Returns false for an invalid line.
    private static func take(_ line: ArraySlice<UInt8>, into content: inout Content) -> Bool {
        let words = trimmed(line).split(separator: UInt8(ascii: " "))
        guard words.count == 2, let bytes = Hex.decode(words[1]), bytes.count == SHA256.digestBytes else {
            return false
        }
        switch String(decoding: words[0], as: UTF8.self) {
        case "key": content.keys.append(ErasureLedgerKey(bytes: bytes))
        case "erased": content.digests.insert(bytes)
        default: return false
        }
        return true
    }

    /// Returns when the lines are on disk.
    func append(_ content: Content) throws(FileError) {
        let lines =
            content.keys.map { "key \(Hex.encode($0.bytes))\n" } + content.digests.map { "erased \(Hex.encode($0))\n" }
        guard !lines.isEmpty else { return }
        let isNew = access(path, F_OK) != 0
        let file = try FileDescriptor.own(path, O_RDWR | O_APPEND | O_CREAT)
        // Other commands may write at the same time.
        guard flock(file.number, LOCK_EX) == 0 else { throw FileError("lock", path) }
        try endLastLine(file)
        try file.write(Array(lines.joined().utf8))
        try file.synchronize()
        guard isNew else { return }
        // Root may have made the file, but the server reads it under its own account.
        try file.giveToFolderOwner()
        try FileDescriptor.synchronize(folder: FilePath.folder(of: path))
    }

    /// Removes an incomplete last line of a crash, or ends a complete one.
    private func endLastLine(_ file: borrowing FileDescriptor) throws(FileError) {
        let size = Int(try file.status().st_size)
        var tail = [UInt8](repeating: 0, count: min(size, Self.lineMaxBytes))
        guard pread(file.number, &tail, tail.count, size - tail.count) == tail.count else {
            throw FileError("read", path)
        }
        let line = tail[(tail.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0)...]
        var content = Content()
        if line.isEmpty { return }
        if Self.take(line, into: &content) { return try file.write([Self.newline]) }
        guard ftruncate(file.number, size - line.count) == 0 else { throw FileError("shorten", path) }
    }
}
