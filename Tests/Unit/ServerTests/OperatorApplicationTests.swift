import Console
import HTTP
import Net
import Settings
import TestSupport
import Testing

@testable import Operations
@testable import PrivateCluster

@Suite("The operators' page", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct OperatorApplicationTests {
    private typealias Fields = [(String, String)]

    /// Serves the page without a server and, unless a folder is named, without data. Passes port and code.
    private static func run(
        isReadOnly: Bool = false,
        data: String = Sandbox.makeFolder() + "/none",
        _ client: @escaping @Sendable (UInt16, ConsoleGate) throws -> Void
    ) async throws {
        var settings = Settings()
        settings.adminListen = .off
        settings.data = data
        let (gate, work) = (try ConsoleGate(), try OperatorWork(settings))
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        let port = listener.address.port
        let application = try OperatorApplication(gate: gate, port: port, isReadOnly: isReadOnly, work)
        try await withLoops { loops in
            let server = Server(
                listener,
                loops: loops,
                limits: ServerLimits(),
                fixedFields: application.fixedFields,
                refusal: application.refuse,
                handler: application.respond
            )
            try await server.start()
            let result: Result<Void, any Error>
            do { result = .success(try await onThread { try client(port, gate) }) } catch { result = .failure(error) }
            await server.drain(timeoutMs: 3000)
            try result.get()
        }
        try await onThread { work.stop() }
    }

    private static func send(
        _ method: String,
        _ target: String,
        _ port: UInt16,
        host: String? = nil,
        _ fields: Fields = [],
        body: String? = nil
    ) throws -> RawResponse {
        let client = try RawHTTP(port: port, limitMs: Patience.ms(30000))
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
        let type: Fields = body == nil ? [] : [("Content-Type", "application/json")]
        let own = fields.contains { $0.0 == "Content-Type" } ? fields : type + fields
        for (name, value) in own { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        try client.send("\(text)\r\n\(body ?? "")")
        return try client.readResponse()
    }

    /// Logs in, and returns the field with the token.
    private static func token(_ port: UInt16, _ gate: ConsoleGate) throws -> (String, String) {
        let answer = try send("POST", "/api/session", port, body: #"{"code":"\#(gate.code)"}"#)
        #expect(answer.status == 200)
        let token = answer.text.split(separator: "\"").dropFirst(3).first ?? ""
        return ("Authorization", "Bearer \(token)")
    }

    @Test("The page and its files need no login; every request for data needs the token of this process")
    func login() async throws {
        try await Self.run { port, gate throws in
            let page = try Self.send("GET", "/", port)
            #expect(page.status == 200 && page.body == ConsoleFiles.all(of: .operator)[ConsoleFiles.index]?.bytes)
            #expect(page["Cache-Control"] == "no-store" && page["Set-Cookie"] == nil)
            #expect(page["Content-Security-Policy"]?.contains("script-src 'self';") == true)
            #expect(try Self.send("GET", "/view.js", port).status == 200)
            for target in ["/login.js", "/..%2Fuser%2Flogin.js", "/../user/login.js", "/web/operator/app.js"] {
                #expect(try Self.send("GET", target, port).status == 404, "\(target)")
            }
            let paths = ["metrics", "ready", "accounts", "accounts/a@b.example", "trail", "usage"].map { ("GET", $0) }
            let posts = ["doctor", "accounts/a@b.example/disable"].map { ("POST", $0) }
            for (method, path) in paths + posts {
                #expect(try Self.send(method, "/api/\(path)", port).status == 401, "\(path)")
                let foreign = ("Authorization", "Bearer \(gate.code)")
                #expect(try Self.send(method, "/api/\(path)", port, [foreign]).status == 401, "\(path)")
            }
            #expect(try Self.send("GET", "/api/ready", port, [Self.token(port, gate)]).status == 200)
            #expect(try Self.send("POST", "/api/session", port, body: #"{"code":"\#(gate.code)"}"#).status == 401)
        }
    }

    @Test("A foreign host gets 421, also for the page itself")
    func hosts() async throws {
        try await Self.run { port, _ throws in
            for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
                #expect(try Self.send("GET", "/", port, host: host).status == 200, "\(host)")
            }
            let foreign = ["evil.example:\(port)", "127.0.0.1", "localhost", "127.0.0.1.evil.example:\(port)"]
            for host in foreign + ["10.0.0.1:\(port)", "127.0.0.1:1"] {
                #expect(try Self.send("GET", "/", port, host: host).status == 421, "\(host)")
            }
        }
    }

    @Test("A form of a foreign page tries no code")
    func forms() async throws {
        try await Self.run { port, gate throws in
            for _ in 0...ConsoleGate.wrongMax {
                let fields = [("Content-Type", "text/plain")]
                #expect(try Self.send("POST", "/api/session", port, fields, body: #"{"code":"x"}"#).status == 415)
            }
            #expect(!gate.isOver)
            for body in ["", "x", "{}", #"{"code":1}"#] {
                #expect(try Self.send("POST", "/api/session", port, body: body).status == 400, "\(body)")
            }
            #expect(!gate.isOver)
            let question = [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")]
            let answer = try Self.send("OPTIONS", "/api/session", port, question)
            #expect(answer.status == 204 && answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test("A POST without content needs no type, as browsers send it")
    func empty() async throws {
        try await Self.run { port, gate throws in
            let fields = [("Content-Length", "0"), try Self.token(port, gate)]
            #expect(try Self.send("POST", "/api/accounts/a@b.example/erase", port, fields).status == 404)
            #expect(try Self.send("POST", "/api/session", port, [("Content-Length", "0")]).status == 400)
        }
    }

    @Test("A console that is read only refuses changes with 403, and shows the rest")
    func readOnly() async throws {
        try await Self.run(isReadOnly: true) { port, gate throws in
            let token = try Self.token(port, gate)
            for action in ["end-sessions", "disable", "enable", "remove-app"] {
                let target = "/api/accounts/a@b.example/\(action)"
                #expect(try Self.send("POST", target, port, [token]).status == 403, "\(action)")
            }
            #expect(try Self.send("GET", "/api/ready", port, [token]).status == 200)
        }
    }

    @Test("Accounts and the trail get 503 within seconds while the running server's database is stopped")
    func stoppedDatabase() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("postgres/PG_VERSION", "15\n")
        let lock = try DataDirectoryLock(folder: folder.path)
        try await Self.run(data: folder.path) { port, gate throws in
            let token = try Self.token(port, gate)
            for path in ["accounts", "trail"] {
                let answer = try Self.send("GET", "/api/\(path)", port, [token])
                #expect(answer.status == 503, "\(answer.text)")
                #expect(answer.text.contains(#""code":"database-unavailable""#), "\(answer.text)")
            }
        }
        withExtendedLifetime((folder, lock)) {}
    }

    @Test("Without a server and a database the page says what is missing")
    func away() async throws {
        try await Self.run { port, gate throws in
            let token = try Self.token(port, gate)
            let metrics = try Self.send("GET", "/api/metrics", port, [token])
            #expect(metrics.status == 503 && metrics.text.contains("NEUROVIEWS_ADMIN_LISTEN"), "\(metrics.text)")
            let ready = try Self.send("GET", "/api/ready", port, [token])
            #expect(ready.status == 200 && ready.text.contains(#""status":"away""#), "\(ready.text)")
            let accounts = try Self.send("GET", "/api/accounts", port, [token])
            #expect(accounts.status == 503 && accounts.text.contains("NEUROVIEWS_DATABASE_URL"), "\(accounts.text)")
            #expect(try Self.send("GET", "/api/trail", port, [token]).status == 503)
            #expect(try Self.send("GET", "/api/usage?days=0", port, [token]).status == 400)
            #expect(try Self.send("POST", "/api/accounts/a@b.example/erase", port, [token]).status == 404)
        }
    }
}
