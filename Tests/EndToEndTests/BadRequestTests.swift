import Crypto
import Foundation
import TestSupport
import Testing

@Suite("Requests that are wrong in another way than their body")
struct BadRequestTests {
    private static let id = Operation.item.id

    private func send(_ device: Device, _ operation: Operation, _ fields: APIClient.Fields, id: String = Self.id) throws
        -> HTTPAnswer
    {
        let type = operation.body == nil ? [] : [("Content-Type", operation.mediaType)]
        return try device.client.send(operation.method, operation.target(id: id), type + fields, body: operation.body)
    }

    private func bearer(_ token: String) -> APIClient.Fields { [("Authorization", "Bearer \(token)")] }

    @Test("Without a token, or with one that is not good", arguments: Operation.withToken)
    func tokens(operation: Operation) throws {
        let device = try Shared.device()
        Problems.check(try send(device, operation, []), "401 token-missing")
        let parts = device.token.split(separator: ".")
        let none = Base64.url.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let flipped = String(device.token.dropLast(3)) + (device.token.hasSuffix("AAA") ? "BBB" : "AAA")
        for token in ["x", flipped, "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])"] {
            Problems.check(try send(device, operation, bearer(token)), "401 token-invalid")
        }
        if !operation.path.hasSuffix("refresh") {
            let expired = try Forger.token(of: device, expiresIn: -1)
            Problems.check(try send(device, operation, bearer(expired)), "401 token-expired")
        }
    }

    @Test(
        "Unsigned where signatures are required, wrongly signed, or with a skewed clock",
        arguments: Operation.withToken
    )
    func signatures(operation: Operation) throws {
        let device = try Shared.signer()
        let token = bearer(device.token)
        let url = device.client.origin + operation.target(id: Self.id)
        Problems.check(try send(device, operation, token), "401 signature-missing")
        let wrongKey = try Shared.device().signature(operation.method, url, body: operation.body ?? "")
        Problems.check(try send(device, operation, token + wrongKey), "401 signature-invalid")
        let old = Int(Date().timeIntervalSince1970) - 400
        let skewed = try device.signature(operation.method, url, body: operation.body ?? "", timestamp: old)
        Problems.check(try send(device, operation, token + skewed), "401 clock-skew")
    }

    @Test("An id that is unknown, malformed or another user's", arguments: Operation.withID)
    func identifiers(operation: Operation) throws {
        let device = try Shared.device()
        let token = bearer(device.token)
        var unknown = operation
        let preset = Preset()
        if operation.body?.contains("configuration") == true { unknown.body = #"{"configuration":\#(preset.json)}"# }
        Problems.check(try send(device, unknown, token, id: preset.id), "404 not-found")
        #expect(try Shared.other().post(preset.json).status == 201)
        Problems.check(try send(device, unknown, token, id: preset.id), "404 not-found")
        let malformed = [
            "1", "not-a-uuid", String(Self.id.dropLast()), Self.id + "0", "g" + Self.id.dropFirst(),
            "a%2Fb", "..%2f..", "%F0%9F%93%B7", Self.id.replacing("-", with: ""), "-", "'%20OR%20'1'='1",
            "%EF%BC%91" + Self.id.dropFirst(), String(repeating: "a", count: 3000),
        ]
        for id in malformed {
            Problems.check(try send(device, operation, token, id: id), "400 invalid-parameter", "404 not-found")
        }
        for id in ["%", "%00", "{\(Self.id)}", "%zz", "%1", "%ff", "a%c3("] {
            Problems.check(try send(device, operation, token, id: id), "400 bad-request")
        }
    }

    @Test("A method that the resource does not have: 405 with Allow", arguments: Operation.all)
    func methods(operation: Operation) throws {
        let device = try Shared.device()
        let allowed = Set(
            Operation.all.filter { $0.path == operation.path }.map(\.method)
                + (operation.path.contains("/auth/") ? [] : operation.path == "/v2/configurations" ? ["GET"] : [])
        )
        for method in ["PATCH", "BREW", "TRACE", "PROPFIND", "get", "X"] where !allowed.contains(method) {
            let answer = try device.client.send(method, operation.target(id: Self.id), bearer(device.token))
            Problems.check(answer, "405 method-not-allowed")
            let allow = Set((answer.field("allow") ?? "").split(separator: ", ").map(String.init))
            let expected = allowed.union(allowed.contains("GET") ? ["HEAD"] : [])
            #expect(allow.subtracting(["OPTIONS"]) == expected, "\(method)")
        }
        let options = try device.client.send("OPTIONS", operation.target(id: Self.id))
        #expect(options.status == 204)
        #expect(options.field("allow")?.contains(operation.method) == true)
    }

    @Test("An unknown path: 404", arguments: ["GET", "POST", "DELETE", "BREW"])
    func paths(method: String) throws {
        let device = try Shared.device()
        let targets = [
            "/", "/v2", "/v2/", "/v1/configurations", "/v2/configurations/", "/v2//configurations",
            "/V2/configurations",
            "/v2/configurations/\(Self.id)/", "/v2/configurations/\(Self.id)/versions/1/x", "/v2/auth",
            "/v2/problems/nothing",
            "/v2/schemas/nothing", "/v2/../etc/passwd", "/metrics", "/readyz", "/v2/schemas/..%2f..%2fopenapi.json",
            "/favicon.ico", "/healthz/x",
        ]
        for target in targets {
            let answer = try device.client.send(method, target, bearer(device.token))
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

    @Test("Too long a target, too large or too many header fields")
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

    @Test("Another version of HTTP: 505")
    func version() throws {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send("GET /v2/version HTTP/2.0\r\nHost: a\r\n\r\n")
        let answer = try #require(try connection.receive())
        #expect(answer.verdict == "505 version-not-supported")
        #expect(try connection.isClosed())
    }

    @Test("HEAD has the status and fields of GET, and no body", arguments: Operation.all.filter { $0.method == "GET" })
    func head(operation: Operation) throws {
        // Others write to the shared account in between.
        let device = try Shared.newDevice()
        let connection = try HTTPConnection(port: device.client.port)
        for fields in [bearer(device.token), [], bearer("x")] {
            let target = operation.target(id: UUID().uuidString)
            try connection.send(APIClient.request("GET", target, host: "a", fields))
            let get = try #require(try connection.receive())
            try connection.send(APIClient.request("HEAD", target, host: "a", fields))
            let head = try #require(try connection.receive(isHead: true))
            #expect(head.status == get.status)
            #expect(head.field("content-type") == get.field("content-type"))
            #expect(head.field("etag") == get.field("etag"))
        }
        try connection.send(APIClient.request("GET", "/healthz", host: "a"))
        #expect(try connection.receive()?.status == 200)
    }
}
