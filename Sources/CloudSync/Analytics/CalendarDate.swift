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
