import CloudSync
import Crypto
import Glibc

/// The file of the erasure ledger. It only grows: a line is `key` or `erased`, and 64 hexadecimal digits.
struct ErasureLedgerFile {
    /// What a ledger holds.
    struct Content: Equatable {
        /// New digests are made with the first one. There are several where data folders were put together.
        var keys: [ErasureLedgerKey] = []
        var digests: Set<[UInt8]> = []

        /// What is here and not there.
        func subtracting(_ other: Content) -> Content {
            Content(keys: keys.filter { !other.keys.contains($0) }, digests: digests.subtracting(other.digests))
        }
    }

    let path: String

    /// A line that no server has written.
    struct DamagedLine: Error {
        let number: Int
    }

    private static let (keyWord, digestWord) = (Array("key ".utf8), Array("erased ".utf8))

    /// Nothing where there is no file. Throws `FileError` and `DamagedLine`.
    func read() throws -> Content {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return Content() }
        return try Self.content(of: Array(try FileDescriptor.readText(path, maxBytes: .max).utf8))
    }

    /// A line that a crash has cut off is left out: the database has it, too.
    static func content(of text: [UInt8]) throws(DamagedLine) -> Content {
        var content = Content()
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if let bytes = value(of: line, behind: keyWord) {
                content.keys.append(ErasureLedgerKey(bytes: bytes))
            } else if let bytes = value(of: line, behind: digestWord) {
                content.digests.insert(bytes)
            } else if !isCutOff(line, keyWord), !isCutOff(line, digestWord) {
                throw DamagedLine(number: index + 1)
            }
        }
        return content
    }

    private static func value(of line: ArraySlice<UInt8>, behind word: [UInt8]) -> [UInt8]? {
        guard line.starts(with: word), let bytes = Hex.decode(line.dropFirst(word.count)) else { return nil }
        return bytes.count == SHA256.digestBytes ? bytes : nil
    }

    private static func isCutOff(_ line: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        let digits = line.dropFirst(word.count)
        return line.prefix(word.count).elementsEqual(word.prefix(line.count)) && digits.count < 2 * SHA256.digestBytes
            && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Returns when the lines are on the disk.
    func append(_ content: Content) throws(FileError) {
        let lines =
            content.keys.map { "key \(Hex.encode($0.bytes))\n" } + content.digests.map { "erased \(Hex.encode($0))\n" }
        guard !lines.isEmpty else { return }
        let isNew = access(path, F_OK) != 0
        let file = try FileDescriptor(path, O_RDWR | O_APPEND | O_CREAT)
        // Other commands may write at the same time.
        guard flock(file.number, LOCK_EX) == 0 else { throw FileError("lock", path) }
        let start = try endsInTheMiddle(file) ? "\n" : ""
        try file.write(Array((start + lines.joined()).utf8))
        try file.synchronize()
        if isNew { try keepNew(file) }
    }

    /// Whether a crash has cut off the last line.
    private func endsInTheMiddle(_ file: borrowing FileDescriptor) throws(FileError) -> Bool {
        let size = try file.status().st_size
        var last: UInt8 = 0
        return size > 0 && pread(file.number, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    /// Gives a new file to the folder's owner, if root has made it for the account that the server runs under.
    private func keepNew(_ file: borrowing FileDescriptor) throws(FileError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        var owner = stat()
        guard stat(folder, &owner) == 0, geteuid() != 0 || fchown(file.number, owner.st_uid, owner.st_gid) == 0 else {
            throw FileError("give away", path)
        }
        try FileDescriptor.synchronize(folder: folder)
    }
}
