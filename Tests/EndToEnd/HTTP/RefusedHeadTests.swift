import TestSupport
import Testing

/// Decisions by a request's head. The bodies of these requests never arrive: a server that waits for one answers 408.
@Suite("Refusals before the body", .blocking)
struct RefusedHeadTests {
    private static let json = "Content-Type: application/json\r\n"

    /// The first answer to a head that announces a body.
    private func answer(
        _ method: String,
        _ path: String,
        _ fields: String,
        by device: Device? = nil,
        expects: Bool = false
    ) throws -> HTTPAnswer {
        let connection = try HTTPConnection(port: Shared.client().port)
        let token = device.map { "Authorization: Bearer \($0.token)\r\n" } ?? ""
        let expectation = expects ? "Expect: 100-continue\r\n" : ""
        try connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\(expectation)\(token)\(fields)\r\n"
        )
        return try #require(try connection.receive())
    }

    @Test(
        "A request that its head rules out is refused before the body, with and without Expect",
        arguments: [true, false]
    )
    func beforeTheBody(expects: Bool) throws {
        let device = try Device.new(Shared.client())
        let item = "/v2/configurations/\(Preset().id)"
        let refusals: [(String, String, String, String)] = [
            ("PUT", item, "Content-Type: text/plain\r\n", "415 unsupported-media-type"),
            ("PUT", item, "Origin: https://page.example\r\n", "415 unsupported-media-type"),
            ("PATCH", item, "", "415 unsupported-media-type"),
            ("PATCH", item, Self.json, "415 unsupported-media-type"),
            ("PUT", item, "Content-Type: application/json; charset=iso-8859-1\r\n", "415 unsupported-media-type"),
            ("PUT", item, Self.json + Self.json, "400 invalid-header"),
            ("PUT", item, Self.json + "Content-Encoding: gzip\r\n", "415 unsupported-content-coding"),
            ("PUT", "/v2/configurations/1", Self.json, "400 invalid-parameter"),
            ("POST", "/v2/recordings/1/complete", Self.json, "400 invalid-parameter"),
            ("PUT", "/v2/devices/a%07b", Self.json, "400 invalid-parameter"),
            ("POST", "/v2/nothing", Self.json, "404 not-found"),
            ("PUT", "/v2/version", Self.json, "405 method-not-allowed"),
            ("BREW", "/v2/version", Self.json, "501 method-not-implemented"),
        ]
        for (method, path, fields, verdict) in refusals {
            let refused = try answer(method, path, fields, by: device, expects: expects)
            #expect(refused.verdict == verdict, "\(method) \(path) \(fields)")
        }
        #expect(try answer("PUT", item, Self.json, expects: expects).verdict == "401 token-missing")
        let large = try answer("POST", "/v2/auth/login", "Content-Type: text/plain\r\n", expects: expects)
        #expect(large.verdict == "415 unsupported-media-type")
    }

    @Test("A connection goes on after an unwanted body that arrives after the answer")
    func goesOn() throws {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send("POST /v2/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        #expect(try connection.receive()?.verdict == "404 not-found")
        try connection.send("HELLOGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try connection.receive()?.status == 200)
        try connection.send("POST /v2/nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try connection.receive()?.verdict == "404 not-found")
        try connection.send("5\r\nHELLO\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try connection.receive()?.status == 200)
    }

    @Test("A connection ends after an unwanted body without an end")
    func endless() throws {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send("POST /v2/nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try connection.receive()?.verdict == "404 not-found")
        let piece = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
        for _ in 0..<32 { try connection.send(piece) }
        try connection.send("0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try connection.receive() == nil, "128 KiB of a body that nobody wants were read")
    }

    @Test("JSON with the charset UTF-8 is accepted")
    func charset() throws {
        let client = try Shared.client()
        for type in ["application/json; charset=utf-8", "application/json;charset=\"UTF-8\"", "Application/JSON"] {
            let answer = try client.send("POST", "/v2/auth/login", [("Content-Type", type)], body: "{}")
            #expect(answer.verdict == "422 invalid-document", "\(type)")
        }
    }

    @Test("An https target on a plain port gets 421, and OPTIONS of a URL without a path equals OPTIONS *")
    func targets() throws {
        func ask(_ line: String) throws -> HTTPAnswer {
            let connection = try HTTPConnection(port: Shared.client().port)
            try connection.send("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
            return try #require(try connection.receive())
        }
        Problems.check(try ask("GET https://a/healthz"), "421 misdirected-request")
        #expect(try ask("GET http://a/healthz").status == 200)
        let all = try ask("OPTIONS *")
        #expect(all.status == 204)
        #expect(try ask("OPTIONS http://a").field("allow") == all.field("allow"))
        #expect(try ask("OPTIONS http://a/").verdict == "404 not-found")
        #expect(try ask("GET http://a").verdict == "404 not-found")
    }

    @Test("WWW-Authenticate names an invalid token and not a missing one (RFC 6750)")
    func challenge() throws {
        let client = try Shared.client()
        let missing = try client.send("GET", "/v2/account/quota")
        #expect(missing.field("www-authenticate") == "Bearer")
        let wrong = try client.send("GET", "/v2/account/quota", [("Authorization", "Bearer x")])
        #expect(wrong.field("www-authenticate") == #"Bearer error="invalid_token""#)
        let password = try client.send("POST", "/v2/auth/login", body: #"{"email":"a@example.org","password":"x"}"#)
        #expect(password.field("www-authenticate") == "Bearer")
    }

    @Test("A device id with control characters is refused in every place")
    func deviceIDs() throws {
        let device = try Device.new(Shared.client())
        let login = #"{"email":"\#(device.email)","password":"\#(Device.password)","device_id":"a\u0085b"}"#
        #expect(try device.client.send("POST", "/v2/auth/login", body: login).verdict == "422 invalid-document")
        for id in ["a%0Ab", "a%C2%85b", "%7F"] {
            #expect(try device.send("PUT", "/v2/devices/\(id)", body: "{}").verdict == "400 invalid-parameter", "\(id)")
        }
        #expect(try device.send("GET", "/v2/configurations?device_id=a%07").verdict == "400 invalid-parameter")
        #expect(try device.send("PUT", "/v2/devices/Ana's%20f%C3%B6n", body: #"{"name":"Tent"}"#).status == 201)
    }
}
