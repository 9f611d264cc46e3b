import FoundationEssentials
import Glibc
import Machine
import NeuroViewsCrypto

extension SecretFile {
    /// The bytes of each key, in the file's order.
    package static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: keyBytes).map { Array(bytes[$0..<min($0 + keyBytes, bytes.count)]) }
    }

    /// The keys of a file's bytes, in its order. Throws `CryptoError`.
    package static func keys(_ bytes: [UInt8]) throws(CryptoError) -> [MasterKey] {
        try split(bytes).map { bytes throws(CryptoError) in try MasterKey(bytes: bytes) }
    }

    /// The keys in the configured file; nil if it does not exist.
    package static func keys(_ settings: Settings) throws -> [MasterKey]? {
        guard var bytes = try load(settings) else { return nil }
        defer { bytes.wipe() }
        return try keys(bytes)
    }

    /// The bytes of the configured file; nil if it does not exist.
    package static func load(_ settings: Settings) throws(Problem) -> [UInt8]? {
        try load(settings.secretFilePath, settings.secretPlace)
    }

    /// Replaces a secret file atomically and returns when the new one is on disk. A symbolic link that the operator
    /// configured is kept: its target is replaced.
    package static func replace(
        _ path: String,
        _ place: Place = .named,
        with bytes: [UInt8],
        owner: (user: uid_t, group: gid_t)
    ) throws(FileError) {
        let target = place == .dataFolder ? path : URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let temporary = target + ".new"
        unlink(temporary)
        let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.write(bytes)
        guard fchown(file.number, owner.user, owner.group) == 0 else { throw FileError("give away", temporary) }
        try file.synchronize()
        guard rename(temporary, target) == 0 else { throw FileError("create", target) }
        try FileDescriptor.synchronize(folder: FilePath.folder(of: target))
    }
}
