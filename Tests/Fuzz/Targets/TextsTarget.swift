import HTTP
import NeuroViewsJSON

@testable import API
@testable import CloudSync
@testable import JSONSchema
@testable import NeuroViewsCrypto

/// Short texts in headers, parameters and members. All readers of a text agree, and writing a value restores its text.
enum TextsTarget {
    private static let signer = Result {
        try TokenSigner(keys: ["k": Array(repeating: 7, count: 32)], current: "k")
    }

    static func check(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        try checkTags(text)
        try checkTimes(text)
        let isMerge = Preferences(lines: [text]).contains("merge")
        try property("a preference stands in its field", !isMerge || text.lowercased().contains("merge"))
        try property("a UUID is one everywhere", UUIDText.isValid(text) == Format.uuid.accepts(text))
        if let token = SyncToken(text) { try property("a cursor is read again", SyncToken(token.text) == token) }
        if let cursor = ConflictCursor(text) {
            try property("a place in a list is read again", ConflictCursor(cursor.text) == cursor)
        }
        if let digest = ConflictDigest(text) {
            try property("a digest is written as it was read", Hex.encode(digest.bytes) == text.lowercased())
        }
        for alphabet in [Base64.padded, .unpadded, .url] {
            guard let decoded = alphabet.decode(text) else { continue }
            try property("Base64 has one text", alphabet.encode(decoded) == text)
        }
        try checkContentDigest(text)
        if let hash = PHCString(text) { try property("a password's hash has one text", hash.text == text) }
        try property("nobody can make up a token", (try? signer.get().verify(text)) == nil)
        if let number = JSONNumber(text) { try checkNumber(number) }
    }

    private static func checkTags(_ text: String) throws {
        guard let tags = EntityTag.parse(text), !tags.isEmpty else { return }
        let list = tags.map { ($0.isWeak ? "W/" : "") + "\"\($0.opaque)\"" }.joined(separator: ", ")
        try property("a list of tags is read again", EntityTag.parse(list) == tags)
        if case .any = VersionCondition(tags) { throw BrokenProperty(description: "a list is not *") }
    }

    private static func checkContentDigest(_ text: String) throws {
        guard let digest = ContentDigest.sha256([text]) else { return }
        let member = "sha-256=:\(Base64.padded.encode(digest)):"
        try property("a body's digest stands in its field", text.contains(member))
        try property("a body's digest is read again", ContentDigest.sha256([member]) == digest)
    }

    private static func checkTimes(_ text: String) throws {
        let time = Timestamp(text)
        try property("a time that the schema takes can be stored", time != nil || !Format.dateTime.accepts(text))
        guard let time, (0...253_402_300_799).contains(time.microseconds / 1_000_000) else { return }
        try property("what is written is a time", Format.dateTime.accepts(time.text))
        let second = Timestamp(time.text)?.microseconds ?? 0
        let lost = time.microseconds - second
        try property("no more than a fraction is lost", (0..<1_000_000).contains(lost))
    }

    private static func checkNumber(_ number: JSONNumber) throws {
        let canonical = String(decoding: JSONValue.number(number).canonical(), as: UTF8.self)
        // Moving the decimal point can give an exponent more digits than the parser accepts.
        let again = JSONNumber(canonical)
        try property("a number equals its canonical form", again == number || again == nil && canonical.utf8.count > 18)
        if let integer = number.int64 { try property("an integer is exact", JSONNumber(integer) == number) }
        try property("a multiple of 1 is an integer", number.isMultiple(of: JSONNumber(1)) == number.isInteger)
    }
}
