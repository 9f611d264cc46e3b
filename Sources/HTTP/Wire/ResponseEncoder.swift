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
        buffer.append(addingCapacity: ResponseEncoder.maxBytes(head) + date.count) { output in
            appendStatusLine(head.status, to: &output)
            for index in head.fields.indices {
                appendField(head.fields[index].name, head.fields[index].value, to: &output)
            }
            if head.status.code >= 200 {
                output.append("Date: ")
                output.append(date.span)
                output.append("\r\n")
                appendConnection(closes: !keepsAlive || body == .untilClose, to: &output)
                appendFraming(head.status, framing, to: &output)
            }
            output.append("\r\n")
        }
        return body
    }

    /// Room for the head: what the encoder writes of its own takes 120 bytes at most.
    private static func maxBytes(_ head: ResponseHead) -> Int {
        var bytes = 120 + head.status.reason.utf8.count
        for index in head.fields.indices {
            bytes += head.fields[index].name.utf8.count + head.fields[index].value.utf8.count + 4
        }
        return bytes
    }

    private func body(after status: Status, _ framing: ResponseFraming) -> ResponseBody {
        if status.forbidsContent || isHead { return .nothing }
        switch framing {
        case .none: return .nothing
        case .length(let length): return .sized(max(0, length))
        case .chunked: return minorVersion > 0 ? .chunked : .untilClose
        }
    }

    private func appendStatusLine(_ status: Status, to output: inout OutputSpan<UInt8>) {
        output.append("HTTP/1.1 ")
        output.append(status.code)
        output.append(.space)
        output.appendSafe(status.reason)
        output.append("\r\n")
    }

    private func appendField(_ name: String, _ value: String, to output: inout OutputSpan<UInt8>) {
        let bytes = name.utf8.span
        guard ResponseEncoder.isToken(bytes), !ResponseEncoder.isOwn(bytes) else { return }
        output.append(bytes)
        output.append(": ")
        output.appendSafe(value)
        output.append("\r\n")
    }

    private func appendConnection(closes: Bool, to output: inout OutputSpan<UInt8>) {
        if closes {
            output.append("Connection: close\r\n")
        } else if minorVersion == 0 {
            output.append("Connection: keep-alive\r\n")
        }
    }

    /// 204 has neither field, 304 only the length. An answer without content says 0, but not to HEAD, where that
    /// would be about the content of GET.
    private func appendFraming(_ status: Status, _ framing: ResponseFraming, to output: inout OutputSpan<UInt8>) {
        switch framing {
        case _ where status.code == 204: return
        case .none where isHead || status.code == 304: return
        case .none: output.append("Content-Length: 0\r\n")
        case .length(let length):
            output.append("Content-Length: ")
            output.append(max(0, length))
            output.append("\r\n")
        case .chunked where minorVersion > 0 && status.code != 304:
            output.append("Transfer-Encoding: chunked\r\n")
        case .chunked: return
        }
    }
}

extension ResponseEncoder {
    private static func isToken(_ bytes: borrowing Span<UInt8>) -> Bool {
        for index in bytes.indices where !bytes[index].isToken { return false }
        return !bytes.isEmpty
    }

    /// Whether the encoder itself writes this field; the length rules nearly all others out.
    private static func isOwn(_ bytes: borrowing Span<UInt8>) -> Bool {
        return switch bytes.count {
        case 4: bytes.equals("date", ignoringCaseIn: 0..<4)
        case 10: bytes.equals("connection", ignoringCaseIn: 0..<10)
        case 14: bytes.equals("content-length", ignoringCaseIn: 0..<14)
        case 17: bytes.equals("transfer-encoding", ignoringCaseIn: 0..<17)
        default: false
        }
    }
}
