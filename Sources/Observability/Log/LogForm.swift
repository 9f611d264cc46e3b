import Net
import Settings

/// The two forms of a log line: `TIME LEVEL MESSAGE name=value …` for people, and a JSON object for programs. A line is
/// written byte by byte into reserved room. With strings, the log line of a request cost as much as the request.
struct LogForm: Sendable {
    let isJSON: Bool

    /// The most bytes of a field beside its name and its escaped value: `, " : "` and a number's digits.
    static let fieldMaxBytes = 26
    /// The most bytes for one escaped byte.
    static let escapedMaxBytes = 6

    func field(_ key: LogKey, _ value: Int, to output: inout OutputSpan<UInt8>) {
        output.append(copying: isJSON ? key.json.span : key.text.span)
        output.append(value)
    }

    func field(_ key: LogKey, _ value: String, to output: inout OutputSpan<UInt8>) {
        output.append(copying: isJSON ? key.json.span : key.text.span)
        append(value.utf8.span, to: &output)
    }

    /// Writes a value that needs no escaping, such as a method.
    func field(_ key: LogKey, token value: String, to output: inout OutputSpan<UInt8>) {
        output.append(copying: isJSON ? key.json.span : key.text.span)
        if isJSON { output.append(Self.quote) }
        output.append(copying: value.utf8.span)
        if isJSON { output.append(Self.quote) }
    }

    /// Writes ASCII bytes, such as a path. Any other byte becomes a question mark.
    func field(_ key: LogKey, ascii value: ArraySlice<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.append(copying: isJSON ? key.json.span : key.text.span)
        append(value.span, isASCII: true, to: &output)
    }

    /// Writes a value so that it cannot be confused with a next field or line. The bytes are UTF-8; with `isASCII`,
    /// others than ASCII are replaced.
    private func append(_ value: borrowing Span<UInt8>, isASCII: Bool = false, to output: inout OutputSpan<UInt8>) {
        let isPlain = Self.isPlain(value)
        if isJSON || !isPlain { output.append(Self.quote) }
        if isPlain {
            output.append(copying: value)
        } else {
            appendChanged(value, highest: isASCII ? 0x7F : 0xFF, to: &output)
        }
        if isJSON || !isPlain { output.append(Self.quote) }
    }

    private func appendChanged(_ value: borrowing Span<UInt8>, highest: UInt8, to output: inout OutputSpan<UInt8>) {
        for index in value.indices {
            let byte = value[index] <= highest ? value[index] : Self.questionMark
            if isJSON { Self.appendEscaped(byte, to: &output) } else { output.append(Self.readable(byte)) }
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let questionMark = UInt8(ascii: "?")
    private static let backslash = UInt8(ascii: "\\")

    /// Returns true if the value can be written unchanged in both forms.
    private static func isPlain(_ value: borrowing Span<UInt8>) -> Bool {
        for index in value.indices {
            let byte = value[index]
            if byte &- 0x21 > 0x5D || byte == quote || byte == backslash { return false }
        }
        return !value.isEmpty
    }

    /// RFC 8259, section 7.
    static func appendEscaped(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        if byte == quote || byte == backslash {
            output.append(backslash)
            output.append(byte)
        } else if byte >= 0x20 {
            output.append(byte)
        } else {
            for escape in [backslash, UInt8(ascii: "u"), 0x30, 0x30] { output.append(escape) }
            output.append(0x30 + byte >> 4)
            output.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        }
    }

    static func readable(_ byte: UInt8) -> UInt8 {
        if byte == quote { return UInt8(ascii: "'") }
        return byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte
    }
}

/// A field's name in both forms.
struct LogKey: Sendable {
    let text: [UInt8]
    let json: [UInt8]

    init(_ name: String) {
        text = Array(" \(name)=".utf8)
        json = Array(",\"\(name)\":".utf8)
    }
}

/// A message with the text between time and message, prepared once for frequent log lines.
struct LogMessage: Sendable {
    private let text: [[UInt8]]
    private let json: [[UInt8]]

    init(_ message: String) {
        var escaped: [UInt8] = []
        escaped.append(addingCapacity: message.utf8.count * LogForm.escapedMaxBytes) { output in
            for byte in message.utf8 { LogForm.appendEscaped(byte, to: &output) }
        }
        let readable = message.utf8.map(LogForm.readable)
        text = Settings.LogLevel.allCases.map { Array("Z \($0.rawValue) ".utf8) + readable }
        json = Settings.LogLevel.allCases.map { level in
            Array(#"Z","level":"\#(level.rawValue)","message":""#.utf8) + escaped + [UInt8(ascii: "\"")]
        }
    }

    func bytes(_ level: Settings.LogLevel, _ form: LogForm) -> [UInt8] {
        (form.isJSON ? json : text)[level.rank]
    }
}

extension OutputSpan<UInt8> {
    mutating func append(_ number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digits: number.magnitude)
    }

    mutating func append(digits number: UInt) {
        if number >= 10 { append(digits: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }
}
