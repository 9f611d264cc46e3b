import Foundation
import HTTP
import Net
import TestSupport
import Testing

/// A connection that waits longer than `restAfterMs` has no task any more.
@Suite("Connections at rest", .timeLimit(.minutes(Patience.minutes(1))))
struct RestTests {
    private static let longRest: UInt32 = 150_000

    private static func run(
        isSecure: Bool,
        idleTimeoutMs: UInt64 = 60_000,
        _ body: @Sendable (RunningServer, @escaping @Sendable () throws -> RawHTTP) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.restAfterMs = 30
        limits.idleTimeoutMs = idleTimeoutMs
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.with(limits: limits, tls: tls) { running in
            let port = running.port
            try await body(running) { RawHTTP(isSecure ? try TLSSocket(port: port) : try RawSocket(port: port)) }
        }
    }

    /// A client that has received an answer and waits.
    private static func rested(_ connect: @escaping @Sendable () throws -> RawHTTP) async throws -> any ByteStream {
        try await onThread {
            let client = try connect()
            _ = try client.ask("GET", "/")
            usleep(longRest)
            return client.socket
        }
    }

    @Test("A next request wakes a connection at rest, whole or byte by byte", arguments: [false, true])
    func wakes(isSecure: Bool) async throws {
        try await Self.run(isSecure: isSecure) { running, connect in
            try await onThread {
                let client = try connect()
                for number in 0..<3 {
                    #expect(try client.ask("GET", "/\(number)").text == "GET /\(number)")
                    usleep(Self.longRest)
                }
                for byte in "GET /drip HTTP/1.1\r\nHost: h\r\n\r\n".utf8 {
                    try client.socket.send([byte])
                    usleep(5_000)
                }
                #expect(try client.readResponse().text == "GET /drip")
            }
            #expect(await running.total(\.accepted) == 1)
        }
    }

    @Test("A connection at rest ends at the idle limit and is counted", arguments: [false, true])
    func ends(isSecure: Bool) async throws {
        try await Self.run(isSecure: isSecure, idleTimeoutMs: 400) { running, connect in
            try await onThread {
                let client = try connect()
                let startMs = Monotonic.nowMs()
                _ = try client.ask("GET", "/")
                #expect(try client.readToEnd().isEmpty)
                #expect((390..<20000).contains(Monotonic.nowMs() - startMs))
            }
            try await eventually { await running.total(\.open) == 0 }
            #expect(await running.total(\.idleTimeouts) == 1)
        }
    }

    @Test("A connection at rest ends with its client, and counts as idle until then", arguments: [false, true])
    func leaves(isSecure: Bool) async throws {
        try await Self.run(isSecure: isSecure) { running, connect in
            let client = try await Self.rested(connect)
            #expect(await running.total(\.idle) == 1)
            client.close()
            try await eventually { await running.total(\.open) == 0 }
        }
    }

    @Test("A server that stops closes its connections at rest", arguments: [false, true])
    func drains(isSecure: Bool) async throws {
        try await Self.run(isSecure: isSecure) { running, connect in
            let client = try await Self.rested(connect)
            let cutOff = await running.server.drain(timeoutMs: 60_000)
            #expect(cutOff == 0)
            let rest = try await onThread { try RawHTTP(client).readToEnd() }
            #expect(rest.isEmpty)
        }
    }
}
