import Testing

@testable import HTTP

@Suite("Parsing of requests")
struct RequestParserTests {
    @Test(
        "Every request has the same result however its bytes are split",
        arguments: acceptedRequests + pipelinedRequests + chunkedRequests + refusedRequestLines + refusedFields
            + refusedFraming
    )
    func table(row: RequestRow) {
        let bytes = row.bytes
        #expect(Transcript.whole(bytes).lines == row.expected)
        #expect(Transcript.single(bytes).lines == row.expected)
        let deviating = bytes.indices.first { Transcript.split(bytes, at: $0).lines != row.expected }
        #expect(deviating == nil, "split at this offset")
    }

    @Test("Every parse error has a status and a sentence of its own")
    func errors() {
        let sentences = Set(WireError.allCases.map(\.description))
        #expect(sentences.count == WireError.allCases.count)
        for error in WireError.allCases {
            #expect([400, 414, 417, 431, 501, 505].contains(error.status.code))
            #expect(error.description != "The request cannot be read.")
        }
    }

    @Test("A failed parser returns the same error for all further bytes")
    func errorStays() throws {
        var parser = RequestParser()
        parser.input.append(contentsOf: "GET / HTTP/1.1\n".utf8)
        #expect(throws: WireError.bareLineFeed) { try parser.next() }
        parser.input.append(contentsOf: "GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(throws: WireError.bareLineFeed) { try parser.next() }
    }

    @Test("Header fields are found without regard to case, and repeated ones in order")
    func headers() throws {
        let head = try requestHead(
            "GET /a?b HTTP/1.1\r\nHost: h:1\r\nX-A: \t1  2 \r\nx-a: 3\r\nUtf: é\r\nLatin: \u{1}\r\n\r\n"
        )
        #expect(head.headers.first("X-a") == "1  2")
        #expect(head.headers.values("x-A") == ["1  2", "3"])
        #expect(head.headers.count(of: "X-A") == 2)
        #expect(head.headers.count == 5)
        #expect(head.headers.first("x-") == nil)
        #expect(head.headers.count(of: "nothing") == 0)
        #expect(head.headers.first("utf").map { Array($0.utf8) } == [0xC3, 0xA9])
        #expect(head.headers.bytes(of: "latin") == [0xE9])
        #expect(head.headers.first("latin") == "\u{FFFD}")
        #expect(head.host == "h:1")
        #expect(head.target == "/a?b")
        #expect(head.query == "b")
        #expect(Array(head.queryBytes) == [0x62])
    }

    @Test("The host of an absolute target overrides the Host field")
    func absoluteHost() throws {
        #expect(try requestHead("GET http://b:2/ HTTP/1.1\r\nHost: a\r\n\r\n").host == "b:2")
        #expect(try requestHead("GET / HTTP/1.0\r\n\r\n").host == nil)
    }

    @Test("Content is passed on as it arrives, and counted")
    func content() throws {
        var parser = RequestParser()
        parser.input.append(contentsOf: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nab".utf8)
        guard case .head(let head) = try parser.next() else { throw Surprise() }
        #expect(head.bodyLength == .length(100_000))
        #expect(parser.bodyBytes == 0)
        guard case .body(let first) = try parser.next() else { throw Surprise() }
        #expect(first == Array("ab".utf8))
        parser.input.append(contentsOf: [UInt8](repeating: 7, count: 50_000))
        guard case .body(let second) = try parser.next() else { throw Surprise() }
        #expect(second.count == 50_000)
        #expect(parser.bodyBytes == 50_002)
        #expect(parser.isIdle == false)
    }

    @Test("The parser of an idle connection takes at most 1 KiB")
    func idle() throws {
        var parser = RequestParser()
        #expect(parser.isIdle)
        parser.input.append(contentsOf: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n".utf8)
        parser.input.append(contentsOf: [UInt8](repeating: 7, count: 60_000))
        #expect(parser.isIdle == false)
        // Reads to the end and no further, like a connection: it calls the parser again only after more bytes.
        for _ in 0..<3 { _ = try parser.next() }
        #expect(parser.isIdle)
        #expect(parser.input.capacity + MemoryLayout<RequestParser>.size < 1024)
    }

    @Test("A finished request leaves nothing in the parser", arguments: ["", "Content-Length: 4\r\n"])
    func nothingPilesUp(field: String) throws {
        let filling = String(repeating: "f", count: 2000)
        let body = field.isEmpty ? "" : "body"
        var parser = RequestParser()
        for _ in 0..<100 {
            parser.input.append(contentsOf: "PUT / HTTP/1.1\r\nHost: a\r\nX: \(filling)\r\n\(field)\r\n\(body)".utf8)
            while true { if case .end = try parser.next() { break } }
            #expect(parser.isIdle)
            #expect(parser.input.isEmpty)
        }
    }

    /// The only head in these bytes. The text is Latin-1, and U+0001 stands for 0xE9.
    private func requestHead(_ text: String) throws -> RequestHead {
        var parser = RequestParser()
        parser.input = text.utf8.map { $0 == 1 ? 0xE9 : $0 }
        guard case .head(let head) = try parser.next() else { throw Surprise() }
        return head
    }

    private struct Surprise: Error {}
}
