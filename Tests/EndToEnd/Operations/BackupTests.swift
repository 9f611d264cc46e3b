import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The commands backup and restore", .blocking)
struct BackupTests {
    private static let open = ["--registration", "open", "--signatures", "optional"]

    @Test("A backup of a running server is restored on another machine with sessions, rights and files")
    func anotherMachine() throws {
        let server = try ServerProcess(Self.open)
        defer { _ = try? server.stop() }
        var device = try Device.new(server.client)
        let presets = (0..<3).map { Preset("Preset \($0)") }
        for preset in presets { #expect(try device.post(preset.json).status == 201) }
        #expect(try device.delete(presets[1].id).status == 200)
        let token = try device.pull().string("sync_token")
        try FileManager.default.createDirectory(
            atPath: server.data + "/objects/objects/a b",
            withIntermediateDirectories: true
        )
        try "pixels".write(toFile: server.data + "/objects/objects/a b/1\n2", atomically: true, encoding: .utf8)

        let file = server.folder + "/backup.tar"
        let told = try Operator.succeed(["backup", file, "--data", server.data])
        #expect(told.hasPrefix("\(file): "))
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(!Operator.exists(file + ".partial"))
        #expect(try Program.run(["tar", "-tf", file]).output.hasPrefix("SHA256SUMS\nmanifest.json\n"))

        let folder = Sandbox.makeFolder()
        let data = folder + "/data"
        #expect(
            try Operator.succeed(["restore", file, "--unauthenticated", "--data", data]).hasPrefix("restored as of 20")
        )
        #expect(try String(contentsOfFile: data + "/objects/objects/a b/1\n2", encoding: .utf8) == "pixels")
        #expect(FileManager.default.contentsEqual(atPath: data + "/secret.key", andPath: server.data + "/secret.key"))
        #expect(stat(data + "/secret.key", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(!Operator.tree(data).contains { $0.hasPrefix("restore.") })

        let other = try ServerProcess(Self.open, folder: folder)
        defer { _ = try? other.stop() }
        device.client = other.client
        let next = try device.pull("sync_token=\(token)")
        #expect(next.json["reset"] as? Bool == false && next.versionNumbers == [:], "nothing was lost")
        let pulled = try device.pull()
        #expect(pulled.rawElements("configurations") == [presets[0].json, presets[2].json])
        #expect(pulled.rawElements("deleted") == ["\"\(presets[1].id)\""])
        #expect(try device.post(Preset("new").json).status == 201)
        #expect(try Self.definition(of: other) == Self.definition(of: server))
    }

    /// Tables, rights, policies, functions and their owners. Leaves out the two lines with a random word.
    private static func definition(of server: ServerProcess) throws -> [Substring] {
        let place = ["-h", server.data + "/socket", "-U", "postgres", "-d", "neuroviews"]
        let dump = try Program.run(["pg_dump", "--schema-only", "--schema=neuroviews", "--no-comments"] + place)
        guard dump.status == 0 else { throw Program.Failure(dump.complaint) }
        return dump.output.split(separator: "\n").filter { !$0.contains("restrict") }
    }

