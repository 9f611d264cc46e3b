import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Secrets in command lines and core dumps", .blocking)
struct SecrecyTests {
    private let password = "cnry" + UUID().uuidString.filter { $0 != "-" }

    /// The command lines of all running processes.
    private func commandLines() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap { number in
            FileManager.default.contents(atPath: "/proc/\(number)/cmdline").map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("No command line of the server or of PostgreSQL's programs has the database's password")
    func commandLine() throws {
        let database = try TestCluster.shared.get().makeDatabase()
        let environment = ["NEUROVIEWS_DATABASE_URL": database + " password=\(password)"]
        let server = try ServerProcess(environment: environment)
        defer { _ = try? server.stop() }
        let blocker = try BlockingSession(database)
        // Only pg_dump uses this table.
        try blocker.execute("BEGIN; LOCK TABLE neuroviews.devices IN ACCESS EXCLUSIVE MODE")
        let backup = try Operator.start(
            ["backup", server.folder + "/b.tar", "--data", server.data],
            environment: environment
        )
        try Deadline.wait("a pg_dump", seconds: 60) {
            try commandLines().contains { $0.contains("pg_dump") && $0.contains(server.folder) }
        }
        let words = try commandLines()
        #expect(words.contains { $0.contains("serve") && $0.contains(server.data) })
        #expect(!words.contains { $0.contains(password) })
        try blocker.execute("ROLLBACK")
        try Deadline.wait("the end of the backup", seconds: 60) { !backup.isRunning }
        #expect(backup.status == 0)
    }

    @Test("A password on the command line is refused at once and not repeated")
    func refused() throws {
        let url = "postgresql://x:\(password)@127.0.0.1:1/y"
        let data = Sandbox.makeFolder() + "/data"
        for command in [
            ["serve"], ["migrate"], ["backup", data + ".tar"], ["user", "add", "a@example.org"], ["doctor"],
        ] {
            // A server that starts runs until this limit.
            let program = try Operator.run(command + ["--data", data, "--database-url", url], seconds: 20)
            #expect(program.status == 64)
            #expect(program.complaint.contains("NEUROVIEWS_DATABASE_URL"))
            #expect(!(program.complaint + program.output).contains(password))
        }
        #expect(!Operator.exists(data))
    }

    @Test("A key on the command line is refused, and a malformed key file is not repeated")
    func signKey() throws {
        let refused = try Operator.run(["sign", "GET", "http://h/", "--key", password])
        #expect(refused.status == 64 && refused.complaint.contains("--key-file"))
        #expect(!(refused.complaint + refused.output).contains(password))
        let file = Sandbox.makeFolder() + "/key"
        try password.write(toFile: file, atomically: true, encoding: .utf8)
        let wrong = try Operator.run(["sign", "GET", "http://h/", "--key-file", file])
        #expect(wrong.status == 65 && wrong.complaint.contains(file) && !wrong.complaint.contains(password))
        #expect(try Operator.run(["sign", "GET", "http://h/", "--key-file", "/nowhere"]).status == 66)
    }

    @Test("The server and its PostgreSQL may not write core dumps")
    func limits() throws {
        let server = try Shared.server.get()
        for process in [server.processID, try server.postmaster()] {
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
            let words = line.split(separator: " ").dropFirst(4).prefix(2)
            // The limit is 0 if the tests themselves may have no more.
            #expect(words == ["1", "1"] || words == ["0", "0"], "\(line)")
        }
    }

    /// Runs a program without a limit on core files. Crashes it at `isReady`, and prints the shell's message about its
    /// end.
    private static let crash = """
        ulimit -c unlimited
        "$@" 2>log &
        until eval "$READY"; do sleep 0.05; done
        kill -SEGV $!
        wait $!
        echo " status $?"
        ls -d core* 2>/dev/null
        """

    private func crash(_ command: [String], when isReady: String) throws -> String {
        let program = try Program.run(
            ["/bin/bash", "-c", "cd \"$FOLDER\"\n" + Self.crash, "bash"] + command,
            environment: [
                "READY": isReady, "FOLDER": Sandbox.makeFolder(), "SWIFT_BACKTRACE": "enable=no",
                // Sanitizers must not handle the signal.
                "ASAN_OPTIONS": "handle_segv=0", "TSAN_OPTIONS": "handle_segv=0",
            ]
        )
        return program.complaint + program.output
    }

    @Test("A crashed server leaves no core dump on a machine that writes them")
    func crashes() throws {
        let other = try crash(["sleep", "60"], when: "true")
        let database = try TestCluster.shared.get().makeDatabase()
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        let server = try crash([Program.server, "serve"] + places, when: "grep -q 'listening on' log")
        #expect(other.contains("status 139") && server.contains("status 139"), "\(server)")
        // With a hard limit, or on a machine that writes no cores, no program leaves one.
        #expect(other.contains("core") || getuid() != 0)
        #expect(!server.contains("core"), "\(server)")
    }
}
