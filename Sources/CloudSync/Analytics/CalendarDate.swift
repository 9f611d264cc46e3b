/// A calendar day without a time zone, in the years 1 to 9999.
package struct CalendarDate: Sendable, Equatable, Comparable {
    /// Days since 1970-01-01, negative before it.
    package let number: Int

    /// Takes days since 1970-01-01.
    package init(number: Int) { self.number = number }

    /// Parses `2026-03-01`. Nil for anything else, and for days that do not exist.
    package init?(_ text: String) {
        guard text.utf8.count == 10, !text.hasPrefix("0000"), let midnight = Timestamp("\(text)T00:00:00Z") else {
            return nil
        }
        self.init(on: midnight)
    }

    /// The UTC day of a time.
    package init(on time: Timestamp) {
        let dayUs = 86_400_000_000
        number = time.microseconds >= 0 ? time.microseconds / dayUs : -((dayUs - 1 - time.microseconds) / dayUs)
    }

    /// `2026-03-01`
    package var text: String { String(Timestamp(seconds: number * 86400).text.prefix { $0 != "T" }) }

    /// Orders by time.
    package static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.number < right.number }
}

// ISO 8601 weeks begin on Monday and belong to the year of their Thursday.
extension CalendarDate {
    /// The Monday of its week.
    var monday: CalendarDate {
        // 1970-01-01 was a Thursday.
        let daysSinceMonday = ((number + 3) % 7 + 7) % 7
        return CalendarDate(number: number - daysSinceMonday)
    }

    /// Its week as `2026-W09`.
    var isoWeek: String {
        let thursday = CalendarDate(number: monday.number + 3)
        let year = thursday.text.prefix { $0 != "-" }
        let firstDay = CalendarDate("\(year)-01-01")?.number ?? thursday.number
        let week = (thursday.number - firstDay) / 7 + 1
        return "\(year)-W\(week < 10 ? "0" : "")\(week)"
    }
}

/// A range of days; both ends are included.
package struct DateRange: Sendable, Equatable {
    /// The first day.
    package let first: CalendarDate
    /// The last day, not before the first.
    package let last: CalendarDate

    /// Nil if the end is before the beginning.
    package init?(_ first: CalendarDate, _ last: CalendarDate) {
        guard first <= last else { return nil }
        (self.first, self.last) = (first, last)
    }

    /// The number of days.
    package var count: Int { last.number - first.number + 1 }

    /// The day at this index, from 0.
    package subscript(index: Int) -> CalendarDate { CalendarDate(number: first.number + index) }
}
