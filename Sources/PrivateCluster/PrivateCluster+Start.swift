import CPostgres
import Glibc
import Machine

extension PrivateCluster {
    /// After a crash PostgreSQL first replays its WAL, which may take minutes.
    private static let recoveryMaxSeconds = 600
    /// The time for a former server of this cluster to become ready.
    private static let previousMaxSeconds = 20.0
    /// The time for what is left of a killed server to end. A process in a slow write can't be killed before its end.
    private static let obstructedMaxMs = 60_000
    private static let quitMaxMs = 10_000
    /// The attempts where no reason is known, such as a killed process in PostgreSQL's recovery.
    private static let attemptsMax = 3
    private static let pollMicroseconds: UInt32 = 2000

    /// Returns with PostgreSQL running and accepting connections: the existing process or a new one.
    func startOrAdopt(_ running: inout Running) throws(PrivateClusterProblem) {
        if let process = try adopt() {
            running = Running(process: process, child: nil)
            onEvent(.adopted(process: process))
            return
        }
        running = Running()
        let begin = ContinuousClock.now
        var unexplained = 0
        while let end = try startNew(&running) {
            guard isWorthAnother(end, &unexplained, since: begin) else { throw end.problem }
            usleep(50_000)
        }
        onEvent(.started(process: running.process ?? 0, milliseconds: begin.elapsedMs))
    }

    /// Adopts the server that an earlier process left. Ends it if it does not accept connections.
    private func adopt() throws(PrivateClusterProblem) -> Int32? {
        guard let process = PostmasterFile.read(location.cluster)?.process, isServer(process) else { return nil }
        let answers = poll(seconds: Self.previousMaxSeconds) {
            guard self.isServer(process) else { return false }
            let file = PostmasterFile.read(self.location.cluster)
            return file?.status == "stopping" ? false : file?.isReady == true ? self.answers : nil
        }
        if answers == true { return process }
        // Its number may be another program's since it ended.
        if isServer(process) { try end(process) }
        return nil
    }

    /// The end of a PostgreSQL that was never ready.
    private struct EarlyEnd {
        /// The exit status, or 128 and the signal's number.
        let status: Int32
        let output: String

        var isKilled: Bool { status >= 128 }

        var problem: PrivateClusterProblem {
            let reason =
                isKilled ? "signal \(status - 128) ended it" : ProgramOutput.firstUsefulLine(output)
            return .program(name: "server", reason: reason)
        }
    }

    /// Returns nil if PostgreSQL is ready.
    private func startNew(_ running: inout Running) throws(PrivateClusterProblem) -> EarlyEnd? {
        let child: ChildProcess
        do throws(FileError) {
            let command = account.command(programs.path("postgres"), ["-D", location.cluster])
            child = try ChildProcess(command, log: location.log) { [wake] in wake.signal() }
        } catch {
            throw .program(name: "server", reason: "\(error)")
        }
        let isReady = poll(seconds: Double(Self.recoveryMaxSeconds)) {
            if self.isStopping.load(ordering: .acquiring) { return false }
            let file = PostmasterFile.read(self.location.cluster)
            if file?.process == child.number && file?.isReady == true { return true }
            return child.isRunning ? nil : false
        }
        if isReady == true {
            running = Running(process: child.number, child: child)
            return nil
        }
        if isStopping.load(ordering: .acquiring) {
            try end(child.number)
            throw .stopped
        }
        guard !child.isRunning, let status = child.wait(seconds: 5) else {
            try end(child.number)
            throw .timeout(what: "start", seconds: Self.recoveryMaxSeconds, log: location.log)
        }
        return EarlyEnd(status: status, output: output)
    }

    /// The output before the server's own log was open; without a FATAL line in it, that log's last failure.
    private var output: String {
        let text = (try? FileDescriptor.readOwnText(location.log, maxBytes: 65536)) ?? ""
        let early = ProgramOutput.explained(text, writingTo: location.home)
        if early.contains("FATAL:") || early == ProgramOutput.fullDisk { return early }
        return ProgramOutput.lastFailure(inFolder: location.cluster + "/log") ?? early
    }

    private static let socketLock = ".s.PGSQL.\(ClusterLocation.port).lock"

    /// Returns true if another attempt makes sense: PostgreSQL was killed, or a killed one was in its way.
    /// `unexplained` counts the ends where neither is known.
    private func isWorthAnother(
        _ end: EarlyEnd,
        _ unexplained: inout Int,
        since begin: ContinuousClock.Instant
    ) -> Bool {
        let elapsedMs = begin.elapsedMs
        guard !isStopping.load(ordering: .acquiring), elapsedMs < Self.obstructedMaxMs else { return false }
        if end.isKilled { return true }
        let locks = ["postmaster.pid", "pre-existing shared memory", Self.socketLock]
        guard locks.contains(where: { end.output.contains($0) }) else {
            unexplained += 1
            return unexplained < Self.attemptsMax
        }
        clearTheWay(elapsedMs < Self.quitMaxMs ? SIGQUIT : SIGKILL)
        return true
    }

    /// Ends the processes of a killed server. If none is left, the lock files (`postmaster.pid`, the socket's) have a number
    /// that another program now has.
    private func clearTheWay(_ signal: Int32) {
        guard let left = servers() else { return }
        for process in left { kill(process, signal) }
        if left.isEmpty { removeLockFiles() }
    }

    /// PostgreSQL ends without its lock file, so that of a process that can't be judged stays.
    private func removeLockFiles() {
        // Only this cluster uses the socket's folder.
        let files = [PostmasterFile.path(location.cluster), "\(location.socketFolder)/\(Self.socketLock)"]
        let old = files.filter { PostmasterFile.read(file: $0).map { !mayBeServer($0.process) } ?? true }
        try? FolderRights(of: account).useForFiles { () throws(FileError) in old.forEach { unlink($0) } }
    }

    /// True if the socket exists and PostgreSQL accepts connections.
    var answers: Bool {
        PQping(connectionString + " connect_timeout=2") == PQPING_OK
    }

    /// Repeats `question` until it returns a value; nil after `seconds`.
    func poll(seconds: Double, _ question: () -> Bool?) -> Bool? {
        let begin = ContinuousClock.now
        while begin.elapsedMs < Int(seconds * 1000) {
            if let answer = question() { return answer }
            usleep(Self.pollMicroseconds)
        }
        return nil
    }
}
