/// Writes response heads as HTTP/1.1 (RFC 9112, sections 4 to 6). `FieldBlock` has made the fields safe; control
/// characters in the reason phrase become spaces, too.
public struct ResponseEncoder: Sendable {
    /// The interim response to `Expect: 100-continue`.
    public static var continueInterim: [UInt8] { Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) }

    private let minorVersion: Int
    private let keepsAlive: Bool
    private let isHead: Bool

    /// For the response to a request; `keepsAlive` is false when the server will close.
    public init(minorVersion: Int, keepsAlive: Bool, isHead: Bool) {
        self.minorVersion = minorVersion
        self.keepsAlive = keepsAlive
        self.isHead = isHead
    }

    /// For the response to this request; with `keepsAlive` false the connection is
    /// closed even if the client would keep it.
    public init(answering request: RequestHead, keepsAlive: Bool = true) {
        self.init(
            minorVersion: request.minorVersion,
            keepsAlive: keepsAlive && request.keepsAlive,
            isHead: request.method == .head
        )
    }

    /// Appends status line, fields and framing, and returns the form of the following content. `date` is the value of
    /// Date (RFC 9110, section 5.6.7); `fixedFields` are part of every response but the interim ones. Chunks for an
    /// HTTP/1.0 client become plain bytes up to the end of the connection. 101 has `Connection: Upgrade`.
    public func append(
        _ head: ResponseHead,
        framing: ResponseFraming,
        date: [UInt8],
        fixedFields: FieldBlock = FieldBlock(),
        to buffer: inout [UInt8]
    ) -> ResponseBody {
        let body = body(after: head.status, framing)
        let roomBytes = ResponseEncoder.ownMaxBytes + head.status.reason.utf8.count + head.fields.bytes.count
        buffer.append(addingCapacity: roomBytes + fixedFields.bytes.count + date.count) { output in
            appendStatusLine(head.status, to: &output)
            output.append(copying: head.fields.bytes.span)
            if head.status.code >= 200 {
                output.append(copying: fixedFields.bytes.span)
                appendDate(date, to: &output)
                appendConnection(closes: !keepsAlive || body == .untilClose, to: &output)
                appendFraming(head.status, framing, to: &output)
            } else if head.status.code == 101 {
                output.append(copying: Piece.upgrade.span)
            }
            output.append(copying: Piece.endOfLine.span)
        }
        return body
    }

    /// The encoder's own bytes, without the date's value and the reason, are 120 at most.
    private static var ownMaxBytes: Int { 120 }

    private func body(after status: Status, _ framing: ResponseFraming) -> ResponseBody {
        if status.forbidsContent || isHead { return .nothing }
        switch framing {
        case .none: return .nothing
        case .length(let length): return .sized(max(0, length))
        case .chunked: return minorVersion > 0 ? .chunked : .untilClose
        }
    }

    private func appendStatusLine(_ status: Status, to output: inout OutputSpan<UInt8>) {
        if status.code == 200 { return output.append(copying: Piece.ok.span) }
        output.append(copying: Piece.version.span)
        output.append(status.code)
        output.append(.space)
        output.appendSafe(status.reason)
        output.append(copying: Piece.endOfLine.span)
    }

    private func appendDate(_ date: [UInt8], to output: inout OutputSpan<UInt8>) {
        output.append(copying: Piece.date.span)
        output.append(copying: date.span)
        output.append(copying: Piece.endOfLine.span)
    }

    private func appendConnection(closes: Bool, to output: inout OutputSpan<UInt8>) {
        if closes {
            output.append(copying: Piece.close.span)
        } else if minorVersion == 0 {
            output.append(copying: Piece.keepAlive.span)
        }
    }

    /// 204 has neither field, 304 only the length. A response without content has a length of 0, but not for HEAD,
    /// where it would describe the content of GET.
    private func appendFraming(_ status: Status, _ framing: ResponseFraming, to output: inout OutputSpan<UInt8>) {
        switch framing {
        case _ where status.code == 204: return
        case .none where isHead || status.code == 304: return
        case .none: appendLength(0, to: &output)
        case .length(let length): appendLength(max(0, length), to: &output)
        case .chunked where minorVersion > 0 && status.code != 304:
            output.append(copying: Piece.chunked.span)
        case .chunked: return
        }
    }

    private func appendLength(_ length: Int, to output: inout OutputSpan<UInt8>) {
        output.append(copying: Piece.length.span)
        output.append(length)
        output.append(copying: Piece.endOfLine.span)
    }

    /// The constant parts of heads. An array is copied at once; a String first needs a check of its storage.
    private enum Piece {
        static let ok = Array("HTTP/1.1 200 OK\r\n".utf8)
        static let version = Array("HTTP/1.1 ".utf8)
        static let date = Array("Date: ".utf8)
        static let close = Array("Connection: close\r\n".utf8)
        static let upgrade = Array("Connection: Upgrade\r\n".utf8)
        static let keepAlive = Array("Connection: keep-alive\r\n".utf8)
        static let length = Array("Content-Length: ".utf8)
        static let chunked = Array("Transfer-Encoding: chunked\r\n".utf8)
        static let endOfLine = Array("\r\n".utf8)
    }
}
