import Foundation
import TestSupport
import Testing

/// Root's commands in a data folder of the account `nobody`. The account has put links to other places there.
@Suite(
    "Root's commands in another account's data folder",
    .enabled(if: geteuid() == 0, "needs root"),
    .inFull,
    .blocking
)
struct ForeignFolderTests {
    private static let nobody: uid_t = 65534
    private static let secretOfRoot = "what root alone may read\n"

    private let folder = Sandbox.makeFolder()
    private let data: String
    private let places: [String]
    /// A folder of root with one file.
    private let victims: String
    private var victim: String { victims + "/victim" }
    private var backup: String { folder + "/backup.tar" }

    init() throws {
        data = folder + "/data"
        victims = folder + "/root"
        places = ["--data", data, "--database-url", try TestCluster.shared.get().makeDatabase()]
        let added = try Program.run(
            [Program.server, "user", "add", "ana@example.org"] + places,
            input: Device.password + "\n"
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
        try shell(
            """
            mkdir -p data/objects/objects/00 data/objects/uploads data/objects/thumbnails
            mkdir -m 700 root; echo pixels >data/objects/objects/00/one
            chown -R nobody data; chmod -R go-w data
            """
        )
        try Self.secretOfRoot.write(toFile: victim, atomically: false, encoding: .utf8)
        #expect(chmod(victim, 0o600) == 0)
    }

    private func shell(_ script: String) throws {
        let program = try Program.run(["sh", "-ec", "cd \(folder); \(script)"])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }

    private func expectVictimsUntouched(at location: SourceLocation = #_sourceLocation) throws {
        let found = try Program.run(["sh", "-c", "cd \(victims); stat -c '%n %u %a %h' . *; cat victim"]).output
        #expect(found == ". 0 700 2\nvictim 0 600 1\n" + Self.secretOfRoot, sourceLocation: location)
    }

    /// Checks that no file in the data folder has root's secret.
    private func expectNothingCopied(at location: SourceLocation = #_sourceLocation) throws {
        let found = try Program.run(["grep", "-rlF", Self.secretOfRoot.trimmingCharacters(in: .newlines), data])
        #expect(found.output == "", sourceLocation: location)
    }

    @Test("Root's nightly backup and restore keep root's files root's and the account's the account's")
    func nightly() throws {
        try shell(
            """
            mv data/secret.key root/secret.key; chown root root/secret.key
            openssl rand -hex -out root/key 32; chmod 600 root/key
            """
        )
        let settings = places + ["--secret-file", victims + "/secret.key"]
        let file = victims + "/backup.tar"
        try Operator.succeed(["backup", file, "--key-file", victims + "/key"] + settings)
        let listed = try Program.run(["tar", "-tf", file]).output
        #expect(listed.hasSuffix("secret.key\nobjects/objects/00/one\n"), "\(listed)")
        try Operator.succeed(["restore", file, "--key-file", victims + "/key", "--replace"] + settings)
        #expect(try String(contentsOfFile: data + "/objects/objects/00/one", encoding: .utf8) == "pixels\n")
        #expect(try Program.run(["find", data, "!", "-user", "nobody"]).output == "")
        #expect(!Operator.tree(data).contains { $0.hasPrefix("restore.") || $0.contains("/.backup-") })
    }

    @Test("Named pipes of the account in the places of files do not block root's commands")
    func pipes() throws {
        try shell("mkfifo data/objects/objects/00/pipe; chown nobody data/objects/objects/00/pipe")
        try Operator.succeed(["backup", backup] + places)
        let listed = try Program.run(["tar", "-tf", backup]).output
        #expect(!listed.contains("pipe") && listed.hasSuffix("one\n"), "\(listed)")
        try shell("mkdir own own/postgres; mkfifo own/postgres.log own/postgres/PG_VERSION; chown -R nobody own")
        let refused = try Operator.run(["backup", backup, "--data", folder + "/own"])
        #expect(refused.complaint.contains("holds no PostgreSQL cluster"), "\(refused.complaint)")
    }

    @Test("A hard link among the recordings to a file of root's does not get into a backup")
    func hardLink() throws {
        try shell("ln root/victim data/objects/objects/00/two")
        let refused = try Operator.run(["backup", backup] + places)
        // The kernel may refuse to make this link (fs.protected_hardlinks).
        let isDenied = ["Operation not permitted", "Permission denied"].contains(where: refused.complaint.contains)
        #expect(refused.status == 73 && isDenied, "\(refused.complaint)")
        #expect(!Operator.exists(backup) && !Operator.exists(backup + ".partial"))
        try shell("rm data/objects/objects/00/two")
        try expectVictimsUntouched()
    }

    @Test("A restore's journal with a link as its secret gives the account no file of root's")
    func journal() throws {
        try Operator.succeed(["backup", backup] + places)
        try Operator.succeed(["restore", backup, "--unauthenticated", "--replace"] + places)
        // The id of the restore that changed the database. The account can read it in a folder's name.
        let before = try #require(Operator.tree(data).first { $0.hasPrefix("objects.before-") && !$0.contains("/") })
        let id = before.dropFirst("objects.before-".count)
        try shell(
            """
            mkdir data/restore.pending; printf %s '\(id)' >data/restore.pending/id
            ln -s \(victim) data/restore.pending/secret.key; chown -hR nobody data/restore.pending
            """
        )
        let refused = try Operator.run(["backup", backup] + places)
        #expect(
            refused.status == 69 && refused.complaint.contains("The restore could not be ended"),
            "\(refused.complaint)"
        )
        try expectNothingCopied()
        try expectVictimsUntouched()
    }

