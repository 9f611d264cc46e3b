/// A frame that waits for a socket.
enum SocketFrame {
    case fixed([UInt8])
    /// Made when it is written. Nil: it is too late for it.
    case timed(() -> [UInt8]?)

    /// The bytes for a write now.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .fixed(let bytes): bytes
        case .timed(let make): make()
        }
    }
}

/// The frames that wait for a socket, in the order of their importance. Nothing grows with the slowness of a client: the hub gives the next
/// batch when the last one is written.
struct SocketQueue {
    /// Pongs and pings. Of more than these only the newest count (RFC 6455, 5.5.3).
    private static let controlMax = 4
    /// With so many answers the client is not read.
    private static let answersMax = 32
    /// The size of one write.
    private static let flightMaxBytes = 64 << 10

    /// The bytes that are being written. TLS needs the same ones again, so nothing is added to them.
    private(set) var flight: [UInt8] = []
    private var control: [SocketFrame] = []
    private var answers: [SocketFrame] = []
    private var batch: [SocketFrame] = []
    /// True until the hub's batch is written.
    private var hasBatch = false
    private var closeFrame: [UInt8]?
    private var isEnding = false
    /// True while the client is not read.
    private var isUnread = false

    /// True if the client takes too few answers.
    var isFull: Bool { answers.count >= Self.answersMax }
    /// True after the close frame was written.
    var isClosed: Bool { isEnding && closeFrame == nil && flight.isEmpty }

    /// Notes that the client is not read until there is room for answers.
    mutating func awaitRoom() { isUnread = true }

    /// Returns true once when the client is to be read again, also while its answers are being written.
    mutating func takeRoom() -> Bool {
        guard isUnread, !isFull else { return false }
        isUnread = false
        return true
    }

    mutating func add(control frame: [UInt8]) {
        guard !isEnding else { return }
        if control.count == Self.controlMax { control.removeFirst() }
        control.append(.fixed(frame))
    }

    mutating func add(answer frame: [UInt8]) {
        if !isEnding { answers.append(.fixed(frame)) }
    }

    mutating func add(batch frames: [SocketFrame]) {
        guard !isEnding else { return }
        // Mostly nothing waits: the same array is kept.
        if batch.isEmpty { batch = frames } else { batch += frames }
        hasBatch = true
    }

    /// The last frame. Answers are still sent before it; messages of others are not.
    mutating func close(_ frame: [UInt8]) {
        guard !isEnding else { return }
        isEnding = true
        closeFrame = frame
        (control, batch, hasBatch) = ([], [], false)
    }

    /// Puts the next frames in flight. Returns false when there is nothing to write.
    mutating func fill() -> Bool {
        guard flight.isEmpty else { return true }
        Self.move(&control, to: &flight)
        Self.move(&answers, to: &flight)
        Self.move(&batch, to: &flight)
        if let frame = closeFrame, answers.isEmpty {
            flight += frame
            closeFrame = nil
        }
        return !flight.isEmpty
    }

    private static func move(_ frames: inout [SocketFrame], to flight: inout [UInt8]) {
        var count = 0
        while count < frames.count, flight.count < flightMaxBytes {
            let bytes = frames[count].bytes ?? []
            if flight.isEmpty { flight = bytes } else { flight += bytes }
            count += 1
        }
        // An idle socket keeps no memory.
        if count == frames.count { frames = [] } else { frames.removeFirst(count) }
    }

    /// Removes bytes that were written.
    mutating func drop(_ count: Int) {
        if count == flight.count { flight = [] } else { flight.removeFirst(count) }
    }

    /// Returns true once after the hub's batch was written.
    mutating func takeBatchEnd() -> Bool {
        guard hasBatch, batch.isEmpty, flight.isEmpty else { return false }
        hasBatch = false
        return true
    }
}
