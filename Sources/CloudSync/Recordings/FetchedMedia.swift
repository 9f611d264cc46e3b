import Glibc
import Media
import Net
import Storage

/// The parts of an S3 object that programs need to measure it and to show its first picture, in a file of the object's
/// size. In a large movie, most picture data are a hole in that file, so the disk need not hold them (ISO/IEC 14496-12,
/// 4.2: a file is a row of boxes).
struct FetchedMedia {
    /// The path of the file, until `remove`.
    let path: String
    private let folder: WorkFolder

    /// Objects up to this size are fetched whole.
    private static let wholeMaxBytes = 64 << 20
    /// Bytes to fetch of the picture and sound data, from the beginning.
    private static let mediaBytes = 5 << 20
    private static let boxesMax = 64
    /// Limit of fetched bytes of a file with holes, and of a photo: its tables do not tell what its picture needs.
    private static let fetchedMaxBytes = 160 << 20

    /// Fetches an object; of a large one with `onlyBeginning` its first bytes, of a large photo all. Throws
    /// `StorageError`.
    init(
        _ key: ObjectKey,
        from storage: ObjectStorage,
        onlyBeginning: Bool = false,
        isPhoto: Bool = false
    ) async throws {
        do throws(SystemError) {
            folder = try WorkFolder()
        } catch {
            throw StorageError.unavailable("no folder for temporary files can be made: \(error)")
        }
        path = folder.path + "/media"
        do {
            try await fetch(key, storage, onlyBeginning, isPhoto ? Self.fetchedMaxBytes : Self.wholeMaxBytes)
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the file.
    func remove() { folder.remove() }

    private func fetch(
        _ key: ObjectKey,
        _ storage: ObjectStorage,
        _ onlyBeginning: Bool,
        _ wholeMaxBytes: Int
    ) async throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.unavailable("no file can be made in \(folder.path)") }
        defer { close(file) }
        let size = try await storage.size(of: key)
        guard size > wholeMaxBytes else { return try await storage.read(key).copy(to: file, at: 0) }
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
