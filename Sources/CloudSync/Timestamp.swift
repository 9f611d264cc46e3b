/// A time as clients write it: RFC 3339, in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Sendable, Equatable, Comparable {
    /// Microseconds since the Unix epoch, negative before it.
    package let microseconds: Int

    /// Takes microseconds since the Unix epoch.
    package init(microseconds: Int) { self.microseconds = microseconds }

    /// Takes seconds since the Unix epoch.
    package init(seconds: Int) { microseconds = seconds * 1_000_000 }

    /// Orders by time.
    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Parses RFC 3339 with or without fraction, any offset, `T` and `Z` in either case; digits beyond the microsecond
    /// are cut, a leap second counts as the next one. Nil for anything else.
    package init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2), scanner.take("T", or: "t"), let hour = scanner.number(2), scanner.take(":"),
            let minute = scanner.number(2), scanner.take(":"), let second = scanner.number(2),
            let fraction = scanner.fraction(), let offset = scanner.offsetSeconds(), scanner.isAtEnd,
            (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
        microseconds = seconds * 1_000_000 + fraction
    }

    /// `2026-03-01T12:00:00Z`: whole seconds, because many readers refuse fractions.
    package var text: String {
        let seconds = microseconds >= 0 ? microseconds / 1_000_000 : -((999_999 - microseconds) / 1_000_000)
        let days = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
        let (year, month, day) = Self.date(daysSinceEpoch: days)
        let second = seconds - days * 86400
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let paddedYear = String(repeating: "0", count: max(0, 4 - String(year).utf8.count)) + String(year)
        return
            "\(paddedYear)-\(two(month))-\(two(day))T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }
}

// The calendar is counted from 1 March of year 0, so that the leap day ends a year.
extension Timestamp {
    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month > 2 ? year : year - 1
        let century = shiftedYear >= 0 ? shiftedYear / 400 : (shiftedYear - 399) / 400
        let yearOfCentury = shiftedYear - century * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 719_468
    }

    private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let century = shifted >= 0 ? shifted / 146_097 : (shifted - 146_096) / 146_097
        let dayOfCentury = shifted - century * 146_097
        let yearOfCentury = (dayOfCentury - dayOfCentury / 1460 + dayOfCentury / 36524 - dayOfCentury / 146_096) / 365
        let dayOfYear = dayOfCentury - (365 * yearOfCentury + yearOfCentury / 4 - yearOfCentury / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfCentury + century * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// Reads the fixed fields of a timestamp one after the other.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(_ digitCount: Int) -> Int? {
        var value = 0
        for _ in 0..<digitCount {
            guard let digit = rest.popFirst(), (48...57).contains(digit) else { return nil }
            value = value * 10 + Int(digit) - 48
        }
        return value
    }

    mutating func take(_ wanted: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
        guard let next = rest.first, next == UInt8(ascii: wanted) || next == other.map({ UInt8(ascii: $0) }) else {
            return false
        }
        rest.removeFirst()
        return true
    }

    /// Microseconds; 0 without a fraction, nil for a point without digits.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        var value = 0
        var count = 0
        while let digit = rest.first, (48...57).contains(digit) {
            rest.removeFirst()
            count += 1
            if count <= 6 { value = value * 10 + Int(digit) - 48 }
        }
        if count == 0 { return nil }
        for _ in 0..<max(0, 6 - count) { value *= 10 }
        return value
    }

    mutating func offsetSeconds() -> Int? {
        if take("Z", or: "z") { return 0 }
        let sign = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
            return nil
        }
        return sign * (hour * 3600 + minute * 60)
    }
}
