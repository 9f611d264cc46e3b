import Glibc
import Net
import Settings

/// The pending lines of the log in one buffer.
struct LogLines {
    let form: LogForm
    private(set) var bytes: [UInt8] = []
    private var clock = LogClock()

    init(_ form: LogForm) { self.form = form }

    var isEmpty: Bool { bytes.isEmpty }

    /// Removes and returns the lines.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Adds a line. `fields` writes at most `fieldsMaxBytes`.
    mutating func append(
        _ level: Settings.LogLevel,
        _ message: LogMessage,
        fieldsMaxBytes: Int,
        _ fields: (LogForm, inout OutputSpan<UInt8>) -> Void
    ) {
        let heading = message.bytes(level, form)
        let (second, millisecond) = clock.now()
        let maxBytes = Self.openingJSON.count + second.count + 3 + heading.count + fieldsMaxBytes + 2
        bytes.append(addingCapacity: maxBytes) { output in
            if form.isJSON { output.append(copying: Self.openingJSON.span) }
            output.append(copying: second.span)
            output.append(0x30 + UInt8(truncatingIfNeeded: millisecond / 100))
            output.append(0x30 + UInt8(truncatingIfNeeded: millisecond / 10 % 10))
            output.append(0x30 + UInt8(truncatingIfNeeded: millisecond % 10))
            output.append(copying: heading.span)
            fields(form, &output)
            if form.isJSON { output.append(UInt8(ascii: "}")) }
            output.append(UInt8(ascii: "\n"))
        }
    }

    private static let openingJSON = Array(#"{"time":""#.utf8)
}

/// The wall clock. It makes its text once a second.
private struct LogClock {
    private var second = Int.min
    private var text: [UInt8] = []

    /// `2026-03-01T12:00:00.` and the milliseconds.
    mutating func now() -> (text: [UInt8], millisecond: Int) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        if time.tv_sec != second {
            second = time.tv_sec
            text = Self.text(second)
        }
        return (text, time.tv_nsec / 1_000_000)
    }

    private static func text(_ second: Int) -> [UInt8] {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return Array("\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).".utf8)
    }
}
