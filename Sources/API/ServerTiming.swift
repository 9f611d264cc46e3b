import Tracing

/// The value of Server-Timing (W3C Server Timing): milliseconds with three digits after the point.
enum ServerTiming {
    /// The time to this response and, if `hasParts`, its parts. On public routes the parts would show how
    /// long the server looked for an account.
    static func value(_ times: RequestRecord.Times, hasParts: Bool) -> String {
        // Room for five parts with their names and all digits that nanoseconds can have.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 5 * 32) { room in
            var text = Text(room: room)
            text.append("total;dur=", times.answerNs)
            if hasParts {
                text.appendPart(", auth;dur=", times.authenticationNs)
                text.appendPart(", body;dur=", times.bodyNs)
                text.appendPart(", dbwait;dur=", times.databaseWaitNs)
                text.appendPart(", db;dur=", times.databaseNs)
            }
            return String(decoding: room[..<text.count], as: UTF8.self)
        }
    }

    /// Text in a buffer that is large enough.
    private struct Text {
        let room: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func appendPart(_ name: StaticString, _ durationNs: UInt64) {
            if durationNs > 0 { append(name, durationNs) }
        }

        mutating func append(_ name: StaticString, _ durationNs: UInt64) {
            name.withUTF8Buffer { for byte in $0 { append(byte) } }
            let us = durationNs / 1000
            append(us / 1000)
            append(UInt8(ascii: "."))
            appendDigit(us / 100)
            appendDigit(us / 10)
            appendDigit(us)
        }

        private mutating func append(_ number: UInt64) {
            if number >= 10 { append(number / 10) }
            appendDigit(number)
        }

        private mutating func appendDigit(_ number: UInt64) { append(0x30 + UInt8(truncatingIfNeeded: number % 10)) }

        private mutating func append(_ byte: UInt8) {
            room[count] = byte
            count += 1
        }
    }
}
