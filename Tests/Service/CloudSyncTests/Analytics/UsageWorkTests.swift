import Testing

@testable import CloudSync

@Suite("The work on usage figures")
struct UsageWorkTests {
    @Test("The figures of a year are computed beside the loops, those of a day at once")
    func years() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            // Without its threads, it refuses everything large.
            let work = try LargeWork(threads: 1)
            work.stop()
            let usage = UsageService(database: world.databases[0], work: work)
            let first = try #require(CalendarDate("2026-01-01"))
            func days(_ count: Int) async throws -> Int {
                let range = try #require(DateRange(first, CalendarDate(number: first.number + count - 1)))
                return try await usage.usage(range, zone: "Europe/Berlin", for: caller) { $0.days.count }
            }
            #expect(try await days(1) == 1)
            await #expect(throws: CloudSyncError.self) { try await days(365) }
        }
    }
}
