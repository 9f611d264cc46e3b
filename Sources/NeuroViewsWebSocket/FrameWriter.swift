/// Makes frames (RFC 6455, 5.2).
package enum FrameWriter {
    private static let reasonMaxBytes = FrameHead.shortMaxBytes - 2

    /// The bytes of a frame. A client passes a `mask` of four random bytes, new for each frame; a server passes none.
    package static func frame(
        _ opcode: Opcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        mask: [UInt8] = []
    ) -> [UInt8] {
        precondition(mask.isEmpty || mask.count == 4, "a mask has four bytes")
        var frame: [UInt8] = []
        frame.reserveCapacity(payload.count + 14)
        frame.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        appendLength(payload.count, flag: mask.isEmpty ? 0 : 0x80, to: &frame)
        frame += mask
        let start = frame.count
        frame += payload
        if !mask.isEmpty {
            for index in payload.indices { frame[start + index] ^= mask[index & 3] }
        }
        return frame
    }

    private static func appendLength(_ count: Int, flag: UInt8, to frame: inout [UInt8]) {
        let byteCount: Int
        switch count {
        case ...FrameHead.shortMaxBytes:
            frame.append(flag | UInt8(count))
            return
        case ...Int(UInt16.max):
            frame.append(flag | 126)
            byteCount = 2
        default:
            frame.append(flag | 127)
            byteCount = 8
        }
        for index in (0..<byteCount).reversed() { frame.append(UInt8(truncatingIfNeeded: count >> (8 * index))) }
    }

    /// The payload of a close frame. The reason is cut to what a control frame can have.
    package static func closePayload(_ code: UInt16, reason: String = "") -> [UInt8] {
        var text = reason[...]
        while text.utf8.count > reasonMaxBytes { text.removeLast() }
        return [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(text.utf8)
    }
}
