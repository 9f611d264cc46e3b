extension Format {
    /// RFC 3339 `full-date`, in the proleptic Gregorian calendar.
    static func isDate(_ text: borrowing Span<UInt8>) -> Bool {
        text.count == 10 && CalendarDate(text) != nil
    }

    /// RFC 3339 `date-time`. A leap second is accepted only at 23:59:60 UTC at the end of a month.
    static func isDateTime(_ text: borrowing Span<UInt8>) -> Bool {
        guard text.count >= 20, let date = CalendarDate(text), isLetter(text[10], "t") else { return false }
        guard
            let hour = twoDigits(text, 11, upTo: 23), text[13] == UInt8(ascii: ":"),
            let minute = twoDigits(text, 14, upTo: 59), text[16] == UInt8(ascii: ":"),
            let second = twoDigits(text, 17, upTo: 60),
            let offsetStart = endOfFraction(text, 19),
            let offset = offsetMinutes(text, offsetStart)
        else { return false }
        return second < 60 || isLeapSecond(date, minuteInUTC: hour * 60 + minute - offset)
    }

    private static func isLetter(_ byte: UInt8, _ lowercase: Unicode.Scalar) -> Bool {
        byte | 0x20 == UInt8(ascii: lowercase)
    }

    /// The start of the offset: here, or after a point and at least one digit.
    private static func endOfFraction(_ text: borrowing Span<UInt8>, _ start: Int) -> Int? {
        guard text[start] == UInt8(ascii: ".") else { return start }
        var end = start + 1
        while end < text.count, digit(text[end]) != nil { end += 1 }
        return end > start + 1 ? end : nil
    }

    /// The offset that ends the text: `Z`, `+hh:mm` or `-hh:mm`.
    private static func offsetMinutes(_ text: borrowing Span<UInt8>, _ start: Int) -> Int? {
        if text.count == start + 1 { return isLetter(text[start], "z") ? 0 : nil }
        guard text.count == start + 6, text[start + 3] == UInt8(ascii: ":"),
            let hours = twoDigits(text, start + 1, upTo: 23), let minutes = twoDigits(text, start + 4, upTo: 59)
        else { return nil }
        switch text[start] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// The minute counts from the local date's midnight and may be on the day before or after.
    private static func isLeapSecond(_ date: CalendarDate, minuteInUTC: Int) -> Bool {
        switch minuteInUTC {
        case 1439: date.day == date.daysInMonth
        case -1: date.day == 1
        case 1439 + 1440: date.day == date.daysInMonth - 1
        default: false
        }
    }

    fileprivate static func twoDigits(_ text: borrowing Span<UInt8>, _ start: Int, upTo limit: Int) -> Int? {
        guard let tens = digit(text[start]), let ones = digit(text[start + 1]) else { return nil }
        let value = tens * 10 + ones
        return value <= limit ? value : nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

/// An existing day.
private struct CalendarDate {
    let year: Int
    let month: Int
    let day: Int

    /// Reads `YYYY-MM-DD` from the first ten bytes.
    init?(_ text: borrowing Span<UInt8>) {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let century = Format.twoDigits(text, 0, upTo: 99), let rest = Format.twoDigits(text, 2, upTo: 99),
            let month = Format.twoDigits(text, 5, upTo: 12), let day = Format.twoDigits(text, 8, upTo: 31)
        else { return nil }
        self.year = century * 100 + rest
        self.month = month
        self.day = day
        guard month >= 1, day >= 1, day <= daysInMonth else { return nil }
    }

    var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
