import Foundation
import HTTP
import Net
import TestSupport
import Testing

@Suite("The memory budget of all connections", .timeLimit(.minutes(Patience.minutes(1))))
struct BudgetTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        // On a busy machine a client that the test forgets for a moment must not give way.
        limits.silenceMs = 60_000
        change(&limits)
        return limits
    }

    @Test("Bodies of all connections share a budget, and get 503 without room")
    func bodyBudget() async throws {
        let gate = Gate()
        try await RunningServer.with(
            limits: Self.limits { $0.buffersMaxBytes = 100_000 },
            handler: gate.answerBody
        ) { running in
            let port = running.port
            let first = try RawSocket(port: port, limitMs: 30000)
            let body = String(repeating: "a", count: 100_000)
            try first.send("POST /wait HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + body)
            try await eventually { gate.hasArrived }
            try await onThread {
                let second = try RawHTTP(port: port)
                let answer = try second.ask("POST", "/echo", body: [1])
                #expect(answer.status == 503)
                #expect(answer["Retry-After"] != nil)
                #expect(try RawHTTP(port: port).ask("GET", "/other").status == 200)
            }
            gate.open()
            try await onThread {
                let begin = try first.receive(exactly: 12)
                #expect(begin == Array("HTTP/1.1 200".utf8))
                #expect(try RawHTTP(port: port).ask("POST", "/echo", body: [1]).status == 200)
            }
            #expect(await running.server.statistics()[0].overBudget == 1)
        }
    }

    @Test("Large unread answers share the budget of bodies")
    func answerBudget() async throws {
        try await RunningServer.with(limits: Self.limits { $0.buffersMaxBytes = 1_000_000 }) { running in
            let port = running.port
            try await onThread {
                let stuck = try RawSocket(port: port, receiveBufferBytes: 65536)
                try stuck.send("GET /large/30000000 HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try stuck.receive(exactly: 1)
                let client = try RawHTTP(port: port)
                #expect(try client.ask("GET", "/large/100000").status == 503)
                #expect(try client.ask("HEAD", "/large/100000").status == 200)
                #expect(try client.ask("GET", "/large/1000").status == 200)
                stuck.reset()
                let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(10000))
                while try client.ask("GET", "/large/100000").status != 200 {
                    try #require(Monotonic.nowMs() < deadlineMs)
                }
            }
        }
    }

    @Test("A streamed answer counts with its kept bytes, gets 503 without room, and breaks off above it")
    func streamBudget() async throws {
        let gate = Gate()
        let handler: Server.Handler = { request in
            switch request.head.path {
            case "/less": gate.answerKeeping(30_000, then: 10_000)
            case "/more": gate.answerKeeping(30_000, then: 40_000)
            case "/most": gate.answerKeeping(5_000, then: 50_000)
            default: await RunningServer.answer(request)
            }
        }
        let limits = Self.limits { $0.buffersMaxBytes = 100_000 }
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let port = running.port
            func ask(_ path: String, source: UInt8 = 2) async throws -> RawSocket {
                try await onThread {
                    let socket = try RawSocket(port: port, limitMs: 30000, source: source)
                    try socket.send("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                    return socket
                }
            }
            func text(_ socket: RawSocket) async throws -> String {
                try await onThread { String(decoding: (try? socket.receiveAll()) ?? [], as: UTF8.self) }
            }
            let kept = [try await ask("/less"), try await ask("/more")]
            try await eventually { await running.total(\.reservedBytes) == 70_000 }
            let brokenOff = try await text(ask("/most"))
            // The last quarter is for other addresses. There is room for this answer's first 5,000, and not for more.
            #expect(!brokenOff.hasPrefix("HTTP/1.1 503") && !brokenOff.hasSuffix("0\r\n\r\n"))
            try await eventually { await running.total(\.reservedBytes) == 70_000 }
            let full = try await ask("/less", source: 3)
            try await eventually { await running.total(\.reservedBytes) == 100_000 }
            #expect(try await text(ask("/less")).hasPrefix("HTTP/1.1 503"))
            gate.open()
            for socket in kept + [full] { #expect(try await text(socket).hasSuffix("0\r\n\r\n")) }
            try await eventually { await running.total(\.reservedBytes) == 0 }
            #expect(await running.total(\.overBudget) == 2)
        }
    }
}
