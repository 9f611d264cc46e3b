import CLinux
import Glibc
import Machine
import NeuroViewsCrypto

/// The file of the master keys: 32 random bytes from the kernel for each, the newest first, readable by its owner
/// alone. It has one key if no key was ever rotated.
package enum SecretFile {
    package static let keyBytes = MasterKey.keyBytes
    /// 64 keys. Weekly rotations with sessions of one year would need 53.
    package static let maxBytes = 64 * keyBytes

    /// The kind of place of a secret file, which decides how it is opened.
    package enum Place {
        /// A path from the operator: symbolic links are followed.
        case named
        /// A systemd credential. systemd protects it by its folder or by an access list, which the mode shows as group
        /// rights.
        case credential
        /// In the data folder, which another account may own.
        case dataFolder
    }

    package enum Problem: Error, Equatable, CustomStringConvertible {
        case system(FileError)
        case notAFile(path: String)
        case readableByOthers(path: String, mode: UInt32)
        case wrongLength(path: String, bytes: Int)
        case noRandomness(CommandFailure)

        package var description: String {
            switch self {
            case .system(let error):
                "The secret file can't be used: \(error); choose another with NEUROVIEWS_SECRET_FILE."
            case .notAFile(let path):
                "The secret \(path) is not a file: choose another with NEUROVIEWS_SECRET_FILE."
            case .readableByOthers(let path, let mode):
                "The secret file \(path) has mode \(String(mode, radix: 8)), so others can read it: chmod 600 \(path)."
            case .wrongLength(let path, let bytes):
                "The secret file \(path) holds \(bytes) bytes instead of 32 for each key: put the right file back from a backup."
            case .noRandomness(let failure): failure.description
            }
        }
    }

    /// The keys in `path`. Makes the file with a first key if it does not exist. Processes that start together get the
    /// same key.
    package static func loadOrCreate(_ path: String, _ place: Place = .named) throws(Problem) -> [UInt8] {
        if let key = try load(path, place) { return key }
        try create(path, place)
        guard let key = try load(path, place) else { throw .system(FileError("open", path, code: ENOENT)) }
        return key
    }

    /// The keys in `path`; nil if there is no such file.
    package static func load(_ path: String, _ place: Place = .named) throws(Problem) -> [UInt8]? {
        let status: stat
        let bytes: [UInt8]
        do throws(FileError) {
            // A named pipe must not block the start: without O_NONBLOCK, opening one waits for a writer.
            let flags = O_RDONLY | O_NONBLOCK
            let file = try place == .dataFolder ? FileDescriptor.own(path, flags) : FileDescriptor(path, flags)
            status = try file.status()
            bytes = status.st_mode & S_IFMT == S_IFREG ? try file.read(maxBytes: maxBytes + 1) : []
        } catch {
            if error.code == ENOENT { return nil }
            throw .system(error)
        }
        try check(status, bytes, path, isPrivate: place == .credential || status.st_mode & 0o077 == 0)
        return bytes
    }

    private static func check(_ status: stat, _ bytes: [UInt8], _ path: String, isPrivate: Bool) throws(Problem) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard isPrivate else { throw .readableByOthers(path: path, mode: status.st_mode & 0o777) }
        guard !bytes.isEmpty, bytes.count <= maxBytes, bytes.count.isMultiple(of: keyBytes) else {
            throw .wrongLength(path: path, bytes: Int(status.st_size))
        }
    }

    /// Writes the whole file under a temporary name and renames it, never over an existing file. The first of several
    /// processes wins, and no reader sees half a key.
    private static func create(_ path: String, _ place: Place) throws(Problem) {
        var key = try random(keyBytes)
        defer { key.wipe() }
        let suffix = try random(8).map { String($0, radix: 16) }.joined()
        let temporary = "\(path).new-\(suffix)"
        defer { unlink(temporary) }
        do throws(FileError) {
            let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(key)
            // The server reads the file under that account.
            if place == .dataFolder { try file.giveToFolderOwner() }
            try file.synchronize()
            guard Self.name(temporary, path) || errno == EEXIST else { throw FileError("create", path) }
            try FileDescriptor.synchronize(folder: FilePath.folder(of: path))
        } catch {
            throw .system(error)
        }
    }

    /// Renames without overwriting. Returns false if `path` exists. File systems without such a rename get a second
    /// link instead, and the temporary name is removed later.
    private static func name(_ temporary: String, _ path: String) -> Bool {
        nv_rename_new(temporary, path) == 0 || errno == EINVAL && link(temporary, path) == 0
    }

    private static func random(_ count: Int) throws(Problem) -> [UInt8] {
        do throws(CommandFailure) { return try KernelRandom.bytes(count) } catch { throw .noRandomness(error) }
    }
}
