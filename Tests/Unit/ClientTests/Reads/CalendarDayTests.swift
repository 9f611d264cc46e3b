import Foundation
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Days and moments of apps")
struct CalendarDayTests {
    @Test(
        "A day of the calendar is read and written",
        arguments: ["2026-11-28", "2024-02-29", "0001-01-01", "9999-12-31"]
    )
    func valid(_ text: String) { #expect(CalendarDay(text)?.description == text) }

    @Test(
        "A text that is no day of the calendar is none",
        arguments: [
            "", "2026-02-29", "2026-13-01", "2026-11-31", "2026-1-01", "2026-11-28T", "28.11.2026", "２026-11-28",
        ]
    )
    func invalid(_ text: String) { #expect(CalendarDay(text) == nil) }

    @Test("Days are added over months and leap years, and end with the calendar")
    func adding() throws {
        let day = try #require(CalendarDay("2024-02-28"))
        #expect(day.adding(days: 1).text == "2024-02-29")
        #expect(day.adding(days: 2).text == "2024-03-01")
        #expect(day.adding(days: -59).text == "2023-12-31")
        #expect(day.adding(days: 0) == day)
        #expect(day.adding(days: .max).text == "9999-12-31")
        #expect(day.adding(days: .min).text == "0000-01-01")
        #expect(day < day.adding(days: 1))
    }

    @Test("The day of a moment is that of UTC")
    func moments() {
        #expect(CalendarDay(utc: Date(timeIntervalSince1970: 86399.9)).text == "1970-01-01")
        #expect(CalendarDay(utc: Date(timeIntervalSince1970: 86400)).text == "1970-01-02")
        #expect(CalendarDay(utc: Date(timeIntervalSince1970: -1)).text == "1969-12-31")
    }

    @Test("A date becomes a moment to the microsecond, and the nearest one that can be written")
    func dates() {
        #expect(Instant(Date(timeIntervalSince1970: 1_800_000_000.25)).text == "2027-01-15T08:00:00.25Z")
        #expect(Date(Instant("2027-01-15T08:00:00.25Z") ?? .now).timeIntervalSince1970 == 1_800_000_000.25)
        #expect(Instant(Date(timeIntervalSince1970: -0.5)).text == "1969-12-31T23:59:59.5Z")
        #expect(Instant(Date(timeIntervalSince1970: .infinity)).text == "9999-12-31T23:59:59Z")
        #expect(Instant(Date(timeIntervalSince1970: -.infinity)).text == "0000-01-01T00:00:00Z")
        #expect(Instant(Date(timeIntervalSince1970: .nan)).text == "1970-01-01T00:00:00Z")
    }

    @Test("A tag is what a header field can have between quotes")
    func tags() {
        #expect(VersionTag("12-60303ae22b99")?.number == 12)
        for text in ["", "a\"b", "a b", "a\nb", "é", String(repeating: "a", count: 513)] {
            #expect(VersionTag(text) == nil)
        }
        for text in ["12", "-1", "x-1", "1x-2", "99999999999999999999-a"] {
            #expect(VersionTag(text)?.number == nil, "\(text)")
        }
    }
}
