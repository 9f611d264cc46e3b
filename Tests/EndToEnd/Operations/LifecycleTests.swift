import Foundation
import TestSupport
import Testing

@Suite("Start, stop and commands beside a running server", .blocking)
struct LifecycleTests {
    @Test("SIGTERM answers the current request, ends idle connections, exits with 0 and loses nothing")
    func stop() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        var device = try Device.new(server.client)
        let preset = Preset()
        let body = #"{"configuration":\#(preset.json)}"#
        let fields = [("Authorization", "Bearer \(device.token)"), ("Expect", "100-continue")]
        let bytes = Array(body.utf8)
        let request = APIClient.request("POST", "/v2/configurations", host: "a", fields, body: bytes)
        let (busy, idle) = (try HTTPConnection(port: server.client.port), try HTTPConnection(port: server.client.port))
        try idle.send(APIClient.request("GET", "/healthz", host: "a"))
        #expect(try idle.receive()?.status == 200)
        try busy.send(Array(request.dropLast(bytes.count)))
        try busy.awaitContinue()
        server.signal(SIGTERM)
        #expect(try idle.isClosed())
        try busy.send(bytes)
        let answer = try busy.receive()
        #expect(answer?.status == 201)
        #expect(answer?.field("connection") == "close")
        let postgres = try server.postmaster()
        #expect(try server.awaitEnd() == 0)
        #expect(!ServerProcess.runs(postgres))
        #expect(throws: (any Error).self) { try HTTPConnection(port: device.client.port) }

