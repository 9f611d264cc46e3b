import Net
import TestSupport
import Testing

@testable import HTTP

@Suite("Draining the server", .timeLimit(.minutes(Patience.minutes(1))))
struct DrainTests {
    @Test("A drain finishes the current request, closes idle connections and refuses new ones")
    func finishes() async throws {
        let gate = Gate()
        try await RunningServer.with(loops: 2, handler: gate.answer) { running in
            let port = running.port
            let busy = try RawSocket(port: port)
            try busy.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\nGET /never HTTP/1.1\r\nHost: h\r\n\r\n")
            let idle = try await onThread {
                let idle = try (0..<4).map { _ in try RawHTTP(port: port) }
                for client in idle { _ = try client.ask("GET", "/") }
                return idle.map(\.socket)
            }
            try await eventually { gate.hasArrived }
            let drain = Task { await running.server.drain(timeoutMs: 60000) }
            try await onThread {
                for socket in idle {
                    let rest = try socket.receiveAll()
                    #expect(rest.isEmpty)
                }
                try RawSocket.awaitClosed(port: port)
            }
            gate.open()
            try await onThread {
                let text = String(decoding: try busy.receiveAll(), as: UTF8.self)
                #expect(text.contains("Connection: close\r\n"))
                #expect(text.hasSuffix("GET /wait"))
            }
            busy.close()
            _ = await drain.value
        }
    }

    @Test("A drain cuts off an endless request at its deadline")
    func deadline() async throws {
        let gate = Gate()
        try await RunningServer.with(handler: gate.answer) { running in
            let busy = try RawSocket(port: running.port)
            try busy.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
            try await eventually { gate.hasArrived }
            let startMs = Monotonic.nowMs()
            await running.server.drain(timeoutMs: 200)
            #expect((200..<60000).contains(Monotonic.nowMs() - startMs))
            let rest = try await onThread { try busy.receiveAll() }
            #expect(rest.isEmpty)
            gate.open()
        }
    }

    @Test("A drain serves a next request that is in transit on an idle connection")
    func arrived() async throws {
        try await RunningServer.with { running in
            let (server, loop) = (running.server, running.loops[0])
            let client = try RawSocket(port: running.port)
            try await onThread {
                try client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
                var text = ""
                while !text.hasSuffix("GET /1") {
                    text += String(decoding: try client.receive(exactly: 1), as: UTF8.self)
                }
            }
            try await eventually { await server.statistics()[0].idle == 1 }
            // Both happen in one turn of the loop, so the connection can't learn of the bytes before.
            try await loop.run {
                try client.send("GET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
                server.service.closeIdle(on: loop)
            }
            let answer = try await onThread { String(decoding: try client.receiveAll(), as: UTF8.self) }
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.hasSuffix("GET /2"))
        }
    }

    @Test("A connection that opened just before the drain may still send its first request")
    func fresh() async throws {
        var limits = ServerLimits()
        limits.firstRequestGraceMs = 60_000
        limits.headerTimeoutMs = 60_000
        try await RunningServer.with(limits: limits) { running in
            let server = running.server
            let client = try RawSocket(port: running.port, limitMs: 60000)
            try await eventually { await server.statistics()[0].idle == 1 }
            let drain = Task { await server.drain(timeoutMs: 60000) }
            try await eventually { server.service.isStopping }
            try client.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try await onThread { String(decoding: try client.receiveAll(), as: UTF8.self) }
            #expect(answer.hasSuffix("GET /first"))
            _ = await drain.value
        }
    }

    @Test("A drain does not wait for a connection without a request")
    func silent() async throws {
        var limits = ServerLimits()
        limits.firstRequestGraceMs = 200
        try await RunningServer.with(limits: limits) { running in
            let server = running.server
            let client = try RawSocket(port: running.port, limitMs: 60000)
            try await eventually { await server.statistics()[0].idle == 1 }
            let startMs = Monotonic.nowMs()
            await server.drain(timeoutMs: 120_000)
            #expect(Monotonic.nowMs() - startMs < 60000)
            let rest = try await onThread { try client.receiveAll() }
            #expect(rest.isEmpty)
        }
    }
}
