import HTTP
import Net
import TestSupport
import Testing

@Suite("Places for connections", .timeLimit(.minutes(Patience.minutes(1))))
struct PlaceTests {
    private static func limits(_ max: Int, _ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        var limits = ServerLimits()
        limits.connectionsMax = max
        // On a busy machine nothing else may close a connection.
        (limits.idleTimeoutMs, limits.headerTimeoutMs) = (600_000, 600_000)
        limits.placeWaitMs = UInt64(Patience.ms(30_000))
        change(&limits)
        return limits
    }

    /// Connections of 127.0.0.`source` after a request each, the longest idle one first.
    private static func idle(_ count: Int, _ port: UInt16, source: UInt8) throws -> [any ByteStream] {
        try (0..<count).map { _ in
            let client = try RawHTTP(port: port, source: source)
            #expect(try client.ask("GET", "/").status == 200)
            // Times are compared by the millisecond.
            pauseThread(ms: 10)
            return client.socket
        }
    }

    private static func isClosed(_ socket: any ByteStream) throws -> Bool {
        guard socket.hasInput else { return false }
        return try socket.receiveAll().isEmpty
    }

    @Test("A new connection takes the place of the longest idle one of the largest holder", arguments: [1, 3])
    func takes(loops: Int) async throws {
        try await RunningServer.with(loops: loops, limits: Self.limits(7)) { running in
            let port = running.port
            try await onThread {
                let small = try running.spread(2) { try Self.idle(1, port, source: 3)[0] }
                let large = try running.spread(5) { try Self.idle(1, port, source: 2)[0] }
                // Its age does not count.
                #expect(try RawHTTP(large[0]).ask("GET", "/").status == 200)
                var newcomers: [any ByteStream] = []
                for number in 1...3 {
                    newcomers += try Self.idle(1, port, source: UInt8(10 + number))
                    #expect(try large.map(Self.isClosed) == (0..<5).map { (1...number).contains($0) })
                }
                #expect(try (small + newcomers).map(Self.isClosed) == Array(repeating: false, count: 5))
            }
            #expect(await running.total(\.idleEvicted) == 3)
            #expect(await running.total(\.refusedByTotal) == 0)
        }
    }

    @Test("Each new client is served while one address had all places")
    func newcomers() async throws {
        try await RunningServer.with(loops: 2, limits: Self.limits(40)) { running in
            let port = running.port
            try await onThread {
                let held = try Self.idle(40, port, source: 2)
                let newcomers = try (0..<20).flatMap { try Self.idle(1, port, source: UInt8(10 + $0)) }
                #expect(try newcomers.map(Self.isClosed) == Array(repeating: false, count: 20))
                #expect(try held.filter(Self.isClosed).count == 20)
                // The large holder's own new connections take the places of its own.
                let own = try Self.idle(1, port, source: 2)
                #expect(try newcomers.map(Self.isClosed) == Array(repeating: false, count: 20))
                withExtendedLifetime(own) {}
            }
        }
    }

    @Test("While all waits for a place are taken, a new client takes that of the largest holder")
    func waits() async throws {
        let max = ServerLimits.waitingMax
        try await RunningServer.with(loops: 2, limits: Self.limits(max + 1)) { running in
            let port = running.port
            try await onThread {
                let held = try running.spread(max + 1) { try Self.idle(1, port, source: 2)[0] }
                // Each wait asks this loop for its longest idle connection.
                let hold = LoopHold(running.loops[1])
                hold.await()
                defer { hold.release() }
                let sources: [UInt8] = Array(repeating: 2, count: max) + [3]
                let clients = try sources.map { source in
                    let client = try RawHTTP(port: port, source: source)
                    try client.send("GET", "/")
                    return client
                }
                #expect(try clients[max - 1].readResponse().status == 503)
                hold.release()
                for client in clients.prefix(max - 1) + [clients[max]] {
                    #expect(try client.readResponse().status == 200)
                }
                withExtendedLifetime(held) {}
            }
            #expect(await running.total(\.refusedByTotal) == 1)
            #expect(await running.total(\.idleEvicted) == max)
        }
    }

