/// A moment with every digit of its fraction, so that two times of one second compare exactly.
package struct Instant: Sendable, Hashable {
    private static let yearsS: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Whole seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64
    /// The digits after the point, without zeros at the end.
    package let fraction: String

    /// The time of a clock. A time outside the years 0 to 9999 becomes the nearest one within.
    package init(seconds: Int64, microseconds: Int64 = 0) {
        let digits = String(min(max(microseconds, 0), 999_999))
        let padded = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        self.init(
            seconds: min(max(seconds, Self.yearsS.lowerBound), Self.yearsS.upperBound),
            fraction: padded.utf8[...]
        )
    }

    /// Takes the digits of a fraction as they were written.
    init(seconds: Int64, fraction: Substring.UTF8View) {
        var digits = fraction
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        (self.seconds, self.fraction) = (seconds, String(Substring(digits)))
    }

    /// The same moment of another second.
    package func adding(seconds more: Int64) -> Instant {
        Instant(seconds: seconds &+ more, fraction: fraction.utf8[...])
    }

    /// True from this moment on until so many seconds later. A moment that lies ahead was noted by a wrong clock.
    package func isWithin(seconds length: Int64, before now: Instant) -> Bool {
        self <= now && now < adding(seconds: length)
    }

    /// The nearest second that RFC 3339 can write.
    var writtenSeconds: Int64 { min(max(seconds, Self.yearsS.lowerBound), Self.yearsS.upperBound) }
}

extension Instant: Comparable {
    /// Compares the seconds, then the fractions digit by digit.
    package static func < (left: Instant, right: Instant) -> Bool {
        if left.seconds != right.seconds { return left.seconds < right.seconds }
        return left.fraction.utf8.lexicographicallyPrecedes(right.fraction.utf8)
    }
}
