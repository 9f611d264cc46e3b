import Glibc
import Machine
import NeuroViewsCrypto

/// The operator's key that authenticates backups: HMAC-SHA-256 over `SHA256SUMS`, which has the digest of every part.
struct BackupKey {
    /// Shorter keys could be guessed.
    private static let bytesMin = 32
    private static let bytesMax = 4096
    /// The first one signs. The others are of the same key with other ends of its lines.
    private let hmacs: [HMACSHA256]

    /// Uses all bytes of the file as the key. Editors and password stores change the ends of lines, so a file that lacks the
    /// last line feed, or has CRLF, opens the backups of the key too. Throws if the bytes are too few or too many, or if
    /// another account can read or replace the file.
    init(_ path: String) throws {
        let file: FileDescriptor
        do {
            file = try FileDescriptor(GuardedPath(path).path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            throw CommandFailure("The key can't be used: \(error).", status: .noInput)
        }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("The key \(path) is no file.", status: .noInput)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CommandFailure("Others can use the key file \(path): chmod 600 \(path).", status: .noInput)
        }
        var bytes = try file.read(maxBytes: Self.bytesMax + 1)
        defer { bytes.wipe() }
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else {
            throw CommandFailure(
                "The key file \(path) needs \(Self.bytesMin) to \(Self.bytesMax) bytes: make one with openssl rand -hex -out \(path) 32.",
                status: .noInput
            )
        }
        hmacs = Self.spellings(of: bytes).map { HMACSHA256(key: $0) }
    }

    /// The bytes, and then the same with other ends of lines. The key may have several: `openssl rand -base64` makes lines of
    /// 64 characters.
    static func spellings(of bytes: [UInt8]) -> [[UInt8]] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var text: [UInt8] = []
        for byte in bytes {
            if byte == lineFeed, text.last == carriageReturn { text.removeLast() }
            text.append(byte)
        }
        if text.last == lineFeed { text.removeLast() }
        let plain = [text, text + [lineFeed]]
        let returned = plain.map { $0.flatMap { $0 == lineFeed ? [carriageReturn, lineFeed] : [$0] } }
        return [bytes] + (plain + returned).filter { $0 != bytes }
    }

    /// Writes the tag in hexadecimal, beside the digests in `folder`.
    func sign(_ folder: String) throws {
        let tag = hmacs[0].authenticate(try Self.digests(folder))
        try FileDescriptor("\(folder)/\(BackupArchive.tag)", O_WRONLY | O_CREAT | O_EXCL).write(
            Array(Hex.encode(tag).utf8)
        )
    }

    /// Throws unless the tag is valid for the digests.
    func verify(_ folder: String, _ file: String) throws {
        let path = "\(folder)/\(BackupArchive.tag)"
        guard access(path, F_OK) == 0 else {
            throw CommandFailure(
                "\(file) was made without a key: restore it with --unauthenticated if you know where it comes from.",
                status: .data
            )
        }
        let text = try FileDescriptor.readText(path, maxBytes: 1024)
        let digests = try Self.digests(folder)
        guard let tag = Hex.decode(Array(text.filter { !$0.isWhitespace }.utf8)[...]),
            hmacs.contains(where: { $0.isValid(tag, for: digests) })
        else {
            throw CommandFailure("\(file) was not made with this key, or it was changed.", status: .data)
        }
    }

    private static func digests(_ folder: String) throws(FileError) -> [UInt8] {
        try FileDescriptor("\(folder)/\(BackupArchive.digests)", O_RDONLY | O_NOFOLLOW).read(maxBytes: .max)
    }
}
