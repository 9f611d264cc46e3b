import HTTP
import Net
import TestSupport
import Testing

@Suite("Requests over a socket", .timeLimit(.minutes(Patience.minutes(1))))
struct RequestTests {
    @Test("A connection serves one request after another")
    func keepAlive() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            for n in 0..<50 {
                let answer = try client.ask("GET", "/\(n)")
                #expect(answer.status == 200)
                #expect(answer.text == "GET /\(n)")
                #expect(answer["Connection"] == nil)
                #expect(answer["Date"]?.hasSuffix(" GMT") == true)
            }
        }
    }

    @Test("Connection: close is honoured and answered")
    func close() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            #expect(try client.ask("GET", "/a", fields: [("Connection", "close")])["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("An HTTP/1.0 connection closes, unless the client asks for keep-alive")
    func oldVersion() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readResponse()["Connection"] == "keep-alive")
            try client.send("GET /b HTTP/1.0\r\n\r\n")
            #expect(try client.readResponse().text == "GET /b")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("Requests in one packet are answered in order, more of them than one turn serves")
    func pipelining() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            var packet = ""
            for n in 0..<200 {
                packet += "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\(n + 100)"
                packet += "GET /\(n) HTTP/1.1\r\nHost: h\r\n\r\n"
            }
            try client.send(packet)
            for n in 0..<200 {
                #expect(try client.readResponse().text == "\(n + 100)")
                #expect(try client.readResponse().text == "GET /\(n)")
            }
        }
    }

    @Test(
        "A request that is split at any byte is served",
        arguments: [
            "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
            "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nT: v\r\n\r\n",
        ]
    )
    func splits(request: String) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            let bytes = Array(request.utf8)
            for index in 1..<bytes.count {
                try client.send(Array(bytes[..<index]))
                // After an answer on another connection, the loop has seen the first part.
                if index % 8 == 0 { _ = try RawHTTP(port: port).ask("GET", "/between") }
                try client.send(Array(bytes[index...]))
                #expect(try client.readResponse().text == "hello")
            }
            for byte in bytes { try client.send([byte]) }
            #expect(try client.readResponse().text == "hello")
        }
    }

    @Test("Chunked bodies of every size arrive complete", arguments: [0, 1, 65535, 65536, 300_000])
    func chunked(size: Int) async throws {
        try await RunningServer.run { port in
            let content = BytePattern.bytes(size)
            let client = try RawHTTP(port: port)
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            var rest = content[...]
            while !rest.isEmpty {
                let piece = rest.prefix(7000)
                rest = rest.dropFirst(7000)
                try client.send(Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + [13, 10])
            }
            try client.send("0\r\n\r\n")
            #expect(try client.readResponse().body == content)
            #expect(try client.ask("GET", "/after").text == "GET /after")
        }
    }

    @Test("100 Continue is sent when the handler reads, and only then")
    func expectContinue() async throws {
        try await RunningServer.run { port in
            let expectation = [("Expect", "100-continue"), ("Content-Length", "5")]
            let client = try RawHTTP(port: port)
            try client.send("POST", "/echo", fields: expectation)
            #expect(try client.readResponse().status == 100)
            try client.send("hello")
            #expect(try client.readResponse().text == "hello")
            // A handler that does not read the body answers instead. The body's place is unknown, so the connection
            // closes.
            try client.send("POST", "/ignored", fields: expectation)
            let answer = try client.readResponse()
            #expect(answer.text == "POST /ignored")
            #expect(answer["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A body announced as too large is refused without 100 Continue")
    func earlyRefusal() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            try client.send("POST", "/small", fields: [("Expect", "100-continue"), ("Content-Length", "11")])
            let answer = try client.readResponse()
            #expect(answer.status == 413)
            #expect(answer["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A body that is too large gets 413 without an earlier reset", arguments: [true, false])
    func tooLarge(isChunked: Bool) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            let content = [UInt8](repeating: 97, count: 5_000_000)
            if isChunked {
                try client.send("POST /small HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4c4b40\r\n")
                try client.send(content)
            } else {
                try client.send("POST", "/small", body: content)
            }
            let answer = try client.readResponse()
            #expect(answer.status == 413)
            #expect(answer.text == "too large")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A small unread body is skipped, and a large one ends the connection")
    func unread() async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            #expect(try client.ask("POST", "/a", body: [UInt8](repeating: 71, count: 60000)).text == "POST /a")
            #expect(try client.ask("GET", "/b").text == "GET /b")
            let answer = try client.ask("POST", "/c", body: [UInt8](repeating: 71, count: 70000))
            #expect(answer.text == "POST /c")
            #expect(answer["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test(
        "Malformed HTTP gets its refusal and the end of the connection",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: h\n\n", 400), ("G\u{0}T / HTTP/1.1\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
            ("GET /\(String(repeating: "a", count: 17000)) HTTP/1.1\r\n", 414),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 20000))\r\n\r\n", 431),
            ("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ]
    )
    func wireErrors(request: String, status: Int) async throws {
        try await RunningServer.run { port in
            let client = try RawHTTP(port: port)
            try client.send(
                "GET /before HTTP/1.1\r\nHost: h\r\n\r\n" + request + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
            )
            #expect(try client.readResponse().text == "GET /before")
            let answer = try client.readResponse()
            #expect(answer.status == status)
            #expect(answer.text == "\(status)")
            #expect(answer["Connection"] == "close")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test("A client that disconnects during its request disturbs no other")
    func goneClients() async throws {
        try await RunningServer.run { port in
            for part in [
                "", "GET", "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab",
            ] {
                for leave in 0..<3 {
                    let client = try RawSocket(port: port)
                    try client.send(part)
                    switch leave {
                    case 0: client.close()
                    case 1: client.reset()
                    default:
                        client.finishSending()
                        _ = try client.receiveAll()
                    }
                }
            }
            #expect(try RawHTTP(port: port).ask("GET", "/still").text == "GET /still")
        }
    }

    @Test("Bytes of a hundred connections on two loops never mix")
    func manyConnections() async throws {
        try await RunningServer.run(loops: 2) { port in
            let clients = try (0..<100).map { _ in try RawHTTP(port: port) }
            for round in 0..<5 {
                for (n, client) in clients.enumerated() {
                    let mark = "\(round)-\(n)|"
                    try client.send("POST", "/echo", body: Array(String(repeating: mark, count: 1 + n * 20).utf8))
                }
                for (n, client) in clients.enumerated().reversed() {
                    #expect(try client.readResponse().text == String(repeating: "\(round)-\(n)|", count: 1 + n * 20))
                }
            }
        }
    }
}
