import Foundation
import Media
import Net
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// The parts of an S3 object that are fetched to measure it. The rules are the same for every store.
struct FetchedMediaTests {
    private static let isInstalled: Bool = {
        let tools = MediaTools.find()
        return tools.ffmpeg != nil && tools.ffprobe != nil && tools.canLimit
    }()

    /// A box of that type with a head of 8 bytes, or 16 bytes if `long`.
    private static func box(_ type: String, _ bytes: Int, long: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return long
            ? number(1, 4) + Array(type.utf8) + number(bytes, 8)
            : number(bytes, 4) + Array(type.utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The fetched ranges of a file with that size and these box heads.
    private func wanted(_ size: Int, _ heads: [Int: [UInt8]]) async throws -> [Range<Int>] {
        try await FetchedMedia.wanted(size) { range in heads[range.lowerBound] ?? [UInt8](repeating: 0xFF, count: 16) }
    }

    @Test("All boxes of a movie are fetched, but only the beginning of its media data")
    func boxes() async throws {
        let (mdat, moov) = (10 << 30, 20 << 20)
        let size = 32 + mdat + moov
        let movie = [
            0: Self.box("ftyp", 32), 32: Self.box("mdat", mdat, long: true), 32 + mdat: Self.box("moov", moov),
        ]
        #expect(try await wanted(size, movie) == [0..<32 + (32 << 20), 32 + mdat..<size])
        let toTheEnd = [0: Self.box("ftyp", 32), 32: Self.box("mdat", 0)]
        #expect(try await wanted(1 << 30, toTheEnd) == [0..<32 + (32 << 20)])
    }

    @Test("All tables of a movie in fragments are fetched, and the beginning of its media data once")
    func fragments() async throws {
        let (moof, mdat) = (2000, 10 << 20)
        var movie = [0: Self.box("ftyp", 32)]
        var position = 32
        for _ in 0..<100 {
            movie[position] = Self.box("moof", moof)
            movie[position + moof] = Self.box("mdat", mdat)
            position += moof + mdat
        }
        let ranges = try await wanted(position, movie)
        for table in stride(from: 32, to: position, by: moof + mdat) {
            let withNextHead = table..<table + moof + 16
            #expect(ranges.contains { $0.clamped(to: withNextHead) == withNextHead }, "\(table)")
        }
        // Of the first three and a part of the fourth the media data, of all others their headers.
        let bytes: Int = 32 + 100 * moof + (32 << 20) + 96 * 16
        #expect(ranges.map(\.count).reduce(0, +) == bytes)
        #expect(ranges.count == 97)
    }

    @Test("Few bytes are fetched of a file without boxes, and none of one with huge tables")
    func strange() async throws {
        #expect(try await wanted(1 << 30, [:]).isEmpty)
        #expect(try await wanted(1 << 30, [0: Self.box("ftyp", 7)]).isEmpty)
        #expect(try await wanted(1 << 30, [0: Self.box("ftyp", 2 << 30)]).isEmpty)
        #expect(
            try await wanted(1 << 30, [0: Self.box("moov", 200 << 20), 200 << 20: Self.box("mdat", 800 << 20)]).isEmpty
        )
        let long = [0: [0, 0, 0, 1] + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8)]
        #expect(try await wanted(1 << 30, long).isEmpty)
        func row(_ count: Int) -> [Int: [UInt8]] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ($0 * 16, Self.box("free", 16)) })
        }
        #expect(try await wanted(1 << 30, row(4096)) == [0..<4096 * 16])
        #expect(try await wanted(1 << 30, row(4097)).isEmpty)
    }

    @Test("The next start deletes files of a killed process, and no file in use")
    func leftovers() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool)
        let key = try #require(ObjectKey("movie"))
        try await disk.put([1, 2, 3], as: key)
        let used = try await FetchedMedia(key, from: .disk(disk))
        let left = FileManager.default.temporaryDirectory.path + "/neuroviews-media-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: left + "/media", contents: Data([1])))
        RecordingJobs.removeLeftovers()
        #expect(access(left, F_OK) != 0)
        #expect(access(used.path, F_OK) == 0)
        used.remove()
        #expect(access(used.path, F_OK) != 0)
    }

    @Test("Only the beginning of a large file is fetched where that is enough")
    func beginning() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool)
        let key = try #require(ObjectKey("sound"))
        let bytes = (64 << 20) + 1
        try await disk.put([UInt8](repeating: 7, count: bytes), as: key)
        let media = try await FetchedMedia(key, from: .disk(disk), onlyBeginning: true)
        defer { media.remove() }
        let file = try #require(FileHandle(forReadingAtPath: media.path))
        defer { try? file.close() }
        #expect(try file.seekToEnd() == UInt64(bytes))
        for (offset, byte) in [(0, 7), ((5 << 20) - 1, 7), (5 << 20, 0), (bytes - 1, 0)] {
            try file.seek(toOffset: UInt64(offset))
            #expect(try file.read(upToCount: 1) == Data([UInt8(byte)]), "\(offset)")
        }
    }

    @Test("A large photo is fetched whole")
    func photo() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool)
        let key = try #require(ObjectKey("photo"))
        let bytes = (64 << 20) + 1
        try await disk.put([UInt8](repeating: 0xFF, count: bytes), as: key)
        let media = try await FetchedMedia(key, from: .disk(disk), isPhoto: true)
        defer { media.remove() }
        let file = try #require(FileHandle(forReadingAtPath: media.path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(bytes - 1))
        #expect(try file.read(upToCount: 1) == Data([0xFF]))
    }

    @Test(
        "A large movie is measured by its fetched parts",
        .inFull,
        .enabled(if: isInstalled, "ffmpeg is not installed")
    )
    func large() async throws {
        let pool = try BlockingPool(threads: 2, queueMax: 100)
        defer { pool.stop() }
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool)
        let key = try #require(ObjectKey("movie"))
        let path = Sandbox.makeFolder() + "/A.mov"
        // A frame has about 20 MB.
        let source = ["-f", "lavfi", "-i", "testsrc2=s=3840x2160:r=25", "-vf", "noise=alls=30", "-t", "0.2"]
        let codec = ["-c:v", "prores_ks", "-profile:v", "3", "-qscale:v", "1"]
        let program = try Program.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-y"] + source + codec + [path],
            seconds: 300
        )
        try #require(program.status == 0, "\(program.complaint)")
        try await disk.put([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), as: key)
        try #require(try await disk.size(of: key) > 64 << 20)
        let media = try await FetchedMedia(key, from: .disk(disk))
        var status = stat()
        #expect(stat(media.path, &status) == 0 && status.st_blocks * 512 < 40 << 20)
        let laboratory = MediaLaboratory(pool: pool, allowsNoWalls: true)
        let whole = try await laboratory.examine(MediaFile(path: path, contentType: "video/quicktime"))
        let part = try await laboratory.examine(MediaFile(path: media.path, contentType: "video/quicktime"))
        #expect(part.thumbnail != nil && part.thumbnail == whole.thumbnail)
        #expect(part.findings.probe == whole.findings.probe && part.findings.probe?["width"]?.number?.int64 == 3840)
        media.remove()
        #expect(stat(media.path, &status) != 0)
    }
}
