import Testing

@testable import HTTP

/// A row: a response, properties of its request, and the exact bytes.
struct ResponseRow: Sendable, CustomStringConvertible {
    var status = Status.ok
    var fields: [(name: String, value: String)] = []
    var framing = ResponseFraming.none
    var minorVersion = 1
    var keepsAlive = true
    var isHead = false
    let expected: String
    var body = ResponseBody.nothing

    var description: String { expected.debugDescription }
}

@Suite("Encoding of responses")
struct ResponseEncoderTests {
    @Test("A head and its framing have exactly the expected bytes", arguments: rows)
    func table(row: ResponseRow) {
        let encoder = ResponseEncoder(minorVersion: row.minorVersion, keepsAlive: row.keepsAlive, isHead: row.isHead)
        var buffer = Array("before".utf8)
        let head = ResponseHead(status: row.status, fields: FieldBlock(row.fields))
        let body = encoder.append(head, framing: row.framing, date: Array("D".utf8), to: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == "before" + row.expected + "\r\n")
        #expect(body == row.body)
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static let rows: [ResponseRow] = [
        ResponseRow(expected: ok + "Date: D\r\nContent-Length: 0\r\n"),
        ResponseRow(
            framing: .length(1_234_567_890),
            expected: ok + "Date: D\r\nContent-Length: 1234567890\r\n",
            body: .sized(1_234_567_890)
        ),
        ResponseRow(framing: .length(-1), expected: ok + "Date: D\r\nContent-Length: 0\r\n", body: .sized(0)),
        ResponseRow(framing: .chunked, expected: ok + "Date: D\r\nTransfer-Encoding: chunked\r\n", body: .chunked),
        ResponseRow(
            keepsAlive: false,
            expected: ok + "Date: D\r\nConnection: close\r\nContent-Length: 0\r\n"
        ),
        ResponseRow(
            minorVersion: 0,
            expected: ok + "Date: D\r\nConnection: keep-alive\r\nContent-Length: 0\r\n"
        ),
        ResponseRow(
            framing: .chunked,
            minorVersion: 0,
            expected: ok + "Date: D\r\nConnection: close\r\n",
            body: .untilClose
        ),
        ResponseRow(framing: .length(5), isHead: true, expected: ok + "Date: D\r\nContent-Length: 5\r\n"),
        ResponseRow(framing: .chunked, isHead: true, expected: ok + "Date: D\r\nTransfer-Encoding: chunked\r\n"),
        ResponseRow(
            framing: .chunked,
            minorVersion: 0,
            isHead: true,
            expected: ok + "Date: D\r\nConnection: keep-alive\r\n"
        ),
        ResponseRow(isHead: true, expected: ok + "Date: D\r\n"),
        ResponseRow(status: .noContent, expected: "HTTP/1.1 204 No Content\r\nDate: D\r\n"),
        ResponseRow(status: .noContent, framing: .length(5), expected: "HTTP/1.1 204 No Content\r\nDate: D\r\n"),
        ResponseRow(status: .noContent, framing: .chunked, expected: "HTTP/1.1 204 No Content\r\nDate: D\r\n"),
        ResponseRow(status: .notModified, expected: "HTTP/1.1 304 Not Modified\r\nDate: D\r\n"),
        ResponseRow(
            status: .notModified,
            framing: .length(5),
            expected: "HTTP/1.1 304 Not Modified\r\nDate: D\r\nContent-Length: 5\r\n"
        ),
        ResponseRow(status: .notModified, framing: .chunked, expected: "HTTP/1.1 304 Not Modified\r\nDate: D\r\n"),
        ResponseRow(
            status: Status(code: 103),
            fields: [("Link", "x")],
            framing: .length(5),
            keepsAlive: false,
            expected: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n"
        ),
        ResponseRow(
            status: .switchingProtocols,
            fields: [("Upgrade", "x"), ("Connection", "y")],
            keepsAlive: false,
            expected: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n"
        ),
        ResponseRow(
            status: Status(code: 99),
            framing: .none,
            isHead: true,
            expected: "HTTP/1.1 500 Internal Server Error\r\nDate: D\r\n"
        ),
        ResponseRow(
            fields: [("A", "1"), ("a", "2"), ("B", "é\t")],
            isHead: true,
            expected: ok + "A: 1\r\na: 2\r\nB: é\t\r\nDate: D\r\n"
        ),
        ResponseRow(
            fields: [("A", "1\r\nSet-Cookie: x\r\n\r\nHTTP/1.1 200 OK"), ("B", "\u{0}\n\u{7F}")],
            isHead: true,
            expected: ok + "A: 1  Set-Cookie: x    HTTP/1.1 200 OK\r\nB:    \r\nDate: D\r\n"
        ),
        ResponseRow(
            fields: [("A\r\nB", "1"), ("A B", "1"), ("A:", "1"), ("", "1"), ("é", "1")],
            isHead: true,
            expected: ok + "Date: D\r\n"
        ),
        ResponseRow(
            fields: [
                ("content-length", "9"), ("Transfer-Encoding", "x"), ("CONNECTION", "x"), ("date", "x"), ("Dato", "x"),
            ],
            isHead: true,
            expected: ok + "Dato: x\r\nDate: D\r\n"
        ),
    ]

    @Test("Chunks have hexadecimal sizes, and an empty one is left out, because it would end the body")
    func chunks() {
        var buffer: [UInt8] = []
        ChunkedEncoder.appendChunk(Array("ab".utf8), to: &buffer)
        ChunkedEncoder.appendChunk([], to: &buffer)
        ChunkedEncoder.appendChunk(Array(repeating: 0x78, count: 26), to: &buffer)
        ChunkedEncoder.appendLast(to: &buffer)
        let text = String(decoding: buffer, as: UTF8.self)
        #expect(text == "2\r\nab\r\n1a\r\n\(String(repeating: "x", count: 26))\r\n0\r\n\r\n")
        let request = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        #expect(Transcript.whole(request + buffer).lines.last == "end")
    }

    @Test("An encoder follows its request's version, method and Connection field")
    func answering() throws {
        var parser = RequestParser()
        parser.input = Array("HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8)
        guard case .head(let request) = try parser.next() else { return #expect(Bool(false), "no head") }
        #expect(Self.text(ResponseEncoder(answering: request)).contains("Connection: keep-alive\r\n"))
        let closing = Self.text(ResponseEncoder(answering: request, keepsAlive: false))
        #expect(closing.contains("Connection: close\r\n"))
        #expect(!closing.contains("Content-Length"))
        #expect(ResponseEncoder.continueInterim == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }

    @Test("Fixed fields follow the answer's own fields, but not those of an interim answer")
    func fixedFields() {
        let fixed: FieldBlock = [("A", "1\r\n"), ("B C", "2"), ("Date", "x"), ("Vary", "Origin")]
        let encoder = ResponseEncoder(minorVersion: 1, keepsAlive: true, isHead: false)
        func text(_ status: Status) -> String {
            var buffer: [UInt8] = []
            let head = ResponseHead(status: status, fields: [("Own", "x")])
            _ = encoder.append(head, framing: .none, date: Array("D".utf8), fixedFields: fixed, to: &buffer)
            return String(decoding: buffer, as: UTF8.self)
        }
        #expect(text(.noContent) == "HTTP/1.1 204 No Content\r\nOwn: x\r\nA: 1  \r\nVary: Origin\r\nDate: D\r\n\r\n")
        #expect(text(Status(code: 100)) == "HTTP/1.1 100 Continue\r\nOwn: x\r\n\r\n")
    }

    @Test("A field block lists its fields as they are sent")
    func blockOfFields() {
        var block: FieldBlock = [("ETag", "\"7\""), ("Connection", "close")]
        block.append([("Link", "<a>; x=\"b: c\"")])
        block.append("Link", "1\n2")
        #expect(block.list.map(\.name) == ["ETag", "Link", "Link"])
        #expect(block.list.map(\.value) == ["\"7\"", "<a>; x=\"b: c\"", "1 2"])
        #expect(FieldBlock().list.isEmpty)
    }

    private static func text(_ encoder: ResponseEncoder) -> String {
        var buffer: [UInt8] = []
        _ = encoder.append(ResponseHead(status: .ok), framing: .none, date: [], to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }
}
