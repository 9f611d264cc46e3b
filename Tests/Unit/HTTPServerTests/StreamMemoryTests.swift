import Foundation
import HTTP
import Net
import TestSupport
import Testing

/// Each test has a process of its own, because the memory of other tests would count, too.
@Suite("Memory of streams", .enabled(if: ProcessFigures.tellMemory), .timeLimit(.minutes(Patience.minutes(5))))
struct StreamMemoryTests {
    @Test("A streamed body of any size takes the memory of its pieces")
    func body() async {
        await #expect(processExitsWith: .success) { try await StreamMemory.measure(StreamMemory.upload) }
    }

    @Test("A streamed answer of any size takes the memory of its pieces")
    func answer() async {
        await #expect(processExitsWith: .success) { try await StreamMemory.measure(StreamMemory.download) }
    }
}

private enum StreamMemory {
    private static let growthMaxMiB = 16
    private static let warmUpBytes = 16 << 20
    private static let totalBytes = 1 << 30

    /// Moves a few bytes, then many. Ends the process if its memory grows by `growthMaxMiB` or more.
    static func measure(_ move: @escaping @Sendable (UInt16, Int) throws -> Void) async throws {
        try await RunningServer.with(handler: handler) { running in
            let port = running.port
            let figures = ProcessFigures(getpid())
            try await onThread { try move(port, warmUpBytes) }
            figures.forgetPeak()
            let before = figures.residentKiB
            try await onThread { try move(port, totalBytes) }
            let growthMiB = (figures.peakResidentKiB - before) >> 10
            // The output of this process is not visible, so its status is the growth in MiB.
            if growthMiB >= growthMaxMiB { exit(Int32(min(growthMiB, 255))) }
        }
    }

    private static let handler: Server.Handler = { request in
        request.limitByRate(MinimumRate(bytesPerSecond: 1))
        if request.head.method == .put { return await StreamingHandler.read(request) }
        let size = Int(request.head.path.dropFirst()) ?? 0
        return Response(
            .ok,
            content: .stream(keepingBytes: 0, length: size) { try await StreamingHandler.write(size, to: $0) }
        )
    }

    static func upload(port: UInt16, size: Int) throws {
        let client = try RawHTTP(port: port, limitMs: Patience.ms(60_000))
        try client.send("PUT", "/", fields: [("Content-Length", "\(size)")])
        try client.sendPattern(size)
        guard try client.readResponse().text == "\(size)" else { throw TestSupportError("not all arrived") }
    }

    static func download(port: UInt16, size: Int) throws {
        let client = try RawSocket(port: port, limitMs: Patience.ms(60_000))
        try client.send("GET /\(size) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        var received = 0
        while case let piece = try client.receive(maxBytes: 65_536), !piece.isEmpty { received += piece.count }
        guard received > size else { throw TestSupportError("not all arrived") }
    }
}
