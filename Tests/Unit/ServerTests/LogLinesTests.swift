import Foundation
import Testing

@testable import Observability
@testable import Settings

@Suite("Log lines", .blocking)
struct LogLinesTests {
    private static let key = LogKey("value")

    private static func line(isJSON: Bool, _ write: (LogForm, inout OutputSpan<UInt8>) -> Void) -> String {
        var lines = LogLines(LogForm(isJSON: isJSON))
        lines.append(.info, LogMessage("test"), fieldsMaxBytes: 4096, write)
        return String(decoding: lines.take(), as: UTF8.self)
    }

    private static func json(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    @Test("Text and JSON log lines have time, level, message and fields")
    func forms() throws {
        let text = Self.line(isJSON: false) { $0.field(Self.key, -12, to: &$1) }
        #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info test value=-12\n/) != nil, "\(text)")
        let line = Self.line(isJSON: true) { $0.field(Self.key, Int.min, to: &$1) }
        let object = try Self.json(line)
        #expect(line.hasSuffix("}\n"))
        #expect(object["level"] as? String == "info" && object["message"] as? String == "test")
        #expect(object["value"] as? Int == Int.min)
    }

    @Test("Any text stays one log line, and is unchanged in JSON")
    func anyText() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...40, using: &random)
            let scalars = (0..<count).compactMap { _ in
                Unicode.Scalar(Bool.random() ? UInt32.random(in: 0...0x9F) : UInt32.random(in: 0...0x10FFFF))
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let json = Self.line(isJSON: true) { $0.field(Self.key, text, to: &$1) }
            #expect(json.utf8.filter { $0 == 10 }.count == 1)
            #expect(try Self.json(json)["value"] as? String == text)
            let plain = Self.line(isJSON: false) { $0.field(Self.key, text, to: &$1) }
            #expect(plain.utf8.filter { $0 < 0x20 || $0 == 0x7F }.count == 1)
        }
    }

    @Test("A message can't break its log line")
    func message() throws {
        let message = "say \"it\"\n\\ again"
        for isJSON in [true, false] {
            var lines = LogLines(LogForm(isJSON: isJSON))
            lines.append(.error, LogMessage(message), fieldsMaxBytes: 0) { _, _ in }
            let line = String(decoding: lines.take(), as: UTF8.self)
            #expect(line.utf8.filter { $0 == 10 }.count == 1)
            if isJSON { #expect(try Self.json(line)["message"] as? String == message) }
        }
    }

    @Test("Any bytes stay one log line of ASCII")
    func anyBytes() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            for isJSON in [true, false] {
                let line = Self.line(isJSON: isJSON) { $0.field(Self.key, ascii: bytes[...], to: &$1) }
                #expect(line.utf8.allSatisfy { $0 < 0x80 } && line.utf8.filter { $0 == 10 }.count == 1)
                if isJSON { #expect((try Self.json(line)["value"] as? String)?.utf8.count == bytes.count) }
            }
        }
    }

    @Test(
        "A value in a text log line can't look like another field, another line or its own end",
        arguments: [
            ("a b", "\"a b\""), ("a\nb", "\"a b\""), ("a\"b", "\"a'b\""), ("", "\"\""), ("a=b", "a=b"),
            ("\u{7F}", "\" \""),
            ("é", "\"é\""),
        ]
    )
    func quoting(value: String, written: String) {
        let line = Self.line(isJSON: false) { $0.field(Self.key, value, to: &$1) }
        #expect(line.hasSuffix(" value=\(written)\n"), "\(line)")
    }

    @Test("Each log level includes the more important ones")
    func levels() {
        let all = Settings.LogLevel.allCases
        #expect(all == [.error, .warning, .info, .debug])
        for level in all {
            let log = LogWriter(level: level)
            #expect(all.filter(log.isWanted) == Array(all.prefix(level.rank + 1)))
        }
    }
}
