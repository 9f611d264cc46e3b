/// Writes response heads as HTTP/1.1 (RFC 9112, sections 4 to 6) so that one request's answer cannot be taken for two:
/// a field whose name is no token is dropped, and control characters in a value (CR, LF and NUL among them) become
/// spaces.
public struct ResponseEncoder: Sendable {
    /// The interim answer to `Expect: 100-continue`.
    public static var continueInterim: [UInt8] { Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) }

    private let minorVersion: Int
    private let keepsAlive: Bool
    private let isHead: Bool

    /// For the answer to a request; `keepsAlive` is false when the server is going to close.
    public init(minorVersion: Int, keepsAlive: Bool, isHead: Bool) {
        self.minorVersion = minorVersion
        self.keepsAlive = keepsAlive
        self.isHead = isHead
    }

    /// For the answer to this request; with `keepsAlive` false the connection is closed though the client would stay.
    public init(answering request: RequestHead, keepsAlive: Bool = true) {
        self.init(
            minorVersion: request.minorVersion,
            keepsAlive: keepsAlive && request.keepsAlive,
            isHead: request.method == .head
        )
    }

    /// Appends status line, fields and framing, and says what must follow. `date` is the value of Date (RFC 9110,
    /// section 5.6.7). Chunks for an HTTP/1.0 client become plain bytes up to the end of the connection.
    public func append(
        _ head: ResponseHead,
        framing: ResponseFraming,
        date: [UInt8],
        to buffer: inout [UInt8]
    ) -> ResponseBody {
        let body = body(after: head.status, framing)
        appendStatusLine(head.status, to: &buffer)
        for (name, value) in head.fields { appendField(name, value, to: &buffer) }
        if head.status.code >= 200 {
            buffer.append(contentsOf: "Date: ".utf8)
            buffer.append(contentsOf: date)
            buffer.append(contentsOf: "\r\n".utf8)
            appendConnection(closes: !keepsAlive || body == .untilClose, to: &buffer)
            appendFraming(head.status, framing, to: &buffer)
        }
        buffer.append(contentsOf: "\r\n".utf8)
        return body
    }

    private func body(after status: Status, _ framing: ResponseFraming) -> ResponseBody {
        if status.forbidsContent || isHead { return .nothing }
        switch framing {
        case .none: return .nothing
        case .length(let length): return .sized(max(0, length))
        case .chunked: return minorVersion > 0 ? .chunked : .untilClose
        }
    }

    private func appendStatusLine(_ status: Status, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: "HTTP/1.1 ".utf8)
        buffer.appendDecimal(status.code)
        buffer.append(.space)
        buffer.appendSafe(status.reason)
        buffer.append(contentsOf: "\r\n".utf8)
    }

    private func appendField(_ name: String, _ value: String, to buffer: inout [UInt8]) {
        guard ResponseEncoder.isToken(name), !ResponseEncoder.isOwn(name) else { return }
        buffer.append(contentsOf: name.utf8)
        buffer.append(contentsOf: ": ".utf8)
        buffer.appendSafe(value)
        buffer.append(contentsOf: "\r\n".utf8)
    }

    private func appendConnection(closes: Bool, to buffer: inout [UInt8]) {
        if closes {
            buffer.append(contentsOf: "Connection: close\r\n".utf8)
        } else if minorVersion == 0 {
            buffer.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        }
    }

    /// 204 has neither field, 304 only the length. An answer without content says 0, but not to HEAD, where that
    /// would be about the content of GET.
    private func appendFraming(_ status: Status, _ framing: ResponseFraming, to buffer: inout [UInt8]) {
        switch framing {
        case _ where status.code == 204: return
        case .none where isHead || status.code == 304: return
        case .none: buffer.append(contentsOf: "Content-Length: 0\r\n".utf8)
        case .length(let length):
            buffer.append(contentsOf: "Content-Length: ".utf8)
            buffer.appendDecimal(max(0, length))
            buffer.append(contentsOf: "\r\n".utf8)
        case .chunked where minorVersion > 0 && status.code != 304:
            buffer.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .chunked: return
        }
    }
}

extension ResponseEncoder {
    private static func isToken(_ name: String) -> Bool {
        let bytes = name.utf8.span
        for index in bytes.indices where !bytes[index].isToken { return false }
        return !bytes.isEmpty
    }

    /// Whether the encoder itself writes this field; the length rules nearly all others out.
    private static func isOwn(_ name: String) -> Bool {
        let bytes = name.utf8.span
        return switch bytes.count {
        case 4: bytes.equals("date", ignoringCaseIn: 0..<4)
        case 10: bytes.equals("connection", ignoringCaseIn: 0..<10)
        case 14: bytes.equals("content-length", ignoringCaseIn: 0..<14)
        case 17: bytes.equals("transfer-encoding", ignoringCaseIn: 0..<17)
        default: false
        }
    }
}
