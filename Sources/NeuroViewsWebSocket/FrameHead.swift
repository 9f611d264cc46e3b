/// The kinds of frames (RFC 6455, 11.8).
package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Control frames are small and whole, and may come between the frames of a message.
    var isControl: Bool { rawValue >= Opcode.close.rawValue }
}

/// The begin of a frame (RFC 6455, 5.2).
struct FrameHead: Equatable {
    /// The most content of a control frame, and the largest length without further bytes.
    static let shortMaxBytes = 125

    var opcode = Opcode.continuation
    var isFinal = false
    var payloadBytes: UInt64 = 0
}
