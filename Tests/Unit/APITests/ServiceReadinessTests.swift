import CloudSync
import Net
import TestSupport
import Testing

@testable import API

@Suite("The public readiness check", .timeLimit(.minutes(Patience.minutes(1))))
struct ServiceReadinessTests {
    /// The database's answer, the number of questions, and the time.
    private final class Fake: Sendable {
        struct State: Sendable {
            var missing: String?
            var asked = 0
            var nowMs: UInt64 = 5000
        }
        let state = Locked(State())

        func answer() -> String? {
            state.withLock { state in
                state.asked += 1
                return state.missing
            }
        }

        func readiness() -> ServiceReadiness {
            ServiceReadiness(nowMs: { self.state.withLock { $0.nowMs } }) { self.answer() }
        }

        func pass(ms: UInt64) { state.withLock { $0.nowMs += ms } }
        func set(_ missing: String?) { state.withLock { $0.missing = missing } }
        var asked: Int { state.withLock { $0.asked } }
    }

    private static func isReady(_ readiness: ServiceReadiness) async -> Bool { (try? await readiness.check()) != nil }

    @Test("The readiness check asks the database once a second and caches its answer, also a bad one")
    func kept() async {
        let fake = Fake()
        let readiness = fake.readiness()
        for _ in 0..<50 { #expect(await Self.isReady(readiness)) }
        #expect(fake.asked == 1)
        fake.set("away")
        fake.pass(ms: 999)
        #expect(await Self.isReady(readiness))
        fake.pass(ms: 1)
        for _ in 0..<50 { #expect(await !Self.isReady(readiness)) }
        #expect(fake.asked == 2)
        fake.set(nil)
        fake.pass(ms: 1000)
        #expect(await Self.isReady(readiness))
        #expect(fake.asked == 3)
    }

    /// A database that answers only on request of the test.
    private final class Silent: Sendable {
        let questions = AsyncStream.makeStream(of: Void.self)
        let answers = AsyncStream.makeStream(of: Void.self)

        func readiness(_ fake: Fake, pause: @escaping @Sendable () async -> Void) -> ServiceReadiness {
            ServiceReadiness(nowMs: { fake.state.withLock { $0.nowMs } }, pause: pause) { [self] in
                questions.continuation.yield()
                for await _ in answers.stream { break }
                return fake.answer()
            }
        }
    }

    @Test("Other readiness checks get a no after two seconds while the database does not answer")
    func silent() async {
        let fake = Fake()
        let silent = Silent()
        let readiness = silent.readiness(fake) { fake.pass(ms: 10) }
        async let first = Self.isReady(readiness)
        for await _ in silent.questions.stream { break }
        #expect(await !Self.isReady(readiness))
        #expect(fake.state.withLock { $0.nowMs } == 7000)
        silent.answers.continuation.yield()
        #expect(await first)
        #expect(fake.asked == 1)
    }

    @Test("Readiness checks wait for a new answer when the cached one is too old")
    func stale() async {
        let fake = Fake()
        let silent = Silent()
        let readiness = silent.readiness(fake) {
            silent.answers.continuation.yield()
            await Task.yield()
        }
        silent.answers.continuation.yield()
        #expect(await Self.isReady(readiness))
        for await _ in silent.questions.stream { break }
        fake.pass(ms: 3_600_000)
        fake.set("away")
        async let first = Self.isReady(readiness)
        for await _ in silent.questions.stream { break }
        #expect(await !Self.isReady(readiness))
        #expect(await !first)
        #expect(fake.asked == 2)
    }

    @Test("A server without its database fails the check with database-unavailable")
    func problem() async {
        await #expect {
            try await ServiceReadiness { "away" }.check()
        } throws: { error in
            if case CloudSyncError.databaseUnavailable(reason: "away") = error { true } else { false }
        }
    }
}
