/// Reads the messages of a peer (RFC 6455, 5) from bytes as they arrive, without sockets or a clock.
package struct MessageReader: Sendable {
    /// The side that reads.
    package enum Role: Sendable {
        /// The frames of a client are masked.
        case server
        /// The frames of a server are not.
        case client
    }

    package enum Event: Equatable, Sendable {
        /// A whole message. One of text is UTF-8.
        case message([UInt8], isText: Bool)
        case ping([UInt8])
        case pong([UInt8])
        /// The peer's close frame. Nothing follows.
        case close(code: UInt16?, reason: String)
        /// The peer has broken the protocol or a limit: the connection must end with this code. Nothing follows.
        case fault(CloseCode)
    }

    private let messageMaxBytes: Int
    private let fragmentsMax: Int
    private var frames: FrameReader
    private var head = FrameHead()
    /// The message that has begun; nil between messages.
    private var message: Partial?
    private var control: [UInt8] = []
    private var isOver = false

    private struct Partial {
        let isText: Bool
        var bytes: [UInt8] = []
        var frameCount = 0
        var check = UTF8Check()
    }

    /// A message has at most so many bytes and frames. A frame that is too large is found by its head.
    package init(role: Role, messageMaxBytes: Int, fragmentsMax: Int = 64) {
        self.messageMaxBytes = messageMaxBytes
        self.fragmentsMax = fragmentsMax
        frames = FrameReader(isMasked: role == .server)
    }

    /// The bytes of a message or control frame that has begun.
    package var keptBytes: Int { (message?.bytes.count ?? 0) + control.count }

    /// True between the first byte of a message or control frame and its last one.
    package var isWithin: Bool { message != nil || frames.isWithinFrame }

    /// The events that `bytes` complete.
    package mutating func take(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var position = 0
        while !isOver {
            switch next(bytes, &position) {
            case .none: continue
            case .event(let event): events.append(event)
            case .last(let event):
                events.append(event)
                end()
            case .more: return events
            }
        }
        return events
    }

    private enum Step {
        case none
        case event(Event)
        case last(Event)
        case more

        static func fault(_ code: CloseCode) -> Step { .last(.fault(code)) }
    }

    private mutating func next(_ bytes: [UInt8], _ position: inout Int) -> Step {
        switch frames.next(bytes, &position) {
        case .more: return .more
        case .wrong: return .fault(.protocolError)
        case .head(let head):
            self.head = head
            return head.opcode.isControl ? .none : begin(head)
        case .payload(let piece, let isLast):
            return head.opcode.isControl ? takeControl(piece, isLast: isLast) : takeMessage(piece, isLast: isLast)
        }
    }

    private mutating func end() {
        isOver = true
        message = nil
        control = []
    }
}

// MARK: Messages

extension MessageReader {
    /// The begin of a frame of a message. A continuation needs a message that has begun; all others, that none has.
    private mutating func begin(_ head: FrameHead) -> Step {
        guard (head.opcode == .continuation) == (message != nil) else { return .fault(.protocolError) }
        var current = message ?? Partial(isText: head.opcode == .text)
        current.frameCount += 1
        guard current.frameCount <= fragmentsMax else { return .fault(.policy) }
        guard head.payloadBytes <= UInt64(messageMaxBytes - current.bytes.count) else { return .fault(.tooBig) }
        message = current
        return .none
    }

    private mutating func takeMessage(_ piece: [UInt8], isLast: Bool) -> Step {
        guard var current = message else { return .fault(.protocolError) }
        // The only reference to the bytes, which then grow in place.
        message = nil
        if current.isText, !current.check.take(piece) { return .fault(.notText) }
        if current.bytes.isEmpty { current.bytes = piece } else { current.bytes += piece }
        guard isLast, head.isFinal else {
            message = current
            return .none
        }
        guard current.check.isComplete else { return .fault(.notText) }
        return .event(.message(current.bytes, isText: current.isText))
    }
}

// MARK: Control frames

extension MessageReader {
    private mutating func takeControl(_ piece: [UInt8], isLast: Bool) -> Step {
        control += piece
        guard isLast else { return .none }
        var payload: [UInt8] = []
        swap(&payload, &control)
        switch head.opcode {
        case .ping: return .event(.ping(payload))
        case .pong: return .event(.pong(payload))
        default: return close(payload)
        }
    }

    private func close(_ payload: [UInt8]) -> Step {
        if payload.isEmpty { return .last(.close(code: nil, reason: "")) }
        guard payload.count >= 2 else { return .fault(.protocolError) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard CloseCode(rawValue: code).isValidOnWire else { return .fault(.protocolError) }
        let reason = Array(payload[2...])
        var check = UTF8Check()
        guard check.take(reason), check.isComplete else { return .fault(.notText) }
        return .last(.close(code: code, reason: String(decoding: reason, as: UTF8.self)))
    }
}
