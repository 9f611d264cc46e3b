import Foundation
import TestSupport
import Testing

@Suite("Requests with faults outside the body", .blocking)
struct BadRequestTests {
    private static let id = "11111111-2222-4333-8444-555555555555"

    /// The operations with a body in their error answers.
    private static func answering() throws -> [Operation] { try Operation.all().filter { $0.method != "HEAD" } }

    @Test("Every operation answers each fault of its path", arguments: try answering())
    func path(operation: Operation) throws {
        try Fault.check(Fault.ofPath(operation) + Fault.ofUnknown(operation), operation, by: FilledAccount.shared())
    }

    @Test("Every operation answers each fault of its query", arguments: try answering())
    func query(operation: Operation) throws {
        try Fault.check(Fault.ofQuery(operation), operation, by: FilledAccount.shared())
    }

    @Test(
        "A wrong parameter of the query or the path is named in errors, as a member of a body is",
        arguments: [
            ("configurations?limit=0", "limit"), ("configurations?limt=5", "limt"), ("configurations/1", "id"),
            ("configurations?seen=a&seen=b", "seen"), ("recordings?state=x", "state"), ("devices?tz=UTC", "tz"),
            ("configurations/\(id)/versions/x", "version"), ("analytics/usage?start_date=x", "start_date"),
            ("analytics/usage?start_date=2026-03-01", "end_date"),
        ]
    )
    func named(target: String, parameter: String) throws {
        let answer = try Shared.device().send("GET", "/v2/\(target)")
        Problems.check(answer, "400 invalid-parameter", "422 unprocessable-parameter")
        #expect(answer.members("pointer", of: "errors") == ["/\(parameter)"])
        let details: [String] = answer.members("detail", of: "errors")
        #expect(details.map { "\(parameter) \($0)." } == [answer.string("detail")])
    }

    @Test(
        "Links, problem pages and health take any query parameter",
        arguments: try answering().filter(\.takesAnyQuery)
    )
    func anyQuery(operation: Operation) throws {
        var draft = try RequestDraft.anonymous(operation)
        draft.query += ["limit=x", "offset=x", "utm_source=a"]
        #expect(try draft.send(Shared.client()).verdict != "400 invalid-parameter")
    }

    @Test("Every operation answers each fault of its header fields", arguments: try answering())
    func header(operation: Operation) throws {
        try Fault.check(Fault.ofHeader(operation), operation, by: FilledAccount.shared())
    }

    @Test("Every operation that needs a token refuses a missing or bad one", arguments: try Operation.secured())
    func tokens(operation: Operation) throws {
        try Fault.check(Fault.ofToken(operation), operation, by: FilledAccount.shared())
    }

    @Test("Operations that need no token ignore a bad one", arguments: try Operation.all().filter { !$0.needsToken })
    func needlessToken(operation: Operation) throws {
        var draft = try RequestDraft.anonymous(operation)
        draft.set("Authorization", "Bearer x")
        #expect(try draft.send(Shared.client()).problem.hasPrefix("token") == false)
    }

    @Test(
        "Every operation refuses missing, wrong and late signatures on a server that requires them",
        arguments: try Operation.secured()
    )
    func signatures(operation: Operation) throws {
        let device = try Shared.signer()
        var draft = RequestDraft(operation, by: try FilledAccount.shared())
        draft.set("Authorization", "Bearer \(device.token)")
        let url = device.client.origin + String(decoding: draft.target, as: UTF8.self)
        // The server does not read the bytes before it has checked the signature.
        if operation.bytesType != nil { draft.body = Array("bytes".utf8) }
        let body = String(decoding: draft.body ?? [], as: UTF8.self)
        let old = Int(Date().timeIntervalSince1970) - 400
        let signatures: [(APIClient.Fields, String)] = [
            ([], "signature-missing"), ([("X-Timestamp", "now")], "signature-malformed"),
            (try Shared.device().signature(operation.method, url, body: body), "signature-invalid"),
            (try device.signature(operation.method, url, body: body, timestamp: old), "clock-skew"),
        ]
        for (fields, problem) in signatures {
            var signed = draft
            signed.fields += fields
            #expect(operation.declares("401 \(problem)"))
            Problems.check(try signed.send(device.client), "401 \(problem)")
        }
    }

