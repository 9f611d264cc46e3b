import Foundation
import Net
import TestSupport
import Testing

@testable import Machine
@testable import PrivateCluster

/// PostgreSQL ends while the private cluster starts, as a kill does it, or a machine without memory.
@Suite("Starts of a private cluster that are interrupted", .blocking)
struct KilledStartTests {
    /// A stopped cluster, and programs that do `trouble`, a shell's command, at the first starts and then work. It may
    /// read the number of starts.
    private func cluster(_ trouble: String, times: Int) throws -> (ClusterTrial, PostgresPrograms.Search) {
        let trial = try ClusterTrial()
        try trial.start().stop()
        let programs = try PostgresPrograms.find()
        let count = try trial.folder.file("count", "", mode: 0o666)
        let counting = "echo start >>'\(count)'\nstarts=$(wc -l <'\(count)')"
        let script = "#!/bin/sh\n\(counting)\nif [ \"$starts\" -le \(times) ]; then \(trouble); fi\n"
        let versions = trial.folder.path + "/versions"
        for program in ["initdb", "postgres"] {
            let whole = script + "exec '\(programs.path(program))' \"$@\"\n"
            _ = try trial.folder.file("versions/\(programs.major)/bin/\(program)", whole, mode: 0o755)
        }
        return (trial, PostgresPrograms.Search(versionsFolder: versions, path: "/nonexistent"))
    }

    private func starts(_ trial: ClusterTrial) throws -> Int {
        try FileDescriptor.readText(trial.folder.path + "/count").split(separator: "\n").count
    }

    @Test(
        "A PostgreSQL that ends before it is ready is started again",
        .inFull,
        arguments: [
            ("kill -KILL $$", 5), ("kill -ABRT $$", 1),
            ("echo 'LOG:  startup process was terminated by signal 9' >&2; exit 1", 2),
            ("echo 'FATAL:  pre-existing shared memory block is still in use' >&2; exit 1", 5),
            // Kills do not count as attempts without a known reason.
            ("[ \"$starts\" -gt 3 ] || kill -KILL $$; exit 1", 4),
        ]
    )
    func notReady(trouble: String, times: Int) throws {
        let (trial, search) = try cluster(trouble, times: times)
        let running = try trial.start(search: search)
        defer { running.stop() }
        #expect(try starts(trial) == times + 1)
        #expect(trial.query(running.logins.application, "select 1") == "1")
    }

    @Test("A PostgreSQL that never becomes ready ends the start with its reason after three attempts")
    func never() throws {
        let (trial, search) = try cluster("echo 'FATAL:  no more' >&2; exit 1", times: .max)
        #expect(throws: PrivateClusterProblem.program(name: "server", reason: "FATAL:  no more")) {
            try trial.start(search: search)
        }
        #expect(try starts(trial) == 3)
    }

    @Test(
        "A PostgreSQL that is killed before its roles can log in is started again",
        arguments: TestRun.cases(1, of: [3, 2, 1])
    )
    func beforeRoles(kills: Int) throws {
        let trial = try ClusterTrial()
        let left = Locked(kills)
        let running = try trial.start { event in
            guard case .started(let process, _) = event else { return }
            let isDue = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isDue { kill(process, SIGKILL) }
        }
        defer { running.stop() }
        let ended = trial.events.count { if case .ended = $0 { true } else { false } }
        #expect(ended == kills)
        #expect(trial.query(running.logins.application, "select 1") == "1")
        #expect(trial.query(running.logins.background, "select 1") == "1")
    }

    @Test("Roles are prepared after the session of a killed server, which still prepares them")
    func sameRoles() throws {
        let trial = try ClusterTrial()
        let running = try trial.start()
        defer { running.stop() }
        let (administrator, go) = (running.administratorConnectionString, trial.folder.path + "/go")
        #expect(trial.query(administrator, "GRANT EXECUTE ON FUNCTION set_config TO PUBLIC") != nil)
        let statements = """
            SELECT pg_advisory_lock(\(PrivateCluster.rolesLock));
            BEGIN; REVOKE EXECUTE ON FUNCTION set_config FROM PUBLIC;
            \\! while [ ! -e '\(go)' ]; do sleep 0.01; done
            COMMIT;
            """
        let left = try ChildProcess(
            ["/usr/bin/psql", administrator, "-X", "-v", "ON_ERROR_STOP=1"],
            log: trial.folder.path + "/left.log",
            input: statements
        )
        let holds = "select count(*) from pg_stat_activity where state = 'idle in transaction' and query like 'REVOKE%'"
        #expect(trial.until(seconds: 20) { trial.query(administrator, holds) == "1" } != nil)
        let waits = "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
        let watcher = Thread {
            _ = trial.until(seconds: 20) { trial.query(administrator, waits) == "t" }
            _ = FileManager.default.createFile(atPath: go, contents: nil)
        }
        watcher.start()
        try running.prepareRoles()
        #expect(left.wait(seconds: 20) == 0)
        #expect(trial.query(running.logins.application, "select set_config('role', 'x', false)") == nil)
    }

    @Test("A program's log keeps its lines when a program before it goes on to write")
    func sharedLog() throws {
        let folder = try TemporaryFolder()
        let (log, go) = (folder.path + "/log", folder.path + "/go")
        let waits = "echo older; while [ ! -e '\(go)' ]; do sleep 0.01; done; echo older again"
        let older = try ChildProcess(["/bin/sh", "-c", waits], log: log)
        try Deadline.wait("the first line", seconds: 20) { try FileDescriptor.readText(log) == "older\n" }
        let newer = try ChildProcess.run(["/bin/sh", "-c", "echo FATAL: the newer one"], log: log, seconds: 20)
        #expect(newer.output == "FATAL: the newer one\n")
        _ = try folder.file("go", "")
        #expect(older.wait(seconds: 20) == 0)
        #expect(try FileDescriptor.readText(log) == "FATAL: the newer one\nolder again\n")
    }
}
