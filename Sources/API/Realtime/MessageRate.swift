/// The messages and bytes that a socket may still send, at a time. The credit grows evenly.
struct MessageRate {
    private static let messagesPerSecond = 20.0
    private static let messagesMax = 60.0
    private static let bytesPerSecond = 65_536.0
    private static let bytesMax = 3 * bytesPerSecond
    /// An excess of this length ends the socket.
    private static let excessMaxMs: UInt64 = 10_000
    /// An excess ends with a second in which everything was accepted.
    private static let calmMs: UInt64 = 1000
    /// As many answers a second as accepted messages.
    private static let answerEveryMs: UInt64 = 50

    enum Verdict: Equatable {
        case accepted
        /// The message is dropped, and the client is told.
        case tooFast
        /// The message is dropped. An answer to each would cost more than the message.
        case dropped
        /// Too fast for too long: the socket closes.
        case ended
    }

    private var messages = messagesMax
    private var bytes = bytesMax
    private var asOfMs: UInt64
    private var excessSinceMs: UInt64?
    private var refusedMs: UInt64 = 0
    private var answeredMs: UInt64?

    init(nowMs: UInt64) { asOfMs = nowMs }

    /// True from the first message that was dropped to the first one after a calm second.
    var isExceeded: Bool { excessSinceMs != nil }

    /// Counts a message or a control frame.
    mutating func add(bytes count: Int, nowMs: UInt64) -> Verdict {
        let seconds = Double(nowMs > asOfMs ? nowMs - asOfMs : 0) / 1000
        asOfMs = max(asOfMs, nowMs)
        messages = min(Self.messagesMax, messages + seconds * Self.messagesPerSecond)
        bytes = min(Self.bytesMax, bytes + seconds * Self.bytesPerSecond)
        guard messages >= 1, bytes >= Double(count) else { return refused(nowMs) }
        messages -= 1
        bytes -= Double(count)
        if excessSinceMs != nil, nowMs >= refusedMs + Self.calmMs { excessSinceMs = nil }
        return .accepted
    }

    private mutating func refused(_ nowMs: UInt64) -> Verdict {
        if nowMs >= refusedMs + Self.calmMs { excessSinceMs = nil }
        let sinceMs = excessSinceMs ?? nowMs
        excessSinceMs = sinceMs
        refusedMs = nowMs
        if nowMs >= sinceMs + Self.excessMaxMs { return .ended }
        if let answeredMs, nowMs < answeredMs + Self.answerEveryMs { return .dropped }
        answeredMs = nowMs
        return .tooFast
    }
}
