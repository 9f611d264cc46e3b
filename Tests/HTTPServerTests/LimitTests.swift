import HTTP
import Net
import Synchronization
import TestSupport
import Testing

@Suite("Limits and timeouts of the server", .timeLimit(.minutes(Patience.minutes(1))))
struct LimitTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test("A connection without a request is closed after the idle limit, between requests too")
    func idle() async throws {
        try await RunningServer.run(limits: Self.limits { $0.idleTimeoutMs = 150 }) { port in
            let client = try RawHTTP(port: port)
            let fresh = try RawHTTP(port: port)
            let startMs = Monotonic.nowMs()
            _ = try client.ask("GET", "/a")
            #expect(try client.readToEnd().isEmpty)
            #expect((150..<10000).contains(Monotonic.nowMs() - startMs))
            #expect(try fresh.readToEnd().isEmpty)
        }
    }

    @Test("A head must be complete in time, however it drips")
    func slowHead() async throws {
        try await RunningServer.run(limits: Self.limits { $0.headerTimeoutMs = 200 }) { port in
            let client = try RawHTTP(port: port)
            let startMs = Monotonic.nowMs()
            // Bytes that keep coming don't move the deadline.
            while Monotonic.nowMs() < startMs + 5000, (try? client.send("G")) != nil { pauseThread(ms: 10) }
            #expect((190..<10000).contains(Monotonic.nowMs() - startMs))
        }
    }

    @Test("A body that comes too slowly is given up")
    func slowBody() async throws {
        let limits = Self.limits {
            $0.headerTimeoutMs = 150
            $0.bodyMinBytesPerSecond = 1000
        }
        try await RunningServer.run(limits: limits) { port in
            let client = try RawHTTP(port: port)
            let startMs = Monotonic.nowMs()
            try client.send("POST", "/echo", fields: [("Content-Length", "100000")])
            // 200 bytes earn 200 ms more.
            try client.send([UInt8](repeating: 1, count: 200))
            #expect(try client.readResponse().status == 408)
            #expect((300..<10000).contains(Monotonic.nowMs() - startMs))
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A client that does not read its answer is given up")
    func stuckReader() async throws {
        try await RunningServer.run(limits: Self.limits { $0.transferTimeoutMs = 200 }) { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            try client.send("GET /large/30000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            // Making so large an answer takes its time, too: the pause begins when it is on its way.
            _ = try client.receive(exactly: 1)
            pauseThread(ms: 1000)
            // The rest of the answer never comes.
            let received = (try? client.receive(exactly: 30_000_000).count) ?? 0
            #expect(received < 30_000_000)
        }
    }

    @Test("A client that reads slowly gets a large answer whole, though it takes longer than a piece of it may")
    func slowReader() async throws {
        try await RunningServer.run(limits: Self.limits { $0.transferTimeoutMs = 1000 }) { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            try client.send("GET /large/30000000 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            var received = 0
            for _ in 0..<100 {
                received += try client.receive(exactly: 256 << 10).count
                pauseThread(ms: 20)
            }
            received += try client.receiveAll().count
            #expect(received > 30_000_000)
        }
    }

    @Test("One connection too many gets 503 and the end; there is room again when another goes")
    func connectionsMax() async throws {
        try await RunningServer.run(limits: Self.limits { $0.connectionsMax = 2 }) { port in
            let first = try RawHTTP(port: port)
            let second = try RawHTTP(port: port)
            _ = try first.ask("GET", "/1")
            _ = try second.ask("GET", "/2")
            let third = try RawHTTP(port: port)
            let answer = try third.readResponse()
            #expect(answer.status == 503)
            #expect(answer["Retry-After"] == "5")
            #expect(answer["Connection"] == "close")
            #expect(try third.readToEnd().isEmpty)
            first.socket.close()
            let deadlineMs = Monotonic.nowMs() + UInt64(5000 * Patience.factor)
            while try RawHTTP(port: port).ask("GET", "/4").status != 200 { #expect(Monotonic.nowMs() < deadlineMs) }
        }
    }
}
