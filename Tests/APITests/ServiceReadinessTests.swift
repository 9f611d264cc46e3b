import CloudSync
import Net
import TestSupport
import Testing

@testable import API

@Suite("The readiness that anybody may ask for", .timeLimit(.minutes(Patience.minutes(1))))
struct ServiceReadinessTests {
    /// What the database says, how often it was asked, and the time.
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

    @Test("The database is asked once a second, and its answer is kept so long, also a bad one")
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

    @Test("While the database is silent others get the answer before, and a no after two seconds")
    func silent() async {
        let fake = Fake()
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let (questions, question) = AsyncStream.makeStream(of: Void.self)
        let readiness = ServiceReadiness(nowMs: { fake.state.withLock { $0.nowMs } }) {
            question.yield()
            for await _ in answers { break }
            return fake.answer()
        }
        async let first = Self.isReady(readiness)
        for await _ in questions { break }
        fake.pass(ms: 2000)
        #expect(await Self.isReady(readiness))
        fake.pass(ms: 1)
        #expect(await !Self.isReady(readiness))
        answer.yield()
        #expect(await first)
        #expect(fake.asked == 1)
    }

    @Test("The problem is database-unavailable")
    func problem() async {
        await #expect {
            try await ServiceReadiness { "away" }.check()
        } throws: { error in
            if case CloudSyncError.databaseUnavailable(reason: "away") = error { true } else { false }
        }
    }
}
