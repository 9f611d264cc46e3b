import Foundation
import NeuroViewsCrypto

/// A blocking WebSocket client (RFC 6455) for tests. It has frames of its own: those of the server would hide the same mistake on both sides.
package final class WebSocketClient {
    /// A frame of the server.
    package struct Frame: Equatable {
        package let opcode: UInt8
        package let payload: [UInt8]

        /// The code of a close frame.
        package var closeCode: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
        /// The payload as text; of a close frame, its reason.
        package var text: String { String(decoding: opcode == 8 ? payload.dropFirst(2) : payload[...], as: UTF8.self) }
    }

    /// The answer to the opening.
    package let answer: HTTPAnswer
    private let stream: any ByteStream
    private var input: [UInt8] = []

    /// Opens a socket on a connection of its own. A refusal is in `answer`, whose status is then not 101.
    package init(
        port: UInt16,
        host: String = "127.0.0.1",
        target: String = "/v2",
        _ fields: APIClient.Fields,
        protocols: String? = "neuroviews.v2",
        limitMs: Int = Patience.ms(30_000)
    ) throws {
        stream = try RawSocket(port: port, limitMs: limitMs)
        let key = "dGhlIHNhbXBsZSBub25jZQ=="
        var all: APIClient.Fields = [
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key),
        ]
        if let protocols { all.append(("Sec-WebSocket-Protocol", protocols)) }
        try stream.send(APIClient.request("GET", target, host: host, all + fields))
        let end: [UInt8] = [13, 10, 13, 10]
        while input.firstRange(of: end) == nil {
            let bytes = try stream.receive()
            guard !bytes.isEmpty else { throw Program.Failure("the connection ended within a head") }
            input += bytes
        }
        let head = input.firstRange(of: end) ?? 0..<0
        var answer = HTTPAnswer(head: String(decoding: input[..<head.lowerBound], as: UTF8.self))
        input.removeSubrange(..<head.upperBound)
        if answer.status == 101 {
            // The value of RFC 6455, 1.3 for this key.
            guard answer.field("sec-websocket-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" else {
                throw Program.Failure("the server has not read the key")
            }
        } else if let count = answer.field("content-length").flatMap({ Int($0) }) {
            while input.count < count { input += try stream.receive() }
            answer.body = input
        }
        self.answer = answer
    }

    /// Sends a frame. Frames of clients are masked.
    package func send(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, mask: [UInt8] = [1, 2, 3, 4]) throws {
        var bytes: [UInt8] = [opcode | (isFinal ? 0x80 : 0)]
        let flag: UInt8 = mask.isEmpty ? 0 : 0x80
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 0xFF)) }
        }
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(mask.isEmpty ? byte : byte ^ mask[index % 4]) }
        try stream.send(bytes)
    }

    /// Sends a message as a text frame.
    package func send(_ text: String) throws { try send(opcode: 1, Array(text.utf8)) }

    /// Receives the next frame; nil at the end of the connection.
    package func receive() throws -> Frame? {
        guard let head = try take(2) else { return nil }
        guard head[0] & 0xF0 == 0x80, head[1] & 0x80 == 0 else {
            throw Program.Failure("a frame of the server is fragmented, masked or has reserved bits")
        }
        var count = Int(head[1])
        if count > 125 {
            guard let more = try take(count == 126 ? 2 : 8) else { return nil }
            count = more.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = try take(count) else { return nil }
        return Frame(opcode: head[0] & 0x0F, payload: payload)
    }

    private func take(_ count: Int) throws -> [UInt8]? {
        while input.count < count {
            let bytes = try stream.receive()
            if bytes.isEmpty { return nil }
            input += bytes
        }
        defer { input.removeSubrange(..<count) }
        return Array(input[..<count])
    }

    /// The next message with this `type`. Answers pings, and skips other messages. Nil at the end of the connection.
    package func message(_ type: String, where isWanted: ([String: Any]) -> Bool = { _ in true }) throws -> [String:
        Any]?
    {
        while let frame = try receive() {
            switch frame.opcode {
            case 8: return nil
            case 9: try send(opcode: 10, frame.payload)
            case 1:
                let value = try JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: Any] ?? [:]
                if value["type"] as? String == type, isWanted(value) { return value }
            default: break
            }
        }
        return nil
    }

    /// Skips everything before the server's close frame, and returns it. Nil if the connection ended without one.
    package func closeFrame() throws -> Frame? {
        while let frame = try receive() {
            if frame.opcode == 8 { return frame }
        }
        return nil
    }

    /// True if the server has closed the connection, after the bytes that have arrived.
    package func isEnded() throws -> Bool { try receive() == nil }

    /// Closes the connection without a close frame.
    package func drop() { stream.close() }
}

extension Device {
    /// Opens a WebSocket with the token. Signs the opening if `signatureVersion` is set.
    package func openSocket(
        protocols: String? = "neuroviews.v2",
        signing origin: String? = nil,
        _ fields: APIClient.Fields = [],
        limitMs: Int = Patience.ms(30_000)
    ) throws -> WebSocketClient {
        var all: APIClient.Fields = [("Authorization", "Bearer \(token)")] + fields
        if let signatureVersion {
            all += try signature("GET", (origin ?? client.origin) + "/v2", version: signatureVersion)
        }
        return try WebSocketClient(port: client.port, host: client.host, all, protocols: protocols, limitMs: limitMs)
    }

    /// The same for a socket that must open.
    package func socket(protocols: String? = "neuroviews.v2") throws -> WebSocketClient {
        let socket = try openSocket(protocols: protocols)
        guard socket.answer.status == 101 else {
            throw Program.Failure("\(socket.answer.verdict) \(socket.answer.text)")
        }
        return socket
    }
}
