import Foundation
import Testing

/// Runs the tests of a suite on separate threads. Swift's pool has one thread a core. On a small machine, two blocking
/// tests would stop all other tests, but not their time limits.
package struct BlockingTests: TestTrait, SuiteTrait, TestScoping {
    private static let threads = ThreadPerJob()

    /// Applies to each test of a suite and its nested suites.
    package var isRecursive: Bool { true }

    /// Runs each job of the test on a new thread.
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
}

extension Trait where Self == BlockingTests {
    /// For suites with blocking tests: programs, servers, and sockets read without `await`.
    package static var blocking: Self { BlockingTests() }
}

/// Starts a thread for each job, so that a blocking job delays no other job.
private final class ThreadPerJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}
