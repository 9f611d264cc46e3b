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

    /// Fills the pool from 127.0.0.2 with bodies that lack their last byte.
    private static func fill(_ running: RunningServer) async throws -> [any ByteStream] {
        let port = running.port
        let sockets = try await onThread {
            try (0..<10).map { _ in try hold(poolBytes / 10 + 1, port: port, source: 2).socket }
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
                    let other = try RawHTTP(port: port, source: 3)
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

    @Test("A client that holds all body memory gives way to requests on any loop")
    func onAnotherLoop() async throws {
        try await RunningServer.with(loops: 2, limits: Self.limits()) { running in
            let port = running.port
            let sockets = try await Self.onBothLoops(running)
            for socket in sockets {
                let held = try await onThread { try Self.hold(Self.poolBytes + 1, port: port, source: 2).socket }
                try await eventually { await running.total(\.reservedBytes) >= Self.poolBytes }
                let statuses = try await onThread {
                    let other = try RawHTTP(socket).ask("POST", "/echo", body: [UInt8](repeating: 98, count: 5000))
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
