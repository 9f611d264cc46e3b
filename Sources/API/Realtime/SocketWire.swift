import HTTP
import NeuroViewsWebSocket

/// The bytes of a socket in both directions. No other file of this module knows frames.
struct SocketWire {
    /// The largest message.
    static let messageMaxBytes = 16 << 10

    /// What the client has sent.
    enum Item {
        /// A whole message, of text or of bytes.
        case message([UInt8])
        case ping([UInt8])
        case pong(byteCount: Int)
        case close(CloseReason)
        /// The client broke the protocol. Nothing follows.
        case fault(CloseReason)
    }

    private var reader = MessageReader(role: .server, messageMaxBytes: messageMaxBytes)
    /// True after the client's close frame or fault: nothing more is read.
    private(set) var isClosed = false

    /// The bytes of a message that has begun.
    var keptBytes: Int { reader.keptBytes }

    /// True if a part of a message, or of a control frame, has arrived.
    var isWithin: Bool { reader.isWithin }

    /// The items that end in `bytes`.
    mutating func take(_ bytes: [UInt8]) -> [Item] {
        var items: [Item] = []
        guard !isClosed else { return items }
        for event in reader.take(bytes) {
            switch event {
            case .message(let text, _): items.append(.message(text))
            case .ping(let payload): items.append(.ping(payload))
            case .pong(let payload): items.append(.pong(byteCount: payload.count))
            case .close(let code, _):
                isClosed = true
                items.append(.close(code.map { CloseReason(Int($0)) } ?? .noCode))
            case .fault(let code):
                isClosed = true
                items.append(.fault(CloseReason(Int(code.rawValue))))
            }
        }
        return items
    }

    static func text(_ payload: [UInt8]) -> [UInt8] { FrameWriter.frame(.text, payload) }

    static func ping() -> [UInt8] { FrameWriter.frame(.ping, []) }

    static func pong(_ payload: [UInt8]) -> [UInt8] { FrameWriter.frame(.pong, payload) }

    /// An answer to a close frame without a code has none.
    static func close(_ reason: CloseReason) -> [UInt8] {
        guard reason != .noCode else { return FrameWriter.frame(.close, []) }
        let code = UInt16(truncatingIfNeeded: reason.code)
        return FrameWriter.frame(.close, FrameWriter.closePayload(code, reason: reason.text))
    }
}

/// The client's offer of a WebSocket (RFC 6455, 4.2.1).
struct SocketHandshake {
    static let version = "13"
    /// The subprotocol with the messages beyond the specification's.
    private static let subprotocol = "neuroviews.v2"

    /// True if the client offers the subprotocol.
    let speaksV2: Bool
    /// The fields of the 101.
    let fields: FieldBlock

    /// Nil for a request that offers no WebSocket of this version.
    init?(_ head: RequestHead) {
        let headers = head.headers
        guard head.method == .get, head.asksToUpgrade(to: "websocket"),
            headers.values("sec-websocket-version") == [Self.version],
            headers.count(of: "sec-websocket-key") == 1, let key = headers.first("sec-websocket-key"),
            let accept = Handshake.accept(key: key)
        else { return nil }
        let offered = headers.values("sec-websocket-protocol").flatMap { value in
            value.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        }
        speaksV2 = offered.contains { $0 == Self.subprotocol }
        var fields: [(name: String, value: String)] = [("Sec-WebSocket-Accept", accept)]
        if speaksV2 { fields.append(("Sec-WebSocket-Protocol", Self.subprotocol)) }
        self.fields = FieldBlock(fields)
    }
}
