import Net

/// The value of Server-Timing (W3C Server Timing): milliseconds with three digits behind the point.
enum ServerTiming {
    /// The time to this answer and, where `hasParts`, what it was spent on. Where anybody may call, the parts would tell how
    /// long the server looked for an account.
    static func value(_ times: RequestRecord.Times, hasParts: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(hasParts ? 96 : 16)
        append("total;dur=", times.answerNs, to: &text)
        if hasParts {
            appendPart(", auth;dur=", times.authenticationNs, to: &text)
            appendPart(", body;dur=", times.bodyNs, to: &text)
            appendPart(", dbwait;dur=", times.databaseWaitNs, to: &text)
            appendPart(", db;dur=", times.databaseNs, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func appendPart(_ name: StaticString, _ durationNs: UInt64, to text: inout [UInt8]) {
        if durationNs > 0 { append(name, durationNs, to: &text) }
    }

    private static func append(_ name: StaticString, _ durationNs: UInt64, to text: inout [UInt8]) {
        name.withUTF8Buffer { text.append(contentsOf: $0) }
        let us = durationNs / 1000
        let ms = us / 1000
        var unit: UInt64 = 1
        while ms / unit >= 10 { unit *= 10 }
        while unit > 0 {
            text.append(digit(ms / unit))
            unit /= 10
        }
        text.append(UInt8(ascii: "."))
        text.append(digit(us / 100))
        text.append(digit(us / 10))
        text.append(digit(us))
    }

    private static func digit(_ number: UInt64) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: number % 10) }
}
