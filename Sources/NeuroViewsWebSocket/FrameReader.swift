/// Reads frames (RFC 6455, 5.2) from bytes as they arrive. It keeps no payload, and reports each error at its first byte.
struct FrameReader {
    enum Step: Equatable {
        /// All bytes are read.
        case more
        /// The begin of a frame.
        case head(FrameHead)
        /// The next bytes of the frame's payload, unmasked; the last ones may be none.
        case payload([UInt8], isLast: Bool)
        /// The frame breaks the protocol. Nothing may be read after it.
        case wrong
    }

    /// The field that the next byte belongs to.
    private enum Field {
        case opcode
        case length
        /// A length that the shorter form could express is wrong (5.2).
        case longLength(bytesLeft: Int, min: UInt64)
        case mask(bytesLeft: Int)
        case payload
    }

    /// The highest bit of a length is 0 (5.2).
    private static let payloadMaxBytes = UInt64(Int64.max)

    private let isMasked: Bool
    private var field = Field.opcode
    private var head = FrameHead()
    /// The bytes of the key are rotated so that its lowest one is for the next byte of the payload.
    private var key: UInt32 = 0
    private var payloadLeft: UInt64 = 0

    /// Frames of clients are masked, those of servers are not.
    init(isMasked: Bool) { self.isMasked = isMasked }

    /// True after the first byte of a frame, until its last one.
    var isWithinFrame: Bool {
        if case .opcode = field { false } else { true }
    }

    /// Reads from `position` on, up to the end of a head, of a payload or of `bytes`.
    mutating func next(_ bytes: [UInt8], _ position: inout Int) -> Step {
        while true {
            if case .payload = field { return payload(bytes, &position) }
            guard position < bytes.count else { return .more }
            let isRight = take(bytes[position])
            position += 1
            guard isRight else { return .wrong }
            if case .payload = field { return .head(head) }
        }
    }

    /// Takes a byte of the head. Returns false if it is wrong.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch field {
        case .opcode: return takeOpcode(byte)
        case .length: return takeLength(byte)
        case .longLength(let bytesLeft, let min):
            head.payloadBytes = head.payloadBytes << 8 | UInt64(byte)
            field = .longLength(bytesLeft: bytesLeft - 1, min: min)
            guard bytesLeft == 1 else { return true }
            endLength()
            return (min...Self.payloadMaxBytes).contains(head.payloadBytes)
        case .mask(let bytesLeft):
            key = key >> 8 | UInt32(byte) << 24
            field = bytesLeft == 1 ? .payload : .mask(bytesLeft: bytesLeft - 1)
            return true
        case .payload: return false
        }
    }

    private mutating func takeOpcode(_ byte: UInt8) -> Bool {
        // No extension was agreed on that gives a meaning to the three reserved bits.
        guard byte & 0x70 == 0, let opcode = Opcode(rawValue: byte & 0x0F) else { return false }
        head = FrameHead(opcode: opcode, isFinal: byte & 0x80 != 0)
        field = .length
        return head.isFinal || !opcode.isControl
    }

    private mutating func takeLength(_ byte: UInt8) -> Bool {
        let length = byte & 0x7F
        guard (byte & 0x80 != 0) == isMasked, length <= FrameHead.shortMaxBytes || !head.opcode.isControl else {
            return false
        }
        switch length {
        case 126: field = .longLength(bytesLeft: 2, min: UInt64(FrameHead.shortMaxBytes) + 1)
        case 127: field = .longLength(bytesLeft: 8, min: UInt64(UInt16.max) + 1)
        default:
            head.payloadBytes = UInt64(length)
            endLength()
        }
        return true
    }

    private mutating func endLength() {
        payloadLeft = head.payloadBytes
        field = isMasked ? .mask(bytesLeft: 4) : .payload
    }

    private mutating func payload(_ bytes: [UInt8], _ position: inout Int) -> Step {
        let count = Int(min(payloadLeft, UInt64(bytes.count - position)))
        guard count > 0 || payloadLeft == 0 else { return .more }
        var piece = Array(bytes[position..<position + count])
        if isMasked { unmask(&piece) }
        position += count
        payloadLeft -= UInt64(count)
        if payloadLeft == 0 { field = .opcode }
        return .payload(piece, isLast: payloadLeft == 0)
    }

    private mutating func unmask(_ piece: inout [UInt8]) {
        // A copy, which needs no store for each byte.
        var key = key
        for index in piece.indices {
            piece[index] ^= UInt8(truncatingIfNeeded: key)
            key = key >> 8 | key << 24
        }
        self.key = key
    }
}
