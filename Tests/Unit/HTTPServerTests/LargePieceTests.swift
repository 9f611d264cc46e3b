import HTTP
import Net
import TestSupport
import Testing

@Suite("Larger pieces for fast bodies", .timeLimit(.minutes(Patience.minutes(1))))
struct LargePieceTests {
    private static let usualBytes = 80 << 10
    private static let bodyBytes = 16 << 20

    @Test("A body that arrives faster than it is read comes in larger pieces, which count")
    func large() async throws {
        // The kernel decides the size of a read. On a busy machine not every body arrives fast enough.
        for _ in 0..<20 where try await Self.readsInLargePieces() { return }
        Issue.record("no body was read in larger pieces")
    }

    /// False if the client was not fast enough.
    private static func readsInLargePieces() async throws -> Bool {
        let (first, large) = (Gate(), Gate())
        let received = Locked(0)
        let handler = reading { piece in
            await first.wait()
            if piece.count > usualBytes { await large.wait() }
            received.withLock { $0 += piece.count }
        }
        return try await RunningServer.with(handler: handler) { running in
            let client = try await beginSending(to: running)
            try await eventually { first.hasArrived }
            #expect(await running.total(\.reservedBytes) == usualBytes)
            let most = bodyBytes * 3 / 4
            first.open()
            let sending = Task { try await onThread { try client.send(to: most) } }
            try await eventually { large.hasArrived || received.withLock { $0 } == most }
            guard large.hasArrived else { return false }
            let moreBytes = Socket.readMaxBytes - Socket.readUsualBytes
            #expect(await running.total(\.reservedBytes) == usualBytes + moreBytes)
            large.open()
            try await sending.value
            try await eventually { received.withLock { $0 } == most }
            // The first piece that is not full ends the large reads.
            try await onThread { try client.send(to: most + 1) }
            try await eventually { await running.total(\.reservedBytes) == usualBytes }
            #expect(try await onThread { try client.finish() } == "\(bodyBytes)")
            try await eventually { await running.total(\.reservedBytes) == 0 }
            return true
        }
    }

    @Test("Pieces stay at the usual size when more than a quarter of the memory is in use")
    func usual() async throws {
        let (first, large) = (Gate(), Counter())
        let handler = Self.reading { piece in
            await first.wait()
            if piece.count > Self.usualBytes { large.add() }
        }
        var limits = ServerLimits()
        limits.buffersMaxBytes = 1 << 20
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let client = try await Self.beginSending(to: running)
            try await eventually { first.hasArrived }
            first.open()
            #expect(try await onThread { try client.finish() } == "\(Self.bodyBytes)")
            #expect(large.value == 0)
        }
    }

    @Test("Bytes behind a large piece are read separately, and keep none of its memory")
    func behind() async throws {
        // On a busy machine not every body ends with a large piece.
        for _ in 0..<2 { try await Self.readsApart() }
    }

    private static func readsApart() async throws {
        let (first, next) = (Gate(), Gate())
        let reading = reading { _ in await first.wait() }
        let handler: Server.Handler = { $0.head.path == "/wait" ? await next.answer($0) : await reading($0) }
        try await RunningServer.with(handler: handler) { running in
            let client = try await beginSending(to: running)
            try await eventually { first.hasArrived }
            first.open()
            try await onThread {
                try client.send(to: bodyBytes)
                try client.socket.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\nG")
            }
            try await eventually { next.hasArrived }
            #expect(await running.total(\.inputBytes) <= usualBytes)
            next.open()
        }
    }

    @Test("A handler that stops in the middle of a fast body releases its memory once")
    func stopped() async throws {
        let (gate, large) = (Gate(), Counter())
        let handler: Server.Handler = { request in
            if request.head.path != "/" { return await gate.answerBody(request) }
            request.limitByRate(Self.rate)
            while let piece = try? await request.body.next() {
                if piece.count > Self.usualBytes {
                    large.add()
                    break
                }
                try? await Task.sleep(nanoseconds: 1_000_000)
            }
            return Response(.ok)
        }
        var limits = ServerLimits()
        limits.discardMaxBytes = Self.bodyBytes
        // A quarter of the buffers is just enough for one large piece.
        limits.buffersMaxBytes = 4 * (Self.usualBytes + Socket.readMaxBytes - Socket.readUsualBytes)
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let port = running.port
            try await onThread {
                let client = try RawHTTP(port: port)
                // On a busy machine not every body arrives fast enough.
                for _ in 0..<100 where large.value <= 4 {
                    try client.send("PUT", "/", fields: [("Content-Length", "\(Self.bodyBytes)")])
                    try client.sendPattern(Self.bodyBytes)
                    #expect(try client.readResponse().status == 200)
                }
            }
            #expect(large.value > 4)
            // There is room for two bodies of 1 MiB, and not for 256 KiB more.
            let holders = try await onThread {
                try [2, 3].map { try RawSocket(port: port, limitMs: 30000, source: $0) }
            }
            for (number, holder) in holders.enumerated() {
                try await onThread {
                    let client = RawHTTP(holder)
                    try client.send("POST", "/wait", fields: [("Content-Length", "\(1 << 20)")])
                    try client.sendPattern(1 << 20)
                }
                try await eventually { await running.total(\.reservedBytes) == (number + 1) << 20 }
            }
            let more = [UInt8](repeating: 1, count: 256 << 10)
            let answer = try await onThread { try RawHTTP(port: port).ask("POST", "/echo", body: more) }
            #expect(answer.status == 503)
            gate.open()
            for holder in holders { #expect(try await onThread { try RawHTTP(holder).readResponse().status } == 200) }
        }
    }

    /// On a busy machine the client is silent for a long time.
    private static let rate = MinimumRate(bytesPerSecond: 1, graceMs: UInt64(Patience.ms(60_000)))

    /// Passes each piece to `each`, and answers with the total length.
    private static func reading(_ each: @escaping @Sendable ([UInt8]) async -> Void) -> Server.Handler {
        { request in
            request.limitByRate(rate)
            var count = 0
            while let piece = try? await request.body.next() {
                guard BytePattern.matches(piece, at: count) else { return Response(Status(code: 422)) }
                count += piece.count
                await each(piece)
            }
            return Response(.ok, content: .bytes(Array("\(count)".utf8)))
        }
    }

    /// A client that has sent as many bytes as the server accepts while the handler waits.
    private static func beginSending(to running: RunningServer) async throws -> Sender {
        let port = running.port
        return try await onThread {
            let socket = try RawSocket(port: port, limitMs: 500)
            let head = "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(bodyBytes)\r\n\r\n"
            // The first piece arrives with the head, so it is not full.
            try socket.send(Array(head.utf8) + BytePattern.bytes(from: 0, 1))
            return Sender(socket: socket, sent: try socket.sendPattern(from: 1, to: bodyBytes / 2))
        }
    }

    /// One thread after the other uses it.
    private final class Sender: @unchecked Sendable {
        let socket: RawSocket
        private var sent: Int

        init(socket: RawSocket, sent: Int) { (self.socket, self.sent) = (socket, sent) }

        func send(to end: Int) throws {
            try Deadline.wait("the bytes to be taken", seconds: 30) {
                sent = try socket.sendPattern(from: sent, to: end)
                return sent == end
            }
        }

        /// Sends the rest. Returns the text of the answer.
        func finish() throws -> String {
            try send(to: bodyBytes)
            try Deadline.wait("the answer", seconds: 30) { socket.hasInput }
            return try RawHTTP(socket).readResponse().text
        }
    }
}
