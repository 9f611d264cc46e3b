import HTTP
import Net
import TestSupport
import Testing

@Suite("Answers over a socket", .timeLimit(.minutes(Patience.minutes(1))))
struct ResponseTests {
    @Test("A streamed answer is chunked, and the next request follows it")
    func stream() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            for _ in 0..<3 {
                let answer = try client.ask("GET", "/stream")
                #expect(answer["Transfer-Encoding"] == "chunked")
                #expect(answer["Content-Length"] == nil)
                #expect(answer.body == streamedLetters)
            }
        }
    }

    @Test("A streamed answer to HTTP/1.0 ends with the connection, also with unread requests", arguments: [0, 5000])
    func streamToOldClient(unreadRequests: Int) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            let more = String(repeating: "GET /more HTTP/1.0\r\n\r\n", count: unreadRequests)
            try client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + more)
            let answer = try client.readResponse()
            #expect(answer["Transfer-Encoding"] == nil)
            #expect(answer["Connection"] == "close")
            #expect(answer.body == streamedLetters)
        }
    }

    @Test("A failed streamed answer is cut off, so that no client takes it for complete")
    func brokenStream() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            try client.send("GET", "/broken")
            let text = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(text.hasSuffix("5\r\nbegun\r\n"))
        }
    }

    @Test("HEAD gets the fields of GET without content", arguments: ["/large/1000", "/stream", "/empty"])
    func head(path: String) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            for _ in 0..<2 {
                let answer = try client.ask("HEAD", path)
                #expect(answer.status == 200)
                #expect(answer["Content-Length"] == (path == "/large/1000" ? "1000" : nil))
                #expect(answer["Transfer-Encoding"] == (path == "/stream" ? "chunked" : nil))
            }
            #expect(try client.ask("GET", "/after").text == "GET /after")
        }
    }

    @Test(
        "An answer without content has length 0 for 200, and no length for 204 and 304",
        arguments: [
            ("/empty", 200, "0"), ("/none", 204, nil), ("/unchanged", 304, nil),
        ] as [(String, Int, String?)]
    )
    func withoutContent(path: String, status: Int, length: String?) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            let answer = try client.ask("GET", path)
            #expect(answer.status == status)
            #expect(answer["Content-Length"] == length)
            #expect(try client.ask("GET", "/after").text == "GET /after")
        }
    }

    @Test("Large answers arrive complete at a slow reader", arguments: [1, 65536, 8_000_000])
    func large(size: Int) async throws {
        try await RunningServer.run { port in
            let slow = try RawSocket(port: port, receiveBufferBytes: 65536)
            try slow.send("GET /large/\(size) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(try RawHTTP(port: port).ask("GET", "/quick").text == "GET /quick")
            let answer = try slow.receiveAll()
            #expect(answer.suffix(size).allSatisfy { $0 == 120 })
            #expect(answer.count > size && answer.count < size + 300)
        }
    }
}
