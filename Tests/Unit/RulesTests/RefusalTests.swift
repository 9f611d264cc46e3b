import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Refusals by the server, and by others")
struct RefusalTests {
    private let unknown = Judgement.unknown(retryAfterSeconds: nil)

    private func judge(_ answer: Answer, _ method: String = "GET", _ path: String = "/configurations") -> Judgement {
        answer.judgement(Expectation(method: method, path: path))
    }

    private func body(_ text: String, _ status: Int64, _ fields: [HeaderField]) -> Answer {
        Answer(status: status, fields: fields, body: Array(text.utf8))
    }

    @Test(
        "A problem of the server's is a refusal",
        arguments: [400, 402, 403, 404, 409, 410, 412, 413, 414, 415, 422, 424, 501, 505] as [Int64]
    )
    func refusals(status: Int64) {
        let answer = Given.answer(status, Given.problem("some-code"))
        #expect(judge(answer) == .refused(answer.problem))
        #expect(answer.problem.code == "some-code" && answer.problem.status == status)
        #expect(answer.isCertain)
    }

    @Test(
        "Statuses about the way or the load leave the result unknown, also from the server",
        arguments: [405, 408, 417, 421, 429, 431, 500, 502, 503, 504, 507, 599, 600, 1000] as [Int64]
    )
    func unknownStatuses(status: Int64) {
        #expect(judge(Given.answer(status, Given.problem("some-code"))) == unknown)
    }

    @Test(
        "A refusal without a problem of the server's is somebody else's",
        arguments: [
            // content type, body
            ("text/html", "<html>Forbidden</html>"), ("application/problem+json", "<html>"),
            ("application/problem+json", ""), ("application/problem+json", #"{"title":"x"}"#),
            ("application/problem+json", #"{"type":"about:blank"}"#), ("application/problem+json", #"{"type":7}"#),
            ("application/problem+json", #"["/problems/x"]"#), ("application/json", Given.problem("x")),
            ("application/problem+jsonx", Given.problem("x")), ("", Given.problem("x")),
        ] as [(String, String)]
    )
    func foreign(type: String, text: String) {
        for status in [400, 401, 403, 404, 409, 412, 422, 501] as [Int64] {
            let answer = body(text, status, [HeaderField("Content-Type", type)])
            #expect(judge(answer, "PUT", "/configurations/" + Given.id) == unknown)
            #expect(!answer.isCertain && answer.problem.code == "")
        }
    }

    @Test("The content type of a problem may have a parameter and capitals")
    func contentType() {
        let field = HeaderField("content-type", "Application/Problem+JSON; charset=utf-8")
        #expect(body(Given.problem("x"), 404, [field]).isProblem)
    }

    @Test("A 413 or 414 counts from a proxy, but is not certain", arguments: [413, 414] as [Int64])
    func proxies(status: Int64) {
        let answer = body("<html>", status, [])
        #expect(judge(answer, "PUT", "/configurations/" + Given.id) == .refused(Problem(status: status)))
        #expect(!answer.isCertain)
    }

    @Test(
        "A 401 names its repair",
        arguments: [
            ("token-expired", .tokenExpired), ("token-outdated", .tokenOutdated), ("nonce-used", .nonceUsed),
            ("credentials-invalid", .credentialsInvalid), ("session-ended", .loginNeeded),
            ("code-invalid", .credentialsInvalid), ("passkey-invalid", .credentialsInvalid),
            ("id-token-invalid", .credentialsInvalid), ("signature-invalid", .loginNeeded),
            ("a-newer-code", .loginNeeded),
        ] as [(String, Judgement.Repair)]
    )
    func repairs(code: String, repair: Judgement.Repair) {
        let answer = Given.answer(401, Given.problem(code))
        #expect(judge(answer) == .unauthorized(repair, answer.problem))
    }

    @Test(
        "A clock is corrected by a server's time that there can be",
        arguments: [
            ("1772366400", 1_772_366_400), ("1772366400.0", 1_772_366_400), ("0", 0), ("9223372036854775807", nil),
            ("99999999999999999999", nil), ("-1", nil), ("1.5", nil), ("\"1772366400\"", nil), ("null", nil),
        ] as [(String, Int64?)]
    )
    func clockSkew(text: String, time: Int64?) {
        let answer = Given.answer(401, Given.problem("clock-skew", more: #","server_time":\#(text)"#))
        #expect(answer.problem.serverTime == time)
        #expect(judge(answer) == (time == nil ? unknown : .unauthorized(.clockSkew, answer.problem)))
    }

    @Test(
        "Retry-After is obeyed in digits alone, between a second and an hour",
        arguments: [
            ("1", 1), ("120", 120), ("3600", 3600), ("0", 1), ("3601", 3600), ("0060", 60),
            ("99999999999999999999999999", 3600), ("nan", nil), ("inf", nil), ("-1", nil), ("+1", nil), ("1.5", nil),
            ("1e2", nil),
            ("0x10", nil), ("", nil), (" ", nil), ("1, 2", nil), ("१२", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ] as [(String, Int64?)]
    )
    func retryAfter(value: String, seconds: Int64?) {
        let field = HeaderField("Retry-After", value)
        #expect(judge(Given.answer(503, Given.problem("overloaded"), [field])) == .unknown(retryAfterSeconds: seconds))
        #expect(judge(body("<html>", 503, [field])) == unknown)
        #expect(judge(body("<html>", 200, [field])) == unknown)
    }
}
