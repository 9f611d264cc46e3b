import Foundation
import Net
import TestSupport
import Testing

/// Root's backups beside the account `nobody`, the owner of some folders.
@Suite("Backups in folders of other accounts", .inFull, .enabled(if: geteuid() == 0, "needs root"), .blocking)
struct BackupPlaceTests {
    private let folder = Sandbox.makeFolder()
    private let places: [String]
    private var theirs: String { folder + "/theirs" }
    private var file: String { theirs + "/backup.tar" }
    private var key: String { folder + "/backup.key" }

    init() throws {
        places = ["--data", folder + "/data", "--database-url", try TestCluster.shared.get().makeDatabase()]
        let added = try Program.run(
            [Program.server, "user", "add", "ana@example.org"] + places,
            input: Device.password + "\n"
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
        try shell("openssl rand -hex -out backup.key 32; chmod 600 backup.key")
        try shell("mkdir -m 755 theirs; mkdir -m 755 theirs/inner; chown nobody theirs")
    }

    @discardableResult
    private func shell(_ script: String) throws -> String {
        let program = try Program.run(["sh", "-ec", "cd \(folder); \(script)"])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return program.output
    }

    private func expectRefusal(
        _ arguments: [String],
        _ status: Int32,
        _ words: [String],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let refused = try Operator.run(arguments + places)
        #expect(refused.status == status, "\(refused.complaint)", sourceLocation: location)
        #expect(refused.complaint.split(separator: "\n").count == 1, "\(refused.complaint)", sourceLocation: location)
        for word in words {
            #expect(refused.complaint.contains(word), "\(refused.complaint)", sourceLocation: location)
        }
    }

    @Test("Root makes no backup below a folder of another account, also through a link, and makes it after chown")
    func foreign() throws {
        try shell(
            "ln -s theirs/inner near; ln -s \(folder)/theirs/inner far; ln -s \(folder)/safe theirs/link; mkdir -m 700 safe"
        )
        let files = [
            "theirs/backup.tar", "theirs/inner/backup.tar", "near/backup.tar", "far/backup.tar",
            "theirs/link/backup.tar",
        ]
        for name in files {
            try expectRefusal(
                ["backup", "\(folder)/\(name)"],
                73,
                ["\(theirs) belongs to nobody, who can", "run chown root \(theirs)."]
            )
        }
        #expect(try shell("find theirs safe -name 'backup*'") == "")
        try shell("chown root theirs")
        for name in files { try Operator.succeed(["backup", "\(folder)/\(name)"] + places) }
    }

    @Test("Root makes no backup in a folder that others may write, unless it has the sticky bit")
    func open() throws {
        try shell("chown root theirs; chmod 775 theirs")
        try expectRefusal(
            ["backup", file],
            73,
            ["\(theirs), which belongs to root, can be changed by others (mode 775): run chmod go-w \(theirs)."]
        )
        try shell("chmod 1777 theirs")
        try Operator.succeed(["backup", file] + places)
        try shell("chmod 775 theirs; chmod go-w theirs")
        try Operator.succeed(["backup", file] + places)
    }

    @Test("A work folder that another account has made in a folder such as /tmp is refused")
    func planted() throws {
        try shell(
            "chown root theirs; chmod 1777 theirs; mkdir -m 777 theirs/backup.tar.partial; chown nobody theirs/backup.tar.partial"
        )
        try expectRefusal(["backup", file], 73, ["\(file).partial belongs to somebody else"])
        try shell(
            "rmdir theirs/backup.tar.partial; ln -s \(folder)/data theirs/backup.tar.partial; chown -h nobody theirs/backup.tar.partial"
        )
        try expectRefusal(["backup", file], 73, ["cannot open \(file).partial"])
    }

    @Test("An account that exchanges folder and link all the time gets neither a dump nor a signature")
    func exchanged() throws {
        let script =
            "cd \(theirs); while :; do mv inner kept; ln -s \(folder)/data inner; rm inner; mv kept inner; done"
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment
        let account = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", "/bin/sh", "-c", script]
        let shell = try SpawnedProgram("/usr/bin/setpriv", account, settings)
        defer { kill(-shell.number, SIGKILL) }
        for _ in 0..<5 {
            try expectRefusal(
                ["backup", theirs + "/inner/backup.tar", "--key-file", key],
                73,
                ["\(theirs) belongs to nobody"]
            )
        }
    }

    @Test("A key that another account owns, or may replace, neither signs nor proves a backup")
    func keys() throws {
        let safe = folder + "/backup.tar"
        try Operator.succeed(["backup", safe, "--key-file", key] + places)
        try shell(
            "cp -p backup.key theirs/backup.key; cp -p backup.key open.key; ln -s backup.key link.key; mkdir -m 777 open; cp -p backup.key open"
        )
        for (name, words) in [
            ("theirs/backup.key", "\(theirs) belongs to nobody"), ("open/backup.key", "run chmod go-w \(folder)/open."),
            ("nobodys.key", "\(folder)/nobodys.key belongs to nobody"),
            ("nobodys.link", "run chown -h root \(folder)/nobodys.link."),
        ] {
            try shell(
                "cp -p open.key nobodys.key; chown nobody nobodys.key; ln -sf backup.key nobodys.link; chown -h nobody nobodys.link"
            )
            let arguments = ["--key-file", "\(folder)/\(name)"]
            try expectRefusal(["backup", folder + "/other.tar"] + arguments, 66, [words])
            try expectRefusal(["restore", safe, "--replace"] + arguments, 66, [words])
        }
        try Operator.succeed(["restore", safe, "--replace", "--key-file", folder + "/link.key"] + places)
    }

    @Test("Only a backup with a key is restored from a folder of another account")
    func restores() throws {
        try shell("chown root theirs")
        try Operator.succeed(["backup", file, "--key-file", key] + places)
        try shell("chown nobody theirs")
        let restore = ["restore", file, "--replace"]
        try expectRefusal(
            restore + ["--unauthenticated"],
            66,
            ["Without --key-file nothing shows", "\(theirs) belongs to nobody"]
        )
        try Operator.succeed(restore + ["--key-file", key] + places)
        // The owner of the data folder decides about the restored data in any case.
        try shell("chown -R nobody data")
        try Operator.succeed(restore + ["--unauthenticated"] + places)
    }

    @Test("The doctor warns of a secret or a key that another account may replace")
    func doctor() throws {
        try shell("mv data/secret.key theirs/secret.key; cp theirs/secret.key theirs/tls.key")
        let settings = [
            "--secret-file", theirs + "/secret.key", "--tls-cert", theirs + "/tls.key", "--tls-key",
            theirs + "/tls.key",
        ]
        let found = try Operator.run(["doctor"] + settings + places).output
        for setting in ["secret_file", "tls_key"] {
            let warning = "warning  place of \(setting): \(theirs) belongs to nobody, who can"
            #expect(found.contains(warning), "\(found)")
        }
        try shell("chown root theirs")
        #expect(try !Operator.run(["doctor"] + settings + places).output.contains("place of"))
        try shell("chown -R nobody theirs data")
        #expect(
            try !Operator.run(["doctor"] + settings + places).output.contains("place of"),
            "it is the server's own account"
        )
    }
}
