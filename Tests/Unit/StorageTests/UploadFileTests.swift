import Foundation
import Net
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

@Suite("Uploads on disk", .timeLimit(.minutes(Patience.minutes(1))))
struct UploadFileTests {
    @Test("Appended pieces become the object, the upload is gone, and finishing again is no error")
    func finish() async throws {
        let disk = try makeDisk()
        let (name, object, content) = (try key("u/1"), try key("recording.mov"), randomBytes(1_000_000))
        let upload = try await disk.createUpload(name)
        var length = 0
        while length < content.count {
            length = try await upload.append(Array(content[length..<min(length + 80_000, content.count)]), at: length)
        }
        #expect(try await upload.length() == content.count)
        try await upload.synchronize()
        await #expect(throws: StorageError.missing) { try await disk.size(of: object) }
        for _ in 0..<2 { try await disk.finishUpload(name, as: object) }
        #expect(try await disk.read(object).sha256() == SHA256.hash(content))
        #expect(try await disk.uploads().isEmpty)
        await #expect(throws: StorageError.missing) { try await disk.openUpload(name) }
    }

    @Test("An upload survives a restart with its length, and creating it again keeps it")
    func restart() async throws {
        let folder = Sandbox.makeFolder()
        let name = try key("kept")
        try await makeDisk(folder: folder).createUpload(name).append(Array("prefix".utf8), at: 0)
        let disk = try makeDisk(folder: folder)
        #expect(try await disk.openUpload(name).length() == 6)
        #expect(try await disk.createUpload(name).append([1], at: 6) == 7)
        #expect(try await disk.uploads().map { [$0.key.description, "\($0.bytes)"] } == [[name.description, "7"]])
        for _ in 0..<2 { try await disk.deleteUpload(name) }
        #expect(try await disk.uploads().isEmpty)
    }

    @Test("An append at a wrong offset writes nothing and returns the length, and so does a cut past it")
    func wrongOffset() async throws {
        let upload = try await makeDisk().createUpload(key("x"))
        try await upload.append([1, 2, 3, 4], at: 0)
        for offset in [0, 3, 5] {
            await #expect(throws: StorageError.wrongOffset(lengthBytes: 4)) { try await upload.append([9], at: offset) }
        }
        await #expect(throws: StorageError.wrongOffset(lengthBytes: 4)) { try await upload.truncate(to: 5) }
        try await upload.truncate(to: 2)
        #expect(try await upload.append([7], at: 2) == 3)
    }

    @Test(
        "One of several concurrent appends at one offset writes, with shared or separate open files",
        arguments: 1...2
    )
    func concurrentAppends(openFiles: Int) async throws {
        let disk = try makeDisk()
        let name = try key("contended")
        let files = [try await disk.createUpload(name), try await disk.openUpload(name)]
        let rounds = 20
        let piece = 500_000
        for round in 0..<rounds {
            let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        let bytes = [UInt8](repeating: UInt8(writer), count: piece)
                        do {
                            try await files[writer % openFiles].append(bytes, at: round * piece)
                            return 1
                        } catch StorageError.wrongOffset(let lengthBytes) {
                            #expect(lengthBytes == (round + 1) * piece)
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(winners == 1)
        }
        try await disk.finishUpload(name, as: name)
        let whole = try await disk.read(name).rest()
        #expect(whole.count == rounds * piece)
        for start in stride(from: 0, to: whole.count, by: piece) {
            #expect(Array(whole[start..<(start + piece)]) == [UInt8](repeating: whole[start], count: piece))
        }
    }

    @Test("An append that would use the reserve is refused before it writes")
    func reserve() async throws {
        let folder = Sandbox.makeFolder()
        let name = try key("small")
        try await makeDisk(folder: folder).createUpload(name).append([1], at: 0)
        let free = try await makeDisk(folder: folder).freeBytes()
        #expect(free > 0)
        let full = try makeDisk(reserveBytes: .max, folder: folder)
        let upload = try await full.openUpload(name)
        await #expect(throws: StorageError.full) { try await upload.append([2], at: 1) }
        await #expect(throws: StorageError.full) { try await full.put([2], as: name) }
        #expect(try await upload.length() == 1)
        await #expect(throws: StorageError.missing) { try await full.size(of: name) }
    }

    @Test("A put interrupted by a crash leaves nothing after the next start")
    func leftovers() async throws {
        let folder = Sandbox.makeFolder()
        let disk = try makeDisk(folder: folder)
        let leftover = disk.layout.temporary()
        try Data([1]).write(to: URL(fileURLWithPath: leftover))
        #expect(try await disk.uploads().isEmpty)
        let other = try makeDisk(folder: folder)
        #expect(FileManager.default.fileExists(atPath: leftover), "another program leaves what a server is writing")
        try other.removeLeftovers()
        #expect(!FileManager.default.fileExists(atPath: leftover))
    }

    @Test("An open object has a descriptor for sendfile, and stays readable after its deletion")
    func descriptor() async throws {
        let disk = try makeDisk()
        try await disk.put(randomBytes(1000), as: key("o"))
        let reader = try await disk.read(key("o"), 500..<510)
        try await disk.delete(key("o"))
        var bytes = [UInt8](repeating: 0, count: 10)
        let descriptor = try #require(reader.file?.descriptor)
        #expect(pread(descriptor, &bytes, reader.range.count, reader.range.lowerBound) == 10)
        #expect(bytes == Array(randomBytes(1000)[500..<510]))
    }

    @Test("Disk jobs over the pool's limit are refused as busy")
    func busy() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 0)
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool)
        await #expect(throws: StorageError.busy) { try await disk.freeBytes() }
        try await onThread { pool.stop() }
    }
}
