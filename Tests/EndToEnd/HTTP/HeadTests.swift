import Glibc
import TestSupport
import Testing

@Suite("Rare but legal request heads", .blocking)
struct HeadTests {
    /// Sends a head. Returns the first answer, and the connection for further checks.
    private func send(_ head: String) throws -> (HTTPAnswer?, HTTPConnection) {
        let connection = try HTTPConnection(port: Shared.client().port)
        try connection.send(head)
        return (try connection.receive(), connection)
    }

    @Test("A target in the absolute form is accepted")
    func absoluteForm() throws {
        let (answer, _) = try send("GET http://example.org/v2/version HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(answer?.status == 200)
    }

    @Test("OPTIONS * gets no server error")
    func optionsOfTheServer() throws {
        let (answer, _) = try send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect((answer?.status ?? 500) < 500)
    }

    @Test("HTTP/1.0 is answered, and the connection closed")
    func oldVersion() throws {
        let (answer, connection) = try send("GET /v2/version HTTP/1.0\r\n\r\n")
        #expect(answer?.status == 200)
        #expect(try connection.isClosed())
    }

    @Test("A client that waits for 100 Continue without a token gets 401 before it sends the body")
    func refusedBeforeTheBody() throws {
        let (answer, connection) = try send(
            """
            POST /v2/configurations HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r
            Expect: 100-continue\r\n\r\n
            """
        )
        #expect(answer?.verdict == "401 token-missing")
        #expect(answer?.field("connection") == "close")
        #expect(try connection.isClosed())
    }

    @Test("Connection: close is honoured, and pipelined requests are answered in order")
    func pipeline() throws {
        let get = "GET /v2/version HTTP/1.1\r\nHost: a\r\n"
        let (first, connection) = try send(
            "\(get)\r\nBREW / HTTP/1.1\r\nHost: a\r\n\r\n\(get)Connection: close\r\n\r\n\(get)\r\n"
        )
        #expect(first?.status == 200)
        #expect(try connection.receive()?.status == 501)
        let last = try connection.receive()
        #expect(last?.status == 200)
        #expect(last?.field("connection") == "close")
        #expect(try connection.isClosed())
    }

    @Test(
        "Every answer has a date and an id, and only public answers may be cached",
        arguments: try Operation.all()
    )
    func fields(operation: Operation) throws {
        let answer = try RequestDraft.anonymous(operation).send(Shared.client())
        #expect(answer.field("date")?.hasSuffix("GMT") == true)
        let isProbe = operation.path.hasSuffix("/healthz") || operation.path.hasSuffix("/readyz")
        let isSecret = operation.path.hasSuffix("/{link}")
        let isPublic = operation.method == "GET" && !operation.needsToken && !isProbe && !isSecret
        #expect(answer.field("cache-control") == (isPublic ? "max-age=300" : "no-store"))
        let id = answer.field("x-request-id") ?? ""
        #expect(!id.isEmpty)
        if !answer.problem.isEmpty { #expect(answer.string("instance") == id) }
    }

    @Test("The answer to malformed HTTP has an id that is also in the log")
    func refusalIsLogged() throws {
        // Refusals in other tests, from the same address, may have used up the log lines of this second.
        #expect(throws: Never.self) {
            try Deadline.wait("its line in the log", seconds: 10) {
                let (answer, _) = try send("GET /v2/version HTTP/1.1\r\n\r\n")
                let id = try #require(answer).string("instance")
                #expect(answer?.verdict == "400 bad-request")
                #expect(answer?.field("x-request-id") == id)
                usleep(100_000)
                return try Shared.server.get().log.contains("id=\(id) ")
            }
        }
    }
}
