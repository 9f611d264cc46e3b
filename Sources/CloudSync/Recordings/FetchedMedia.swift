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
    /// Bytes to fetch of sound that is measured by its beginning.
    private static let beginningBytes = 5 << 20
    /// Bytes to fetch of a movie's pictures and sound, from the beginning. A first frame of 8K needs half of them.
    private static let mediaBytes = 32 << 20
    /// A movie in fragments has two boxes for some seconds of it. Each box costs a small request.
    private static let boxesMax = 4096
    /// Limit of fetched bytes of a photo, whose tables do not tell what its picture needs, and of a file with holes, beside its
    /// pictures and sound.
    private static let fetchedMaxBytes = 160 << 20

    /// Fetches an object; of a large one with `onlyBeginning` its first bytes, of a large photo all. Throws
    /// `StorageError`, and `WorkFolderError` for this machine's file.
    init(
        _ key: ObjectKey,
        from storage: ObjectStorage,
        onlyBeginning: Bool = false,
        isPhoto: Bool = false
    ) async throws {
        folder = try WorkFolder()
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
        let file = try folder.makeFile("media")
        defer { close(file) }
        let size = try await storage.size(of: key)
        guard size > wholeMaxBytes else { return try await copy(storage.read(key), to: file, at: 0) }
        guard ftruncate(file, size) == 0 else { throw WorkFolderError.lastFailure("ftruncate", in: folder.path) }
        var ranges = [0..<Self.beginningBytes]
        if !onlyBeginning {
            ranges = try await Self.wanted(size) { try await storage.read(key, $0).all(maxBytes: 16) }
        }
        for range in ranges {
            try await copy(storage.read(key, range), to: file, at: range.lowerBound)
        }
    }

    private func copy(_ reader: ObjectReader, to file: Int32, at offset: Int) async throws {
        do {
            try await reader.copy(to: file, at: offset)
        } catch let error as SystemError {
            throw WorkFolderError(error, in: folder.path)
        }
    }

    /// The byte ranges of a movie to fetch: every box, but only the beginning of the picture data, and the headers of
    /// the others. Adjacent ranges are one. `read` must return 16 bytes. Empty for a file that is no row of boxes, or
    /// with too many of them, or whose tables are too large: a part of them would measure a part of the movie.
    static func wanted(_ size: Int, _ read: (Range<Int>) async throws -> [UInt8]) async throws -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (position, fetched, boxes, media) = (0, 0, 0, mediaBytes)
        while size - position >= MovieBox.headBytes {
            let head = try await read(position..<position + MovieBox.headBytes)
            guard let box = MovieBox(head, space: size - position) else { break }
            let bytes = box.isMedia ? min(box.bytes, max(media, MovieBox.headBytes)) : box.bytes
            if box.isMedia { media -= bytes }
            (fetched, boxes) = (fetched + bytes, boxes + 1)
            guard boxes <= boxesMax, fetched <= fetchedMaxBytes + mediaBytes else { return [] }
            ranges.appendJoining(position..<position + bytes)
            position += box.bytes
        }
        return ranges
    }
}

extension [Range<Int>] {
    /// Appends a range, or makes the last one longer if this one follows it at once.
    fileprivate mutating func appendJoining(_ range: Range<Int>) {
        guard let last, last.upperBound == range.lowerBound else { return append(range) }
        self[count - 1] = last.lowerBound..<range.upperBound
    }
}

/// The header of a box: its size and type.
private struct MovieBox {
    /// The bytes of a header with a long size.
    static let headBytes = 16

    private let type: String
    /// The header included.
    let bytes: Int

    /// True for the data of pictures and sound.
    var isMedia: Bool { type == "mdat" }

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
