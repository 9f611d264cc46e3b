import Foundation
import TestSupport
import Testing

@Suite("The command doctor", .blocking)
struct DoctorTests {
    private func doctor(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Program {
        try Operator.run(["doctor"] + arguments, environment: environment)
    }

    /// The line with this verdict and subject, and the remedy in the next line.
    private func finding(_ program: Program, _ verdict: String, _ subject: String) -> String? {
        let lines = program.output.split(separator: "\n").map(String.init)
        let start = "\(verdict)\(String(repeating: " ", count: 9 - verdict.count))\(subject): "
        guard let index = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return nil }
        return lines[index...].prefix(2).joined(separator: "\n")
    }

    @Test("The doctor passes a new machine and changes nothing on it")
    func fresh() throws {
        let folder = Sandbox.makeFolder()
        let program = try doctor(["--data", folder + "/data"])
        #expect(program.status == 0, "\(program.output)")
        #expect(program.complaint.isEmpty)
        #expect(finding(program, "ok", "data folder")?.contains("will be made") == true)
        #expect(program.output.contains("\nThe server can serve. Wrong: 0, "))
        #expect(Operator.tree(folder).isEmpty)
    }

    @Test(
        "The doctor beside a running server checks the database and recognises the ports of the server's flags",
        .inFull
    )
    func running() throws {
        let server = try Shared.server.get()
        let places = ["--data", server.data]
        let before = Operator.tree(server.data).filter { !$0.hasPrefix("objects") && !$0.contains("postgres/") }
        let program = try doctor(places)
        #expect(program.status == 0, "\(program.output)")
        let ports = [("listener", server.client.port), ("admin listener", server.adminClient.port)]
        for (subject, port) in ports {
            let own = "127.0.0.1:\(port) is served by process \(server.processID)"
            #expect(finding(program, "ok", subject)?.contains(own) == true, "\(program.output)")
        }
        #expect(finding(program, "ok", "migrations")?.contains("are applied") == true)
        #expect(finding(program, "ok", "roles") != nil)
        #expect(finding(program, "ok", "clock") != nil)
        #expect(Operator.tree(server.data).filter { !$0.hasPrefix("objects") && !$0.contains("postgres/") } == before)

        let json = try doctor(["--json"] + places)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [[String: Any]]]
        let subjects = object?["findings"]?.compactMap { $0["subject"] as? String } ?? []
        #expect(subjects.contains("migrations"))
    }

    @Test("The doctor warns if the note of the database's clock is gone", .inFull)
    func noClockNote() throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", url]
        try Operator.succeed(["migrate"] + places)
        #expect(finding(try doctor(places), "ok", "old data") != nil)
        try cluster.execute("DELETE FROM neuroviews.clock_note", in: url)
        let warning = try #require(finding(try doctor(places), "warning", "old data"))
        #expect(warning.contains("the row of clock_note is gone"), "\(warning)")
        #expect(warning.contains("admin accept-clock"), "\(warning)")
    }

    @Test("The doctor checks the list of common passwords and the program that sends mails")
    func accounts() throws {
        let data = Sandbox.makeFolder() + "/data"
        let mail = ["--mail-from", "cloud@example.org", "--sendmail"]
        let nowhere = mail + ["/nowhere/sendmail", "--common-passwords", "/nowhere/list"]
        let missing = try doctor(["--data", data] + nowhere)
        #expect(missing.status == 1)
        #expect(finding(missing, "warning", "common passwords")?.contains("apt-get install python3-zxcvbn") == true)
        #expect(finding(missing, "wrong", "mail")?.contains("NEUROVIEWS_SENDMAIL") == true)
        let there = try doctor(["--data", data] + mail + ["/bin/true"])
        #expect(there.status == 0)
        #expect(finding(there, "ok", "common passwords") != nil)
        #expect(finding(there, "ok", "mail")?.contains("from cloud@example.org") == true)
    }

    @Test("The doctor reports each obstacle to the start with a remedy, and ends with status 1", .inFull)
    func wrong() throws {
        let server = try Shared.server.get()
        let data = Sandbox.makeFolder() + "/data"
        let taken = try doctor(["--data", data, "--listen", "127.0.0.1:\(server.client.port)"])
        #expect(taken.status == 1)
        #expect(finding(taken, "wrong", "listener")?.contains("→ ss -ltnp") == true)
        let foreign = try doctor(["--data", data, "--listen", "192.0.2.1:80"])
        #expect(finding(foreign, "wrong", "listener")?.contains("is not an address of this machine") == true)

        let url = ["NEUROVIEWS_DATABASE_URL": "postgresql://x:hunter2@127.0.0.1:1/y"]
        let dead = try doctor(["--data", data], url)
        #expect(dead.status == 1)
        #expect(finding(dead, "wrong", "database")?.contains("NEUROVIEWS_DATABASE_URL") == true)
        #expect(!(dead.output + dead.complaint).contains("hunter2"))
        let odd = try doctor(["--data", data], ["NEUROVIEWS_DATABASE_URL": "host=x hunter2"])
        #expect(odd.status == 1)
        #expect(!(odd.output + odd.complaint).contains("hunter2"))

        let notThere = try doctor(["--data", "/dev/null/data"])
        #expect(notThere.status == 1)
        #expect(finding(notThere, "wrong", "data folder") != nil)
    }

    @Test("The doctor prints the room above the reserve on the volume of recordings' files")
    func reserve() throws {
        let program = try doctor(["--data", Sandbox.makeFolder() + "/data"])
        #expect(program.output.contains("disk reserve: of the volume of recordings' files ("), "\(program.output)")
    }

    @Test(
        "The doctor reports a full volume of recordings' files, however empty others are",
        .enabled(if: getuid() == 0, "needs root")
    )
    func objectsVolume() throws {
        let data = Sandbox.makeFolder() + "/data"
        try FileManager.default.createDirectory(atPath: data + "/objects", withIntermediateDirectories: true)
        let mount = try Program.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", data + "/objects"])
        try #require(mount.status == 0, "\(mount.complaint)")
        defer { _ = try? Program.run(["umount", "-l", data + "/objects"]) }
        let program = try doctor(["--data", data])
        #expect(program.status == 0, "\(program.output)")
        #expect(finding(program, "warning", "disk reserve")?.contains("(\(data)/objects)") == true, "\(program.output)")
    }

    @Test("The doctor warns if bubblewrap makes no box, and if its failures are accepted", .enabled(if: Self.hasBox))
    func box() throws {
        // The user namespace of this process permits no further namespaces.
        let script = "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\""
        let words = [Program.server, "doctor", "--data", Sandbox.makeFolder() + "/data"]
        let program = try Program.run(["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"] + words)
        let warning = finding(program, "warning", "media") ?? ""
        #expect(
            warning.contains("bubblewrap failed: ") && warning.contains("→ let it make user namespaces")
                && warning.contains("recordings get no thumbnails"),
            "\(program.output)"
        )
        let risk = ["NEUROVIEWS_UNSANDBOXED_MEDIA": "accept-risk"]
        let accepting = try doctor(["--data", Sandbox.makeFolder() + "/data"], risk)
        #expect(finding(accepting, "warning", "media")?.contains("→ remove NEUROVIEWS_UNSANDBOXED_MEDIA") == true)
    }

    /// True if bubblewrap works, and namespaces can be made without it.
    private static let hasBox: Bool = {
        let box = try? Program.run(["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"])
        let namespace = try? Program.run(["unshare", "--user", "--map-root-user", "true"])
        let ffmpeg = try? Program.run(["ffmpeg", "-version"])
        return box?.status == 0 && namespace?.status == 0 && ffmpeg?.status == 0
    }()

    @Test("The doctor reports unreadable settings as a finding")
    func settings() throws {
        let program = try doctor([], ["NEUROVIEWS_SIGNATURES": "maybe"])
        #expect(program.status == 1)
        #expect(finding(program, "wrong", "settings")?.contains("NEUROVIEWS_SIGNATURES is \"maybe\"") == true)
    }

    @Test("The doctor reports another database's secret, one that others can read, and a lost one", .inFull)
    func secret() throws {
        let server = try Shared.server.get()
        let folder = Sandbox.makeFolder()
        let places = ["--data", folder + "/data", "--database-url", server.connectionString]
        let lost = try doctor(places)
        #expect(finding(lost, "wrong", "secret")?.contains("from a backup") == true)
        let file = folder + "/secret"
        try Data((0..<32).map { UInt8($0) }).write(to: URL(fileURLWithPath: file))
        chmod(file, 0o600)
        let other = try doctor(places + ["--secret-file", file])
        #expect(finding(other, "wrong", "secret")?.contains("is not the one this database was made with") == true)
        chmod(file, 0o644)
        let open = try doctor(places + ["--secret-file", file])
        #expect(finding(open, "wrong", "secret")?.contains("chmod 600") == true)
        let right = try doctor(places + ["--secret-file", server.data + "/secret.key"])
        #expect(right.status == 0, "\(right.output)")
    }

    @Test("The doctor warns of weak PostgreSQL settings and of an open server", .inFull)
    func warnings() throws {
        // The tests' cluster does not wait for its disk.
        let database = try TestCluster.shared.get().makeDatabase()
        let program = try doctor(
            [
                "--data", Sandbox.makeFolder() + "/data", "--database-url", database, "--listen", "0.0.0.0:0",
                "--admin-listen", "0.0.0.0:0", "--registration", "open", "--connections-max", "1000000",
                "--event-loops", "64",
            ]
        )
        #expect(program.status == 0, "\(program.output)")
        for subject in [
            "fsync", "full_page_writes", "connections", "open files", "public URL", "registration",
            "admin listener",
        ] {
            #expect(finding(program, "warning", subject)?.contains("→ ") == true, "\(subject): \(program.output)")
        }
        #expect(finding(program, "ok", "migrations")?.contains("will be applied") == true)
    }

    @Test(
        "The doctor reports certificates that expire or have expired, have another name, or lack an intermediate",
        .inFull
    )
    func certificate() throws {
        func check(_ certificate: TestCertificate, _ more: [String] = []) throws -> Program {
            let folder = try certificate.write()
            let files = ["--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"]
            return try doctor(["--data", folder + "/data"] + files + more)
        }
        let expired = try check(TestCertificate(fromS: -7200, toS: -3600))
        #expect(expired.status == 1)
        #expect(finding(expired, "wrong", "certificate")?.contains("expired on 20") == true, "\(expired.output)")
        let soon = try check(TestCertificate(toS: 86400), ["--public-url", "https://cloud.example.org/v2"])
        #expect(soon.status == 0)
        #expect(finding(soon, "warning", "certificate")?.contains("→ renew it") == true, "\(soon.output)")
        #expect(soon.output.contains("is not for the public URL's host cloud.example.org"))
        let whole = try check(TestCertificate())
        #expect(finding(whole, "ok", "certificate") != nil && finding(whole, "warning", "certificate") == nil)
        let bare = try check(TestCertificate(issuer: "Intermediate 7"))
        #expect(finding(bare, "warning", "certificate")?.contains("Intermediate 7") == true, "\(bare.output)")
    }

    @Test("The doctor requires a public URL for a Unix socket, and warns without trusted proxies")
    func unixSocket() throws {
        let folder = Sandbox.makeFolder()
        let places = ["--data", folder + "/data", "--listen", "unix:\(folder)/server.sock", "--admin-listen", "off"]
        let bare = try doctor(places)
        #expect(finding(bare, "wrong", "public URL")?.contains("NEUROVIEWS_PUBLIC_URL") == true, "\(bare.output)")
        let proxied = try doctor(places + ["--public-url", "https://cloud.example.org/v2"])
        #expect(proxied.status == 0)
        #expect(finding(proxied, "warning", "proxy")?.contains("NEUROVIEWS_TRUSTED_PROXIES") == true)
        #expect(finding(proxied, "ok", "admin listener")?.contains("is off") == true)
        let nowhere = try doctor(["--data", folder + "/data", "--listen", "unix:/nowhere/server.sock"])
        #expect(finding(nowhere, "wrong", "listener")?.contains("/nowhere") == true)
    }

    @Test("The doctor reports a clock that is far from the database's", .inFull)
    func clock() throws {
        let database = try TestCluster.shared.get().makeDatabase()
        // The test's own clock takes the place of PostgreSQL's in this database.
        let sql = """
            ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO right_clock_timestamp;
            CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql
            AS 'SELECT pg_catalog.right_clock_timestamp() - interval ''1 hour'''
            """
        try TestCluster.shared.get().execute(sql, in: database)
        let program = try doctor(["--data", Sandbox.makeFolder() + "/data", "--database-url", database])
        #expect(program.status == 1)
        #expect(
            finding(program, "wrong", "clock")?.contains("so signed writes are refused") == true,
            "\(program.output)"
        )
    }
}