        try server.start()
        defer { _ = try? server.stop() }
        device.client = server.client
        #expect(try device.get(preset.id).text == preset.json)
        #expect(try Device.logIn(server.client, device.email).get(preset.id).status == 200)
        #expect(try device.post(preset.json).string("created_at") == answer?.string("created_at"))
    }

    @Test("Acknowledged writes survive a SIGKILL of the server, also with its PostgreSQL")
    func killed() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        defer { _ = try? server.stop() }
        var device = try Device.new(server.client)
        let token = try device.pull().string("sync_token")
        var presets: [Preset] = []
        for round in 0..<2 {
            for number in 0..<10 {
                let preset = Preset("Preset \(round).\(number)")
                #expect(try device.post(preset.json).status == 201)
                presets.append(preset)
            }
            let postgres = try server.postmaster()
            if round == 0 {
                try server.kill()
            } else {
                server.signal(SIGSTOP)
                try server.killPostgres()
                try server.kill()
                try Deadline.wait("the last of PostgreSQL", seconds: 10) { !ServerProcess.runs(postgres) }
            }
            try server.start()
            if round == 0 { #expect(try server.postmaster() == postgres, "PostgreSQL goes on and is adopted") }
            device.client = server.client
            let delta = try device.pull("sync_token=\(token)")
            #expect(delta.rawElements("configurations") == presets.map(\.json))
            #expect(delta.json["reset"] as? Bool == false)
        }
    }

    @Test(
        "Root without CAP_SYS_PTRACE, as in most containers, adopts PostgreSQL and stops it",
        .enabled(if: geteuid() == 0, "needs root")
    )
    func withoutTracing() throws {
        let server = try ServerProcess()
        let postgres = try server.postmaster()
        try server.kill()
        let command = ["setpriv", "--bounding-set", "-sys_ptrace", Program.server, "migrate", "--data", server.data]
        let program = try Program.run(command, seconds: 120)
        #expect(program.status == 0, "\(program.complaint)")
        #expect(!ServerProcess.runs(postgres))
    }

    @Test("A stale PID of another program in PostgreSQL's lock files does not prevent the start")
    func reusedNumber() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        server.signal(SIGSTOP)
        let postgres = try server.postmaster()
        try server.killPostgres()
        try server.kill()
        try Deadline.wait("the last of PostgreSQL", seconds: 10) { !ServerProcess.runs(postgres) }
        let bystander = try Bystander(ownerOf: server.data + "/postgres")
        defer { bystander.end() }
        for file in ["/postgres/postmaster.pid", "/socket/.s.PGSQL.5432.lock"] {
            var lines = try String(contentsOfFile: server.data + file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            lines[0] = Substring(String(bystander.process))
            let handle = try #require(FileHandle(forWritingAtPath: server.data + file))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
            try handle.close()
        }
        try server.start()
        #expect(try server.stop() == 0)
        #expect(ServerProcess.runs(bystander.process))
    }

    @Test("migrate and user add work beside a running server, also with closed registration")
    func commands() throws {
        let server = try Shared.strictServer.get()
        let migrate = try Program.run([Program.server, "migrate", "--data", server.data])
        #expect(migrate.status == 0, "\(migrate.complaint)")
        let refused = try Device.register(server.client, Device.newEmail())
        Problems.check(refused, "403 registration-closed")

        let device = try Shared.addUser(to: server)
        #expect(!device.token.isEmpty)
        func add(_ email: String, _ password: String) throws -> Program {
            try Program.run([Program.server, "user", "add", email, "--data", server.data], input: password + "\n")
        }
        let again = try add(device.email.uppercased(), Device.password)
        #expect(again.status != 0)
        #expect(again.complaint.contains("has an account already"))
        for (email, password) in [("nobody", Device.password), (Device.newEmail(), "short"), (Device.newEmail(), "")] {
            let program = try add(email, password)
            #expect(program.status != 0)
            #expect(program.complaint.split(separator: "\n").count == 1)
        }
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test("user add leaves a running server's temporary files; the server's next start removes them")
    func temporaryFiles() throws {
        let server = try ServerProcess()
        defer { _ = try? server.stop() }
        // The server writes an object under such a name and renames it at the end.
        let written = server.data + "/objects/uploads/.1"
        try Data("half of a picture".utf8).write(to: URL(fileURLWithPath: written))
        _ = try Shared.addUser(to: server)
        #expect(FileManager.default.fileExists(atPath: written))
        #expect(try server.stop() == 0)
        try server.start()
        #expect(!FileManager.default.fileExists(atPath: written))
    }

    @Test("migrate and user add work without a running server, and leave no process behind")
    func commandsAlone() throws {
        let data = Sandbox.makeFolder() + "/data"
        let migrate = try Program.run([Program.server, "migrate", "--data", data])
        #expect(migrate.status == 0, "\(migrate.complaint)")
        let added = try Program.run(
            [Program.server, "user", "add", "jane@example.org", "--data", data],
            input: Device.password + "\n"
        )
        #expect(added.status == 0, "\(added.complaint)")
        #expect(added.output.contains("jane@example.org"))
        #expect(!FileManager.default.fileExists(atPath: data + "/postgres/postmaster.pid"))
    }

    @Test("The log has a line for each request, without tokens, passwords, keys and signatures")
    func secrets() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional", "--log-level", "debug"])
        var device = try Device.new(server.client)
        device.signatureVersion = 1
        let preset = Preset("A very private name")
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.pull("device_id=private-device").status == 200)
        let answer = try device.send("POST", "/v2/auth/refresh")
        #expect(try Device.register(server.client, device.email).status == 409)
        #expect(try server.stop() == 0)
        let log = server.log
        #expect(log.contains("method=POST path=/v2/configurations status=201"))
        let secrets = [
            device.token, answer.string("token"), device.signingKey, Device.password, device.email, preset.name,
            "private-device", "Bearer",
        ]
        for secret in secrets { #expect(!log.contains(secret), "\(secret)") }
        let folder = server.data + "/postgres/log"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(name)") }
        }
    }

    @Test("--version and --help print to standard output and end with status 0")
    func help() throws {
        for arguments in [["--version"], ["--help"], ["help", "serve"], ["serve", "--help"], ["sign", "--help"]] {
            let program = try Program.run([Program.server] + arguments)
            #expect(program.status == 0)
            #expect(program.output.contains("neuroviews-server"))
            #expect(program.complaint.isEmpty)
        }
    }

    @Test("The admin listener reports readiness, and the public listener does not")
    func admin() throws {
        let server = try Shared.server.get()
        #expect(try server.adminClient.send("GET", "/healthz").status == 200)
        #expect(try server.adminClient.send("GET", "/readyz").status == 200)
        #expect(try server.client.send("GET", "/readyz").status == 404)
        #expect(try server.adminClient.send("GET", "/v2/configurations").status == 404)
    }
}
