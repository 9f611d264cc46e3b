import Glibc

/// The Date field's value (RFC 9110, 5.6.7), made once a second. Each loop has its own.
struct HTTPDate {
    private var second = Int.min
    private var text: [UInt8] = []

    /// The current time, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func now() -> [UInt8] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        if time.tv_sec != second {
            second = time.tv_sec
            text = Self.format(second)
        }
        return text
    }

    static func format(_ second: Int) -> [UInt8] {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = "\(day), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
        return Array("\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT".utf8)
    }
}
