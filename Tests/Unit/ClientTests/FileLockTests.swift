import Foundation
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The client's lock between processes", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct FileLockTests {
    private let path = Sandbox.makeFolder() + "/refresh.lock"

    @Test("One has the lock at a time, and the next gets it when the first is gone")
    func turns() async throws {
        var first = try FileLock.attempt(path)
        #expect(first != nil)
        #expect(try FileLock.attempt(path) == nil)
        await #expect(throws: FileLock.Failure.busy) { try await FileLock.wait(path, atMost: .milliseconds(50)) }
        let same = path
        let waiting = Task { try await FileLock.wait(same, atMost: .seconds(60)) }
        first = nil
        let second = try await waiting.value
        #expect(try FileLock.attempt(path) == nil)
        withExtendedLifetime(second) {}
    }

    @Test("A process that is killed loses the lock")
    func killed() async throws {
        let path = path
        let holder = try SpawnedProgram("/usr/bin/flock", ["--no-fork", path, "/bin/sleep", "600"])
        try await eventually { try FileLock.attempt(path) == nil }
        kill(holder.number, SIGKILL)
        _ = try await FileLock.wait(path, atMost: .seconds(30))
        _ = holder.wait(seconds: 10)
    }

    @Test("A cancelled task stops waiting for the lock")
    func cancelled() async throws {
        let (path, first) = (path, try FileLock.attempt(path))
        let waiting = Task { try await FileLock.wait(path, atMost: .seconds(600)) }
        waiting.cancel()
        await #expect(throws: FileLock.Failure.cancelled) { try await waiting.value }
        withExtendedLifetime(first) {}
    }

    @Test("A link or a missing folder in the place of the lock is an error")
    func unusable() {
        symlink("/dev/null", path)
        for path in [path, path + "/none/lock"] {
            let error = #expect(throws: FileLock.Failure.self) { try FileLock.attempt(path) }
            guard case .unusable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
