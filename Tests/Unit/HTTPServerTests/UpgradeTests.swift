import HTTP
import Net
import TestSupport
import Testing

@Suite("Connections handed over after an upgrade", .timeLimit(.minutes(Patience.minutes(1))))
struct UpgradeTests {
    private static let offer = "GET /echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"

    private static let handler = handing { EchoOwner($0).run() }

    /// Hands connections over, and answers other requests with 426.
    private static func handing(_ take: @escaping @Sendable (HandedConnection) -> Void) -> Server.Handler {
        { request in
            request.upgrade(to: "echo", fields: [("X-Accepted", "1")], take)
                ?? Response(Status(code: 426), fields: [("Upgrade", "echo")])
        }
    }

    private static func connect(_ port: UInt16, isSecure: Bool) throws -> any ByteStream {
        isSecure ? try TLSSocket(port: port) : try RawSocket(port: port)
    }

    @Test(
        "The owner of an upgraded connection gets every byte after the 101, also those sent with the head",
        arguments: [false, true]
    )
    func echo(isSecure: Bool) async throws {
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(tls: tls, handler: Self.handler) { port in
            let socket = try Self.connect(port, isSecure: isSecure)
            try socket.send(Self.offer + "GET / HTTP/1.1 is no request here\r\n\r\n")
            let head = try Self.readHead(socket)
            #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            for field in ["Upgrade: echo", "Connection: Upgrade", "X-Accepted: 1"] {
                #expect(head.contains(field + "\r\n"))
            }
            #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
            let first = try socket.receive(exactly: 37)
            #expect(String(decoding: first, as: UTF8.self) == "GET / HTTP/1.1 is no request here\r\n\r\n")
            for number in 0..<20 {
                let bytes = BytePattern.bytes(from: number * 50_000, 50_000)
                try socket.send(bytes)
                #expect(try socket.receive(exactly: 50_000) == bytes)
            }
            socket.finishSending()
            #expect(try socket.receiveAll().isEmpty)
        }
    }

    private static func readHead(_ socket: any ByteStream) throws -> String {
        var text = ""
        while !text.hasSuffix("\r\n\r\n") {
            let byte = try socket.receive(exactly: 1)
            guard !byte.isEmpty else { throw TestSupportError("the connection ended after \(text)") }
            text += String(decoding: byte, as: UTF8.self)
        }
        return text
    }

    @Test(
        "A request without a fitting offer is not handed over, and its connection goes on",
        arguments: [
            "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
            "GET /echo HTTP/1.0\r\nConnection: Upgrade, keep-alive\r\nUpgrade: echo\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n",
            "GET /echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\nContent-Length: 2\r\n\r\nab",
        ]
    )
    func refused(request: String) async throws {
        try await RunningServer.run(handler: Self.handler) { port in
            let client = try RawHTTP(port: port)
            for _ in 0..<2 {
                try client.send(request)
                #expect(try client.readResponse().status == 426)
            }
        }
    }

    @Test("A request with Content-Length 0 can be upgraded")
    func noContent() async throws {
        try await RunningServer.run(handler: Self.handler) { port in
            let socket = try RawSocket(port: port)
            try socket.send(Self.offer.dropLast() + "Content-Length: 0\r\n\r\nab")
            #expect(try Self.readHead(socket).hasPrefix("HTTP/1.1 101 "))
            #expect(try socket.receive(exactly: 2) == Array("ab".utf8))
        }
    }

    @Test("An upgraded connection outlives the limits of requests, and counts until its end")
    func counted() async throws {
        var limits = ServerLimits()
        limits.connectionsMax = 1
        (limits.requestTimeoutMs, limits.idleTimeoutMs, limits.headerTimeoutMs) = (200, 200, 200)
        try await RunningServer.run(limits: limits, handler: Self.handler) { port in
            let socket = try RawSocket(port: port)
            try socket.send(Self.offer)
            #expect(try Self.readHead(socket).hasPrefix("HTTP/1.1 101 "))
            pauseThread(ms: 800)
            #expect(try RawHTTP(port: port).readResponse().status == 503)
            try socket.send("still")
            #expect(try socket.receive(exactly: 5) == Array("still".utf8))
            socket.close()
            try Deadline.wait("room", seconds: 30) {
                (try? RawHTTP(port: port).ask("GET", "/echo").status) == 426
            }
        }
    }

    @Test("A stopping server waits for an upgraded connection", arguments: [false, true])
    func drained(isSecure: Bool) async throws {
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.with(tls: tls, handler: Self.handler) { running in
            let port = running.port
            let socket = try await onThread { try Self.upgraded(port, isSecure: isSecure) }
            let drain = Task { await running.server.drain(timeoutMs: 60_000) }
            try await onThread {
                try RawSocket.awaitClosed(port: port)
                try socket.send("on")
                #expect(try socket.receive(exactly: 2) == Array("on".utf8))
                socket.finishSending()
            }
            #expect(await drain.value == 0)
        }
    }

    @Test("An upgraded connection is cut off at the end of the drain", arguments: [false, true])
    func cutOff(isSecure: Bool) async throws {
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.with(tls: tls, handler: Self.handler) { running in
            let port = running.port
            let socket = try await onThread { try Self.upgraded(port, isSecure: isSecure) }
            let startMs = Monotonic.nowMs()
            #expect(await running.server.drain(timeoutMs: 300) == 1)
            #expect(Monotonic.nowMs() - startMs >= 300)
            // Over TLS, an end without an announcement is a truncation.
            let rest = try await onThread { (try? socket.receiveAll()) ?? [] }
            #expect(rest.isEmpty)
            try await eventually { await running.total(\.open) == 0 }
        }
    }

    private static func upgraded(_ port: UInt16, isSecure: Bool) throws -> any ByteStream {
        let socket = try connect(port, isSecure: isSecure)
        try socket.send(offer)
        _ = try readHead(socket)
        return socket
    }

    @Test(
        "An upgraded connection that is closed at once gets its bytes to the client, though it has not read all",
        arguments: [false, true]
    )
    func ended(isSecure: Bool) async throws {
        let handler = Self.handing { connection in
            _ = try? connection.writeNow(Array("bye".utf8))
            connection.close()
        }
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(tls: tls, handler: handler) { port in
            let socket = try Self.connect(port, isSecure: isSecure)
            // The owner never reads these bytes. They must not reset the connection before the client has read the
            // answer.
            try socket.send(Self.offer + String(repeating: "x", count: 100_000))
            #expect(try Self.readHead(socket).hasPrefix("HTTP/1.1 101 "))
            socket.finishSending()
            #expect(try socket.receiveAll() == Array("bye".utf8))
        }
    }

    @Test(
        "An upgraded connection writes the rest when a slow client reads on, and others are served meanwhile",
        arguments: [false, true]
    )
    func slowReader(isSecure: Bool) async throws {
        let byteCount = 8_000_000
        let waits = Counter()
        let handler = Self.handing { connection in
            PatternOwner(connection, byteCount: byteCount) { waits.add() }.run()
        }
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(tls: tls, handler: handler) { port in
            let raw = try RawSocket(port: port, limitMs: Patience.ms(30_000), receiveBufferBytes: 65_536)
            let secure = isSecure ? try TLSSocket(raw) : nil
            try secure?.shakeHands()
            let socket: any ByteStream = if let secure { secure } else { raw }
            try socket.send(Self.offer)
            _ = try Self.readHead(socket)
            try Deadline.wait("a full connection", seconds: 30) { waits.value > 0 }
            let other = RawHTTP(try Self.connect(port, isSecure: isSecure))
            #expect(try other.ask("GET", "/echo").status == 426)
            let received = try socket.receiveAll()
            #expect(received.count == byteCount && BytePattern.matches(received, at: 0))
        }
    }

    @Test("An upgraded connection that nobody refers to is closed")
    func dropped() async throws {
        try await RunningServer.with(handler: Self.handing { _ in }) { running in
            let port = running.port
            try await onThread {
                let socket = try Self.upgraded(port, isSecure: false)
                socket.finishSending()
                let rest = try socket.receiveAll()
                #expect(rest.isEmpty)
            }
            try await eventually { await running.total(\.open) == 0 }
        }
    }

    @Test("A reset of an upgraded connection drops what its client has not read")
    func reset() async throws {
        let resets = Counter()
        let handler = Self.handing { connection in
            PatternOwner(connection, byteCount: 8_000_000) {
                connection.reset()
                resets.add()
            }
            .run()
        }
        try await RunningServer.with(handler: handler) { running in
            let port = running.port
            try await onThread {
                let socket = try Self.upgraded(port, isSecure: false)
                try Deadline.wait("a reset", seconds: 30) { resets.value > 0 }
                #expect(throws: RawSocketError.self) { try socket.receiveAll() }
            }
            try await eventually { await running.total(\.open) == 0 }
        }
    }

    @Test("The bytes of an upgraded connection count in its client's share of memory, until its end at the latest")
    func reserved() async throws {
        var limits = ServerLimits()
        limits.buffersMaxBytes = 100_000
        let taken = Locked<[Bool]>([])
        let handler = Self.handing { connection in
            let results = [30_000, 30_000, 50_000].map { connection.reserve($0) }
            if results.allSatisfy({ $0 }) { connection.release(20_000) }
            taken.withLock { $0 += results }
            EchoOwner(connection).run()
        }
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let port = running.port
            let socket = try await onThread { try Self.upgraded(port, isSecure: false) }
            // The last quarter is for others, unless the whole share of a holder is one connection's.
            try await eventually { taken.withLock { $0.count } == 3 }
            #expect(taken.withLock { $0 } == [true, true, true])
            #expect(await running.total(\.reservedBytes) == 90_000)
            let second = try await onThread { try Self.upgraded(port, isSecure: false) }
            try await eventually { taken.withLock { $0.count } == 6 }
            #expect(taken.withLock { $0 }.suffix(3) == [false, false, false])
            for socket in [socket, second] { socket.finishSending() }
            try await eventually { await running.total(\.reservedBytes) == 0 }
        }
    }
}
