import Foundation
import TestSupport
import Testing

/// Unexpected results on a thread that belongs to no test.
final class Findings {
    private(set) var wrong: [String] = []

    func expect(_ isRight: @autoclosure () throws -> Bool, line: Int = #line) rethrows {
        if try !isRight() { wrong.append("line \(line)") }
    }
}

/// The attacks run one after the other on a server of their own, because the tests measure its memory.
@Suite("Hostile clients", .blocking, .serialized, .timeLimit(.minutes(Patience.minutes(5))))
struct HostileTests {
    private static let shared = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--header-timeout-ms", "1000",
            "--answer-timeout-ms", "1000", "--connections-max", "2000", "--connections-per-address-max", "500",
        ])
    }
    private static let account = Result { try Device.new(shared.get().client) }
    /// The additional memory that the server may use during an attack.
    private static let memoryMaxKiB = 64 << 10

    /// Runs an attack. Checks that the server keeps its memory limit and serves other clients.
    private static func attack(
        _ body: @escaping @Sendable (UInt16, _ token: String, Findings) throws -> Void,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let (server, token) = (try shared.get(), try account.get().token)
        let figures = ProcessFigures(server.processID)
        let beforeKiB = figures.residentKiB
        figures.forgetPeak()
        let port = server.client.port
        // The attack has a thread that no other test waits for.
        let wrong = try await onThread {
            let found = Findings()
            try body(port, token, found)
            return found.wrong
        }
        #expect(wrong.isEmpty, sourceLocation: location)
        if ProcessFigures.tellMemory {
            #expect(figures.peakResidentKiB - beforeKiB <= memoryMaxKiB, sourceLocation: location)
        }
        #expect(try server.client.send("GET", "/healthz").status == 200, sourceLocation: location)
    }

    /// Sends `head`, then `piece` repeatedly, up to 256 MiB or until the server closes the connection. Returns the
    /// answer.
    private static func flood(_ port: UInt16, _ head: String, _ piece: String) throws -> HTTPAnswer? {
        let connection = try HTTPConnection(port: port)
        try connection.send(head)
        let pieces = [UInt8](String(repeating: piece, count: max(1, 65536 / piece.utf8.count)).utf8)
        var sent = 0
        while sent < 256 << 20, (try? connection.send(pieces)) != nil { sent += pieces.count }
        guard sent < 256 << 20 else { throw Program.Failure("the server took everything") }
        return try connection.receive()
    }

    private static func post(_ path: String, _ token: String, _ field: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\(field)\r\n"
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n"

    @Test("A body of 10 GB gets 413 at its announcement or at the limit", .inFull)
    func hugeBody() async throws {
        try await Self.attack { port, token, found in
            let paths = ["/v2/auth/login", "/v2/configurations"]
            for path in paths {
                let head = Self.post(path, token, "Content-Length: 10737418240\r\n")
                try found.expect(Self.flood(port, head, "0123456789abcdef")?.verdict == "413 body-too-large")
                let chunk = "4000\r\n" + String(repeating: "[", count: 16384) + "\r\n"
                try found.expect(
                    Self.flood(port, Self.post(path, token, Self.chunked), chunk)?.verdict == "413 body-too-large"
                )
                let small = try Self.flood(port, Self.post(path, token, Self.chunked), "1\r\n[\r\n")
                found.expect(small?.verdict == "413 body-too-large")
            }
        }
    }

    @Test("Endless chunk extensions get 400, and endless trailers 431")
    func endlessFraming() async throws {
        try await Self.attack { port, token, found in
            let head = Self.post("/v2/configurations", token, Self.chunked)
            try found.expect(Self.flood(port, head + "1", ";a=b")?.verdict == "400 bad-request")
            try found.expect(Self.flood(port, head, "1;a=b\r\n[\r\n")?.verdict == "400 bad-request")
            let trailers = try Self.flood(port, head + "0\r\n", "X: y\r\n")
            found.expect(["431 header-too-large", "400 bad-request"].contains(trailers?.verdict))
        }
    }

    @Test("A million header fields or an endless line get 431, and an endless target 414")
    func endlessHead() async throws {
        try await Self.attack { port, _, found in
            let line = "GET / HTTP/1.1\r\nHost: a\r\n"
            let floods = [
                (line, "X: y\r\n", "431 header-too-large"), (line + "X: ", "yyyyyyyy", "431 header-too-large"),
                (line + "X", "yyyyyyyy", "431 header-too-large"), ("GET /", "yyyyyyyy", "414 target-too-long"),
                ("", "\r\n", "400 bad-request"),
            ]
            for (head, piece, verdict) in floods {
                let answer = try Self.flood(port, head, piece)
                found.expect(answer?.verdict == verdict)
            }
        }
    }

    @Test("JSON of 100,000 levels gets 400", arguments: ["[", #"{"a":"#])
    func deepJSON(opening: String) async throws {
        try await Self.attack { port, token, found in
            let body = Array(String(repeating: opening, count: 100_000).utf8)
            let head = Self.post("/v2/configurations", token, "Content-Length: \(body.count)\r\n")
            let connections = try (0..<10).map { _ in try HTTPConnection(port: port) }
            for connection in connections { try connection.send(Array(head.utf8) + body) }
            for connection in connections { try found.expect(connection.receive()?.verdict == "400 invalid-json") }
        }
    }

    @Test("A stalled body or head gets 408, and a silent connection is closed without an answer")
    func stalled() async throws {
        try await Self.attack { port, token, found in
            func open(_ text: String) throws -> HTTPConnection {
                let connection = try HTTPConnection(port: port)
                try connection.send(text)
                return connection
            }
            let silent = try HTTPConnection(port: port)
            let body = try open(Self.post("/v2/configurations", token, "Content-Length: 100\r\n") + "{")
            let chunks = try open(Self.post("/v2/configurations", token, Self.chunked) + "5\r\n{")
            let head = try open("GET / HTTP/1.1\r\nHos")
            let drip = try HTTPConnection(port: port)
            for byte in "GET /healthz?aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                .utf8
            {
                guard (try? drip.send([byte])) != nil else { break }
                usleep(15000)
            }
            for connection in [body, chunks, head, drip] {
                let answer = try connection.receive()
                found.expect(answer?.verdict == "408 request-timeout")
                found.expect(answer?.field("connection") == "close")
                try found.expect(connection.isClosed())
            }
            try found.expect(silent.receive() == nil)
        }
    }

    @Test("Clients that pipeline thousands of requests and read no answer are cut off", .inFull)
    func unread() async throws {
        let figures = ProcessFigures(try Self.shared.get().processID)
        try await Self.attack { port, _, found in
            let before = figures.descriptorCount
            let request = "GET /v2/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
            let requests = Array(String(repeating: request, count: 2000).utf8)
            let greedy = try (0..<200).map { _ in try RawSocket(port: port, limitMs: 50, receiveBufferBytes: 4096) }
            for client in greedy { try? client.send(requests) }
            // The server serves other clients meanwhile, also from another address.
            for _ in 0..<20 {
                try found.expect(RawHTTP(port: port, limitMs: 30000, source: 2).ask("GET", "/healthz").status == 200)
            }
            // The clients can't see the end. It is behind answers in the kernel's buffers, and these clients don't
            // read.
            try Deadline.wait("the end of connections that read nothing", seconds: 30) {
                // Some of the server's own come and go.
                figures.descriptorCount <= before + 10
            }
            withExtendedLifetime(greedy) {}
        }
    }

    @Test("A flood of connections from one address gets 429 and leaves room for others")
    func connectionFlood() async throws {
        try await Self.attack { port, _, found in
            let flood = try (0..<1500).map { _ in try RawSocket(port: port, limitMs: 30000) }
            let answer = try RawHTTP(port: port, limitMs: 30000, source: 2).ask("GET", "/healthz")
            found.expect(answer.status == 200)
            var refused = 0
            for client in flood {
                let text = String(decoding: (try? client.receiveAll()) ?? [], as: UTF8.self)
                guard text.hasPrefix("HTTP/1.1 429 ") else { continue }
                found.expect(text.contains("Retry-After: ") && text.contains("/v2/problems/too-many-connections"))
                refused += 1
            }
            found.expect((1..<1001).contains(refused))
        }
        let server = try Self.shared.get()
        try Deadline.wait("room for the flooding address again", seconds: 30) {
            (try? server.client.send("GET", "/healthz").status) == 200
        }
    }

    @Test("A server without free descriptors waits without spinning, and goes on when there are some")
    func descriptors() throws {
        // Clients without a descriptor have sent no request yet, and they wait long on a busy machine.
        let server = try ServerProcess(["--header-timeout-ms", "300000", "--idle-timeout-ms", "300000"])
        // A start needs descriptors: a server that gets none ends.
        try server.awaitReady()
        let figures = ProcessFigures(server.processID)
        let port = server.client.port
        let limit = figures.descriptorCount + 20
        let program = try Program.run(["prlimit", "--pid", "\(server.processID)", "--nofile=\(limit):"])
        try #require(program.status == 0, "\(program.complaint)")
        let clients = try (0..<100).map { _ in try RawHTTP(port: port, limitMs: 30000) }
        try Deadline.wait("all descriptors to be taken", seconds: 30) { figures.descriptorCount >= limit }
        let (cpuSeconds, start) = (figures.cpuSeconds, ContinuousClock.now)
        usleep(700_000)
        let spent = (figures.cpuSeconds - cpuSeconds) / ((ContinuousClock.now - start) / .seconds(1))
        #expect(spent < 0.3, "of a core while it waits")
        for client in clients.prefix(90) { client.socket.close() }
        for client in clients.suffix(10) { #expect(try client.ask("GET", "/healthz").status == 200) }
        try server.stop()
    }
}