    @Test("An idle connection gives way while a part of a TLS record is there, and not while a whole one is")
    func partOfRecord() async throws {
        try await RunningServer.run(limits: Self.limits(1), tls: RunningServer.endpoint()) { port in
            let held = try TLSSocket(RawSocket(port: port, source: 2))
            try held.shakeHands()
            #expect(try RawHTTP(held).ask("GET", "/").status == 200)
            try held.raw.send(Array(held.seal(Array("GET / HTTP/1.1\r\n".utf8)).prefix(6)))
            // The server reads it first.
            pauseThread(ms: 100)
            let newcomer = try TLSSocket(RawSocket(port: port, source: 3))
            try newcomer.shakeHands()
            #expect(try RawHTTP(newcomer).ask("GET", "/").status == 200)
            try newcomer.raw.send(newcomer.seal(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)))
            #expect(try RawHTTP(newcomer).readResponse().status == 200)
        }
    }

    @Test("No idle connection gives way to a holder with more connections")
    func smaller() async throws {
        let (gate, arrived) = (Gate(), Counter())
        let handler: Server.Handler = { request in
            arrived.add()
            return await gate.answer(request)
        }
        try await RunningServer.with(loops: 2, limits: Self.limits(3), handler: handler) { running in
            let port = running.port
            let (small, busy) = try await onThread {
                let small = try Self.idle(1, port, source: 3)[0]
                let busy = try (0..<2).map { _ in
                    let client = try RawHTTP(port: port, source: 2)
                    try client.send("GET", "/wait")
                    return client.socket
                }
                return (small, busy)
            }
            try await eventually { arrived.value == 3 }
            try await onThread {
                #expect(try RawHTTP(port: port, source: 2).readResponse().status == 503)
                #expect(try !Self.isClosed(small))
                let newcomer = try Self.idle(1, port, source: 4)
                #expect(try Self.isClosed(small) && !Self.isClosed(newcomer[0]))
                gate.open()
                for socket in busy { #expect(try RawHTTP(socket).readResponse().status == 200) }
            }
            #expect(await running.total(\.refusedByTotal) == 1)
        }
    }

    @Test("Connections of a trusted proxy give way to nobody, and new ones take the places of clients")
    func proxies() async throws {
        let limits = Self.limits(3) { $0.trustedProxies = TrustedProxies("127.0.0.3") ?? TrustedProxies() }
        try await RunningServer.run(limits: limits) { port in
            let proxied = try Self.idle(2, port, source: 3)
            let direct = try Self.idle(1, port, source: 2)
            let next = try Self.idle(1, port, source: 3)
            #expect(try Self.isClosed(direct[0]))
            #expect(try RawHTTP(port: port, source: 2).readResponse().status == 503)
            #expect(try (proxied + next).map(Self.isClosed) == [false, false, false])
        }
    }

    @Test("A connection over the limit gets 503 and the end while requests are under way, and another end makes room")
    func full() async throws {
        let (gate, arrived) = (Gate(), Counter())
        let handler: Server.Handler = { request in
            arrived.add()
            return await gate.answer(request)
        }
        try await RunningServer.with(limits: Self.limits(2), handler: handler) { running in
            let port = running.port
            let busy = try await onThread {
                try (0..<2).map { _ in
                    let client = try RawHTTP(port: port)
                    try client.send("GET", "/wait")
                    return client.socket
                }
            }
            try await eventually { arrived.value == 2 }
            try await onThread {
                let third = try RawHTTP(port: port, source: 2)
                let answer = try third.readResponse()
                #expect(answer.status == 503)
                #expect(answer["Retry-After"] == "5")
                #expect(answer["Connection"] == "close")
                #expect(try third.readToEnd().isEmpty)
            }
            #expect(await running.total(\.refusedByTotal) == 1)
            gate.open()
            try await onThread {
                for socket in busy {
                    let answer = try RawHTTP(socket).readResponse()
                    #expect(answer.status == 200)
                    socket.close()
                }
                let next = try RawHTTP(port: port, source: 2).ask("GET", "/")
                #expect(next.status == 200)
            }
        }
    }
}
