extension Instant {
    /// Reads RFC 3339 with any offset, `T` and `Z` in either case, and a fraction of any length. A leap second counts as
    /// the next one, as it does for the server. Nil for anything else.
    package init?(_ text: String) {
        var scan = TimeScan(rest: text.utf8[...])
        guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
            let day = scan.number(2), scan.take("T", or: "t"), let hour = scan.number(2), scan.take(":"),
            let minute = scan.number(2), scan.take(":"), let second = scan.number(2),
            let fraction = scan.fraction(), let offsetS = scan.offsetSeconds(), scan.rest.isEmpty,
            (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let daysS = Self.daysSinceEpoch(year: year, month: month, day: day) * 86400
        self.init(seconds: daysS + hour * 3600 + minute * 60 + second - offsetS, fraction: fraction)
    }

    /// RFC 3339 in UTC: `2026-11-20T18:00:00.25Z`.
    package var text: String {
        let days = (writtenSeconds - (writtenSeconds % 86400 + 86400) % 86400) / 86400
        let second = writtenSeconds - days * 86400
        let (year, month, day) = Self.date(daysSinceEpoch: days)
        func padded(_ value: Int64, _ count: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
        let date = "\(padded(year, 4))-\(padded(month))-\(padded(day))"
        let time = "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
        return "\(date)T\(time)\(fraction.isEmpty ? "" : "." + fraction)Z"
    }

    /// The text for a document, in whole seconds: before Swift 6.2 `.iso8601` reads no fraction, and a client that
    /// decodes times so would refuse its whole list. Times of members keep each digit.
    package var documentText: String { Instant(seconds: seconds).text }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    // The calendar is counted from 1 March of year -400, so that a leap day ends its year and no number is negative.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = (month > 2 ? year : year - 1) + 400
        let (century, yearOfCentury) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 865_565
    }

    private static func date(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (century, dayOfCentury) = (days + 865_565).quotientAndRemainder(dividingBy: 146_097)
        let yearOfCentury = (dayOfCentury - dayOfCentury / 1460 + dayOfCentury / 36524 - dayOfCentury / 146_096) / 365
        let dayOfYear = dayOfCentury - (365 * yearOfCentury + yearOfCentury / 4 - yearOfCentury / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfCentury + century * 400 + (month <= 2 ? 1 : 0) - 400
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// Reads the fields of a time one after the other.
private struct TimeScan {
    var rest: Substring.UTF8View

    mutating func number(_ digitCount: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digitCount {
            guard let digit = rest.popFirst(), Self.isDigit(digit) else { return nil }
            value = value * 10 + Int64(digit) - 48
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

    /// The digits after a point; empty without a point, nil for a point without digits.
    mutating func fraction() -> Substring.UTF8View? {
        guard take(".") else { return rest.prefix(0) }
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : digits
    }

    mutating func offsetSeconds() -> Int64? {
        if take("Z", or: "z") { return 0 }
        let sign: Int64 = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
            return nil
        }
        return sign * (hour * 3600 + minute * 60)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
