import HTTP
import TestSupport
import Testing

@Suite("Streamed answers of a known length", .timeLimit(.minutes(Patience.minutes(1))))
struct SizedStreamTests {
    private static let size = 300_000

    /// Announces `size` bytes, and writes the number of bytes in the path.
    private static func handler(_ writers: Counter = Counter()) -> Server.Handler {
        { request in
            let written = Int(request.head.path.dropFirst()) ?? 0
            return Response(
                .ok,
                content: .stream(keepingBytes: 0, length: size) { stream in
                    writers.add()
                    try await StreamingHandler.write(written, to: stream)
                }
            )
        }
    }

    @Test(
        "A stream of known length has a Content-Length without chunks, and the next request follows",
        arguments: ["1.1", "1.0"]
    )
    func whole(version: String) async throws {
        try await RunningServer.run(handler: Self.handler()) { port in
            let client = try RawHTTP(port: port)
            for _ in 0..<3 {
                try client.send("GET /\(Self.size) HTTP/\(version)\r\nHost: h\r\nConnection: keep-alive\r\n\r\n")
                let answer = try client.readResponse()
                #expect(answer["Content-Length"] == "\(Self.size)")
                #expect(answer["Transfer-Encoding"] == nil)
                #expect(answer.body.count == Self.size)
                #expect(BytePattern.matches(answer.body, at: 0))
            }
        }
    }

    @Test("HEAD of a stream gets its length without running the writer")
    func head() async throws {
        let writers = Counter()
        try await RunningServer.run(handler: Self.handler(writers)) { port in
            let client = try RawHTTP(port: port)
            for _ in 0..<2 {
                let answer = try client.ask("HEAD", "/\(Self.size)")
                #expect(answer["Content-Length"] == "\(Self.size)")
                #expect(answer.body.isEmpty)
            }
        }
        #expect(writers.value == 0)
    }

    @Test("A writer that writes too little ends the connection before the length", arguments: [0, 1, 299_999])
    func tooShort(written: Int) async throws {
        try await RunningServer.run(handler: Self.handler()) { port in
            let client = try RawHTTP(port: port)
            try client.send("GET", "/\(written)")
            #expect(try Self.content(of: client.readToEnd()).count <= written)
        }
    }

    @Test("A writer that writes too much is stopped, and no surplus byte is sent")
    func tooLong() async throws {
        let refused = Counter()
        let handler: Server.Handler = { _ in
            Response(
                .ok,
                content: .stream(keepingBytes: 0, length: 5) { stream in
                    try await stream.write(Array("abc".utf8))
                    do {
                        try await stream.write(Array("def".utf8))
                    } catch ResponseLengthError.tooLong {
                        refused.add()
                    }
                    try await stream.write(Array("de".utf8))
                }
            )
        }
        try await RunningServer.run(handler: handler) { port in
            let client = try RawHTTP(port: port)
            #expect(try client.ask("GET", "/").text == "abcde")
            #expect(try client.ask("GET", "/").text == "abcde")
        }
        #expect(refused.value == 2)
        try await RunningServer.run(handler: Self.handler()) { port in
            let client = try RawHTTP(port: port)
            try client.send("GET", "/300001")
            #expect(try Self.content(of: client.readToEnd()).count < Self.size)
        }
    }

    private static func content(of answer: [UInt8]) -> ArraySlice<UInt8> {
        let end = Array("\r\n\r\n".utf8)
        return answer.firstRange(of: end).map { answer[$0.upperBound...] } ?? []
    }
}
