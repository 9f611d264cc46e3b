import Foundation
import TestSupport
import Testing

@testable import Operations

@Suite("Work folders of backups", .blocking)
struct WorkFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a folder with these files.
    private func make(_ name: String, _ names: [String], mode: mode_t = 0o700) throws -> String {
        for inner in names { _ = try folder.file("\(name)/\(inner)", "content") }
        let path = "\(folder.path)/\(name)"
        #expect(chmod(path, mode) == 0)
        return path
    }

    @Test("The work folder of a killed backup is removed")
    func left() throws {
        let path = try make("17.tar.partial", ["log", "parts/secret.key", "backup.tar", "backup.tar.age"])
        #expect(WorkFolder.removeLeft(in: folder.path) == [path])
        #expect(access(path, F_OK) != 0)
    }

    @Test("The work folder of a running backup stays")
    func running() throws {
        let running = try WorkFolder(folder.path + "/18.tar.partial")
        _ = try running.makeFolder(BackupArchive.parts)
        withExtendedLifetime(running) { #expect(WorkFolder.removeLeft(in: folder.path) == []) }
        #expect(access(running.path, F_OK) == 0)
    }

    @Test("Folders and files that no backup made stay")
    func others() throws {
        let others = [
            try make("download.partial", ["log", "parts/1", "movie.mp4"]), try make("rsync.partial", ["log"]),
            try make("open.partial", ["parts/1"], mode: 0o755), try make("backup.tar", ["parts/1"]),
            try folder.file("file.partial", "content"),
        ]
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.partial",
            withDestinationPath: try make("target", ["parts/1"])
        )
        #expect(WorkFolder.removeLeft(in: folder.path) == [])
        for path in others { #expect(access(path, F_OK) == 0, "\(path)") }
    }
}
