import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Successes of the server, and others")
struct AnswerTests {
    private static let item = "/configurations/" + Given.id
    private static let version = item + "/versions/2"
    private static let batchIDs = [Given.id, Given.otherID]
    private static let tag = HeaderField("ETag", "\"2-60303ae22b99\"")
    private static let time = "\"2026-11-20T18:00:00Z\""
    private static let page = """
        {"configurations":[],"deleted":[],"versions":{},"sync_token":"t","server_time":\(time),"reset":false,\
        "state_hash":"\(String(repeating: "0", count: 64))"}
        """
    private static let (cutPage, longPage) = (String(page.dropLast(10)), page + "}")
    private let unknown = Judgement.unknown(retryAfterSeconds: nil)

    private func judge(_ answer: Answer, _ method: String = "GET", _ path: String = "/configurations") -> Judgement {
        answer.judgement(Expectation(method: method, path: path))
    }

    private func body(_ text: String, _ status: Int64 = 200, _ fields: [HeaderField] = [Self.tag]) -> Answer {
        Answer(status: status, fields: fields, body: Array(text.utf8))
    }

    @Test(
        "An answer with all that the interface names is the server's",
        arguments: [
            // method, path, status, body
            ("GET", "/configurations?sync_token=t", 200, page),
            ("POST", "/configurations", 201, #"{"id":"x","created_at":\#(time)}"#),
            ("POST", "/configurations", 200, #"{"id":"x","created_at":\#(time),"added_by_a_newer_server":1}"#),
            ("PUT", item, 200, #"{"updated_at":\#(time)}"#),
            ("PUT", item, 200, #"{"updated_at":\#(time),"configuration":{},"conflicts":[]}"#),
            ("PUT", item, 200, #"{"updated_at":\#(time),"conflicts":[{"pointer":"/a","winner":"mine"}]}"#),
            ("PATCH", item, 200, #"{"updated_at":\#(time),"configuration":{"a":1}}"#),
            ("DELETE", item, 200, #"{"deleted_at":\#(time)}"#),
            ("GET", version, 200, #"{"id":"x"}"#),
            ("POST", "/auth/refresh", 200, #"{"token":"x"}"#),
            ("GET", "/users/me", 200, #"[1]"#),
            ("DELETE", "/devices/x", 204, ""),
        ] as [(String, String, Int64, String)]
    )
    func good(method: String, path: String, status: Int64, text: String) {
        #expect(judge(body(text, status), method, path) == .done)
    }

    @Test(
        "A success that lacks something, or has a wrong type, is not the server's",
        arguments: [
            // method, path, body
            ("GET", "/configurations", "<html><title>Sign in to Wi-Fi</title></html>"),
            ("GET", "/configurations", ""),
            ("GET", "/configurations", cutPage),
            ("GET", "/configurations", longPage),
            ("GET", "/configurations", "[]"),
            ("GET", "/configurations", "{}"),
            ("POST", "/configurations", #"{"id":"x"}"#),
            ("POST", "/configurations", #"{"id":7,"created_at":"x"}"#),
            ("PUT", item, #"{"created_at":"x"}"#),
            ("PUT", item, #"{"updated_at":null}"#),
            ("PUT", item, #"{"updated_at":"x","configuration":[]}"#),
            ("PUT", item, #"{"updated_at":"x","configuration":null}"#),
            ("PUT", item, #"{"updated_at":"x","conflicts":{}}"#),
            ("PUT", item, #"{"updated_at":"x","conflicts":[1]}"#),
            ("PUT", item, #"{"updated_at":"x","conflicts":[{"pointer":1,"winner":"mine"}]}"#),
            ("DELETE", item, #"{"deleted_at":1e999999}"#),
            ("GET", version, #"{}"#),
            ("POST", "/auth/refresh", #"{"token":{}}"#),
            ("GET", "/users/me", "<html>"),
            ("GET", "/users/me", ""),
        ] as [(String, String, String)]
    )
    func bad(method: String, path: String, text: String) {
        #expect(judge(body(text), method, path) == unknown)
    }

    @Test("An answer that is nested deeper than any document is not the server's")
    func depth() {
        func nested(_ depth: Int) -> Answer {
            body(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(judge(nested(100), "GET", "/users/me") == .done)
        #expect(judge(nested(200), "GET", "/users/me") == unknown)
        #expect(judge(nested(100_000), "GET", "/users/me") == unknown)
    }

    @Test(
        "A tag stands between the quotes of the ETag, weak or not",
        arguments: [
            ("\"2-60303ae22b99\"", "2-60303ae22b99"), ("W/\"2-60303ae22b99\"", "2-60303ae22b99"),
            ("\"2-60303ae22b99-gzip\"", "2-60303ae22b99-gzip"), ("", nil), ("2-60303ae22b99", nil), ("\"\"", nil),
            ("\"2-6", nil), ("\"2 6\"", nil), ("\"2\r\nX: y\"", nil), ("\"é\"", nil),
        ] as [(String, String?)]
    )
    func tags(field: String, tag: String?) {
        let answer = body(#"{"updated_at":"2026-11-20T18:00:00Z"}"#, 200, [HeaderField("eTaG", field)])
        #expect(answer.tag == tag)
        #expect(judge(answer, "PUT", Self.item) == (tag == nil ? unknown : .done))
    }

    @Test("A write's success without an ETag is not the server's; a list needs none")
    func missingTag() {
        #expect(judge(body(#"{"deleted_at":"2026-11-20T18:00:00Z"}"#, 200, []), "DELETE", Self.item) == unknown)
        #expect(judge(body(Self.page, 200, [])) == .done)
    }

    @Test(
        "A batch needs one result for each item, in its order, with a status that there is",
        arguments: [
            // results, is the server's
            (#"{"status":200,"id":"A","version":"2-b"},{"status":412,"id":"B","problem":{}}"#, true),
            (#"{"status":2e2,"id":"A","version":"2-b"},{"status":201,"id":"B","version":"1-c"}"#, true),
            (#"{"status":200,"id":"A","version":"2-b"}"#, false),
            (#"{"status":200,"id":"B","version":"2-b"},{"status":200,"id":"A","version":"2-b"}"#, false),
            (#"{"status":200,"id":"A"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"{"status":200,"id":"A","version":7},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"{"status":412,"id":"A"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"{"status":"200","id":"A","version":"2-b"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (
                #"{"status":99999999999999999999,"id":"A","version":"2-b"},{"status":200,"id":"B","version":"2-b"}"#,
                false
            ),
            (#"{"status":1e400,"id":"A","version":"2-b"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"{"status":-1,"id":"A","version":"2-b"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"{"status":302,"id":"A","version":"2-b"},{"status":200,"id":"B","version":"2-b"}"#, false),
            (#"1,2"#, false),
            ("", false),
        ] as [(String, Bool)]
    )
    func batches(results: String, isOfServer: Bool) {
        let named = results.replacing("\"A\"", with: "\"\(Given.id)\"").replacing("\"B\"", with: "\"\(Given.otherID)\"")
        let answer = body(#"{"outcome":"partial","results":[\#(named)]}"#, 200, [])
        #expect(answer.judgement(.batch(ids: Self.batchIDs)) == (isOfServer ? .done : unknown))
    }

    @Test("A 304 answers a conditional request alone")
    func notModified() {
        let answer = Answer(status: 304, fields: [], body: [])
        #expect(answer.judgement(Expectation(.page, isConditional: true)) == .done)
        #expect(answer.judgement(Expectation(.page)) == unknown)
        #expect(judge(answer, "PUT", Self.item) == unknown)
    }

    @Test(
        "Redirects, other successes and statuses that nobody knows are not the server's",
        arguments: [100, 202, 204, 302, 307, 399, -1] as [Int64]
    )
    func otherStatuses(status: Int64) {
        #expect(judge(body(Self.page, status)) == unknown)
    }
}
