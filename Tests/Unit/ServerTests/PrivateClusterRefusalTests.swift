import Foundation
import TestSupport
import Testing

@testable import PrivateCluster

/// Each problem has one sentence, which gives the remedy.
@Suite("Refused starts of the private cluster", .blocking)
struct PrivateClusterRefusalTests {
    private func refusal(
        _ trial: ClusterTrial,
        search: PostgresPrograms.Search = PostgresPrograms.Search()
    ) -> String? {
        do throws(PrivateClusterProblem) {
            try trial.start(search: search).stop()
            return nil
        } catch {
            return error.description
        }
    }

    /// Makes a folder that looks like a cluster of `version`.
    private func pretend(_ trial: ClusterTrial, version: String?) throws {
        let cluster = trial.data + "/postgres"
        try FileManager.default.createDirectory(atPath: cluster, withIntermediateDirectories: true)
        if let version { _ = try trial.folder.file("data/postgres/PG_VERSION", version) }
        let account = try ClusterAccount.ofNewCluster(data: trial.data)
        chown(cluster, account.user, account.group)
    }

    /// Makes programs that print `output` and fail.
    private func broken(_ trial: ClusterTrial, _ output: String) throws -> PostgresPrograms.Search {
        try programs(trial, "echo 'The files belong to this account.'\necho '\(output)' >&2\nexit 1\n")
    }

    /// Makes programs that run `script`.
    private func programs(_ trial: ClusterTrial, _ script: String) throws -> PostgresPrograms.Search {
        for program in ["initdb", "postgres"] {
            _ = try trial.folder.file("versions/15/bin/\(program)", "#!/bin/sh\n" + script, mode: 0o755)
        }
        return PostgresPrograms.Search(versionsFolder: trial.folder.path + "/versions", path: "/nonexistent")
    }

    @Test("Missing PostgreSQL programs stop the start")
    func missing() throws {
        let nowhere = PostgresPrograms.Search(versionsFolder: "/nonexistent", path: "/nonexistent")
        let text = try #require(refusal(try ClusterTrial(), search: nowhere))
        #expect(text.hasPrefix("PostgreSQL 15 or later is missing: run apt-get install postgresql"))
        #expect(text.contains("create_main_cluster = false"))
    }

    @Test("A cluster of another major version stops the start")
    func version() throws {
        let trial = try ClusterTrial()
        try pretend(trial, version: "9.6\n")
        let old = try #require(refusal(trial))
        #expect(old.hasPrefix("The cluster in \(trial.data)/postgres was made by PostgreSQL 9, which is too old: "))
        #expect(!old.contains("apt-get"), "a package that Debian does not have")
        try pretend(trial, version: "99\n")
        let text = try #require(refusal(trial))
        #expect(
            text.hasPrefix("The cluster in \(trial.data)/postgres was made by PostgreSQL 99, and this machine has ")
        )
        #expect(
            text.contains(
                "apt.postgresql.org.sh, then apt-get install postgresql-99, or move the cluster with pg_upgrade."
            )
        )
    }

    @Test("A folder without a cluster in the private cluster's place stops the start")
    func noCluster() throws {
        let trial = try ClusterTrial()
        try pretend(trial, version: nil)
        #expect(
            refusal(trial)
                == "The folder \(trial.data)/postgres holds no PostgreSQL cluster: move it away, or put the cluster back from "
                + "a backup."
        )
    }

    @Test("A cluster that belongs to root stops the start", .enabled(if: geteuid() == 0))
    func owner() throws {
        let trial = try ClusterTrial()
        try pretend(trial, version: "15")
        chown(trial.data + "/postgres", 0, 0)
        #expect(
            refusal(trial)?.hasPrefix("The cluster in \(trial.data)/postgres belongs to the account with number 0:")
                == true
        )
    }

    @Test("A failed initdb is reported with its first useful line, and leaves no partial cluster")
    func initialise() throws {
        let trial = try ClusterTrial()
        let search = try broken(trial, "initdb: error: could not write: No space left on device")
        #expect(
            refusal(trial, search: search)
                == "PostgreSQL's initdb failed: initdb: error: could not write: No space left on device"
        )
        #expect(access(trial.data + "/postgres", F_OK) != 0)
        let cluster = try trial.start()
        cluster.stop()
    }

    @Test(
        "An initdb that fills the disk, and so loses its message, is reported with the full disk",
        .enabled(if: geteuid() == 0, "needs root")
    )
    func fullDisk() throws {
        let trial = try ClusterTrial()
        try FileManager.default.createDirectory(atPath: trial.data, withIntermediateDirectories: true)
        let mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", trial.data]
        try #require(try Program.run(mount).status == 0)
        defer { _ = try? Program.run(["umount", "-l", trial.data]) }
        let search = try programs(trial, "cat /dev/zero >\"${1#--pgdata=}/fill\"\n")
        #expect(refusal(trial, search: search) == "PostgreSQL's initdb failed: No space left on device")
    }

    @Test("A program that failed without a word on a full disk has that reason, and no other program")
    func silent() throws {
        // It has no free block.
        let full = "/proc"
        #expect(ProgramOutput.explained(" \n", writingTo: full) == "No space left on device")
        #expect(ProgramOutput.explained("error: no\n", writingTo: full) == "error: no\n")
        let folder = try TemporaryFolder()
        #expect(ProgramOutput.explained("", writingTo: folder.path) == "")
    }

    @Test("A start that fails behind PostgreSQL's own start leaves no PostgreSQL and names its log")
    func nothingLeft() throws {
        let trial = try ClusterTrial()
        var cluster: PrivateCluster? = try trial.start()
        let location = try #require(cluster).location
        let administrator = "host='\(location.socketFolder)' user=postgres dbname=postgres"
        #expect(trial.query(administrator, "alter database neuroviews rename to another") != nil)
        cluster?.stop()
        // With it goes its lock.
        cluster = nil
        let folder = location.cluster
        let text = try #require(refusal(trial))
        #expect(text.hasSuffix(": see \(folder)/log."), "\(text)")
        #expect(!text.contains("NEUROVIEWS_DATABASE_URL"))
        // PostgreSQL's logger writes to the end of its pipe, so it outlives the postmaster by a moment.
        _ = trial.until(seconds: 30) { PostmasterFile.servers(of: folder).isEmpty }
        #expect(PostmasterFile.servers(of: folder) == [])
    }

    @Test("A socket folder of another account stops the start", .enabled(if: geteuid() == 0))
    func socketFolder() throws {
        let trial = try ClusterTrial("/" + String(repeating: "x", count: 100))
        try FileManager.default.createDirectory(atPath: trial.data, withIntermediateDirectories: true)
        let account = try ClusterAccount.ofNewCluster(data: trial.data)
        let roots = ClusterLocation.Roots(clusters: "/nonexistent", sockets: "/tmp")
        let folder = try ClusterLocation.find(data: trial.data, account: account, roots: roots).socketFolder
        mkdir(folder, 0o755)
        chown(folder, 65534, 65534)
        defer { rmdir(folder) }
        #expect(refusal(trial)?.hasPrefix("The folder \(folder) belongs to somebody else") == true)
    }

    @Test("The first useful line of a program's output is found")
    func firstUsefulLine() {
        let cases = [
            ("", "it said nothing"), ("\n \nhello\n", "hello"), ("hint\npostgres: error: no\nx", "postgres: error: no"),
            ("LOG: x\r\n2026 FATAL:  lock file\r\nHINT: y", "2026 FATAL:  lock file"),
        ]
        for (output, line) in cases { #expect(ProgramOutput.firstUsefulLine(output) == line) }
    }
}
