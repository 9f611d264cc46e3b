import HTTP
import Net
import TestSupport
import Testing

@Suite("Streamed request bodies", .timeLimit(.minutes(Patience.minutes(1))))
struct BodyStreamTests {
    private static let anyTime = MinimumRate(bytesPerSecond: 1)

    @Test("A streamed body arrives byte for byte, with a length and in chunks", arguments: [false, true])
    func whole(isSecure: Bool) async throws {
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(tls: tls, handler: StreamingHandler.reading(Self.anyTime)) { port in
            let client = RawHTTP(isSecure ? try TLSSocket(port: port) : try RawSocket(port: port))
            for size in [0, 1, 65_536, 3_000_000] {
                try client.send("PUT", "/", fields: [("Content-Length", "\(size)")])
                try client.sendPattern(size)
                #expect(try client.readResponse().text == "\(size)")
            }
            try client.send("PUT", "/", fields: [("Transfer-Encoding", "chunked")])
            var sent = 0
            for size in [1, 2, 65_000, 16_384, 1, 300] {
                let bytes = BytePattern.bytes(from: sent, size)
                sent += size
                try client.send(Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [13, 10])
            }
            try client.send("0\r\n\r\n")
            #expect(try client.readResponse().text == "\(sent)")
        }
    }

    @Test("A handler that stops reading stops its sender, delays no other request, and can resume")
    func backPressure() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            if request.head.path != "/upload" { return await RunningServer.answer(request) }
            request.limitByRate(Self.anyTime)
            return await StreamingHandler.read(request) { await gate.wait() }
        }
        let totalBytes = 128 << 20
        try await RunningServer.with(handler: handler) { running in
            let port = running.port
            let client = try RawSocket(port: port, limitMs: 500)
            let taken = try await onThread {
                try client.send("PUT /upload HTTP/1.1\r\nHost: h\r\nContent-Length: \(totalBytes)\r\n\r\n")
                return try client.sendPattern(from: 0, to: totalBytes)
            }
            #expect(gate.hasArrived)
            // The kernel's buffers hold these bytes; the server itself has one piece.
            #expect(taken < 32 << 20)
            #expect(await running.total(\.inputBytes) <= 128 << 10)
            let other = try await onThread { try RawHTTP(port: port).ask("GET", "/other") }
            #expect(other.text == "GET /other")
            gate.open()
            try await onThread {
                var sent = taken
                try Deadline.wait("the rest to be taken", seconds: 30) {
                    sent = try client.sendPattern(from: sent, to: totalBytes)
                    return sent == totalBytes
                }
                try Deadline.wait("the answer", seconds: 30) { client.hasInput }
                #expect(try RawHTTP(client).readResponse().text == "\(totalBytes)")
            }
        }
    }

    @Test("A body that its client broke off is distinguished from a complete one", arguments: [false, true])
    func cutOff(isChunked: Bool) async throws {
        let (whole, broken) = (Counter(), Counter())
        let handler: Server.Handler = { request in
            if request.head.path == "/quick" { return Response(.ok) }
            request.limitByRate(Self.anyTime)
            let response = await StreamingHandler.read(request)
            (response.status == .ok ? whole : broken).add()
            return response
        }
        try await RunningServer.with(handler: handler) { running in
            let port = running.port
            try await onThread {
                let framing =
                    isChunked ? "Transfer-Encoding: chunked\r\n\r\nfffff\r\n" : "Content-Length: 1000000\r\n\r\n"
                for end in [RawSocket.close, RawSocket.reset, RawSocket.finishSending] {
                    let client = try RawSocket(port: port)
                    try client.send("PUT / HTTP/1.1\r\nHost: h\r\n" + framing)
                    _ = try client.sendPattern(from: 0, to: 500_000)
                    end(client)()
                    #expect(try RawHTTP(port: port).ask("GET", "/quick").status == 200)
                }
            }
            try await eventually { broken.value == 3 }
            #expect(whole.value == 0)
        }
    }

    @Test("A too large body gets 413, before it is read when announced, else during its chunks")
    func tooLarge() async throws {
        let handler = StreamingHandler.reading(Self.anyTime, maxBytes: 100_000)
        try await RunningServer.run(handler: handler) { port in
            let client = try RawHTTP(port: port)
            try client.send("PUT", "/", fields: [("Content-Length", "100000")])
            try client.sendPattern(100_000)
            #expect(try client.readResponse().text == "100000")
            let expectation = [("Content-Length", "100001"), ("Expect", "100-continue")]
            let announced = try client.ask("PUT", "/", fields: expectation)
            #expect(announced.status == 413)
            #expect(announced["Connection"] == "close")
            let chunked = try RawHTTP(port: port)
            try chunked.send("PUT", "/", fields: [("Transfer-Encoding", "chunked")])
            for number in 0..<4 {
                let bytes = BytePattern.bytes(from: number * 30_000, 30_000)
                try chunked.send(Array("7530\r\n".utf8) + bytes + [13, 10])
            }
            #expect(try chunked.readResponse().status == 413)
            #expect(try chunked.readToEnd().isEmpty)
        }
    }

    @Test("100 Continue is sent when the handler reads the body")
    func expectContinue() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            await gate.wait()
            return await StreamingHandler.read(request)
        }
        try await RunningServer.with(handler: handler) { running in
            let client = try RawSocket(port: running.port)
            try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            try await eventually { gate.hasArrived }
            #expect(!client.hasInput)
            gate.open()
            try await onThread {
                let http = RawHTTP(client)
                #expect(try http.readResponse().status == 100)
                try http.sendPattern(3)
                #expect(try http.readResponse().text == "3")
            }
        }
    }

    @Test("A short unread body is skipped for the next request, and a long one ends the connection")
    func earlyAnswer() async throws {
        let handler: Server.Handler = { request in
            request.limitByRate(Self.anyTime)
            _ = try? await request.body.next()
            return Response(.ok)
        }
        try await RunningServer.run(handler: handler) { port in
            let client = try RawHTTP(port: port)
            try client.send("PUT", "/", fields: [("Content-Length", "60000")])
            try client.sendPattern(60_000)
            #expect(try client.readResponse()["Connection"] == nil)
            try client.send("PUT", "/", fields: [("Content-Length", "3000000")])
            try client.sendPattern(3_000_000)
            #expect(try client.readResponse()["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("Each stream reserves a piece of the body memory, and gets 503 without room")
    func budget() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            request.limitByRate(Self.anyTime)
            return await StreamingHandler.read(request) { await gate.wait() }
        }
        var limits = ServerLimits()
        limits.buffersMaxBytes = 100_000
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let port = running.port
            @Sendable func begin(_ size: Int, source: UInt8) throws -> RawHTTP {
                let client = try RawHTTP(port: port, source: source)
                try client.send("PUT", "/", fields: [("Content-Length", "\(size)")])
                try client.sendPattern(size)
                return client
            }
            let first = try await onThread { try begin(1000, source: 2).socket }
            try await eventually { await running.total(\.reservedBytes) == 1000 }
            let others = try await onThread { try [3, 4].map { try begin(200_000, source: $0).socket } }
            try await eventually { await running.total(\.reservedBytes) == 1000 + 2 * 80 << 10 }
            let refused = try await onThread { try begin(10, source: 5).readResponse() }
            #expect(refused.status == 503)
            gate.open()
            let answers = try await onThread {
                try ([first] + others).map { try RawHTTP($0).readResponse() } + [begin(10, source: 5).readResponse()]
            }
            #expect(answers.map(\.text) == ["1000", "200000", "200000", "10"])
            try await eventually { await running.total(\.reservedBytes) == 0 }
        }
    }

    @Test("A body in transit is cut off at the end of the drain, and its handler gets an error")
    func drained() async throws {
        let broken = Counter()
        let handler: Server.Handler = { request in
            request.limitByRate(Self.anyTime)
            let response = await StreamingHandler.read(request)
            if response.status == .badRequest { broken.add() }
            return response
        }
        try await RunningServer.with(handler: handler) { running in
            let client = try RawSocket(port: running.port)
            try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n")
            _ = try client.sendPattern(from: 0, to: 500)
            try await eventually { await running.total(\.idle) == 0 }
            #expect(await running.server.drain(timeoutMs: 300) == 1)
            try await eventually { broken.value == 1 }
            let rest = try await onThread { try client.receiveAll() }
            #expect(rest.isEmpty)
        }
    }
}
