import HTTP
import Net
import TestSupport
import Testing

@Suite("HTTP over TLS", .timeLimit(.minutes(Patience.minutes(1))))
struct TLSServerTests {
    private static func run(
        limits: ServerLimits = ServerLimits(),
        handshakeTimeoutMs: UInt64 = 30000,
        handler: @escaping Server.Handler = RunningServer.answer,
        client: @escaping @Sendable (UInt16) throws -> Void
    ) async throws {
        let endpoint = try RunningServer.endpoint(handshakeTimeoutMs: handshakeTimeoutMs)
        try await RunningServer.run(loops: 2, limits: limits, tls: endpoint, handler: handler, client: client)
    }

    @Test("Sequential requests and pipelined ones in shared records are answered in order")
    func pipelining() async throws {
        try await Self.run { port in
            let client = RawHTTP(try TLSSocket(port: port))
            #expect(try client.ask("GET", "/a").text == "GET /a")
            #expect(try client.ask("POST", "/echo", body: Array("body".utf8)).text == "body")
            let requests = (0..<500).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
            try client.send(requests.joined())
            for number in 0..<500 { #expect(try client.readResponse().text == "GET /\(number)") }
        }
    }

    @Test("A request split at every byte, in two records or two segments, is the same request")
    func splits() async throws {
        try await Self.run { port in
            let request = Array("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody".utf8)
            let client = RawHTTP(try TLSSocket(port: port))
            for boundary in 1..<request.count {
                try client.send(Array(request[..<boundary]))
                try client.send(Array(request[boundary...]))
                #expect(try client.readResponse().text == "body")
            }
        }
        try await Self.run { port in
            let request = Array("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody".utf8)
            let socket = try TLSSocket(port: port)
            let client = RawHTTP(socket)
            var boundary = 0
            while case let sealed = try socket.seal(request), boundary <= sealed.count {
                try socket.raw.send(Array(sealed[..<boundary]))
                try socket.raw.send(Array(sealed[boundary...]))
                #expect(try client.readResponse().text == "body")
                boundary += 1
            }
        }
    }

    @Test("Large bodies are sent and received over TLS")
    func large() async throws {
        try await Self.run { port in
            let client = RawHTTP(try TLSSocket(port: port))
            let body = [UInt8](repeating: 7, count: 1_000_000)
            #expect(try client.ask("POST", "/echo", body: body).body == body)
            #expect(try client.ask("GET", "/large/5000000").body.count == 5_000_000)
            #expect(try client.ask("GET", "/stream").body == streamedLetters)
        }
    }

    @Test("An answer that ends with the connection is complete only with close_notify")
    func untilClose() async throws {
        try await Self.run { port in
            let whole = try TLSSocket(port: port)
            try whole.send("GET /stream HTTP/1.0\r\n\r\n")
            #expect(try whole.receiveAll().suffix(streamedLetters.count) == streamedLetters[...])
            let broken = try TLSSocket(port: port)
            try broken.send("GET /broken HTTP/1.0\r\n\r\n")
            #expect(throws: TLSSocketError(reason: "truncated")) { try broken.receiveAll() }
        }
    }

    @Test("A request body that ends without close_notify is never taken for complete")
    func truncated() async throws {
        let bodies = Counter()
        try await Self.run { request in
            if (try? await request.body.collect(maxBytes: 1000)) != nil { bodies.add() }
            return Response(.ok)
        } client: { port in
            for head in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
                let client = try TLSSocket(port: port)
                try client.send("POST /echo HTTP/1.1\r\nHost: h\r\n\(head)\r\n\r\n5\r\nab")
                client.raw.finishSending()
                _ = try? client.receiveAll()
            }
        }
        #expect(bodies.value == 0)
    }

    @Test("Plain HTTP gets 400 in plain text and the end of the connection")
    func plainText() async throws {
        try await Self.run { port in
            let client = try RawHTTP(port: port)
            let answer = try client.ask("POST", "/echo", body: [UInt8](repeating: 1, count: 100_000))
            #expect(answer.status == 400)
            #expect(answer.text == "https")
            #expect(answer["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A client that never completes its handshake is closed in time, while others are served")
    func stall() async throws {
        // The limit for the first request is longer than the limit for the handshake.
        var limits = ServerLimits()
        limits.headerTimeoutMs = UInt64(Patience.ms(60_000))
        // The limit is longer than the other client's handshake.
        try await Self.run(limits: limits, handshakeTimeoutMs: UInt64(Patience.ms(3000))) { port in
            let silent = try RawSocket(port: port)
            let client = RawHTTP(try TLSSocket(port: port))
            #expect(try client.ask("GET", "/a").status == 200)
            #expect(try silent.receiveAll().isEmpty)
            #expect(try client.ask("GET", "/b").status == 200)
        }
    }

    @Test("A failed handshake is counted")
    func failedHandshake() async throws {
        try await RunningServer.with(tls: try RunningServer.endpoint()) { running in
            let port = running.port
            try await onThread {
                var options = TLSSocket.Options()
                options.isOld = true
                #expect(throws: TLSSocketError.self) { try TLSSocket(port: port, options) }
            }
            try await eventually { await running.total(\.insecure) == 1 }
        }
    }

    @Test("Idle connections, also those that give way to new ones, are closed with close_notify")
    func idle() async throws {
        var limits = ServerLimits()
        // The limit is longer than the second handshake.
        limits.idleTimeoutMs = UInt64(Patience.ms(3000))
        limits.connectionsMax = 1
        try await Self.run(limits: limits) { port in
            let first = try TLSSocket(port: port)
            #expect(try RawHTTP(first).ask("GET", "/a").status == 200)
            let second = RawHTTP(try TLSSocket(port: port))
            #expect(try second.ask("GET", "/b").status == 200)
            #expect(try first.receiveAll().isEmpty)
            try second.send("POST", "/echo", fields: [("Content-Length", "1")])
            #expect(try RawHTTP(TLSSocket(port: port)).readResponse().status == 503)
            try second.send([1])
            #expect(try second.readResponse().status == 200)
            #expect(try second.readToEnd().isEmpty)
        }
    }
}
