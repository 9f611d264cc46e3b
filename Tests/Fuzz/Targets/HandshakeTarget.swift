import Foundation
import HTTP

@testable import API
@testable import NeuroViewsWebSocket

/// A request for a WebSocket is accepted only with all that RFC 6455 wants of it, and its key is answered as others do.
enum HandshakeTarget {
    static func check(_ bytes: [UInt8]) throws {
        try checkKey(String(decoding: bytes, as: UTF8.self))
        var parser = RequestParser()
        parser.input = bytes
        guard case .head(let head) = try? parser.next() else { return }
        guard let handshake = SocketHandshake(head) else { return }
        try property("only GET opens a WebSocket", head.method == .get && head.minorVersion > 0)
        let versions = head.headers.values("sec-websocket-version")
        try property("only version 13 is spoken", versions == ["13"])
        let keys = head.headers.values("sec-websocket-key")
        try property("there is one key", keys.count == 1)
        let answered = Handshake.accept(key: head.headers.first("sec-websocket-key") ?? "")
        let sent = handshake.fields.value("Sec-WebSocket-Accept")
        try property("the answer is that of the key", answered != nil && sent == answered)
        let offers = head.headers.values("sec-websocket-protocol").joined(separator: ",")
        try property("nothing is agreed that was not offered", !handshake.speaksV2 || offers.contains("neuroviews.v2"))
    }

    /// A key is the Base64 of 16 bytes.
    private static func checkKey(_ text: String) throws {
        let decoded = Data(base64Encoded: text)
        guard let accept = Handshake.accept(key: text) else {
            return try property("the Base64 of 16 bytes is a key", decoded?.count != 16)
        }
        try property("a key has 16 bytes", text.utf8.count == 24 && text.hasSuffix("=="))
        try property("the answer is the Base64 of 20 bytes", Data(base64Encoded: accept)?.count == 20)
    }
}
