import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("Naughty strings", .blocking, .needsPublicVectors)
struct NaughtyStringTests {
    /// Uses the project's own parser, because Foundation's might change some strings.
    private static func strings() throws -> [String] {
        let list = try JSONParser.parse(SharedVectors.bytes("blns/blns.json"), policy: .rfc8259)
        return try #require(list.array).map { try #require($0.string) }
    }

    /// A JSON string of exactly these bytes. It escapes only the bytes that JSON requires.
    private static func literal(_ bytes: [UInt8]) -> String {
        let escaped = bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case 34, 92: [92, byte]
            case 0..<32: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: [byte]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    @Test("Naughty strings that fit a preset's name are read back byte for byte; the others are refused")
    func names() throws {
        let device = try Shared.newDevice()
        var kept = 0
        var fitting = 0
        for text in try Self.strings() {
            let bytes = Array(text.utf8)
            let preset = Preset(Self.literal(bytes))
            let answer = try device.post(preset.json)
            guard (1...100).contains(text.unicodeScalars.count), !bytes.contains(0) else {
                #expect([400, 422].contains(answer.status), "\(text)")
                continue
            }
            fitting += 1
            let stored = try device.get(preset.id)
            #expect(answer.status == 201, "\(text) \(answer.text)")
            #expect(stored.body == Array(preset.json.utf8), "\(text)")
            let name = try JSONParser.parse(stored.body, policy: .rfc8259)["name"]?.string
            if stored.body == Array(preset.json.utf8), name.map({ Array($0.utf8) }) == bytes { kept += 1 }
        }
        print("Naughty strings: \(kept) / \(fitting)")
        #expect(kept == fitting)
        #expect(fitting > 450)
        let all = try device.pull()
        #expect(all.rawElements("configurations").count == fitting)
    }
}
