import Foundation
import Testing

@testable import Machine
@testable import PrivateCluster
@testable import Settings

@Suite("The data folder", .blocking)
struct DataDirectoryTests {
    @Test("The data folder is made with its parents, and its path is absolute and without links")
    func made() throws {
        let folder = try TemporaryFolder()
        symlink(folder.path, folder.path + "/link")
        let path = try DataDirectory.prepare(folder.path + "/link/a/../b/c")
        #expect(path == folder.path + "/b/c")
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == (geteuid() == 0 ? 0o711 : 0o700))
    }

    @Test("A file in the data folder's place is refused with a sentence")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("data", "")
        let problem = #expect(throws: DataDirectory.Problem.self) { try DataDirectory.prepare(path) }
        #expect(
            problem?.description
                == "The data folder \(path) can't be used: cannot open \(path): Not a directory; choose another with "
                + "NEUROVIEWS_DATA."
        )
    }

    @Test(
        "A full disk and a read-only one are no reason for another data folder, which would be empty",
        arguments: [
            (ENOSPC, "No space left on device; free some space."), (EDQUOT, "Disk quota exceeded; free some space."),
            (EROFS, "Read-only file system; mount it writable."),
            (EACCES, "Permission denied; choose another with NEUROVIEWS_DATA."),
        ]
    )
    func remedy(code: Int32, ending: String) {
        let reason = FileError("write", "/data/lock", code: code)
        #expect(
            DataDirectory.Problem(path: "/data", reason: reason).description
                == "The data folder /data can't be used: cannot write /data/lock: \(ending)"
        )
        #expect(
            DataDirectoryLock.Problem.system(reason).description
                == "The data folder can't be locked: cannot write /data/lock: \(ending)"
        )
    }

    @Test("A second lock of the data folder is refused with the holder's process number")
    func lock() throws {
        let folder = try TemporaryFolder()
        var first: DataDirectoryLock? = try DataDirectoryLock(folder: folder.path)
        let problem = #expect(throws: DataDirectoryLock.Problem.inUse(folder: folder.path, process: getpid())) {
            _ = try DataDirectoryLock(folder: folder.path)
        }
        #expect(
            problem?.description
                == "The data folder \(folder.path) is in use by process \(getpid()): stop that one, or choose another "
                + "folder with NEUROVIEWS_DATA."
        )
        #expect(first != nil)
        first = nil
        _ = try DataDirectoryLock(folder: folder.path)
    }

    @Test("A spawned program doesn't keep the data folder's lock")
    func notInherited() throws {
        let folder = try TemporaryFolder()
        var lock: DataDirectoryLock? = try DataDirectoryLock(folder: folder.path)
        let child = try ChildProcess(["/bin/sleep", "60"], log: folder.path + "/log")
        defer { kill(child.number, SIGKILL) }
        #expect(lock != nil)
        lock = nil
        _ = try DataDirectoryLock(folder: folder.path)
        #expect(child.isRunning)
    }
}
