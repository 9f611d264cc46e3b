import NeuroViewsCrypto
import NeuroViewsWebSocket

/// The request of an upgrade, as it goes over the wire (RFC 6455, 4.1).
struct UpgradeRequest {
    private static let keyBytes = 16

    /// The head.
    let bytes: [UInt8]
    /// What only a WebSocket server that has read this request answers.
    private let accept: String?

    init(_ request: TransferRequest) {
        let key = Base64.padded.encode((0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max) })
        accept = Handshake.accept(key: key)
        let (authority, target) = Self.parts(of: request.url)
        let own: [TransferRequest.Field] = [
            ("Host", String(authority)), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
            ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key),
        ]
        let lines = (own + request.fields).map { "\($0.name): \($0.value)\r\n" }
        bytes = Array("\(request.method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8)
    }

    /// True if a 101 is the answer to this request. No extension was offered.
    func isAccepted(by answer: TransferAnswer) -> Bool {
        let connection = (answer["Connection"] ?? "").split { ", \t".contains($0) }
        return answer["Upgrade"]?.lowercased() == "websocket" && connection.contains { $0.lowercased() == "upgrade" }
            && accept != nil && answer["Sec-WebSocket-Accept"] == accept && answer["Sec-WebSocket-Extensions"] == nil
    }

    /// The authority and the target of an absolute URL.
    private static func parts(of url: String) -> (authority: Substring, target: String) {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let authority = rest.prefix { !"/?".contains($0) }
        let target = rest[authority.endIndex...]
        return (authority, target.hasPrefix("/") ? String(target) : "/" + target)
    }
}
