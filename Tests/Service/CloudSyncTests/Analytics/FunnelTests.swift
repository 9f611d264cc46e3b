import JSON
import Testing

@testable import CloudSync

@Suite("Funnels and retention, without a database")
struct FunnelTests {
    private static let minuteUs = 60_000_000

    /// The number of sessions that reached each step. Each text of `devices` has one device's events as names and
    /// minutes.
    private static func sessions(_ steps: [String], _ devices: [String]) -> [Int] {
        var counter = FunnelCounter(steps: steps)
        func kind(_ name: String) -> Int? { counter.names.firstIndex { $0.hasSameBytes(as: name) } }
        for (device, events) in devices.enumerated() {
            for event in events.split(separator: " ") {
                let minutes = Double(event.dropFirst()) ?? 0
                let us = Int(minutes * Double(minuteUs))
                counter.add(device: "device-\(device)", atUs: us, kind(String(event.prefix(1))))
            }
        }
        counter.end()
        return counter.sessions
    }

    @Test(
        "Steps are reached in their order, with others between them, within a session",
        arguments: [
            (["a0 b1 c2"], [1, 1, 1]), (["a0 x1 b2 a3 c4"], [1, 1, 1]), (["b0 a1 c2"], [1, 0, 0]),
            (["c0 b1 a2"], [1, 0, 0]), (["a0 b29.9"], [1, 1, 0]), (["a0 b30"], [1, 0, 0]),
            (["a0 x29 b58"], [1, 1, 0]), (["a0 b1 a31 b32 c33"], [2, 2, 1]), (["a0", "b1 c2"], [1, 0, 0]),
            (["a5 b6", "a5 b6"], [2, 2, 0]), (["b0 a0 c0"], [1, 1, 1]), (["b0 a0.1"], [1, 0, 0]),
            (["c9 a9 b9 c10"], [1, 1, 1]), ([""], [0, 0, 0]),
        ]
    )
    func sessions(devices: [String], reached: [Int]) {
        #expect(Self.sessions(["a", "b", "c"], devices) == reached)
    }

    @Test(
        "A step that is asked for twice needs two events",
        arguments: [("a0", [1, 0, 0]), ("a0 a0", [1, 1, 0]), ("a0 b0 a0", [1, 1, 1]), ("a0 b1 a2", [1, 1, 0])]
    )
    func twice(events: String, reached: [Int]) { #expect(Self.sessions(["a", "a", "b"], [events]) == reached) }

    @Test("Steps and devices whose names differ in their bytes alone are different ones")
    func spellings() throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        #expect(FunnelCounter(steps: [one, two, one]).names.map { $0.utf8.count } == [2, 3])
        let days = try #require(ZonedDays(starts: [96, 192]))
        let rows = [one, two].map { device in
            UsageSQL.EventRow.device(
                device,
                QuarterCounts(day: 1, quarters: Array("{1}".utf8), counts: Array("{2}".utf8))
            )
        }
        #expect(FunnelPlan(rows, days).slices.map { $0.device.utf8.count } == [3, 2])
        #expect(try UsageService.tally(rows, [days]).activeDevices == [2])
    }

    @Test("A plan has every quarter hour of the range once, by devices, in pages of a bounded size")
    func plan() throws {
        let days = try #require(ZonedDays(starts: [96, 192]))
        var rows: [UsageSQL.EventRow] = []
        for device in ["b", "a"] {
            rows.append(
                .device(
                    device,
                    QuarterCounts(
                        day: 1,
                        quarters: Array("{0,1,9,95}".utf8),
                        counts: Array("{4000,900,2000,7000}".utf8)
                    )
                )
            )
            rows.append(.device(device, QuarterCounts(day: 2, quarters: Array("{0}".utf8), counts: Array("{1}".utf8))))
        }
        let plan = FunnelPlan(rows, days)
        #expect(plan.count == 2 * 13_900)
        #expect(plan.slices.map(\.device) == ["a", "a", "a", "b", "b", "b"])
        #expect(plan.slices.prefix(3).map(\.quarters) == [96..<98, 105..<106, 191..<192])
        #expect(plan.slices.prefix(3).map(\.count) == [4900, 2000, 7000])
        #expect(plan.pages.map { $0.map(\.count) } == [[4900], [2000], [7000], [4900], [2000], [7000]])
        let small = (0..<1200).map { number in
            UsageSQL.EventRow.device(
                "\(number)",
                QuarterCounts(day: 1, quarters: Array("{5}".utf8), counts: Array("{2}".utf8))
            )
        }
        #expect(FunnelPlan(small, days).pages.map(\.count) == [500, 500, 200])
    }

    @Test("Devices count in the week of their first day, and in each later one in which they come back")
    func retention() throws {
        // From a Wednesday to the Tuesday two weeks later.
        let (first, last) = (CalendarDate("2026-03-04"), CalendarDate("2026-03-17"))
        let range = try #require(first.flatMap { first in last.flatMap { DateRange(first, $0) } })
        func device(_ days: Int...) -> DaySet { days.reduce(into: DaySet()) { _ = $0.insert($1) } }
        let weeks = RetentionWeek.list([device(0, 4, 5, 12), device(4, 13), device(5), device(12)], in: range)
        #expect(weeks.map(\.week) == ["2026-W10", "2026-W11", "2026-W12"])
        #expect(weeks.map(\.devices) == [2, 1, 1])
        #expect(weeks.map(\.returning) == [[1, 2], [0], []])
    }
}
