import HTTP
import Net
import TestSupport
import Testing

@Suite("Shares of the memory for bodies", .timeLimit(.minutes(Patience.minutes(2))))
struct BufferShareTests {
    private static let poolBytes = 100_000

    private static func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        var limits = ServerLimits()
        limits.buffersMaxBytes = poolBytes
        change(&limits)
        return limits
    }

    /// Sends a body of this size without its last byte.
    private static func hold(_ bytes: Int, port: UInt16, source: UInt8) throws -> RawHTTP {
        let client = try RawHTTP(port: port, source: source)
        try client.send("POST", "/echo", fields: [("Content-Length", "\(bytes)")])
        try client.socket.send([UInt8](repeating: 97, count: bytes - 1))
        return client
    }

    /// Fills the pool from 127.0.0.2 to 127.0.0.5 with bodies that lack their last byte.
    private static func fill(_ running: RunningServer) async throws -> [any ByteStream] {
        let port = running.port
        let sockets = try await onThread {
            try (0..<8).map { try hold(poolBytes / 8 + 1, port: port, source: UInt8(2 + $0 % 4)).socket }
        }
        try await eventually { await running.total(\.reservedBytes) >= poolBytes }
        return sockets
    }

    @Test("The largest user of body memory gets 503 in favour of others", arguments: [1, 2])
    func bystander(loops: Int) async throws {
        try await RunningServer.with(loops: loops, limits: Self.limits()) { running in
            let port = running.port
            let held = try await Self.fill(running)
            try await onThread {
                for _ in 0..<20 {
                    let other = try RawHTTP(port: port, source: 6)
                    #expect(try other.ask("POST", "/echo", body: [UInt8](repeating: 98, count: 5000)).status == 200)
                }
            }
            let evicted = await running.total(\.evicted)
            #expect((1...3).contains(evicted), "no more than needed")
            let answers = try await onThread {
                try held.filter(\.hasInput).map { try RawHTTP($0).readResponse().status }
            }
            #expect(answers == Array(repeating: 503, count: evicted))
        }
    }

    @Test(
        "A client that holds all memory gives way to bodies and answers on any loop",
        arguments: [("POST", "/echo", 5000), ("GET", "/large/70000", 0)]
    )
    func onAnotherLoop(method: String, path: String, bodyBytes: Int) async throws {
        let body = [UInt8](repeating: 98, count: bodyBytes)
        try await RunningServer.with(loops: 2, limits: Self.limits { $0.cutOffPauseMs = 0 }) { running in
            let port = running.port
            let sockets = try await Self.onBothLoops(running)
            for socket in sockets {
                let held = try await onThread { try Self.hold(Self.poolBytes + 1, port: port, source: 2).socket }
                try await eventually { await running.total(\.reservedBytes) >= Self.poolBytes }
                let statuses = try await onThread {
                    let other = try RawHTTP(socket).ask(method, path, body: body)
                    return [other.status, try RawHTTP(held).readResponse().status]
                }
                #expect(statuses == [200, 503])
            }
        }
    }

    /// Connections of 127.0.0.3, with some of them on each loop. The kernel chooses the loop of a connection.
    private static func onBothLoops(_ running: RunningServer) async throws -> [any ByteStream] {
        let port = running.port
        var sockets: [any ByteStream] = []
        while await running.server.statistics().contains(where: { $0.open == 0 }) {
            try #require(sockets.count < 100, "one loop takes all")
            sockets += try await onThread { try (0..<10).map { _ in try RawHTTP(port: port, source: 3).socket } }
        }
        return sockets
    }

    @Test("A client that was cut off gets 503 for large requests until Retry-After is over, and small ones are served")
    func pause() async throws {
        let limits = Self.limits { $0.cutOffPauseMs = UInt64(Patience.ms(1000)) }
        try await RunningServer.with(limits: limits) { running in
            let port = running.port
            let held = try await onThread { try Self.hold(Self.poolBytes + 1, port: port, source: 2).socket }
            try await eventually { await running.total(\.reservedBytes) >= Self.poolBytes }
            try await onThread {
                func ask(_ path: String, _ source: UInt8) throws -> Int {
                    try RawHTTP(port: port, source: source).ask("GET", path).status
                }
                let beganMs = Monotonic.nowMs()
                #expect(try ask("/large/70000", 3) == 200)
                #expect(try RawHTTP(held).readResponse().status == 503)
                #expect(try ask("/large/70000", 2) == 503)
                #expect(try RawHTTP(port: port, source: 2).ask("POST", "/echo", body: [1]).status == 200)
                #expect(try ask("/large/70000", 3) == 200)
                try Deadline.wait("the end of the pause", seconds: 30) { try ask("/large/70000", 2) == 200 }
                #expect(Monotonic.nowMs() - beganMs >= limits.cutOffPauseMs)
            }
        }
    }

    @Test("Only silent bodies give way to another request of the same address")
    func own() async throws {
        let limits = Self.limits { $0.silenceMs = UInt64(Patience.ms(1000)) }
        try await RunningServer.with(limits: limits) { running in
            let port = running.port
            let held = try await Self.fill(running)
            try await onThread {
                let ask = { try RawHTTP(port: port, source: 2).ask("POST", "/echo", body: [1]).status }
                #expect(try ask() == 503)
                let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(5000))
                while try ask() != 200 { try #require(Monotonic.nowMs() < deadlineMs) }
            }
            withExtendedLifetime(held) {}
        }
    }

    @Test("A body that pauses for longer than a head's limit gets 408, also after fast bytes")
    func silence() async throws {
        let limits = Self.limits { $0.headerTimeoutMs = 300 }
        try await RunningServer.with(limits: limits) { running in
            let port = running.port
            try await onThread {
                let client = try Self.hold(50_000, port: port, source: 2)
                let beganMs = Monotonic.nowMs()
                #expect(try client.readResponse().status == 408)
                #expect(Monotonic.nowMs() - beganMs < UInt64(Patience.ms(5000)))
            }
        }
    }

    @Test("A body that drips gets 408 like one that pauses")
    func drip() async throws {
        let limits = Self.limits { $0.headerTimeoutMs = 500 }
        try await RunningServer.with(limits: limits) { running in
            let port = running.port
            try await onThread {
                let dripping = try RawHTTP(port: port, source: 2)
                try dripping.send("POST", "/echo", fields: [("Content-Length", "50000")])
                try dripping.socket.send([UInt8](repeating: 97, count: 40_000))
                let beganMs = Monotonic.nowMs()
                while !dripping.socket.hasInput, Monotonic.nowMs() - beganMs < UInt64(Patience.ms(8000)) {
                    try dripping.socket.send([97])
                    pauseThread(ms: 50)
                }
                #expect(try dripping.readResponse().status == 408)
            }
        }
    }
}
