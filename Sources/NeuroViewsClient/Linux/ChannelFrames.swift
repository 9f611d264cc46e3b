import NeuroViewsWebSocket

/// The frames of a client (RFC 6455, 5), which masks all that it sends.
struct ChannelFrames {
    enum Event {
        case message([UInt8])
        case ping([UInt8])
        case pong
        case close(code: Int?, reason: String)
        /// The peer has broken the protocol: nothing that follows is read, and this code closes.
        case fault(Int)
    }

    static let normalClosure = Int(CloseCode.normal.rawValue)
    private var reader: MessageReader

    init(messageMaxBytes: Int) { reader = MessageReader(role: .client, messageMaxBytes: messageMaxBytes) }

    /// Reads bytes of the peer.
    mutating func take(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        for event in reader.take(bytes) {
            switch event {
            case .message(let message, _): events.append(.message(message))
            case .ping(let payload): events.append(.ping(payload))
            case .pong: events.append(.pong)
            case .close(let code, let reason): events.append(.close(code: code.map { Int($0) }, reason: reason))
            case .fault(let code): events.append(.fault(Int(code.rawValue)))
            }
        }
        return events
    }

    func text(_ message: [UInt8]) -> [UInt8] { FrameWriter.frame(.text, message, mask: mask) }
    func ping() -> [UInt8] { FrameWriter.frame(.ping, [], mask: mask) }
    func pong(_ payload: [UInt8]) -> [UInt8] { FrameWriter.frame(.pong, payload, mask: mask) }

    /// A close without a code answers one without a code.
    func close(_ code: Int?) -> [UInt8] {
        let payload = code.map { FrameWriter.closePayload(UInt16(truncatingIfNeeded: $0)) } ?? []
        return FrameWriter.frame(.close, payload, mask: mask)
    }

    /// A new one for each frame, which nobody can foresee.
    private var mask: [UInt8] { (0..<4).map { _ in UInt8.random(in: .min ... .max) } }
}