    @Test("A forged journal of the account does not change a secret outside the data folder")
    func forgedJournal() throws {
        try shell("mv data/secret.key root/secret.key; chown root root/secret.key; cp root/secret.key kept")
        let settings = places + ["--secret-file", victims + "/secret.key"]
        try Operator.succeed(["backup", backup] + settings)
        try Operator.succeed(["restore", backup, "--unauthenticated", "--replace"] + settings)
        let before = try #require(Operator.tree(data).first { $0.hasPrefix("objects.before-") && !$0.contains("/") })
        try shell(
            """
            mkdir data/restore.pending; printf %s '\(before.dropFirst("objects.before-".count))' >data/restore.pending/id
            openssl rand -out data/restore.pending/secret.key 32
            chmod 600 data/restore.pending/secret.key; chown -R nobody data/restore.pending
            """
        )
        try Operator.succeed(["backup", backup] + settings)
        try shell("cmp kept root/secret.key; test ! -e data/restore.pending; test \"$(ls root | wc -l)\" = 2")
    }

    @Test("A link in the place of a restore's work folder is refused")
    func workFolder() throws {
        try Operator.succeed(["backup", backup] + places)
        for name in ["restore.new", "restore.pending"] {
            try shell("ln -s \(victims) data/\(name); chown -h nobody data/\(name)")
            let refused = try Operator.run(["restore", backup, "--unauthenticated", "--replace"] + places)
            #expect(refused.status != 0, "\(name)")
            try expectVictimsUntouched()
            try shell("rm data/\(name)")
        }
    }

    @Test("storage check --repair deletes nothing behind a link in the place of a folder of recordings")
    func repair() throws {
        try shell("chmod 755 root; rm -r data/objects/objects/00; ln -s \(victims) data/objects/objects/00")
        _ = try Operator.run(["storage", "check", "--repair"] + places)
        try shell("chmod 700 root")
        try expectVictimsUntouched()
    }

    @Test("Commands start and change nothing behind a link or a foreign cluster in the cluster's place")
    func cluster() throws {
        try shell(
            """
            mkdir own other; cp -r root other/postgres; echo 15 >other/postgres/PG_VERSION; chown -R postgres other/postgres
            chown nobody own; ln -s \(folder)/other/postgres own/postgres; chown -h nobody own/postgres
            """
        )
        for trick in [
            "true",
            "rm own/postgres; mv other/postgres own/; ln -s ../own/postgres other/postgres; chown -h nobody other",
        ] {
            try shell(trick)
            let refused = try Operator.run(["backup", backup, "--data", folder + "/own"])
            #expect(refused.status == 69, "\(refused.complaint)")
            #expect(refused.complaint.contains("chown -R nobody \(folder)/own/postgres"), "\(refused.complaint)")
            try shell("test \"$(ls own/postgres/)\" = \"$(printf 'PG_VERSION\\nvictim')\"")
        }
        try expectVictimsUntouched()
    }

