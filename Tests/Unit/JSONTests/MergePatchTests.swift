import NeuroViewsJSON
import Testing

@Suite("JSON Merge Patch")
struct MergePatchTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), policy: .requestBody)
    }

    private func patched(_ original: String, _ patch: String) throws -> String {
        String(decoding: try parse(original).applying(mergePatch: parse(patch)).serialized(), as: UTF8.self)
    }

    @Test(
        "The merge patches of RFC 7396, appendix A, give its results",
        arguments: [
            // original, patch, result
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, #"null"#, #"null"#),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func appendix(original: String, patch: String, result: String) throws {
        #expect(try patched(original, patch) == result)
    }

    @Test("The merge patch of RFC 7396, section 3, gives its result")
    func article() throws {
        let original = """
            {"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],\
            "content":"This will be unchanged"}
            """
        let patch = """
            {"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}
            """
        let result = """
            {"title":"Hello!","author":{"givenName":"John"},"tags":["example"],\
            "content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}
            """
        #expect(try patched(original, patch) == result)
    }

    @Test("Members that a merge patch does not name keep their text and place")
    func text() throws {
        let original = #"{"z":1.50e+0,"a":{"y":12345678901234567890.0,"x":-0},"é":[1.0]}"#
        let result = #"{"z":1.50e+0,"a":{"y":12345678901234567890.0,"x":1e2},"é":[1.0],"b":2.0}"#
        #expect(try patched(original, #"{"b":2.0,"a":{"x":1e2}}"#) == result)
    }

    @Test("A merge patch compares names by their bytes, so composed and decomposed é differ")
    func names() throws {
        #expect(try patched("{\"\u{e9}\":1}", "{\"e\u{301}\":null}") == "{\"\u{e9}\":1}")
    }

    @Test("A merge patch of 40,000 removals takes linear time")
    func manyRemovals() throws {
        let names = (0..<40_000).map { "\"\($0)\"" }
        let original = "{" + names.map { $0 + ":1" }.joined(separator: ",") + "}"
        let patch = "{" + names.dropLast().map { $0 + ":null" }.joined(separator: ",") + "}"
        let begin = ContinuousClock.now
        #expect(try patched(original, patch) == "{\"39999\":1}")
        #expect(ContinuousClock.now - begin < .seconds(20))
    }
}
