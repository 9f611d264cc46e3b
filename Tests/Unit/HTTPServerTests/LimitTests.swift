import Foundation
import HTTP
import Net
import TestSupport
import Testing

@Suite("Limits and timeouts of the server", .timeLimit(.minutes(Patience.minutes(1))))
struct LimitTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test("A connection without a request is closed after the idle limit, also between requests")
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

    @Test("A new connection without a request is closed after a head's time limit")
    func silent() async throws {
        try await RunningServer.run(limits: Self.limits { $0.headerTimeoutMs = 150 }) { port in
            let rest = try RawSocket(port: port).receiveAll()
            #expect(rest.isEmpty)
        }
    }

    @Test("A head that is not complete in time gets 408, also if it drips")
    func slowHead() async throws {
        try await RunningServer.run(limits: Self.limits { $0.headerTimeoutMs = 200 }) { port in
            let socket = try RawSocket(port: port, limitMs: 60000)
            let client = RawHTTP(socket)
            let startMs = Monotonic.nowMs()
            // Bytes in between don't move the deadline. After the answer at its end, the pipe breaks.
            Self.drip("GET /drip HTTP/1.1\r\nX: " + String(repeating: "x", count: 1000), to: socket, pauseMs: 10)
            let answer = try client.readResponse()
            #expect((190..<10000).contains(Monotonic.nowMs() - startMs))
            #expect(answer.status == 408)
            #expect(answer["Connection"] == "close")
        }
    }

    /// Sends byte by byte until the other side answers.
    private static func drip(_ text: String, to client: RawSocket, pauseMs: UInt32) {
        for byte in text.utf8 {
            guard !client.hasInput, (try? client.send([byte])) != nil else { return }
            pauseThread(ms: pauseMs)
        }
    }

    @Test("A body over its time limit gets 408, however fast it is")
    func longBody() async throws {
        let limits = Self.limits {
            $0.bodyTimeoutMs = 200
            $0.bodyMinBytesPerSecond = 1
        }
        try await RunningServer.run(limits: limits) { port in
            let socket = try RawSocket(port: port, limitMs: 60000)
            let client = RawHTTP(socket)
            let startMs = Monotonic.nowMs()
            try client.send("POST", "/echo", fields: [("Content-Length", "100000")])
            Self.drip(String(repeating: "x", count: 1000), to: socket, pauseMs: 10)
            #expect(try client.readResponse().status == 408)
            #expect((190..<10000).contains(Monotonic.nowMs() - startMs))
        }
    }

    @Test("A request over its time limit gets 408, also within those of head and body")
    func slowRequest() async throws {
        try await RunningServer.run(limits: Self.limits { $0.requestTimeoutMs = 200 }) { port in
            let head = try RawHTTP(port: port)
            try head.send("GET / HT")
            let body = try RawHTTP(port: port)
            try body.send("POST", "/echo", fields: [("Content-Length", "10")])
            #expect(try head.readResponse().status == 408)
            #expect(try body.readResponse().status == 408)
        }
    }

    @Test(
        "A request that its handler does not answer in time gets 503 and the end, also with HEAD",
        arguments: ["GET", "HEAD"]
    )
    func unanswered(method: String) async throws {
        let gate = Gate()
        try await RunningServer.with(
            limits: Self.limits { $0.requestTimeoutMs = 200 },
            handler: gate.answer
        ) { running in
            let port = running.port
            try await onThread {
                let client = try RawHTTP(port: port)
                let answer = try client.ask(method, "/wait")
                #expect(answer.status == 503)
                #expect(answer.text == (method == "HEAD" ? "" : "unanswered"))
                #expect(answer["Connection"] == "close")
                #expect(try client.readToEnd().isEmpty)
                // The server serves other clients, and drops the handler's late answer.
                #expect(try RawHTTP(port: port).ask("GET", "/other").status == 200)
            }
            gate.open()
            try await eventually { await running.server.statistics()[0].open == 0 }
            #expect(await running.server.statistics()[0].requestTimeouts == 1)
        }
    }

    @Test("An answer that is not complete in time is cut off")
    func slowAnswer() async throws {
        let endless: Server.Handler = { _ in
            Response(
                .ok,
                content: .stream(keepingBytes: 0) { stream in
                    while let loop = EventLoop.current {
                        try await stream.write([1])
                        await loop.sleep(forMs: 10)
                    }
                }
            )
        }
        try await RunningServer.run(limits: Self.limits { $0.requestTimeoutMs = 200 }, handler: endless) { port in
            let client = try RawSocket(port: port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = String(decoding: (try? client.receiveAll()) ?? [], as: UTF8.self)
            #expect(!answer.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("A body below the minimum rate gets 408")
    func slowBody() async throws {
        let limits = Self.limits {
            $0.headerTimeoutMs = 150
            $0.bodyMinBytesPerSecond = 1000
        }
        try await RunningServer.run(limits: limits) { port in
            let client = try RawHTTP(port: port)
            let startMs = Monotonic.nowMs()
            try client.send("POST", "/echo", fields: [("Content-Length", "100000")])
            // Bytes that arrive at once don't permit a pause.
            try client.send([UInt8](repeating: 1, count: 200))
            #expect(try client.readResponse().status == 408)
            #expect((150..<10000).contains(Monotonic.nowMs() - startMs))
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A client that does not read its answer is cut off")
    func stuckReader() async throws {
        try await RunningServer.run(limits: Self.limits { $0.transferTimeoutMs = 200 }) { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            try client.send("GET /large/30000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            // The server also needs time to make such a large answer. The pause begins after its first byte.
            _ = try client.receive(exactly: 1)
            pauseThread(ms: 1000)
            // The rest of the answer never arrives.
            let received = (try? client.receive(exactly: 30_000_000).count) ?? 0
            #expect(received < 30_000_000)
        }
    }

    @Test("A slow client gets a large answer whole, though it takes longer than one piece may")
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

    @Test("A client that reads single bytes is cut off like one that reads nothing")
    func drippingReader() async throws {
        try await RunningServer.with(limits: Self.limits { $0.transferTimeoutMs = 200 }) { running in
            let client = try RawSocket(port: running.port, receiveBufferBytes: 65536)
            try client.send("GET /large/30000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            // A byte every few milliseconds moves no deadline.
            try await eventually {
                _ = try client.receive(maxBytes: 1)
                return client.isBroken
            }
            try await eventually { await running.server.statistics()[0].writeTimeouts == 1 }
        }
    }

    @Test("A connection over an address's limit gets 429; other addresses and proxies have room")
    func connectionsPerAddress() async throws {
        let limits = Self.limits {
            $0.connectionsPerAddressMax = 2
            $0.trustedProxies = TrustedProxies("127.0.0.3") ?? TrustedProxies()
        }
        try await RunningServer.run(loops: 2, limits: limits) { port in
            let clients = try (0..<2).map { _ in try RawHTTP(port: port, source: 2) }
            for client in clients { _ = try client.ask("GET", "/") }
            let third = try RawHTTP(port: port, source: 2)
            let answer = try third.readResponse()
            #expect(answer.status == 429)
            #expect(answer["Retry-After"] == "5")
            #expect(try third.readToEnd().isEmpty)
            #expect(try RawHTTP(port: port).ask("GET", "/").status == 200)
            let proxied = try (0..<5).map { _ in try RawHTTP(port: port, source: 3) }
            for client in proxied { #expect(try client.ask("GET", "/").status == 200) }
            clients[0].socket.close()
            let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(5000))
            while try RawHTTP(port: port, source: 2).ask("GET", "/").status != 200 {
                try #require(Monotonic.nowMs() < deadlineMs)
            }
        }
    }

    @Test("At most the limit of pipelined requests is read during an answer")
    func pipelined() async throws {
        let gate = Gate()
        try await RunningServer.with(
            limits: Self.limits { $0.pipelineMaxBytes = 2000 },
            handler: gate.answer
        ) { running in
            let client = try RawSocket(port: running.port, limitMs: 30000)
            let more = String(repeating: "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n", count: 1000)
            try client.send(
                "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n\(more)GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            )
            try await eventually { gate.hasArrived }
            #expect(await running.server.statistics()[0].inputBytes <= 2000)
            gate.open()
            let answers = try await onThread { String(decoding: try client.receiveAll(), as: UTF8.self) }
            #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 1003)
            #expect(answers.hasSuffix("GET /last"))
        }
    }

    @Test("At most the limit of pipelined requests is read after a chunked body")
    func pipelinedBehindChunks() async throws {
        let gate = Gate()
        try await RunningServer.with(
            limits: Self.limits { $0.pipelineMaxBytes = 2000 },
            handler: gate.answerBody
        ) { running in
            let client = try RawSocket(port: running.port, limitMs: 30000)
            let more = String(repeating: "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n", count: 1000)
            // The head is sent alone first, because bytes that arrive with it count as pipelined anyway.
            try client.send("POST /wait HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await eventually { await running.server.statistics()[0].inputBytes == 0 }
            try client.send("1\r\na\r\n0\r\n\r\n\(more)GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            try await eventually { gate.hasArrived }
            #expect(await running.server.statistics()[0].inputBytes <= 2000)
            gate.open()
            let answers = try await onThread { String(decoding: try client.receiveAll(), as: UTF8.self) }
            #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 1003)
        }
    }

    @Test("Sequential requests leave no data on their connection", arguments: [100, 3000])
    func nothingPilesUp(fillingBytes: Int) async throws {
        try await RunningServer.with(limits: Self.limits { _ in }) { running in
            let port = running.port
            let filling = String(repeating: "f", count: fillingBytes)
            let socket = try await onThread {
                let client = try RawHTTP(port: port)
                for number in 0..<100 {
                    try client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\nX: \(filling)\r\n\r\n")
                    #expect(try client.readResponse().text == "GET /\(number)")
                    try client.send(
                        "POST /echo HTTP/1.1\r\nHost: h\r\nX: \(filling)\r\nContent-Length: 4\r\n\r\nbody"
                    )
                    #expect(try client.readResponse().text == "body")
                }
                return client.socket
            }
            #expect(await running.total(\.inputBytes) == 0)
            withExtendedLifetime(socket) {}
        }
    }

    @Test("A client that pipelines thousands of requests and reads nothing blocks only itself")
    func pipelinedUnread() async throws {
        try await RunningServer.with(limits: Self.limits { $0.transferTimeoutMs = 300 }) { running in
            let port = running.port
            let greedy = try await onThread {
                let greedy = try (0..<20).map { _ in try RawSocket(port: port, limitMs: 300, receiveBufferBytes: 4096) }
                let requests = String(repeating: "GET /large/2000 HTTP/1.1\r\nHost: h\r\n\r\n", count: 5000)
                for client in greedy { try? client.send(requests) }
                for _ in 0..<20 { #expect(try RawHTTP(port: port).ask("GET", "/quick").text == "GET /quick") }
                return greedy
            }
            try await eventually { await running.server.statistics()[0].writeTimeouts == 20 }
            for client in greedy { #expect(client.isBroken) }
        }
    }

    @Test("The statistics count open, idle and ended connections, and those that gave way")
    func statistics() async throws {
        let limits = Self.limits {
            $0.connectionsMax = 3
            $0.idleTimeoutMs = 60_000
        }
        try await RunningServer.with(loops: 2, limits: limits) { running in
            let port = running.port
            let clients = try await onThread {
                let clients = try (0..<3).map { _ in try RawHTTP(port: port) }
                for client in clients { _ = try client.ask("GET", "/") }
                let fourth = try RawHTTP(port: port)
                _ = try fourth.ask("GET", "/")
                return (clients + [fourth]).map(\.socket)
            }
            try await eventually { await running.total(\.idle) == 3 }
            #expect(await running.total(\.open) == 3)
            #expect(await running.total(\.accepted) == 4)
            #expect(await running.total(\.idleEvicted) == 1)
            try clients[3].send("\n")
            try await eventually { await running.total(\.malformed) == 1 }
            for client in clients { client.close() }
            try await eventually { await running.total(\.open) == 0 }
        }
    }
}
