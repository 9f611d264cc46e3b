import Foundation
import Testing

/// Runs the tests of a suite on threads of their own. Swift's pool has one thread a core: two tests that block would stop
/// every other test on a small machine, while the others' time limits go on.
public struct BlockingTests: TestTrait, SuiteTrait, TestScoping {
    private static let threads = ThreadPerJob()

    /// Holds for each test of a suite, and of the suites in it.
    public var isRecursive: Bool { true }

    /// Prefers a new thread for each step of the test.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
}

extension Trait where Self == BlockingTests {
    /// For suites whose tests block: with programs, servers, and sockets that are read without `await`.
    public static var blocking: Self { BlockingTests() }
}

/// No job waits for another one, however long that blocks.
private final class ThreadPerJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}
