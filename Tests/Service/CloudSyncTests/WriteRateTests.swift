import Net
import Testing

@testable import CloudSync

@Suite("Writes of an account in an hour")
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
            try await rates.passing(account, cameToDatabase: { true }) {}
            return true
        } catch CloudSyncError.rateLimited(let limit) {
            #expect(limit.name == "writes" && limit.windowSeconds == 3600)
            return false
        }
    }

    @Test("So many pass at once, and the next one when one has grown back; another account is free")
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

    @Test("Who waits as long as the answer says is served")
    func wait() async throws {
        let clock = Clock()
        let rates = Self.rates(7, clock)
        for _ in 0..<7 { #expect(try await Self.passes(rates)) }
        do {
            try await rates.passing("ana", cameToDatabase: { true }) {}
            Issue.record("it passed")
        } catch CloudSyncError.rateLimited(let limit) {
            #expect(limit.limit == 7)
            clock.pass(UInt64(limit.waitSeconds))
        }
        #expect(try await Self.passes(rates))
    }

    @Test("A refused write counts, but not one whose session was refused")
    func refused() async throws {
        let rates = Self.rates(2, Clock())
        for _ in 0..<5 {
            await #expect(throws: CloudSyncError.self) {
                try await rates.passing("ana", cameToDatabase: { true }) {
                    throw CloudSyncError.unauthenticated(.sessionEnded)
                }
            }
        }
        await #expect(throws: CloudSyncError.self) {
            try await rates.passing("ana", cameToDatabase: { true }) { throw CloudSyncError.notFound }
        }
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
    }

    @Test("What did not come to the database does not count")
    func unread() async throws {
        let rates = Self.rates(1, Clock())
        for _ in 0..<5 { try await rates.passing("ana", cameToDatabase: { false }) {} }
        #expect(try await Self.passes(rates))
        #expect(try await !Self.passes(rates))
    }

    @Test("A look at the clock that was overtaken is no harm")
    func overtaken() async throws {
        let clock = Clock()
        let rates = Self.rates(10, clock)
        #expect(try await Self.passes(rates))
        clock.goBack(5)
        #expect(try await Self.passes(rates))
    }

    @Test("Accounts with full credit are forgotten")
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
