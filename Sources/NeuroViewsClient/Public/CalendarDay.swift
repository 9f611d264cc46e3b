import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A day of the Gregorian calendar, in whatever time zone the context has.
public struct CalendarDay: Hashable, Sendable {
    private static let dayS: Int64 = 86400
    /// More days than the calendar of four digits has.
    private static let daysMax = 4_000_000

    /// `2026-11-28`.
    public let text: String

    /// Reads `2026-11-28`. Returns nil if there is no such day.
    public init?(_ text: String) {
        guard text.utf8.count == 10, Instant(text + "T00:00:00Z") != nil else { return nil }
        self.text = text
    }

    /// The day of a moment in UTC.
    public init(utc date: Date) { self.init(Instant(date)) }

    private init(_ instant: Instant) { text = String(instant.text.prefix(10)) }

    /// The day so many days later, or earlier by a negative number; at most the last day of year 9999.
    public func adding(days: Int) -> CalendarDay {
        guard let start = Instant(text + "T00:00:00Z") else { return self }
        let bounded = Int64(min(max(days, -Self.daysMax), Self.daysMax))
        return CalendarDay(Instant(seconds: start.seconds + bounded * Self.dayS))
    }
}

extension CalendarDay: Comparable, CustomStringConvertible {
    /// Earlier days first.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.text < right.text }

    /// `2026-11-28`.
    public var description: String { text }
}
