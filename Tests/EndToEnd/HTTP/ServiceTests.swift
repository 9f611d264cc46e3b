import Foundation
import TestSupport
import Testing

@Suite("The server as a service: Unix sockets, systemd and its end", .blocking)
struct ServiceTests {
    /// The settings of a server on another server's database. Such a server starts in less than a second.
    private static func borrowedDatabase() throws -> [String] {
        let server = try Shared.server.get()
        // This server has no recording files, so a job would not find them.
        return [
            "--database-url", server.connectionString, "--secret-file", server.data + "/secret.key", "--media-jobs",
            "0",
        ]
    }

    private static let publicURL = ["--public-url", "https://cloud.example.org/v2"]

    @Test("A server listens on Unix sockets, replaces dead ones, leaves living ones and removes its own")
    func unixSockets() throws {
        let folder = Sandbox.makeFolder()
        let (path, adminPath) = (folder + "/public.sock", folder + "/admin.sock")
        let places = ["--listen", "unix:" + path, "--admin-listen", "unix:" + adminPath]
        let server = try ServerProcess(Self.borrowedDatabase() + Self.publicURL, listening: places)
        func status(_ socket: String, _ target: String) throws -> String {
            let command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", socket]
            return try Program.run(command + ["http://cloud.example.org" + target]).output
        }
        #expect(try status(path, "/healthz") == "200")
        #expect(try status(path, "/v2/configurations") == "401")
        #expect(try status(adminPath, "/readyz") == "200")
        let second = try Program.run([Program.server, "serve"] + places + Self.borrowedDatabase() + Self.publicURL)
        #expect(second.status == 69 && second.complaint.contains(path) && second.complaint.contains("taken"))
        try server.kill()
        try server.start()
        #expect(try status(path, "/healthz") == "200")
        #expect(try server.stop() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(server.log.contains("listening on unix:\(path) admin=unix:\(adminPath)\n"))
    }

    @Test(
        "An impossible Unix socket is refused with a sentence",
        arguments: [
            (["--listen", "unix:/nowhere/a.sock"] + publicURL, "/nowhere/a.sock"),
            (["--listen", "unix:/dev/null"] + publicURL, "is no socket"),
            (["--listen", "unix:/tmp/a.sock"], "NEUROVIEWS_PUBLIC_URL"),
        ]
    )
    func refused(arguments: [String], words: String) throws {
        let database = try Self.borrowedDatabase()
        let program = try Program.run([Program.server, "serve", "--admin-listen", "off"] + arguments + database)
        #expect(program.status == 69)
        let sentence = program.complaint.split(separator: "\n").last ?? ""
        #expect(sentence.hasPrefix("neuroviews-server: ") && sentence.hasSuffix(".") && sentence.contains(words))
    }

    @Test("A server notifies systemd that it is ready, reloads, is alive and stops")
    func notifications() throws {
        let manager = try NotifyReceiver()
        let server = try ServerProcess(
            Self.borrowedDatabase(),
            listening: ["--listen", "127.0.0.1:0", "--admin-listen", "off"],
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"]
        )
        #expect(try manager.await("READY=1").contains("STATUS=serving on 127.0.0.1:\(server.client.port)"))
        #expect(try server.client.send("GET", "/healthz").status == 200)
        for _ in 0..<3 { try manager.await("WATCHDOG=1") }
        server.signal(SIGHUP)
        try manager.await("RELOADING=1")
        try manager.await("READY=1")
        #expect(try server.client.send("GET", "/healthz").status == 200)
        server.signal(SIGTERM)
        try manager.await("STOPPING=1")
        #expect(try server.awaitEnd() == 0)
        #expect(!manager.messages.dropLast().contains { $0.contains("STOPPING") })
    }

    @Test(
        "A second signal ends the server during a request, and soon afterwards its PostgreSQL",
        arguments: TestRun.cases(1, of: [SIGINT, SIGTERM])
    )
    func secondSignal(number: Int32) throws {
        // So do shells start their background jobs.
        let ignoring = ["/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\""]
        let server = try ServerProcess(["--drain-timeout-ms", "600000"], wrapper: ignoring)
        let postgres = try server.postmaster()
        let busy = try HTTPConnection(port: server.client.port)
        let fields = [("Expect", "100-continue"), ("Content-Length", "10")]
        try busy.send(APIClient.request("POST", "/v2/auth/login", host: "a", fields, body: []))
        try busy.awaitContinue()
        server.signal(number)
        try server.awaitLog(" stopping\n")
        #expect(try server.adminClient.send("GET", "/readyz").status == 503)
        server.signal(number)
        #expect(try server.awaitEnd() == 128 + number)
        try Deadline.wait("the end of PostgreSQL", seconds: 30) { !ServerProcess.runs(postgres) }
    }

    @Test("An endless request is cut off at the drain's deadline, and the exit status is 0")
    func deadline() throws {
        let server = try ServerProcess(
            Self.borrowedDatabase() + ["--drain-timeout-ms", "300"],
            listening: ["--listen", "127.0.0.1:0", "--admin-listen", "off"]
        )
        let busy = try HTTPConnection(port: server.client.port)
        try busy.send(
            "POST /v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"
        )
        try busy.awaitContinue()
        #expect(try server.stop() == 0)
        // The last output of the process may arrive late.
        try server.awaitLog("cut_off=1\n")
    }

    @Test("A server that restarts on a socket of systemd's fails no request", .inFull)
    func restart() throws {
        let script = Repository.path + "/Tests/Exams/Restart/restart.py"
        let run = try Program.run(
            ["python3", script, Program.server, "--requests", "2000", "--restarts", "2", "--stops", "1"],
            seconds: 240
        )
        #expect(run.status == 0, "\(run.output)\(run.complaint)")
    }
}
