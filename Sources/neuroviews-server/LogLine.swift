import Glibc

/// Builds log lines byte by byte in one buffer: with strings, the log line of a request cost as much as the request.
struct LogLine {
    /// The lines so far.
    private(set) var bytes: [UInt8] = []
    private var second = Int.min
    private var secondText: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// Takes the lines out.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Begins a line with the time and the level.
    mutating func begin(_ level: Settings.LogLevel) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        if time.tv_sec != second {
            second = time.tv_sec
            secondText = Self.text(second: time.tv_sec)
        }
        bytes.append(contentsOf: secondText)
        appendPadded(time.tv_nsec / 1_000_000, width: 3)
        append("Z ")
        append(level.rawValue)
        append(" ")
    }

    mutating func end() { bytes.append(UInt8(ascii: "\n")) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ number: Int) {
        if number < 0 { append("-") }
        appendPadded(number.magnitude, width: 1)
    }

    /// A value in quotes, which must not look like the next line or the end of itself.
    mutating func appendQuoted(_ text: String) {
        append("\"")
        for byte in text.utf8 {
            let isPlain = byte >= 0x20 && byte != 0x7f && byte != UInt8(ascii: "\"")
            bytes.append(isPlain ? byte : UInt8(ascii: byte == UInt8(ascii: "\"") ? "'" : " "))
        }
        append("\"")
    }

    private mutating func appendPadded(_ number: some BinaryInteger, width: Int) {
        let number = UInt(number)
        var divisor: UInt = 1
        for _ in 1..<width { divisor *= 10 }
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// `2026-03-01T12:00:00.`
    private static func text(second: Int) -> [UInt8] {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        var line = LogLine()
        line.appendPadded(Int(parts.tm_year) + 1900, width: 4)
        for (separator, part) in [
            ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
            (":", parts.tm_sec),
        ] {
            line.append(separator)
            line.appendPadded(part, width: 2)
        }
        line.append(".")
        return line.bytes
    }
}
