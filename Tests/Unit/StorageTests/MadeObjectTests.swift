import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

@Suite("Objects that another program writes", .blocking)
struct MadeObjectTests {
    private func names(_ disk: DiskStorage) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: disk.layout.uploads)
    }

    private func write(_ bytes: [UInt8], _ path: String) -> Bool {
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }

    @Test("A made object appears whole under its name and replaces an existing one")
    func made() async throws {
        let disk = try makeDisk()
        for bytes in [randomBytes(1000), randomBytes(2000, seed: 2)] {
            let isMade = try await disk.store(as: key("a.preview"), through: key("a.preview.1"), maxBytes: 5000) {
                path in
                #expect(path.hasPrefix(disk.layout.uploads))
                return write(bytes, path)
            }
            #expect(isMade)
            #expect(try await disk.read(key("a.preview")).rest() == bytes)
            #expect(try names(disk).isEmpty)
        }
    }

    @Test("A refused, failed or cancelled production of an object leaves nothing")
    func failed() async throws {
        struct Failure: Error {}
        let disk = try makeDisk()
        let isMade = try await disk.store(as: key("a"), through: key("a.1"), maxBytes: 1) { _ in false }
        #expect(!isMade)
        await #expect(throws: Failure.self) {
            _ = try await disk.store(as: key("a"), through: key("a.1"), maxBytes: 1) { path in
                _ = write([1], path)
                throw Failure()
            }
        }
        let gone = StorageError.failed(SystemError(call: "rename", code: ENOENT))
        await #expect(throws: gone) {
            _ = try await disk.store(as: key("a"), through: key("a.1"), maxBytes: 1) { path in
                _ = write([1], path)
                try await disk.deleteWork(key("a"))
                return true
            }
        }
        await #expect(throws: StorageError.missing) { _ = try await disk.size(of: key("a")) }
        #expect(try names(disk).isEmpty)
    }

    @Test("A production of an object that could use the disk's reserve is not started")
    func full() async throws {
        let disk = try makeDisk(reserveBytes: 1 << 60)
        await #expect(throws: StorageError.full) {
            _ = try await disk.store(as: key("a"), through: key("a.1"), maxBytes: 1) { _ in
                Issue.record("it was begun")
                return true
            }
        }
    }

    @Test("Unfinished objects are removed by the prefix of their names")
    func works() async throws {
        let disk = try makeDisk()
        for name in ["a", "a.preview.1", "a.preview.2", "b.preview.1"] { _ = try await disk.createUpload(key(name)) }
        try await disk.deleteWork(key("a.preview"))
        #expect(Set(try names(disk)) == ["a", "b.preview.1"])
    }
}
