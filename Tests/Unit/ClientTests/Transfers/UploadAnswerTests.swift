import NeuroViewsJSON
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Answers about uploads")
struct UploadAnswerTests {
    private static func reply(_ status: Int64, _ fields: [HeaderField] = [], _ body: String = "") -> UploadReply {
        UploadReply(Answer(status: status, fields: fields, body: Array(body.utf8)))
    }

    private static let problem = HeaderField("Content-Type", "application/problem+json; charset=utf-8")

    @Test("A success without a readable offset, a conflict and a complete upload are asked about")
    func unclear() {
        for offset in ["", "-1", "1.0", "99999999999999999999", "x"] {
            #expect(Self.reply(204, [HeaderField("Upload-Offset", offset)]) == .unclear, "\(offset)")
        }
        #expect(Self.reply(200) == .unclear && Self.reply(409) == .unclear)
        let type = #"{"type":"https://iana.org/assignments/http-problem-types#completed-upload"}"#
        #expect(Self.reply(400, [Self.problem], type) == .unclear)
        #expect(
            UploadReply(TransportError.cut("")) == .unclear
                && UploadReply(TransportError.stalled(seconds: 60)) == .unclear
        )
    }

    @Test("The offset and the end of the file are the server's word")
    func stored() {
        let offset = HeaderField("Upload-Offset", "7")
        #expect(Self.reply(204, [offset]) == .stored(7, isComplete: false))
        #expect(Self.reply(201, [offset, HeaderField("Upload-Complete", "?1")]) == .stored(7, isComplete: true))
        #expect(Self.reply(201, [offset, HeaderField("upload-complete", "?0")]) == .stored(7, isComplete: false))
    }

    @Test("Only the server's own refusals end an upload, and 413 whoever gives it")
    func refused() {
        let type = #"{"type":"http://127.0.0.1/v2/problems/invalid-header"}"#
        for status in [400, 412, 413, 415] as [Int64] {
            guard case .refused(let problem) = Self.reply(status, [Self.problem], type) else {
                Issue.record("\(status)")
                continue
            }
            #expect(problem.status == Int(status) && problem.code == "invalid-header")
            guard status != 413, case .later = Self.reply(status, [], "<html>") else {
                #expect(status == 413)
                continue
            }
        }
    }

    @Test(
        "Whatever comes from the way to the server is tried later",
        arguments: [301, 307, 401, 403, 407, 429, 500, 503, 507]
    )
    func later(status: Int64) {
        guard case .later = Self.reply(status, [], "<html>") else {
            Issue.record("\(Self.reply(status))")
            return
        }
        let type = #"{"type":"http://127.0.0.1/v2/problems/overloaded"}"#
        let paused = Self.reply(status, [Self.problem, HeaderField("Retry-After", "9")], type)
        #expect(paused == .later(.tryLater(nil, seconds: 9)))
    }

    @Test("A grant that is not as the interface has it is none")
    func badGrants() throws {
        let part = #"{"number":1,"size":10,"url":"u"}"#
        let bad = [
            "{}", #"{"upload_url":"u"}"#, #"{"upload_url":"u","upload_offset":-1}"#,
            #"{"upload_url":"u","upload_offset":11}"#,
            #"{"upload_url":"u","upload_offset":0,"multipart":{}}"#,
            #"{"upload_url":"u","upload_offset":0,"headers":{"a":1},"multipart":{"part_size":10,"parts":[\#(part)]}}"#,
            #"{"upload_url":"u","upload_offset":0,"headers":[],"multipart":{"part_size":10,"parts":[\#(part)]}}"#,
            #"{"upload_url":"u","upload_offset":0,"multipart":{"part_size":0,"parts":[]}}"#,
            #"{"upload_url":"u","upload_offset":0,"multipart":{"part_size":9,"parts":[{"number":2,"size":2,"url":"u"}]}}"#,
            #"{"upload_url":"u","upload_offset":0,"multipart":{"part_size":9223372036854775807,"parts":[{"number":3,"size":1,"url":"u"}]}}"#,
            #"{"upload_url":"u","upload_offset":0,"multipart":{"part_size":10,"parts":[{"number":0,"size":1,"url":"u"}]}}"#,
        ]
        for text in bad {
            #expect(UploadGrant(try JSONParser.parse(Array(text.utf8), policy: .rfc8259), size: 10) == nil, "\(text)")
        }
    }

    @Test("A grant names the server's own upload, missing parts, or one PUT of the whole")
    func grants() throws {
        func grant(_ text: String) throws -> UploadGrant? {
            UploadGrant(try JSONParser.parse(Array(text.utf8), policy: .rfc8259), size: 25)
        }
        let own = try #require(try grant(#"{"upload_url":"u","location":"l","upload_offset":3}"#))
        #expect(own.target == .server("l") && own.offset == 3)
        let whole = try #require(try grant(#"{"upload_url":"u","headers":{"a":"b"},"upload_offset":0}"#))
        #expect(whole.target == .whole(.init(number: 1, offset: 0, size: 25, url: "u"), fields: ["a": "b"]))
        let parts = try #require(
            try grant(
                #"{"upload_url":"u","upload_offset":0,"multipart":{"part_size":10,"parts":[{"number":3,"size":5,"url":"v"}]}}"#
            )
        )
        #expect(parts.target == .parts([.init(number: 3, offset: 20, size: 5, url: "v")], fields: [:]))
    }
}
