import Foundation
import TestSupport
import Testing

@testable import Machine
@testable import PrivateCluster

@Suite("The lock of a data folder", .blocking)
struct DataDirectoryLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/lock" }

    init() throws { folder = try TemporaryFolder() }

    /// The number of a process that has ended.
    private func ended() throws -> Int32 {
        let child = try ChildProcess(["/bin/true"], log: folder.path + "/log")
        _ = try #require(child.wait(seconds: 10))
        return child.number
    }

    /// Locks the file by another descriptor, as a program has it that a killed server was just starting.
    private func hold(_ process: Int32) throws -> FileDescriptor {
        let file = try FileDescriptor(path, O_RDWR | O_CREAT)
        #expect(flock(file.number, LOCK_EX | LOCK_NB) == 0)
        try file.write(Array("\(process)\n".utf8))
        return file
    }

    @Test("A start waits for a lock that a killed process's last program still has")
    func left() throws {
        let held = try hold(try ended())
        let number = dup(held.number)
        let thread = Thread {
            usleep(300_000)
            flock(number, LOCK_UN)
            close(number)
        }
        thread.start()
        let lock = try DataDirectoryLock(folder: folder.path)
        #expect(try FileDescriptor.readText(path) == "\(getpid())\n")
        withExtendedLifetime(lock) {}
    }

    @Test("A lock of a process that runs is refused at once, with its number")
    func inUse() throws {
        let held = try hold(getpid())
        let begin = ContinuousClock.now
        #expect(throws: DataDirectoryLock.Problem.inUse(folder: folder.path, process: getpid())) {
            try DataDirectoryLock(folder: folder.path)
        }
        #expect(begin.elapsedMs < 5000)
        #expect(flock(held.number, LOCK_UN) == 0)
    }
}
