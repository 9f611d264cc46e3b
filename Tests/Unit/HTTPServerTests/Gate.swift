import HTTP
import Net

/// A handler that waits in `/wait` until the gate opens.
final class Gate: Sendable {
    private let state = Locked((arrived: false, isOpen: false))

    var hasArrived: Bool { state.withLock { $0.arrived } }
    func open() { state.withLock { $0.isOpen = true } }

    @Sendable func answer(_ request: Request) async -> Response {
        if request.head.path == "/wait" { await wait() }
        return await RunningServer.answer(request)
    }

    /// The same, after it has read the body.
    @Sendable func answerBody(_ request: Request) async -> Response {
        guard request.head.path == "/wait" else { return await RunningServer.answer(request) }
        _ = try? await request.body.collect(maxBytes: 1 << 20)
        await wait()
        return Response(.ok)
    }

    /// An answer that reserves `bytes` for a source, then `more` for another. It ends when the gate opens.
    @Sendable func answerKeeping(_ bytes: Int, then more: Int) -> Response {
        Response(
            .ok,
            content: .stream(keepingBytes: bytes) { stream in
                try await stream.keep(bytes: more)
                try await stream.write([1])
                await self.wait()
            }
        )
    }

    /// Returns when the gate opens.
    func wait() async {
        state.withLock { $0.arrived = true }
        while !state.withLock({ $0.isOpen }), let loop = EventLoop.current { await loop.sleep(forMs: 5) }
    }
}
