/// Carries messages over an open WebSocket, on its thread.
struct ChannelService {
    /// The longest wait of a process that is not stopped.
    private static let turnMs: Int32 = 1000

    private let line: CurlLine
    private let multi: CurlMulti
    private let wire: ChannelWire
    private let limits: ChannelLimits
    private var frames: ChannelFrames
    /// The time of the peer's last byte.
    private var heardAt = ContinuousClock.now
    /// True if the peer was asked for a byte since then.
    private var hasAsked = false
    /// The time of the last turn.
    private var turnedAt = ContinuousClock.now
    /// The time at which the process was stopped, until all messages since then are read. They may be as old as that.
    private var stoppedAt: ContinuousClock.Instant?
    /// The end of the wait for the peer's close.
    private var closingUntil: ContinuousClock.Instant?

    init(_ line: CurlLine, _ multi: CurlMulti, _ wire: ChannelWire, _ limits: ChannelLimits) {
        (self.line, self.multi, self.wire, self.limits) = (line, multi, wire, limits)
        frames = ChannelFrames(messageMaxBytes: limits.messageMaxBytes)
    }

    /// Returns at the end; `first` are bytes that came with the answer to the upgrade. Throws if the connection breaks.
    mutating func run(_ first: [UInt8]) throws(TransportError) -> ChannelEnd {
        if let end = try take(first) { return end }
        while true {
            turn(.now)
            let orders = wire.takeOrders()
            if orders.ends { return ChannelEnd() }
            write(orders)
            if let end = watch(.now) { return end }
            try line.flush()
            guard line.unsentBytes <= limits.outgoingMaxBytes else { throw .cut("the server reads nothing") }
            if orders.hasRoom, let bytes = try line.read() {
                if let end = try take(bytes) { return end }
                continue
            }
            if orders.hasRoom { stoppedAt = nil }
            multi.poll(
                line.socket,
                reads: orders.hasRoom,
                writes: line.unsentBytes > 0,
                ms: min(waitMs(.now), Self.turnMs)
            )
        }
    }

    /// Begins a turn. A long time since the last one means that the process was stopped.
    private mutating func turn(_ now: ContinuousClock.Instant) {
        if now - turnedAt > .milliseconds(3 * Self.turnMs) { stoppedAt = stoppedAt ?? turnedAt }
        turnedAt = now
    }

    private mutating func write(_ orders: ChannelWire.Orders) {
        for message in orders.messages { line.add(frames.text(message)) }
        guard orders.closes, closingUntil == nil else { return }
        line.add(frames.close(ChannelFrames.normalClosure))
        closingUntil = .now + limits.closing
    }

    /// Asks a silent peer for a byte, and gives up one that stays silent.
    private mutating func watch(_ now: ContinuousClock.Instant) -> ChannelEnd? {
        if let closingUntil, now >= closingUntil { return ChannelEnd() }
        let silence = now - heardAt
        if silence >= limits.pingAfter + limits.patience { return ChannelEnd(reason: "the server is silent") }
        if silence >= limits.pingAfter, !hasAsked {
            line.add(frames.ping())
            hasAsked = true
        }
        return nil
    }

    private func waitMs(_ now: ContinuousClock.Instant) -> Int32 {
        let silent = heardAt + limits.pingAfter + (hasAsked ? limits.patience : .zero)
        let due = closingUntil.map { min($0, silent) } ?? silent
        return Int32(min(max(1, ((due - now) / .milliseconds(1)).rounded(.up)), 60_000))
    }

    /// Handles bytes of the peer. Returns the end after its close, or after a fault of it.
    private mutating func take(_ bytes: [UInt8]) throws(TransportError) -> ChannelEnd? {
        if bytes.isEmpty { return nil }
        (heardAt, hasAsked) = (.now, false)
        for event in frames.take(bytes) {
            switch event {
            case .message(let message): wire.deliver(.message(message, at: stoppedAt ?? .now))
            case .ping(let payload): line.add(frames.pong(payload))
            case .pong: break
            case .close(let code, let reason): return try answer(code, ChannelEnd(code: code, reason: reason))
            case .fault(let code): return try answer(code, ChannelEnd(reason: "the server broke the protocol"))
            }
        }
        return nil
    }

    /// Sends the close as far as that is possible at once.
    private mutating func answer(_ code: Int?, _ end: ChannelEnd) throws(TransportError) -> ChannelEnd {
        if closingUntil == nil {
            line.add(frames.close(code))
            try line.flush()
        }
        return end
    }
}
