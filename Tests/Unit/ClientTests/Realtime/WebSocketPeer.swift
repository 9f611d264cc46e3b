import Foundation
import NeuroViewsCrypto
import TestSupport

/// The server's side of a WebSocket, over frames of its own: those of the client would hide the same mistake on both sides.
extension PeerConnection {
    struct Frame: Equatable {
        let opcode: UInt8
        let payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    /// Reads the request of an upgrade, and returns its head.
    func readUpgrade() throws -> String { try readHead() }

    /// Accepts the upgrade of this head. `more` are further bytes of the same packet.
    func accept(_ head: String, _ more: [UInt8] = []) throws {
        let key = Self.field("Sec-WebSocket-Key", of: head) ?? ""
        var digest = SHA1()
        digest.update(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8).span)
        let accept = Base64.padded.encode(digest.digest())
        let answer = """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: \(accept)\r
            Sec-WebSocket-Protocol: neuroviews.v2\r
            \r\n
            """
        try send(Array(answer.utf8) + more)
    }

    static func field(_ name: String, of head: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// A frame of a server, which has no mask.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        let count = payload.count
        let length: [UInt8] = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [opcode | (isFinal ? 0x80 : 0)] + length + payload
    }

    static func frame(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    /// Reads a frame of the client. Throws unless it is masked.
    func readFrame() throws -> Frame {
        let head = try read(2)
        guard head[1] & 0x80 != 0 else { throw TestSupportError("a frame without a mask") }
        var count = Int(head[1] & 0x7F)
        if count == 126 { count = try read(2).reduce(0) { $0 << 8 | Int($1) } }
        let mask = try read(4)
        let masked = try read(count)
        return Frame(opcode: head[0] & 0x0F, payload: masked.enumerated().map { $1 ^ mask[$0 % 4] })
    }
}
