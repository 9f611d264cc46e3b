import NeuroViewsJSON
import Testing

private func parse(_ text: String, _ policy: JSONParser.Policy = .requestBody) throws(JSONError) -> JSONValue {
    try JSONParser.parse(Array(text.utf8), policy: policy)
}

private func failure(_ bytes: [UInt8], _ policy: JSONParser.Policy = .requestBody) -> JSONError? {
    do {
        _ = try JSONParser.parse(bytes, policy: policy)
        return nil
    } catch {
        return error
    }
}

private func failure(_ text: String, _ policy: JSONParser.Policy = .requestBody) -> JSONError? {
    failure(Array(text.utf8), policy)
}

@Suite("JSON parser")
struct ParserTests {
    @Test(
        "An error of the JSON parser has a reason, a byte offset and a member",
        arguments: [
            ("", JSONError.Reason.unexpectedEnd, 0, ""),
            ("{\"a\":", .unexpectedEnd, 5, "/a"),
            ("[1,", .unexpectedEnd, 3, "/1"),
            ("\"abc", .unexpectedEnd, 4, ""),
            ("[1,]", .expectedValue, 3, "/1"),
            ("nul", .unexpectedEnd, 3, ""),
            ("nulx", .expectedValue, 3, ""),
            ("{a:1}", .expectedName, 1, ""),
            ("{\"a\":1,}", .expectedName, 7, ""),
            ("{\"a\" 1}", .expectedColon, 5, "/a"),
            ("{\"a\":[1 2]}", .expectedCommaOrEnd, 8, "/a/1"),
            ("[1}", .expectedCommaOrEnd, 2, "/1"),
            ("1 2", .textAfterValue, 2, ""),
            ("\u{FEFF}{}", .byteOrderMark, 0, ""),
            ("{\"iso\":+1}", .expectedValue, 7, "/iso"),
            ("[-x]", .invalidNumber, 2, "/0"),
            ("[1.]", .invalidNumber, 3, "/0"),
            ("[01]", .leadingZero, 2, "/0"),
            ("1e1000000000000000000", .exponentTooLarge, 21, ""),
            ("[\"a\nb\"]", .controlCharacter, 3, "/0"),
            ("[\"\\n\t\"]", .controlCharacter, 4, "/0"),
            ("\"\\x\"", .invalidEscape, 1, ""),
            ("\"\\u12G4\"", .invalidEscape, 1, ""),
            ("{\"a\":{\"b/c\":[0,{\"x\":1,\"x\":2}]}}", .duplicateName, 22, "/a/b~1c/1/x"),
            ("{\"x\":1,\"\\u0078\":2}", .duplicateName, 7, "/x"),
            ("\"\\ud800\"", .loneSurrogate, 1, ""),
            ("\"ab\\udc00\"", .loneSurrogate, 3, ""),
            ("\"\\ud83d\\u0041\"", .loneSurrogate, 1, ""),
            ("{\"\\udead\":1}", .loneSurrogate, 2, ""),
            ("\"\\u0000\"", .nul, 1, ""),
            ("{\"a\\u0000\":1}", .nul, 3, ""),
        ]
    )
    func refusals(_ text: String, _ reason: JSONError.Reason, _ offset: Int, _ pointer: String) {
        let error = failure(text)
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.pointer.description == pointer)
        #expect(reason.description.hasSuffix("."))
    }

    @Test(
        "Invalid UTF-8 in JSON is refused at its place under every policy",
        arguments: [
            ([0xFF], 2), ([0x41, 0xC0, 0x80], 3), ([0xED, 0xA0, 0x80], 2), ([0xF4, 0x90, 0x80, 0x80], 2),
            ([0xE2, 0x82], 2), ([0xF0, 0x9F, 0x98], 2), ([0x41, 0xC3, 0xA9, 0xEF, 0xBF], 5), ([0x80], 2),
        ] as [([UInt8], Int)]
    )
    func invalidUTF8(_ bytes: [UInt8], _ offset: Int) {
        let text = [0x5B, 0x22] + bytes + [0x22, 0x5D]
        #expect(failure(text)?.reason == .invalidUTF8)
        #expect(failure(text)?.offset == offset)
        #expect(failure(text, .rfc8259)?.reason == .invalidUTF8)
        #expect(failure([0x22, 0x5C, 0x6E] + bytes + [0x22])?.reason == .invalidUTF8)
    }

    @Test("JSON strings of four bytes are accepted exactly when they are UTF-8")
    func everyUTF8() {
        // The limits of the ranges in table 3-7 of Unicode.
        let bytes: [UInt8] = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF4, 0xF5]
        let pairs = bytes.flatMap { first in bytes.map { [first, $0] } }
        for pair in pairs {
            for other in pairs {
                let isUTF8 = String(validating: pair + other, as: UTF8.self) != nil
                let error = failure([0x22] + pair + other + [0x22])
                guard (error == nil) != isUTF8 else { continue }
                Issue.record("\(pair + other): \(String(describing: error))")
            }
        }
    }

    @Test("A request body may have 64 levels of arrays and objects, and no more")
    func depth() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            #expect(failure(nested(64, open, close)) == nil)
            #expect(failure(nested(65, open, close))?.reason == .tooDeep(maxDepth: 64))
        }
        #expect(failure(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
        #expect(failure(nested(1000, "[", "]"), .rfc8259) == nil)
        #expect(failure(nested(1001, "[", "]"), .rfc8259)?.reason == .tooDeep(maxDepth: 1000))
        #expect(failure(String(repeating: "[[],", count: 65))?.reason == .tooDeep(maxDepth: 64))
    }

    @Test("The lenient JSON policy keeps the last duplicate and replaces lone surrogates by U+FFFD")
    func lenient() throws {
        let value = try parse("{\"a\":1,\"b\":2,\"a\":3}", .rfc8259)
        #expect(String(decoding: value.serialized(), as: UTF8.self) == "{\"a\":3,\"b\":2}")
        let string = try parse("\"x\\ud800y\\u0000\"", .rfc8259).string
        #expect(string == "x\u{FFFD}y\u{0}")
    }

    @Test("Names that only look alike are different JSON members")
    func canonicalEquivalence() throws {
        let value = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"]?.number?.int64 == 1)
        #expect(value["e\u{301}"]?.number?.int64 == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        // The texts are equivalent for Swift, and have the same length in bytes.
        let (left, right) = ("a\u{301}\u{323}", "a\u{323}\u{301}")
        #expect(left == right)
        #expect(!left.hasSameBytes(as: right))
        #expect(try parse("{\"\(left)\":1,\"\(right)\":2}")[left]?.number?.int64 == 1)
        #expect(Set([JSONValue.string("\u{E9}"), .string("e\u{301}")]).count == 2)
    }

    @Test(
        "Escapes in JSON strings are decoded",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00x""#, "😀x"), (#""é\u0041é""#, "éAé"), (#""\u007f\uFFFF""#, "\u{7F}\u{FFFF}"),
        ]
    )
    func escapes(_ text: String, _ expected: String) throws {
        let string = try #require(try parse(text).string)
        #expect(string.hasSameBytes(as: expected))
    }

    @Test("An object with 99,999 members is read and searched, and refused with a duplicate at its end")
    func manyMembers() throws {
        let members = (0..<99_999).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let value = try parse("{\(members)}")
        #expect(value.object?.count == 99_999)
        #expect(value["k99998"]?.number?.int64 == 99_998)
        #expect(value["k99999"] == nil)
        #expect(failure("{\(members),\"k5\":0}")?.reason == .duplicateName)
        #expect(failure("{\(members),\"k\":0}")?.reason == .tooManyValues(maxValues: 100_000))
        #expect(
            failure("[" + String(repeating: "[],", count: 99_999) + "0]")?.reason == .tooManyValues(maxValues: 100_000)
        )
    }

    @Test("A JSON number may have up to 1,000 characters")
    func longNumbers() throws {
        let longest = "0." + String(repeating: "1", count: 998)
        #expect(try parse(longest).number != nil)
        #expect(failure(longest + "1")?.reason == .numberTooLong(maxBytes: 1000))
        #expect(failure("1" + String(repeating: "0", count: 400))?.reason == .numberTooLarge)
    }

    @Test("A slice is parsed as JSON with offsets from its own start")
    func slices() {
        let bytes = Array("xx[1,x]".utf8)
        #expect((try? JSONParser.parse(bytes[2..<4], policy: .requestBody)) == nil)
        do throws(JSONError) {
            _ = try JSONParser.parse(bytes[2...], policy: .requestBody)
            Issue.record("an invalid value was accepted")
        } catch {
            #expect(error.offset == 3)
            #expect(error.description == "Expected a value. (byte 3, at /1)")
        }
    }

    @Test("The pointer in a parser's error is bounded for any input")
    func boundedPointer() {
        let long = String(repeating: "k", count: 5000)
        #expect(failure("{\"a\":{\"\(long)\":x}}")?.pointer.description == "/a")
    }
}
