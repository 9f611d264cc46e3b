import HTTP
import Net
import TestSupport
import Testing

@Suite("Draining the server", .timeLimit(.minutes(1)))
struct DrainTests {
    /// A handler that waits in `/wait` until it is let go.
    private final class Gate: Sendable {
        private let state = Locked((arrived: false, isOpen: false))

        var hasArrived: Bool { state.withLock { $0.arrived } }
        func open() { state.withLock { $0.isOpen = true } }

        func answer(_ request: Request) async -> Response {
            if request.head.path == "/wait" {
                state.withLock { $0.arrived = true }
                while !state.withLock({ $0.isOpen }), let loop = EventLoop.current { await loop.sleep(forMs: 5) }
            }
            return await RunningServer.answer(request)
        }
    }

    @Test(
        "The request under way is finished with Connection: close, idle connections close at once, new ones are refused"
    )
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
            let drain = Task { await running.server.drain(timeoutMs: 8000) }
            try await onThread {
                for socket in idle {
                    let rest = try socket.receiveAll()
                    #expect(rest.isEmpty)
                }
                let refused = #expect(throws: RawSocketError.self) { _ = try RawSocket(port: port) }
                #expect(refused?.description == "connect: Connection refused")
            }
            gate.open()
            try await onThread {
                let text = String(decoding: try busy.receiveAll(), as: UTF8.self)
                #expect(text.contains("Connection: close\r\n"))
                #expect(text.hasSuffix("GET /wait"))
            }
            busy.close()
            await drain.value
        }
    }

    @Test("A request that does not end is cut off at the drain's deadline")
    func deadline() async throws {
        let gate = Gate()
        try await RunningServer.with(handler: gate.answer) { running in
            let busy = try RawSocket(port: running.port)
            try busy.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
            try await eventually { gate.hasArrived }
            let startMs = Monotonic.nowMs()
            await running.server.drain(timeoutMs: 200)
            #expect((200..<10000).contains(Monotonic.nowMs() - startMs))
            let rest = try await onThread { try busy.receiveAll() }
            #expect(rest.isEmpty)
            gate.open()
        }
    }
}
