import Dispatch
import Net

/// Runs work of a blocking thread, such as the main thread, on an event loop.
package enum BlockingWait {
    private final class Outcome<T: Sendable>: Sendable {
        let value = Locked<Result<T, any Error>?>(nil)
    }

    /// Runs `body` on the loop and blocks the calling thread until it is done.
    package static func run<T: Sendable>(
        on loop: EventLoop,
        _ body: @escaping @Sendable () async throws -> T
    ) throws -> T {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome<T>()
        loop.spawn {
            let result: Result<T, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.value.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.value.withLock({ $0 }) else { throw CommandFailure("The work was given up.") }
        return try result.get()
    }
}
