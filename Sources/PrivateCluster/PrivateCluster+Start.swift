import CPostgres
import Glibc
import Machine

extension PrivateCluster {
    /// After a crash PostgreSQL first replays its WAL, which may take minutes.
    private static let recoveryMaxSeconds = 600
    /// The time for a former server of this cluster to become ready or to end.
    private static let previousMaxSeconds = 20.0
    private static let pollMicroseconds: UInt32 = 2000

    /// Returns with PostgreSQL running and accepting connections: the existing process or a new one.
    func startOrAdopt(_ running: inout Running) throws(PrivateClusterProblem) {
        if let process = try adopt() {
            running = Running(process: process, child: nil)
            onEvent(.adopted(process: process))
            return
        }
        let begin = ContinuousClock.now
        while true {
            do throws(PrivateClusterProblem) {
                try startNew(&running)
                onEvent(.started(process: running.process ?? 0, milliseconds: begin.elapsedMs))
                return
            } catch {
                running = Running()
                guard clearTheWay(error), begin.elapsedMs < Int(Self.previousMaxSeconds) * 1000 else { throw error }
                usleep(50_000)
            }
        }
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
        try end(process)
        return nil
    }

    private func startNew(_ running: inout Running) throws(PrivateClusterProblem) {
        let child: ChildProcess
        do throws(FileError) {
            let command = account.command(programs.path("postgres"), ["-D", location.cluster])
            child = try ChildProcess(command, log: location.log) { [wake] in wake.signal() }
        } catch {
            throw .program(name: "server", reason: "\(error)")
        }
        running = Running(process: child.number, child: child)
        let isReady = poll(seconds: Double(Self.recoveryMaxSeconds)) {
            if self.isStopping.load(ordering: .acquiring) { return false }
            let file = PostmasterFile.read(self.location.cluster)
            if file?.process == child.number && file?.isReady == true { return true }
            return child.isRunning ? nil : false
        }
        if isReady == true { return }
        if isStopping.load(ordering: .acquiring) {
            try end(child.number)
            throw .stopped
        }
        guard !child.isRunning else {
            try end(child.number)
            throw .timeout(what: "start", seconds: Self.recoveryMaxSeconds, log: location.log)
        }
        throw .program(name: "server", reason: ProgramOutput.firstUsefulLine(output))
    }

    /// The output before the server's own log was open; without a FATAL line in it, that log's last failure.
    private var output: String {
        let early = (try? FileDescriptor.readOwnText(location.log, maxBytes: 65536)) ?? ""
        if early.contains("FATAL:") { return early }
        return ProgramOutput.lastFailure(inFolder: location.cluster + "/log") ?? early
    }

    private static let socketLock = ".s.PGSQL.\(ClusterLocation.port).lock"

    /// Returns true if another attempt makes sense. Then processes of a killed server remained, or lock files
    /// (`postmaster.pid`, the socket's) had a number that another program now has.
    private func clearTheWay(_ problem: PrivateClusterProblem) -> Bool {
        guard case .program(_, let reason) = problem, !isStopping.load(ordering: .acquiring) else { return false }
        let isLocked = ["postmaster.pid", "shared memory", Self.socketLock].contains { reason.contains($0) }
        guard isLocked else { return false }
        let left = PostmasterFile.servers(of: location.cluster)
        for process in left { kill(process, SIGQUIT) }
        if left.isEmpty { removeLockFiles() }
        return true
    }

    private func removeLockFiles() {
        // Only this cluster uses the socket's folder.
        let files = [PostmasterFile.path(location.cluster), "\(location.socketFolder)/\(Self.socketLock)"]
        try? FolderRights(of: account).useForFiles { () throws(FileError) in files.forEach { unlink($0) } }
    }

    /// True if the socket exists and PostgreSQL accepts connections.
    var answers: Bool {
        PQping(connectionString + " connect_timeout=2") == PQPING_OK
    }

    func isServer(_ process: Int32) -> Bool {
        PostmasterFile.isServer(process, of: location.cluster)
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
