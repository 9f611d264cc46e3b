import HTTP
import Net
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import API

@Suite("Streaming endpoints", .timeLimit(.minutes(Patience.minutes(1))))
struct StreamingEndpointTests {
    private static let maxBytes = 1_000_000
    private static let policy = EndpointPolicy(
        .session,
        body: .streamed(.bytes(maxBytes)),
        time: .minimumRate(MinimumRate(bytesPerSecond: 1000))
    )

    /// Reads a body to its end, and answers with its length.
    private static func upload(_ policy: EndpointPolicy = policy, begun: Counter = Counter()) -> RouteEntry {
        (
            .put, "/upload",
            Endpoint(policy) { context in
                begun.add()
                var count = 0
                while let piece = try await context.stream?.next() { count += piece.count }
                return Response(.ok, content: .bytes(Array("\(count)".utf8)))
            }
        )
    }

    private static func contentDigest(_ body: [UInt8]) -> (String, String) {
        ("Content-Digest", "sha-256=:\(Base64.padded.encode(SHA256.hash(body))):")
    }

    @Test("A signed streamed body is checked against its digest, also in chunks")
    func signed() async throws {
        let body = BytePattern.bytes(500_000)
        try await PolicyServer.run([Self.upload()]) { server in
            let client = try server.connect()
            let signed = server.session.fields("PUT", "/upload", .bodyAlone(body))
            let fields = signed + [Self.contentDigest(body)]
            #expect(try client.ask("PUT", "/upload", fields: fields, body: body).text == "500000")
            try client.send("PUT", "/upload", fields: fields + [("Transfer-Encoding", "chunked")])
            try client.send(Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
            #expect(try client.readResponse().text == "500000")
            var other = body
            other[400_000] &+= 1
            #expect(try client.ask("PUT", "/upload", fields: fields, body: other).problem == "signature-invalid")
            #expect(try client.ask("PUT", "/upload", fields: fields, body: []).problem == "signature-invalid")
            let events = try server.events(4)
            #expect(events.map(\.bodyBytes) == [500_000, 500_000, 500_000, 0])
        }
    }

    @Test("A missing signature or one that does not cover the body is refused before the body is read")
    func refused() async throws {
        let body = [UInt8](repeating: 1, count: 1000)
        let begun = Counter()
        try await PolicyServer.run([Self.upload(begun: begun)]) { server in
            let session = server.session
            let digest = Self.contentDigest(body)
            let signed = session.fields("PUT", "/upload", .bodyAlone(body))
            for (fields, problem) in [
                ([], "token-missing"),
                ([session.bearer], "signature-missing"),
                ([session.bearer, digest], "signature-missing"),
                (session.fields("PUT", "/upload", .one) + [digest], "signature-missing"),
                (signed, "signature-malformed"),
                (signed + [("Content-Digest", "sha-512=:AAAA:")], "signature-malformed"),
                (signed + [Self.contentDigest([1])], "signature-invalid"),
                (session.fields("PUT", "/other", .bodyAlone(body)) + [digest], "signature-invalid"),
            ] as [([(String, String)], String)] {
                let client = try server.connect()
                let answer = try client.ask(
                    "PUT",
                    "/upload",
                    fields: fields + [("Content-Length", "1000"), ("Expect", "100-continue")]
                )
                #expect(answer.problem == problem)
                #expect(answer.status == 401)
            }
        }
        #expect(begun.value == 0)
    }

    @Test("An empty body needs no digest in version 1, and no body does where signatures are optional")
    func uncovered() async throws {
        try await PolicyServer.run([Self.upload()]) { server in
            let client = try server.connect()
            #expect(try client.ask("PUT", "/upload", fields: server.session.fields("PUT", "/upload", .one)).text == "0")
            let empty = server.session.fields("PUT", "/upload", .bodyAlone([]))
            #expect(try client.ask("PUT", "/upload", fields: empty).text == "0")
            #expect(try client.ask("PUT", "/upload", fields: empty, body: []).text == "0")
        }
        try await PolicyServer.run([Self.upload()], signatures: .optional) { server in
            let client = try server.connect()
            #expect(try client.ask("PUT", "/upload", fields: [server.session.bearer], body: [1]).text == "1")
            let fields = server.session.fields("PUT", "/upload", .one)
            #expect(try client.ask("PUT", "/upload", fields: fields, body: [1]).text == "1")
        }
    }

    @Test("A too large body gets 413, announced or not; an early end reaches the handler")
    func unfinished() async throws {
        let policy = EndpointPolicy(.anybody, body: .streamed(.bytes(Self.maxBytes)))
        try await PolicyServer.run([Self.upload(policy)]) { server in
            let announced = try server.connect()
            let fields = [("Content-Length", "\(Self.maxBytes + 1)"), ("Expect", "100-continue")]
            #expect(try announced.ask("PUT", "/upload", fields: fields).problem == "body-too-large")
            let chunked = try server.connect()
            try chunked.send("PUT", "/upload", fields: [("Transfer-Encoding", "chunked")])
            let chunk = Array("4000\r\n".utf8) + [UInt8](repeating: 1, count: 0x4000) + [13, 10]
            for _ in 0...(Self.maxBytes / 0x4000) { try chunked.send(chunk) }
            #expect(try chunked.readResponse().problem == "body-too-large")
            let broken = try server.connect()
            try broken.send("PUT", "/upload", fields: [("Content-Length", "10")])
            try broken.send([1, 2, 3])
            broken.socket.close()
            let event = try server.events(3)[2]
            #expect(event.status == 400)
            #expect(event.bodyBytes == 3)
        }
    }

    @Test("A compressed body is refused before it is read")
    func packed() async throws {
        let policy = EndpointPolicy(.anybody, body: .streamed(.bytes(Self.maxBytes)))
        let begun = Counter()
        try await PolicyServer.run([Self.upload(policy, begun: begun)]) { server in
            for coding in ["gzip", "identity, br"] {
                let client = try server.connect()
                let fields = [("Content-Encoding", coding), ("Content-Length", "3"), ("Expect", "100-continue")]
                let answer = try client.ask("PUT", "/upload", fields: fields)
                #expect(answer.status == 415 && answer.problem == "unsupported-content-coding")
                #expect(answer["Accept-Encoding"] == "identity")
            }
            #expect(begun.value == 0)
            let client = try server.connect()
            let plain = try client.ask("PUT", "/upload", fields: [("Content-Encoding", "identity")], body: [1])
            #expect(plain.text == "1")
        }
    }

    @Test("The time limit of a streamed body is the server's or a minimum rate")
    func time() async throws {
        var limits = ServerLimits()
        limits.requestTimeoutMs = 500
        for (time, status) in [(EndpointPolicy.TimeLimit.whole, 408), (Self.policy.time, 200)] {
            let policy = EndpointPolicy(.anybody, body: .streamed(.usual), time: time)
            try await PolicyServer.run([Self.upload(policy)], limits: limits) { server in
                let client = try server.connect()
                try client.send("PUT", "/upload", fields: [("Content-Length", "15")])
                for _ in 0..<15 where !client.socket.hasInput {
                    try? client.send([1])
                    pauseThread(ms: 100)
                }
                #expect(try client.readResponse().status == status)
            }
        }
    }

    /// Sends the first bytes back, and closes.
    private static func echoOnce(_ connection: HandedConnection) {
        var bytes: [UInt8] = []
        do {
            guard try connection.readNow(into: &bytes) != nil else {
                return connection.whenReadable { echoOnce(connection) }
            }
            _ = try connection.writeNow(bytes)
            connection.close()
        } catch {
            connection.reset()
        }
    }

    @Test("A handler may send interim answers first, and hand its connection over")
    func interimAndUpgrade() async throws {
        let routes: [RouteEntry] = [
            (
                .put, "/upload",
                Endpoint(EndpointPolicy(.anybody, body: .streamed(.usual))) { context in
                    try await context.request?.sendInterim(.uploadResumptionSupported, fields: [("Location", "/1")])
                    while try await context.stream?.next() != nil {}
                    return Response(.created)
                }
            ),
            (
                .get, "/echo",
                Endpoint(.anybody) { context in
                    let accepted = context.request?.upgrade(to: "echo") { Self.echoOnce($0) }
                    return accepted ?? Response(Status(code: 426))
                }
            ),
        ]
        try await PolicyServer.run(routes) { server in
            let client = try server.connect()
            try client.send("PUT", "/upload", body: [1])
            let interim = try client.readResponse()
            #expect(interim.status == 104)
            #expect(interim.fields.map(\.name) == ["Location"])
            #expect(try client.readResponse().status == 201)
            #expect(try client.ask("GET", "/echo").status == 426)
            try client.send("GET", "/echo", fields: [("Connection", "Upgrade"), ("Upgrade", "echo")])
            let switched = try client.readResponse()
            #expect(switched.status == 101)
            #expect(switched["Connection"] == "Upgrade")
            #expect(switched["X-Request-Id"] != nil)
            // The event follows the head of the answer, not the end of the connection.
            #expect(try server.events(3).map(\.status) == [201, 426, 101])
            try client.send("hi")
            #expect(try client.readToEnd() == Array("hi".utf8))
        }
    }

    @Test("An answer shorter than its declared length is logged as cut off")
    func wrongLength() async throws {
        let route: RouteEntry = (
            .get, "/short",
            Endpoint(.anybody) { _ in
                Response(.ok, content: .stream(keepingBytes: 0, length: 10) { try await $0.write([1, 2, 3]) })
            }
        )
        try await PolicyServer.run([route]) { server in
            let client = try server.connect()
            try client.send("GET", "/short")
            #expect(try client.readToEnd().suffix(3) == [1, 2, 3])
            let event = try server.events(1)[0]
            #expect(event == .init(status: 200, bytes: 10, bodyBytes: 0, isCutOff: true, failure: "tooShort"))
        }
    }
}
