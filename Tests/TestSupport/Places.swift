import Foundation
import Net

/// Runs `body` as a task on the loop.
public func onLoop<T: Sendable>(
    _ loop: EventLoop,
    _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await loop.run(body)
}

/// Runs blocking code on a thread of its own, so that it can't hold up tasks that must go on meanwhile.
public func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
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

/// Says who comes after whom where the thread sanitizer looks: it does not see a continuation that is resumed before it is awaited.
private final class Handover: Sendable {
    private let order = Locked(())

    func pass() { order.withLock { _ in } }
}

/// Makes loops for `body` and stops them afterwards.
public func withLoops<T: Sendable>(
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

/// Asks until `condition` holds. Throws when it does not within the limit.
public func eventually(limitMs: Int = 30000, _ condition: @Sendable () async throws -> Bool) async throws {
    let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(limitMs))
    while try await !condition() {
        guard Monotonic.nowMs() < deadlineMs else { throw TestSupportError("it did not come true in time") }
        try await Task.sleep(nanoseconds: 2_000_000)
    }
}

/// Blocks the calling thread: for a client that is slow on purpose, never to wait for something.
public func pauseThread(ms: UInt32) { usleep(ms * 1000) }