    @Test("restore --replace gives the state of the backup and sets the former one aside", .inFull)
    func replace() throws {
        let server = try ServerProcess(Self.open)
        defer { _ = try? server.stop() }
        var device = try Device.new(server.client)
        let preset = Preset("in the backup")
        #expect(try device.post(preset.json).status == 201)
        let file = server.folder + "/backup.tar"
        try Operator.succeed(["backup", file, "--data", server.data])
        let lost = Preset("after the backup")
        #expect(try device.post(lost.json).status == 201)
        let token = try device.pull().string("sync_token")
        try "new".write(toFile: server.data + "/objects/objects/new", atomically: true, encoding: .utf8)

        let running = try Operator.run(["restore", file, "--unauthenticated", "--replace", "--data", server.data])
        #expect(running.status == 75)
        #expect(running.complaint.contains("in use by process \(server.processID): stop the server first."))
        #expect(try server.stop() == 0)
        let refused = try Operator.run(["restore", file, "--unauthenticated", "--data", server.data])
        #expect(refused.status == 69)
        #expect(refused.complaint.contains("add --replace"))
        // Without a server, PostgreSQL runs only during the backup.
        try Operator.succeed(["backup", server.folder + "/later.tar", "--data", server.data])
        #expect(!Operator.exists(server.data + "/postgres/postmaster.pid"))
        // Another machine's secret, as after a new installation.
        let strange = Data((0..<32).map { UInt8($0) })
        try strange.write(to: URL(fileURLWithPath: server.data + "/secret.key"))
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace", "--data", server.data])

        try server.start()
        device.client = server.client
        let pulled = try device.pull("sync_token=\(token)")
        #expect(pulled.json["reset"] as? Bool == true)
        #expect(pulled.rawElements("configurations") == [preset.json])
        let schemas = try server.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'neuroviews_before_%'")
        #expect(
            try server.sql("SELECT document FROM \(schemas.first ?? "").configurations ORDER BY seq") == [
                preset.json, lost.json,
            ]
        )
        let kept = Operator.tree(server.data).filter { $0.contains(".before-") }
        #expect(kept.contains { $0.hasPrefix("objects.before-") && $0.hasSuffix("/new") })
        let secret = kept.first { $0.hasPrefix("secret.key.before-") } ?? ""
        #expect(FileManager.default.contents(atPath: "\(server.data)/\(secret)") == strange)
        #expect(!Operator.exists(server.data + "/objects/objects/new"))
    }

    @Test(
        "A restore onto a separate volume for files is refused before anything changes",
        .inFull,
        .enabled(if: getuid() == 0, "needs root")
    )
    func volume() throws {
        let server = try ServerProcess(Self.open)
        defer { _ = try? server.stop() }
        var device = try Device.new(server.client)
        let file = server.folder + "/backup.tar"
        try Operator.succeed(["backup", file, "--data", server.data])
        let later = Preset("after the backup")
        #expect(try device.post(later.json).status == 201)
        #expect(try server.stop() == 0)
        let (objects, content) = (server.data + "/objects", server.folder + "/a volume")
        try FileManager.default.moveItem(atPath: objects, toPath: content)
        try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: false)
        // The mount has the same device, as a subvolume may have.
        let mount = try Program.run(["mount", "--bind", content, objects])
        try #require(mount.status == 0, "\(mount.complaint)")
        defer { _ = try? Program.run(["umount", "-l", objects]) }
        let refused = try Operator.run(["restore", file, "--unauthenticated", "--replace", "--data", server.data])
        #expect(refused.status == 73 && refused.complaint.contains("is a volume of its own"), "\(refused.complaint)")
        #expect(!Operator.tree(server.data).contains { $0.hasPrefix("restore.") || $0.contains(".before-") })
        try server.start()
        device.client = server.client
        #expect(try device.get(later.id).status == 200)
    }

    @Test("A backup succeeds while files appear and vanish and uploads run", .inFull)
    func busyStore() throws {
        let server = try ServerProcess(Self.open)
        defer { _ = try? server.stop() }
        let store = server.data + "/objects"
        try "growing".write(toFile: store + "/uploads/one", atomically: true, encoding: .utf8)
        let stays = store + "/objects/00/stays"
        try "stays".write(toFile: stays, atomically: true, encoding: .utf8)
        let isBusy = Atomic(true)
        let folder = store + "/objects/01"
        let busy = Thread {
            var number = 0
            while isBusy.load(ordering: .relaxed) {
                _ = FileManager.default.createFile(atPath: "\(folder)/\(number)", contents: Data([1]))
                unlink("\(folder)/\(number - 20)")
                _ = FileManager.default.createFile(atPath: store + "/uploads/one", contents: Data(count: number))
                number += 1
            }
        }
        busy.start()
        defer { isBusy.store(false, ordering: .relaxed) }
        let file = server.folder + "/backup.tar"
        try Operator.succeed(["backup", file, "--data", server.data])
        let other = Sandbox.makeFolder() + "/data"
        try Operator.succeed(["restore", file, "--unauthenticated", "--data", other])
        #expect(try String(contentsOfFile: other + "/objects/objects/00/stays", encoding: .utf8) == "stays")
        #expect(!Operator.exists(other + "/objects/uploads"))
        let left = try FileManager.default.contentsOfDirectory(atPath: store)
        #expect(!left.contains { $0.hasPrefix(".backup") })
    }

    @Test("An external database is backed up while it is served, and restored only when it is not", .inFull)
    func externalDatabase() throws {
        let cluster = try TestCluster.shared.get()
        let database = try cluster.makeDatabase()
        let places = ["--database-url", database]
        // Commands recognise a running server by the name of its sessions. No connection string changes this name.
        let named = ["--database-url", database + " application_name=nv-prod"]
        let server = try ServerProcess(Self.open + named)
        var device = try Device.new(server.client)
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        let token = try device.pull().string("sync_token")
        let file = server.folder + "/backup.tar"
        try Operator.succeed(["backup", file, "--data", server.data] + places)
        let restore = ["restore", file, "--unauthenticated", "--replace", "--data", server.data] + places
        let running = try Operator.run(restore)
        #expect(running.status == 69)
        #expect(running.complaint.contains("a server is running on this database"))
        #expect(try device.pull("sync_token=\(token)").json["reset"] as? Bool == false)
        #expect(try server.stop() == 0)
        try Operator.succeed(restore)
        try server.start()
        defer { _ = try? server.stop() }
        device.client = server.client
        #expect(try device.pull("sync_token=\(token)").json["reset"] as? Bool == false, "nothing was lost")
        #expect(try device.pull().rawElements("configurations") == [preset.json])
    }

    @Test("Impossible backups and places fail with a sentence and a status of sysexits")
    func refusals() throws {
        let server = try Shared.server.get()
        let places = ["--data", server.data]
        let cases: [([String], Int32, String)] = [
            (["backup", "/nowhere/b.tar"] + places, 73, "cannot open /nowhere"),
            (["backup", server.data] + places, 73, "is not a file"),
            (["backup", "/dev/null"] + places, 73, "is not a file"),
            (["backup", server.folder + "/b", "--data", server.folder + "/none"], 69, "There is no database"),
            (["backup", server.folder + "/b", "--secret-file", "/nowhere/k"] + places, 69, "NEUROVIEWS_SECRET_FILE"),
            (
                ["restore", "/nowhere/b.tar", "--unauthenticated", "--data", server.folder + "/none"], 66,
                "cannot open /nowhere"
            ),
        ]
        for (arguments, status, words) in cases {
            let program = try Operator.run(arguments)
            #expect(program.status == status, "\(arguments)")
            #expect(program.complaint.contains(words), "\(program.complaint)")
            #expect(
                program.complaint.hasPrefix("neuroviews-server: ")
                    && program.complaint.split(separator: "\n").count == 1
            )
        }
        #expect(!Operator.exists(server.folder + "/b") && !Operator.exists(server.folder + "/b.partial"))
    }
}
