/// WebSockets over libcurl's connections, with the trust and the pins of requests. Each has a thread, since it waits in
/// libcurl while it connects.
package final class CurlChannelTransport: ChannelTransport {
    private let trust: Trust
    private let limits: ChannelLimits

    /// `limits` are for tests.
    package init(_ trust: Trust, limits: ChannelLimits = ChannelLimits()) {
        (self.trust, self.limits) = (trust, limits)
    }

    package func open(_ request: TransferRequest) async throws(TransportError) -> ChannelOpening {
        try request.checkLines()
        let origin = try trust.origin(of: request.url)
        let multi = try CurlMulti(connectionsMax: 1)
        let wire = ChannelWire(waitingMax: limits.waitingMax) { multi.wakeUp() }
        let (trust, limits) = (trust, limits)
        let opening = await withTaskCancellationHandler {
            await wire.opening {
                let thread = ChannelThread(request, to: origin, trust, limits, multi, wire)
                let context = Unmanaged.passRetained(thread)
                guard !QuietThread.start(channelThreadMain, context.toOpaque()) else { return }
                context.release()
                wire.answer(.failure(.other("no thread can be started")))
            }
        } onCancel: {
            wire.end()
        }
        return try opening.get()
    }
}

/// An open WebSocket, as its users see it. Its thread has only the wire, and ends when nobody has this any more.
final class CurlChannel: Channel {
    private let wire: ChannelWire

    init(_ wire: ChannelWire) { self.wire = wire }

    deinit { wire.end() }

    func send(_ message: [UInt8]) { wire.send(message) }
    func receive() async -> ChannelEvent { await wire.receive() }
    func close() { wire.close() }
}

private func channelThreadMain(_ thread: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let thread { Unmanaged<ChannelThread>.fromOpaque(thread).takeRetainedValue().run() }
    return nil
}
