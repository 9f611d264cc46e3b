import HTTP
import Net
import TestSupport
import Testing

@Suite("Larger pieces for bodies that come fast", .timeLimit(.minutes(Patience.minutes(1))))
struct LargePieceTests {
    private static let usualBytes = 80 << 10
    private static let bodyBytes = 64 << 20

    @Test("Who sends faster than it is read is read in larger pieces, and they count")
    func large() async throws {
        let (first, large) = (Gate(), Gate())
        let handler = Self.reading { piece in
            await first.wait()
            if piece.count > Self.usualBytes { await large.wait() }
        }
        try await RunningServer.with(handler: handler) { running in
            let client = try await Self.beginSending(to: running)
            #expect(await running.total(\.reservedBytes) == Self.usualBytes)
            first.open()
            let sending = Task { try await onThread { try client.finish() } }
            try await eventually { large.hasArrived }
            let moreBytes = Socket.readMaxBytes - Socket.readUsualBytes
            #expect(await running.total(\.reservedBytes) == Self.usualBytes + moreBytes)
            large.open()
            #expect(try await sending.value == "\(Self.bodyBytes)")
            try await eventually { await running.total(\.reservedBytes) == 0 }
        }
    }

    @Test("With a quarter of the memory in use no piece is larger than usual")
    func usual() async throws {
        let (first, large) = (Gate(), Counter())
        let handler = Self.reading { piece in
            await first.wait()
            if piece.count > Self.usualBytes { large.add() }
        }
        var limits = ServerLimits()
        limits.buffersMaxBytes = 4 * Self.usualBytes
        try await RunningServer.with(limits: limits, handler: handler) { running in
            let client = try await Self.beginSending(to: running)
            first.open()
            #expect(try await onThread { try client.finish() } == "\(Self.bodyBytes)")
            #expect(large.value == 0)
        }
    }

    /// Tells `each` about each piece, and answers with their length.
    private static func reading(_ each: @escaping @Sendable ([UInt8]) async -> Void) -> Server.Handler {
        { request in
            request.limitByRate(MinimumRate(bytesPerSecond: 1))
            var count = 0
            while let piece = try? await request.body.next() {
                guard BytePattern.matches(piece, at: count) else { return Response(.unprocessableContent) }
                count += piece.count
                await each(piece)
            }
            return Response(.ok, content: .bytes(Array("\(count)".utf8)))
        }
    }

    /// A client that has sent as much as is taken while the handler waits.
    private static func beginSending(to running: RunningServer) async throws -> Sender {
        let port = running.port
        return try await onThread {
            let socket = try RawSocket(port: port, limitMs: 500)
            try socket.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(bodyBytes)\r\n\r\n")
            return Sender(socket: socket, sent: try socket.sendPattern(from: 0, to: bodyBytes))
        }
    }

    private struct Sender: Sendable {
        let socket: RawSocket
        let sent: Int

        /// Sends the rest. Returns the answer's text.
        func finish() throws -> String {
            var sent = sent
            try Deadline.wait("the rest to be taken", seconds: 30) {
                sent = try socket.sendPattern(from: sent, to: bodyBytes)
                return sent == bodyBytes
            }
            try Deadline.wait("the answer", seconds: 30) { socket.hasInput }
            return try RawHTTP(socket).readResponse().text
        }
    }
}
