import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

/// The store is on a small file system in memory, which only root can mount.
@Suite("Storage on a full disk", .blocking, .serialized, .timeLimit(.minutes(Patience.minutes(1))))
struct FullDiskTests {
    private static let isRoot = getuid() == 0
    /// A reserve below zero never stops a write, so the kernel stops it.
    private static let noReserveBytes = -(1 << 40)

    @Test(
        "An object that does not fit is refused as full and leaves nothing, with and without a reserve",
        .enabled(if: isRoot, "root is needed to mount a small disk"),
        arguments: [0, noReserveBytes]
    )
    func full(reserveBytes: Int) async throws {
        try await withSmallDisk(mebibytes: 8) { folder in
            let disk = try makeDisk(reserveBytes: reserveBytes, folder: folder)
            let upload = try await disk.createUpload(key("large"))
            let piece = randomBytes(3 << 20)
            var length = 0
            for _ in 0..<2 { length = try await upload.append(piece, at: length) }
            await #expect(throws: StorageError.full) { try await upload.append(piece, at: length) }
            #expect(try await upload.length() == length)
            await #expect(throws: StorageError.full) { try await disk.put(piece, as: key("large")) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/uploads") == ["large"])
            #expect(try await upload.append(randomBytes(1 << 20), at: length) == length + (1 << 20))
        }
    }

    @Test("A full disk that has the copy of an object is not taken for a full store")
    func copy() async throws {
        let reported = Locked<[StorageError]>([])
        let disk = try DiskStorage(
            folder: Sandbox.makeFolder(),
            reserveBytes: 0,
            pool: testPool.get(),
            report: { error in reported.withLock { $0.append(error) } }
        )
        try await disk.put([1, 2, 3], as: key("small"))
        let reader = try await disk.read(key("small"))
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        await #expect(throws: SystemError(call: "pwrite", code: ENOSPC)) { try await reader.copy(to: full, at: 0) }
        #expect(reported.withLock { $0 } == [])
    }

    private func withSmallDisk(mebibytes: Int, _ body: (String) async throws -> Void) async throws {
        let folder = Sandbox.makeFolder()
        let mount = try Program.run(["mount", "-t", "tmpfs", "-o", "size=\(mebibytes)m", "tmpfs", folder])
        try #require(mount.status == 0, "\(mount.complaint)")
        let result: Result<Void, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        // The unmount is lazy, because an upload may still be open.
        _ = try Program.run(["umount", "-l", folder])
        try result.get()
    }
}
