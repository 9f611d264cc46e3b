import HTTP
import Net
import Synchronization
import TestSupport
import Testing

@Suite("Requests during the end of the server", .timeLimit(.minutes(Patience.minutes(1))))
struct DrainRaceTests {
    private static let request = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func expectLast(_ response: RawResponse, at location: SourceLocation = #_sourceLocation) {
        #expect(response.status == 200, sourceLocation: location)
        #expect(response["Connection"] == "close", sourceLocation: location)
    }

    @Test("Connections that wait in the kernel's queue are accepted and answered")
    func queued() async throws {
        try await RunningServer.with { running in
            let hold = LoopHold(running.loops[0])
            try await onThread { hold.await() }
            let drain = Task { await running.server.drain(timeoutMs: 20000) }
            let clients = try await onThread {
                try (0..<20).map { _ in
                    let client = try RawHTTP(port: running.port)
                    try client.send(Self.request)
                    return client.socket
                }
            }
            hold.release()
            try await onThread {
                for client in clients {
                    let answer = try RawHTTP(client).readResponse()
                    #expect(answer.status == 200)
                    client.close()
                }
            }
            #expect(await drain.value == 0)
        }
    }

    @Test("A request that arrived on an idle connection before the drain is answered")
    func arrived() async throws {
        // The drain may close the connection, because it has been idle for long enough.
        var limits = ServerLimits()
        limits.nextRequestGraceMs = 0
        try await RunningServer.with(limits: limits) { running in
            let client = try await onThread {
                let client = try RawHTTP(port: running.port)
                _ = try client.ask("GET", "/")
                return client.socket
            }
            let first = LoopHold(running.loops[0])
            try await onThread { first.await() }
            let second = LoopHold(running.loops[0])
            let drain = Task { await running.server.drain(timeoutMs: 20000) }
            // The drain's job must follow the second hold directly, before the loop checks its sockets again.
            for _ in 0..<100 { await Task.yield() }
            try await onThread {
                first.release()
                second.await()
                try client.send(Self.request)
                second.release()
                let answer = try RawHTTP(client).readResponse()
                #expect(answer.status == 200)
                client.close()
            }
            #expect(await drain.value == 0)
        }
    }

    @Test("A new connection may send its first request, and a just answered one the next")
    func grace() async throws {
        var limits = ServerLimits()
        (limits.firstRequestGraceMs, limits.nextRequestGraceMs) = (60_000, 60_000)
        // A busy machine may take longer than the usual wait for a client's first request.
        limits.headerTimeoutMs = 60_000
        try await RunningServer.with(limits: limits) { running in
            let (new, used) = try await onThread {
                let used = try RawHTTP(port: running.port)
                _ = try used.ask("GET", "/")
                return (try RawSocket(port: running.port), used.socket)
            }
            let drain = Task { await running.server.drain(timeoutMs: 60000) }
            try await onThread {
                // When the port is closed, the drain is certainly under way.
                try RawSocket.awaitClosed(port: running.port)
                for client in [new, used] {
                    try client.send(Self.request)
                    Self.expectLast(try RawHTTP(client).readResponse())
                    client.close()
                }
            }
            #expect(await drain.value == 0)
        }
    }

    @Test("A request on a shared socket after the end of one server waits for the next")
    func shared() async throws {
        let keeper = try ListeningSocket()
        try await withLoops { loops in
            func server() throws -> Server {
                Server(
                    try Listener(inherited: keeper.duplicate()),
                    loops: loops,
                    limits: ServerLimits(),
                    refusal: RunningServer.refuse,
                    handler: RunningServer.answer
                )
            }
            let first = try server()
            try await first.start()
            #expect(await first.drain(timeoutMs: 20000) == 0)
            let client = try await onThread {
                let client = try RawSocket(port: keeper.port)
                try client.send(Self.request)
                return client
            }
            let second = try server()
            try await second.start()
            let answer = try await onThread { try RawHTTP(client).readResponse() }
            #expect(answer.status == 200)
            client.close()
            await second.drain(timeoutMs: 20000)
        }
    }

    @Test("A stop under load answers each request of every connection")
    func load() async throws {
        let answered = Counter()
        // The time that a thread may have to wait for its turn.
        var limits = ServerLimits()
        (limits.firstRequestGraceMs, limits.nextRequestGraceMs) = (20_000, 20_000)
        try await RunningServer.with(loops: 2, limits: limits) { running in
            let port = running.port
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await onThread { try Self.askUntilRefused(port, endless: number % 3 != 0, answered) }
                    }
                }
                try await eventually { answered.value > 500 }
                #expect(await running.server.drain(timeoutMs: 30000) == 0)
                try await group.waitForAll()
            }
        }
    }

    /// Sends requests over one connection, or over a new one each time, until the server refuses connections. Throws if
    /// a request gets no answer.
    private static func askUntilRefused(_ port: UInt16, endless: Bool, _ answered: Counter) throws {
        while true {
            let client: RawHTTP
            do {
                client = try RawHTTP(port: port)
            } catch let error as RawSocketError where error.description == "connect: Connection refused" {
                return
            }
            var goesOn = true
            while goesOn {
                let answer = try client.ask("GET", "/")
                guard answer.status == 200 else { throw TestSupportError("status \(answer.status)") }
                answered.add()
                goesOn = endless && answer["Connection"] != "close"
            }
        }
    }
}
