import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date {
    /// The nearest date: a double holds microseconds of our time.
    init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.seconds) + (Double("0." + instant.fraction) ?? 0))
    }
}

extension Instant {
    /// The time of the device's clock. Edits have it, however wrong it is.
    static var now: Instant { Instant(Date()) }

    private static let yearsS = -62_167_219_200.0...253_402_300_799.0

    /// The date to the microsecond; nil outside the years 0 to 9999.
    init?(within date: Date) {
        guard Self.yearsS.contains(date.timeIntervalSince1970) else { return nil }
        self.init(date)
    }

    /// The date to the microsecond. One outside the years 0 to 9999 becomes the nearest one within.
    init(_ date: Date) {
        let time = date.timeIntervalSince1970
        let seconds = min(max(time.isNaN ? 0 : time, Self.yearsS.lowerBound), Self.yearsS.upperBound)
        let whole = seconds.rounded(.down)
        self.init(seconds: Int64(whole), microseconds: Int64((seconds - whole) * 1_000_000))
    }
}

extension JSON {
    /// The moment, if this is one in RFC 3339.
    var date: Date? { string.flatMap { Instant($0) }.map { Date($0) } }
}
