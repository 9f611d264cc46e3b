import Foundation
import TestSupport
import Testing

@Suite("Failed starts with one sentence", .blocking)
struct StartFailureTests {
    /// Expects a status other than 0, and one sentence in the last line. Log lines about earlier steps may precede it.
    private func expectFailure(
        _ program: Program,
        _ words: [String],
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(program.status != 0 && program.status < 128, "\(program.status)", sourceLocation: location)
        let lines = program.complaint.split(separator: "\n").map(String.init)
        let sentences = lines.filter { $0.hasPrefix("neuroviews-server: ") }
        #expect(sentences.count == 1, "\(program.complaint)", sourceLocation: location)
        #expect(lines.last == sentences.first, "\(program.complaint)", sourceLocation: location)
        let others = lines.filter { !$0.hasPrefix("neuroviews-server: ") }
        #expect(others.allSatisfy { $0.hasPrefix("{\"time\":\"") && $0.hasSuffix("}") }, sourceLocation: location)
        let sentence = sentences.first ?? ""
        #expect(sentence.hasSuffix(".") || sentence.hasSuffix("?"), "\(sentence)", sourceLocation: location)
        for word in words { #expect(sentence.contains(word), "\(sentence)", sourceLocation: location) }
    }

    private func serve(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Program {
        let data = Sandbox.makeFolder() + "/data"
        let all = ["serve"] + (arguments.contains("--data") ? [] : ["--data", data]) + arguments
        return try Program.run([Program.server] + all, environment: environment, seconds: 30)
    }

    @Test(
        "A wrong or unknown setting stops the start with its name",
        arguments: [
            (["--signatures", "maybe"], ["--signatures", "required", "optional"]),
            (["--lisen", "x"], ["--lisen", "--listen"]), (["--settings", "/nowhere/settings"], ["/nowhere/settings"]),
            (["--database-url", "mysql://x"], ["--database-url", "postgresql://"]),
        ]
    )
    func settings(arguments: [String], words: [String]) throws {
        expectFailure(try serve(arguments), words)
    }

    @Test("A wrong or unknown setting in the environment or in a file stops the start")
    func otherSources() throws {
        expectFailure(try serve([], ["NEUROVIEWS_SIGNATURES": "no"]), ["NEUROVIEWS_SIGNATURES"])
        expectFailure(try serve([], ["NEUROVIEWS_LISTN": "x"]), ["NEUROVIEWS_LISTN", "NEUROVIEWS_LISTEN"])
        let file = Sandbox.makeFolder() + "/settings"
        try "registration = ajar\n".write(toFile: file, atomically: true, encoding: .utf8)
        expectFailure(try serve(["--settings", file]), ["REGISTRATION", "line 1", "open"])
    }

    @Test("A missing or unknown command is refused, and a password is never repeated")
    func commands() throws {
        // Both outputs go into one stream, as on a terminal.
        let none = try Program.run(["/bin/sh", "-c", "exec \"$0\" 2>&1", Program.server])
        #expect(none.status == 64)
        #expect(none.output.hasPrefix("neuroviews-server: A command is missing.\n"), "\(none.output.prefix(200))")
        expectFailure(try Program.run([Program.server, "server"]), ["server", "serve"])
        let secret = try serve(["--database-url", "hunter2"])
        #expect(secret.status != 0)
        #expect(!secret.complaint.contains("hunter2"))
    }

    @Test("A taken port stops the start with its address")
    func takenPort() throws {
        let server = try Shared.server.get()
        let taken = "127.0.0.1:\(server.client.port)"
        let database = ["--database-url", server.connectionString, "--secret-file", server.data + "/secret.key"]
        expectFailure(try serve(["--listen", taken] + database), [taken, "taken"])
        expectFailure(try serve(["--admin-listen", taken] + database), [taken, "--admin-listen"])
        expectFailure(try serve(["--listen", "192.0.2.1:8080"] + database), ["192.0.2.1"])
    }

    @Test("A start that fails without a writable log still ends with an error status")
    func fullDisk() throws {
        let taken = "127.0.0.1:\(try Shared.server.get().client.port)"
        // The server runs a PostgreSQL of its own, so that it writes log lines before the start fails.
        let places = ["--data", Sandbox.makeFolder() + "/data", "--listen", taken]
        let command = ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/full", Program.server, "serve"] + places
        let program = try Program.run(command, seconds: 60)
        #expect(program.status != 0 && program.status < 128, "\(program.status)")
    }

    @Test("An impossible data folder stops the start")
    func dataFolder() throws {
        expectFailure(try serve(["--data", "/dev/null/data"]), ["/dev/null", "NEUROVIEWS_DATA"])
    }

    @Test("A data folder without permission stops the start")
    func permission() throws {
        let folder = Sandbox.makeFolder()
        try FileManager.default.createDirectory(atPath: folder + "/closed", withIntermediateDirectories: true)
        chmod(folder + "/closed", 0o500)
        defer { chmod(folder + "/closed", 0o700) }
        let data = folder + "/closed/data"
        var command = [Program.server, "serve", "--data", data]
        if geteuid() == 0 {
            // Root may write anywhere, so the server runs as nobody. This account may have no access to the build's
            // folder. Another process makes the copy. Otherwise a program that a test starts meanwhile would inherit
            // the open file, which causes "text file busy".
            #expect(try Program.run(["cp", Program.server, folder + "/server"]).status == 0)
            command[0] = folder + "/server"
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
        }
        expectFailure(try Program.run(command), [data, "NEUROVIEWS_DATA"])
    }

    /// True if one process can hide the folder of PostgreSQL's programs behind a tmpfs.
    static let canHideFolders: Bool = {
        let hidden = try? Program.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/usr/lib/postgresql"])
        return hidden?.status == 0
    }()

    @Test(
        "A start without PostgreSQL's programs names the package to install",
        .enabled(if: canHideFolders, "mount namespaces are not allowed here")
    )
    func noPostgres() throws {
        let script = "mount -t tmpfs none /usr/lib/postgresql && exec \"$@\""
        let data = Sandbox.makeFolder() + "/data"
        let command = [Program.server, "serve", "--data", data]
        let program = try Program.run(
            ["unshare", "-m", "/bin/sh", "-c", script, "sh"] + command,
            environment: ["PATH": "/bin"]
        )
        expectFailure(program, ["PostgreSQL", "apt-get install postgresql", "NEUROVIEWS_DATABASE_URL"])
    }

    @Test("A database URL with an unknown login or database stops the start")
    func databaseURL() throws {
        let server = try Shared.server.get()
        let socket = server.data + "/socket"
        let urls = [
            "host=\(socket) user=neuroviews dbname=nothing_here", "host=\(socket) user=nobody_here dbname=neuroviews",
            "host=\(socket) user=nobody_here dbname=neuroviews password=hunter2",
        ]
        for url in urls {
            let program = try serve([], ["NEUROVIEWS_DATABASE_URL": url])
            expectFailure(program, ["NEUROVIEWS_DATABASE_URL"])
            #expect(!program.complaint.contains("hunter2"))
        }
        for url in ["host=127.0.0.1 port=x", "nonsense=1", "postgresql://x:hunter@2@127.0.0.1:1/y"] {
            let program = try serve([], ["NEUROVIEWS_DATABASE_URL": url])
            expectFailure(program, ["NEUROVIEWS_DATABASE_URL", "libpq URI"])
        }
    }

    @Test("A database that a newer server has migrated stops the start")
    func newerDatabase() throws {
        let database = try TestCluster.shared.get().makeDatabase()
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        try Operator.succeed(["migrate"] + places)
        let later = "INSERT INTO neuroviews.schema_migrations VALUES (99, '0099_later.sql', 'x')"
        try TestCluster.shared.get().execute(later, in: database)
        expectFailure(try serve(places), ["has migration 0099_later.sql", "run the newer server"])
    }

    @Test("A start with another secret than the database's is refused")
    func otherSecret() throws {
        let server = try Shared.server.get()
        expectFailure(
            try serve(["--database-url", server.connectionString]),
            ["secret", "NEUROVIEWS_SECRET_FILE"]
        )
        let file = Sandbox.makeFolder() + "/secret"
        try "too short".write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        let places = ["--database-url", server.connectionString, "--secret-file", file]
        expectFailure(try serve(places), [file])
        chmod(file, 0o644)
        expectFailure(try serve(places), ["chmod"])
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test("A data folder that another server uses stops the start")
    func secondServer() throws {
        let server = try Shared.server.get()
        expectFailure(
            try serve(["--data", server.data]),
            [server.data, "process \(server.processID)", "NEUROVIEWS_DATA"]
        )
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }
}