    @Test("A new cluster in the account's folder belongs to the account")
    func newCluster() throws {
        try shell("mkdir own; chown nobody own; chmod 700 own; chmod 755 .")
        let places = ["--data", folder + "/own"]
        let added = try Program.run(
            [Program.server, "user", "add", "bo@example.org"] + places,
            input: Device.password + "\n"
        )
        #expect(added.status == 0, "\(added.complaint)")
        #expect(try Program.run(["find", folder + "/own/postgres", "!", "-user", "nobody"]).output == "")
        try Operator.succeed(["backup", backup] + places)
        // The account owns everything that its next start needs, and a pipe does not block the command.
        #expect(try Program.run(["find", folder + "/own", "!", "-user", "nobody"]).output == "")
        try shell(
            "rm own/postgres/neuroviews.conf; mkfifo own/postgres/neuroviews.conf; chown nobody own/postgres/neuroviews.conf"
        )
        try Operator.succeed(["backup", backup] + places)
    }

    @Test("Root makes nothing in a place that the account's note names for the cluster")
    func place() throws {
        try shell("mkdir own; echo \(victims) >own/postgres.location; chown -R nobody own; chmod 755 .")
        for command in [["migrate"], ["backup", backup], ["restore", backup, "--unauthenticated"]] {
            let refused = try Operator.run(command + ["--data", folder + "/own"])
            #expect(refused.status != 0)
            try expectVictimsUntouched()
        }
        try shell(
            "rm own/postgres.location; ln -s \(victim) own/postgres.location; chown -h nobody own/postgres.location"
        )
        #expect(
            try Operator.run(["migrate", "--data", folder + "/own"]).complaint.contains(
                "belongs to another account: remove it"
            )
        )
        try expectVictimsUntouched()
    }

    @Test("Programs that read recordings start outside the account's folders and without the backup's file")
    func inherited() throws {
        // A recording without an end delays the digests. Meanwhile the account looks at its processes.
        try shell("truncate -s 400G data/objects/objects/00/long; chown nobody data/objects/objects/00/long")
        let started = try Operator.start(["backup", backup] + places)
        // Selects the processes of this backup only. Their working folder is in this data folder.
        let own = "for p in $(pgrep -u nobody -x sha256sum); do case $(readlink /proc/$p/cwd) in \(data)/*)"
        defer {
            try? Operator.kill(started)
            _ = try? Program.run(["sh", "-c", "\(own) kill $p;; esac; done"])
        }
        var seen = ""
        for _ in 0..<200 where seen.isEmpty {
            usleep(50_000)
            seen = try Program.run(["sh", "-c", "\(own) readlink /proc/$p/fd/1;; esac; done"]).output
        }
        #expect(seen.hasPrefix("pipe:"), "\(seen)")
    }

    @Test("storage check reads a bucket's secret that belongs to root")
    func secretOfRoot() throws {
        try shell("echo secret >root/s3; chmod 600 root/s3")
        let bucket = [
            "--s3-endpoint", "http://127.0.0.1:9", "--s3-bucket", "bucket", "--s3-access-key", "key",
            "--s3-secret-file", victims + "/s3",
        ]
        let refused = try Operator.run(["storage", "check"] + places + bucket)
        #expect(
            refused.status == 69 && refused.complaint.contains("The store could not be read"),
            "\(refused.complaint)"
        )
    }

    @Test("A link in the place of the socket's folder leaves its target's mode and owner unchanged")
    func socket() throws {
        try shell("mkdir own; chown nobody own; ln -s \(victims) own/socket; chown -h nobody own/socket")
        let refused = try Program.run(
            [Program.server, "user", "add", "bo@example.org", "--data", folder + "/own"],
            input: Device.password + "\n"
        )
        #expect(refused.status != 0)
        try expectVictimsUntouched()
    }
}
