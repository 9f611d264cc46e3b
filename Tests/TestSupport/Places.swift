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

/// Polls until `condition` is true. Throws after the limit, and names `event`.
package func eventually(
    _ event: String = "it to come true",
    limitMs: Int = 30000,
    _ condition: () async throws -> Bool
) async throws {
    guard try await happens(withinMs: Patience.ms(limitMs), condition) else {
        throw TestSupportError("waited for \(event)")
    }
}

/// Polls until `condition` is true. Returns false after so short a time, for what must not happen.
package func happens(withinMs limit: Int = 300, _ condition: () async throws -> Bool) async throws -> Bool {
    let deadlineMs = Monotonic.nowMs() + UInt64(limit)
    while try await !condition() {
        guard Monotonic.nowMs() < deadlineMs else { return false }
        try await Task.sleep(nanoseconds: 2_000_000)
    }
    return true
}

/// Blocks the calling thread. Use it for a deliberately slow client, never to wait for an event.
package func pauseThread(ms: UInt32) { usleep(ms * 1000) }
