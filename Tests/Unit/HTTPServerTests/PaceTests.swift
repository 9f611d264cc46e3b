import HTTP
import Net
import TestSupport
import Testing

@Suite("Requests limited by a rate", .timeLimit(.minutes(Patience.minutes(1))))
struct PaceTests {
    private static let rate = MinimumRate(bytesPerSecond: 20_000, graceMs: 2000)

    /// Limits that are shorter than all requests of this suite.
    private static func limits() -> ServerLimits {
        var limits = ServerLimits()
        limits.requestTimeoutMs = 1000
        limits.bodyTimeoutMs = 1000
        limits.transferTimeoutMs = 1000
        return limits
    }

    @Test("A body at the rate may exceed a request's time limit; a slower one gets 408 after the grace")
    func bodies() async throws {
        let handler = StreamingHandler.reading(Self.rate)
        try await RunningServer.with(limits: Self.limits(), handler: handler) { running in
            let port = running.port
            try await onThread {
                let client = try RawSocket(port: port, limitMs: Patience.ms(30000))
                let startMs = Monotonic.nowMs()
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 600000\r\n\r\n")
                for piece in 0..<60 {
                    _ = try client.sendPattern(from: piece * 10_000, to: (piece + 1) * 10_000)
                    pauseThread(ms: 40)
                }
                #expect(try RawHTTP(client).readResponse().text == "600000")
                #expect(Monotonic.nowMs() - startMs > 2000)
            }
            try await onThread {
                let client = try RawSocket(port: port, limitMs: Patience.ms(30000))
                let startMs = Monotonic.nowMs()
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 600000\r\n\r\n")
                var sent = 0
                // A quarter of the rate: the delay is as long as the grace after 2.7 s.
                while !client.hasInput, sent < 600_000 {
                    sent = (try? client.sendPattern(from: sent, to: sent + 250)) ?? sent
                    pauseThread(ms: 50)
                }
                #expect(try RawHTTP(client).readResponse().status == 408)
                #expect(Monotonic.nowMs() - startMs >= 2000)
                #expect(try RawHTTP(port: port).ask("GET", "/").status == 200)
            }
            #expect(await running.total(\.bodyTimeouts) == 1)
        }
    }

    @Test("A body without a rate gets 408 at a request's time limit")
    func bounded() async throws {
        try await RunningServer.run(limits: Self.limits(), handler: StreamingHandler.reading()) { port in
            let client = try RawSocket(port: port)
            try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 600000\r\n\r\n")
            var sent = 0
            while !client.hasInput, sent < 600_000 {
                sent = (try? client.sendPattern(from: sent, to: sent + 10_000)) ?? sent
                pauseThread(ms: 40)
            }
            #expect(try RawHTTP(client).readResponse().status == 408)
        }
    }

    @Test("A handler's pauses between pieces do not count against its client")
    func slowHandler() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            request.limitByRate(MinimumRate(bytesPerSecond: 1000, graceMs: 1000))
            return await StreamingHandler.read(request) { await gate.wait() }
        }
        try await RunningServer.with(handler: handler) { running in
            let client = try RawSocket(port: running.port)
            try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 200\r\n\r\n")
            _ = try client.sendPattern(from: 0, to: 100)
            try await eventually { gate.hasArrived }
            try await onThread {
                pauseThread(ms: 1500)
                gate.open()
                // The handler now waits for its client again.
                pauseThread(ms: 100)
                _ = try client.sendPattern(from: 100, to: 150)
                pauseThread(ms: 100)
                _ = try client.sendPattern(from: 150, to: 200)
                #expect(try RawHTTP(client).readResponse().text == "200")
            }
        }
    }

    @Test("A handler that is idle for a request's time limit gets 503 sent for it")
    func stuckHandler() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            request.limitByRate(Self.rate)
            return await StreamingHandler.read(request) { await gate.wait() }
        }
        try await RunningServer.with(limits: Self.limits(), handler: handler) { running in
            let port = running.port
            try await onThread {
                let client = try RawHTTP(port: port)
                try client.send("PUT", "/", fields: [("Content-Length", "100")])
                try client.sendPattern(50)
                #expect(try client.readResponse().text == "unanswered")
            }
            gate.open()
        }
    }

    @Test("An answer taken at the rate may exceed a request's time limit", arguments: [false, true])
    func answers(isSecure: Bool) async throws {
        let size = 24 << 20
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(limits: Self.limits(), tls: tls, handler: Self.download(size)) { port in
            let raw = try RawSocket(port: port, limitMs: Patience.ms(30000), receiveBufferBytes: 65_536)
            let client: any ByteStream
            if isSecure {
                let secure = try TLSSocket(raw)
                try secure.shakeHands()
                client = secure
            } else {
                client = raw
            }
            let startMs = Monotonic.nowMs()
            try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            var received = 0
            while case let piece = try client.receive(maxBytes: 256 << 10), !piece.isEmpty {
                received += piece.count
                // The client is never as slow as the rate, regardless of a piece's size.
                if Monotonic.nowMs() - startMs < 3000 { pauseThread(ms: 20) }
            }
            #expect(received > size)
            #expect(Monotonic.nowMs() - startMs > 2000)
        }
    }

    @Test("A client that takes its answer below the rate is cut off after the grace")
    func slowReader() async throws {
        try await RunningServer.with(limits: Self.limits(), handler: Self.download(64 << 20)) { running in
            let port = running.port
            let client = try RawSocket(port: port, limitMs: Patience.ms(30000), receiveBufferBytes: 65_536)
            let startMs = Monotonic.nowMs()
            try await onThread {
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                // Small reads now and then move no deadline.
                try Deadline.wait("the end", seconds: 30) {
                    if !client.isBroken { _ = try client.receive(maxBytes: 10) }
                    return client.isBroken
                }
            }
            #expect(Monotonic.nowMs() - startMs >= 2000)
            #expect(await running.total(\.writeTimeouts) == 1)
        }
    }

    @Test("An answer whose source is idle for a request's time limit is cut off")
    func stuckSource() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            request.limitByRate(Self.rate)
            return gate.answerKeeping(0, then: 0)
        }
        try await RunningServer.with(limits: Self.limits(), handler: handler) { running in
            let port = running.port
            let text = try await onThread {
                let client = try RawHTTP(port: port)
                try client.send("GET", "/")
                return String(decoding: (try? client.readToEnd()) ?? [], as: UTF8.self)
            }
            #expect(!text.hasSuffix("0\r\n\r\n"))
            #expect(await running.total(\.requestTimeouts) == 1)
            gate.open()
        }
    }

    private static func download(_ size: Int) -> Server.Handler {
        { request in
            request.limitByRate(rate)
            return Response(
                .ok,
                content: .stream(keepingBytes: 0, length: size) { try await StreamingHandler.write(size, to: $0) }
            )
        }
    }
}
