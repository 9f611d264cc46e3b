import Foundation
import TestSupport
import Testing

@Suite("Header fields of every answer", .blocking)
struct AnswerFieldTests {
    @Test("Every answer has the security fields and its time, and names no program", arguments: try Operation.all())
    func fields(operation: Operation) throws {
        let answer = try RequestDraft.anonymous(operation).send(Shared.client())
        #expect(answer.field("x-content-type-options") == "nosniff")
        let policy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        #expect(answer.field("content-security-policy") == policy)
        #expect(answer.field("referrer-policy") == "no-referrer")
        #expect(answer.field("cross-origin-resource-policy") == "same-origin")
        #expect(answer.field("server") == nil)
        #expect(answer.field("x-powered-by") == nil)
        let names = answer.fields.map(\.name)
        #expect(Set(names).count == names.count, "a field stands there twice")
        let timing = try #require(answer.field("server-timing"))
        #expect(timing.wholeMatch(of: /total;dur=\d+\.\d{3}(, [a-z]+;dur=\d+\.\d{3})*/) != nil, "\(timing)")
        // The time of the account lookup must stay secret.
        if operation.path.contains("login") { #expect(!timing.contains(",")) }
    }

    @Test("The answer to malformed HTTP has the same fields")
    func refusal() throws {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send("GET /\r\n\r\n")
        let answer = try #require(try connection.receive())
        #expect(answer.status == 400)
        #expect(answer.field("x-content-type-options") == "nosniff")
        #expect(answer.field("server-timing") != nil)
        #expect(answer.field("date") != nil)
    }

    @Test("Server-Timing has authentication, the database and the wait for it")
    func parts() throws {
        let timing = try #require(try Shared.device().pull().field("server-timing"))
        for part in ["total", "auth", "dbwait", "db"] { #expect(timing.contains("\(part);dur="), "\(timing)") }
    }

    @Test(
        "A well-formed X-Request-Id is repeated in the answer and the problem",
        arguments: ["a", "7f1c9a52-3c1e-4b6e-9a55-7f3d1c1b2a90", "A.b_c-9", String(repeating: "x", count: 64)]
    )
    func taken(id: String) throws {
        let answer = try Shared.client().send("GET", "/v2/nothing", [("X-Request-Id", id)])
        #expect(answer.field("x-request-id") == id)
        #expect(answer.string("instance") == id)
    }

    @Test(
        "A malformed X-Request-Id is replaced",
        arguments: ["", "a b", "a\"b", "a\tb", "é", "a,b", "a/b", "<script>", String(repeating: "x", count: 65)]
    )
    func replaced(id: String) throws {
        let answer = try Shared.client().send("GET", "/v2/nothing", [("X-Request-Id", id)])
        let made = try #require(answer.field("x-request-id"))
        #expect(made != id && !made.isEmpty)
        #expect(answer.string("instance") == made)
    }

    @Test("Two X-Request-Ids are both replaced")
    func twice() throws {
        let answer = try Shared.client().send("GET", "/healthz", [("X-Request-Id", "a1"), ("X-Request-Id", "a2")])
        #expect(answer.field("x-request-id")?.hasPrefix("a") == false || answer.field("x-request-id")?.count ?? 0 > 2)
    }
}
