import HTTP
import Net
import TestSupport
import Testing

@Suite("Interim answers", .timeLimit(.minutes(Patience.minutes(1))))
struct InterimTests {
    private static let handler: Server.Handler = { request in
        let sent = try? await request.sendInterim(
            .uploadResumptionSupported,
            fields: [("Location", "/uploads/1"), ("Upload-Draft-Interop-Version", "8")]
        )
        guard sent == (request.head.minorVersion > 0) else { return Response(Status(code: 500)) }
        return await StreamingHandler.read(request)
    }

    @Test("104 is sent before the body is read, then 100 Continue, then the answer", arguments: [false, true])
    func order(isSecure: Bool) async throws {
        let tls = isSecure ? try RunningServer.endpoint() : nil
        try await RunningServer.run(tls: tls, handler: Self.handler) { port in
            let client = RawHTTP(isSecure ? try TLSSocket(port: port) : try RawSocket(port: port))
            for _ in 0..<2 {
                try client.send("PUT", "/", fields: [("Content-Length", "3"), ("Expect", "100-continue")])
                let interim = try client.readResponse()
                #expect(interim.status == 104)
                #expect(interim.fields.map(\.name) == ["Location", "Upload-Draft-Interop-Version"])
                #expect(interim["Location"] == "/uploads/1")
                #expect(try client.readResponse().status == 100)
                try client.sendPattern(3)
                #expect(try client.readResponse().text == "3")
            }
        }
    }

    @Test("An HTTP/1.0 client gets no interim answers")
    func oldVersion() async throws {
        try await RunningServer.run(handler: Self.handler) { port in
            let client = try RawHTTP(port: port)
            try client.send("PUT / HTTP/1.0\r\nContent-Length: 3\r\n\r\n")
            try client.sendPattern(3)
            let answer = try client.readResponse()
            #expect(answer.status == 200)
            #expect(answer.text == "3")
        }
    }

    @Test("Interim answers after the final answer are refused")
    func tooLate() async throws {
        let refused = Counter()
        let handler: Server.Handler = { request in
            let held = Held(request)
            return Response(
                .ok,
                content: .stream(keepingBytes: 0) { stream in
                    do { try await held.request.sendInterim(.uploadResumptionSupported) } catch { refused.add() }
                    try await stream.write([65])
                }
            )
        }
        try await RunningServer.run(handler: handler) { port in
            let answer = try RawHTTP(port: port).ask("GET", "/")
            #expect(answer.text == "A")
        }
        #expect(refused.value == 1)
    }
}

/// A request that its own answer holds.
///
/// `@unchecked Sendable`: both are used on the connection's loop.
private final class Held: @unchecked Sendable {
    let request: Request

    init(_ request: Request) { self.request = request }
}
