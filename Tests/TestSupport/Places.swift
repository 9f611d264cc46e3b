import Foundation
import Net

/// Runs `body` as a task on the loop.
package func onLoop<T: Sendable>(
    _ loop: EventLoop,
    _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await loop.run(body)
}

/// Runs blocking code on a separate thread, so that it does not block other tasks.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    let handover = Handover()
    let result: Result<T, any Error> = await withCheckedContinuation { continuation in
        Thread {
            let result = Result { try body() }
            handover.pass()
            continuation.resume(returning: result)
        }.start()
    }
    handover.pass()
    return try result.get()
}

/// Establishes the happens-before order for the thread sanitizer. The sanitizer misses it if a continuation is resumed
/// before it is awaited.
private final class Handover: Sendable {
    private let order = Locked(())

    func pass() { order.withLock { _ in } }
}

/// Creates loops for `body` and stops them afterwards.
package func withLoops<T: Sendable>(
    _ count: Int = 1,
    _ body: @Sendable ([EventLoop]) async throws -> T
) async throws -> T {
    var loops: [EventLoop] = []
    for index in 0..<count { loops.append(try EventLoop(index: index)) }
    let made = loops
    let result: Result<T, any Error>
    do { result = .success(try await body(made)) } catch { result = .failure(error) }
    try await onThread { for loop in made { loop.stop() } }
    return try result.get()
}

/// Polls until `condition` is true. Throws after the limit.
package func eventually(limitMs: Int = 30000, _ condition: @Sendable () async throws -> Bool) async throws {
    let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(limitMs))
    while try await !condition() {
        guard Monotonic.nowMs() < deadlineMs else { throw TestSupportError("it did not come true in time") }
        try await Task.sleep(nanoseconds: 2_000_000)
    }
}

/// Blocks the calling thread. Use it for a deliberately slow client, never to wait for an event.
package func pauseThread(ms: UInt32) { usleep(ms * 1000) }
