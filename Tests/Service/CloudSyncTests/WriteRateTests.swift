import Net
import Testing

@testable import CloudSync

@Suite("Hourly writes of an account")
struct WriteRateTests {
    private final class Clock: Sendable {
        private let stored = Locked(UInt64(1_000_000))

        var ms: UInt64 { stored.withLock { $0 } }

        func goBack(_ ms: UInt64) { stored.withLock { $0 -= ms } }

        func pass(_ seconds: UInt64) { stored.withLock { $0 += seconds * 1000 } }
    }

    private static func rates(_ perHour: Int, _ clock: Clock) -> WriteRates {
        WriteRates(perHour: perHour) { clock.ms }
    }

    private static func passes(_ rates: WriteRates, _ account: String = "ana") async throws -> Bool {
        do {
            try await rates.passing(account, weight: { 1 }) {}
            return true
        } catch CloudSyncError.rateLimited(let limit) {
            #expect(limit.name == "writes" && limit.windowSeconds == 3600)
            return false
        }
    }

    @Test("An account may write up to its hourly credit, which grows back one at a time")
    func limit() async throws {
        let clock = Clock()
        let rates = Self.rates(10, clock)
        for _ in 0..<10 { #expect(try await Self.passes(rates)) }
        #expect(try await !Self.passes(rates))
        #expect(try await Self.passes(rates, "ben"))
        clock.pass(359)
        #expect(try await !Self.passes(rates))
        clock.pass(1)
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
        clock.pass(100_000)
        for _ in 0..<10 { #expect(try await Self.passes(rates)) }
        #expect(try await !Self.passes(rates))
    }

    @Test("A client that waits for the write limit's announced time is served")
    func wait() async throws {
        let clock = Clock()
        let rates = Self.rates(7, clock)
        for _ in 0..<7 { #expect(try await Self.passes(rates)) }
        do {
            try await rates.passing("ana", weight: { 1 }) {}
            Issue.record("it passed")
        } catch CloudSyncError.rateLimited(let limit) {
            #expect(limit.limit == 7)
            clock.pass(UInt64(limit.waitSeconds))
        }
        #expect(try await Self.passes(rates))
    }

    @Test("A refused write counts against the limit, and one with a refused session does not")
    func refused() async throws {
        let rates = Self.rates(2, Clock())
        for _ in 0..<5 {
            await #expect(throws: CloudSyncError.self) {
                try await rates.passing("ana", weight: { 1 }) {
                    throw CloudSyncError.unauthenticated(.sessionEnded)
                }
            }
        }
        await #expect(throws: CloudSyncError.self) {
            try await rates.passing("ana", weight: { 1 }) { throw CloudSyncError.problem(.notFound) }
        }
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
    }

    @Test("A write that did not reach the database does not count against the limit")
    func unread() async throws {
        let rates = Self.rates(1, Clock())
        for _ in 0..<5 { try await rates.passing("ana", weight: { 0 }) {} }
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
    }

    @Test("A request of weight 50 uses the credit of 50, also beyond the rest, and the wait grows with it")
    func weight() async throws {
        let clock = Clock()
        let rates = Self.rates(60, clock)
        try await rates.passing("ana", weight: { 50 }) {}
        for _ in 0..<9 { #expect(try await Self.passes(rates)) }
        try await rates.passing("ana", weight: { 50 }) {}
        clock.pass(49 * 60)
        #expect(try await !Self.passes(rates))
        clock.pass(60)
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
    }

    @Test("A clock that goes back does not change the write credit")
    func overtaken() async throws {
        let clock = Clock()
        let rates = Self.rates(10, clock)
        #expect(try await Self.passes(rates))
        clock.goBack(5)
        #expect(try await Self.passes(rates))
    }

    @Test("Accounts with full write credit take no memory")
    func memory() async throws {
        let clock = Clock()
        let rates = Self.rates(3600, clock)
        for number in 0..<100_000 {
            if number % 500 == 0 { clock.pass(1) }
            #expect(try await Self.passes(rates, "\(number)"))
        }
        #expect(rates.accountCount < 4096)
    }
}