    @Test(
        "A method unknown to a path gets 405 with the allowed ones, and one of no path gets 501",
        arguments: try Operation.all()
    )
    func methods(operation: Operation) throws {
        var has = Set(try Operation.all().filter { $0.path == operation.path }.map(\.method)).union(["OPTIONS"])
        if has.contains("GET") { has.insert("HEAD") }
        #expect(operation.declares("405 method-not-allowed"))
        var draft = RequestDraft(operation, by: try FilledAccount.shared())
        for method in ["BREW", "PROPFIND", "get", "X"] {
            draft.method = method
            Problems.check(try draft.send(Shared.client()), "501 method-not-implemented")
        }
        for method in ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "TRACE", "QUERY"] where !has.contains(method) {
            draft.method = method
            let answer = try draft.send(Shared.client())
            if method != "HEAD" { Problems.check(answer, "405 method-not-allowed") }
            #expect(answer.status == 405, "\(method)")
            #expect(Set((answer.field("allow") ?? "").split(separator: ", ").map(String.init)) == has, "\(method)")
        }
        draft.method = "OPTIONS"
        let options = try draft.send(Shared.client())
        #expect(options.status == 204)
        #expect(options.field("allow")?.split(separator: ", ").contains { $0 == operation.method } == true)
    }

    @Test("A path that nearly is a documented one gets 404 with the documented one", arguments: try answering())
    func nearly(operation: Operation) throws {
        let draft = RequestDraft(operation, by: try FilledAccount.shared())
        let target = String(decoding: draft.path, as: UTF8.self)
        let others = [
            target + "/", target + "/x/y/z", "/" + target, target.replacing("/v2/", with: "/v1/"),
            target.replacing("/v2/", with: "/V2/"), target.replacing("/v2/", with: "/v2//"),
        ]
        for other in others {
            var changed = draft
            changed.path = Array(other.utf8)
            let answer = try changed.send(Shared.client())
            Problems.check(answer, "404 not-found")
            let isNear = !other.hasSuffix("/x/y/z")
            #expect(answer.string("detail").hasSuffix(" is \(operation.path).") == isNear, "\(other)")
        }
    }

    @Test("An undocumented path gets 404", arguments: ["GET", "POST", "DELETE"])
    func paths(method: String) throws {
        let device = try Shared.device()
        let targets = [
            "/", "/v2/", "/v2/configurations/\(Self.id)/versions/1/x", "/v2/auth", "/v2/../etc/passwd",
            "/metrics",
            "/readyz", "/v2/schemas/..%2f..%2fopenapi.json", "/favicon.ico", "/healthz/x",
        ]
        for target in targets {
            let answer = try device.send(method, target)
            Problems.check(answer, "404 not-found", "405 method-not-allowed")
            if method == "GET" { #expect(answer.status == 404, "\(target)") }
        }
    }

    @Test(
        "A target or head that is not HTTP is refused and the connection closed",
        arguments: [
            ("GET v2/version HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
            ("GET /v2/%GG HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
            ("GET /v2/a b HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\r\n\r\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\r\nHost : a\r\n\r\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\nHost: a\n\n", "400 bad-request"),
            ("GET /v2/version HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", "400 bad-request"),
            ("G(T /v2/version HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n", "400 bad-request"),
        ]
    )
    func malformed(head: String, verdict: String) throws {
        try Problems.exchange(Shared.client(), Array(head.utf8), [verdict])
    }

    @Test("Too long targets and too large or too many header fields get 414 or 431")
    func limits() throws {
        let client = try Shared.client()
        let long = String(repeating: "x", count: 17000)
        for (target, fields, verdict) in [
            ("/v2/version?\(long)", "", "414 target-too-long"),
            ("/v2/version", "X: \(long)\r\n", "431 header-too-large"),
            ("/v2/version", String(repeating: "X: y\r\n", count: 101), "431 header-too-large"),
        ] {
            try Problems.exchange(client, Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8), [verdict])
        }
    }

    @Test("Another version of HTTP gets 505")
    func version() throws {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send("GET /v2/version HTTP/2.0\r\nHost: a\r\n\r\n")
        let answer = try #require(try connection.receive())
        #expect(answer.verdict == "505 version-not-supported")
        #expect(try connection.isClosed())
    }

    @Test(
        "HEAD gets the status and fields of GET without a body",
        arguments: try Operation.all().filter { $0.method == "GET" }
    )
    func head(operation: Operation) throws {
        var draft = RequestDraft(operation, by: try FilledAccount.shared())
        let connection = try HTTPConnection(port: Shared.client().port)
        for fields in [draft.fields, [], [("Authorization", "Bearer x")]] {
            draft.fields = fields
            draft.method = "GET"
            try connection.send(draft.bytes)
            let get = try #require(try connection.receive())
            draft.method = "HEAD"
            try connection.send(draft.bytes)
            let head = try #require(try connection.receive(isHead: true))
            #expect(head.status == get.status)
            #expect(head.field("content-type") == get.field("content-type"))
            #expect(head.field("etag") == get.field("etag"))
        }
        try connection.send(APIClient.request("GET", "/healthz", host: "a"))
        #expect(try connection.receive()?.status == 200)
    }
}
