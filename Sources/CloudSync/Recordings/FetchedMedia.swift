import FoundationEssentials
import Glibc
import Media
import Storage

/// The parts of an S3 object that programs need to measure it and to show its first picture, in a file of the object's
/// size. In a large movie, most picture data are a hole in that file, so the disk need not hold them (ISO/IEC 14496-12,
/// 4.2: a file is a row of boxes).
struct FetchedMedia {
    /// The path of the file, until `remove`.
    let path: String
    private let folder: URL
    /// The kernel's lock on the folder. It distinguishes a folder in use from one that a killed process has left.
    private let lock: FolderLock
    private static let prefix = "neuroviews-media-"

    /// Objects up to this size are fetched whole.
    private static let wholeMaxBytes = 64 << 20
    /// Bytes to fetch of the picture and sound data, from the beginning.
    private static let mediaBytes = 5 << 20
    private static let boxesMax = 64
    /// Limit of fetched bytes of a file with holes.
    private static let fetchedMaxBytes = 160 << 20

    /// Fetches an object; of a large one with `onlyBeginning` its first bytes. Throws `StorageError`.
    init(_ key: ObjectKey, from storage: ObjectStorage, onlyBeginning: Bool = false) async throws {
        let name = Self.prefix + UUID().uuidString
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        // The folder is locked before it gets the name that `removeLeftovers` looks for.
        let unnamed = FileManager.default.temporaryDirectory.appendingPathComponent("." + name)
        try FileManager.default.createDirectory(
            at: unnamed,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        guard let lock = FolderLock.take(unnamed.path) else {
            throw StorageError.unavailable("no folder can be locked in \(unnamed.deletingLastPathComponent().path)")
        }
        self.lock = lock
        try FileManager.default.moveItem(at: unnamed, to: folder)
        path = folder.appendingPathComponent("media").path
        do {
            try await fetch(key, storage, onlyBeginning)
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the file.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Deletes the folders of killed processes. To be called when a program starts. Blocks.
    static func removeLeftovers() {
        let (manager, place) = (FileManager.default, FileManager.default.temporaryDirectory)
        for name in (try? manager.contentsOfDirectory(atPath: place.path)) ?? [] where name.hasPrefix(prefix) {
            let folder = place.appendingPathComponent(name)
            guard let lock = FolderLock.take(folder.path) else { continue }
            withExtendedLifetime(lock) { try? manager.removeItem(at: folder) }
        }
    }

    private func fetch(_ key: ObjectKey, _ storage: ObjectStorage, _ onlyBeginning: Bool) async throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.unavailable("no file can be made in \(folder.path)") }
        defer { close(file) }
        let size = try await storage.size(of: key)
        guard size > Self.wholeMaxBytes else { return try await storage.read(key).copy(to: file, at: 0) }
        guard ftruncate(file, size) == 0 else {
            throw StorageError.unavailable("the file in \(folder.path) can't be written")
        }
        var ranges = [0..<Self.mediaBytes]
        if !onlyBeginning {
            ranges = try await Self.wanted(size) { try await storage.read(key, $0).all(maxBytes: 16) }
        }
        for range in ranges {
            try await storage.read(key, range).copy(to: file, at: range.lowerBound)
        }
    }

    /// The byte ranges of a movie to fetch: every box, but only the beginning of the picture data. `read` must return
    /// 16 bytes. Empty for a file that is no row of boxes, or whose tables are too large.
    static func wanted(_ size: Int, _ read: (Range<Int>) async throws -> [UInt8]) async throws -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (position, fetched) = (0, 0)
        for _ in 0..<boxesMax where size - position >= 16 {
            guard let box = MovieBox(try await read(position..<position + 16), space: size - position) else { break }
            let bytes = box.type == "mdat" ? min(box.bytes, mediaBytes) : box.bytes
            guard fetched + bytes <= fetchedMaxBytes else { return [] }
            ranges.append(position..<position + bytes)
            fetched += bytes
            position += box.bytes
        }
        return ranges
    }
}

/// A folder with an exclusive lock (flock(2)), held until this value is released.
private final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Nil if another process holds the lock, or if the folder belongs to another user.
    static func take(_ path: String) -> FolderLock? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let lock = FolderLock(descriptor)
        var status = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid()
        else { return nil }
        return lock
    }

    deinit { close(descriptor) }
}

/// The header of a box: its size and type.
private struct MovieBox {
    let type: String
    /// The header included.
    let bytes: Int

    /// Nil if this is no box that fits into the space.
    init?(_ head: [UInt8], space: Int) {
        func number(_ range: Range<Int>) -> Int? {
            Int(exactly: head[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        guard head.count == 16, let short = number(0..<4) else { return nil }
        type = String(decoding: head[4..<8], as: UTF8.self)
        // 1: a long size follows; 0: the box ends with the file.
        guard let bytes = short == 1 ? number(8..<16) : short == 0 ? space : short, (8...space).contains(bytes) else {
            return nil
        }
        self.bytes = bytes
    }
}
