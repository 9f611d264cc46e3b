import Dispatch
import Glibc
import Machine

extension PrivateCluster {
    /// An adopted server is not a child, so it is polled at this interval.
    private static let lookEveryMs = 100
    private static let backoffMaxMs = 1000

    /// Restarts PostgreSQL whenever it ends, on a thread of its own, until `stop()`.
    package func supervise() {
        BackgroundThread.start("supervisor") { self.superviseUntilStopped() }
    }

    private func superviseUntilStopped() {
        var backoffMs = 50
        while !isStopping.load(ordering: .acquiring) {
            _ = wake.wait(timeout: .now() + .milliseconds(Self.lookEveryMs))
            do throws(PrivateClusterProblem) {
                try running.withLock { (running) throws(PrivateClusterProblem) in try startAgainIfEnded(&running) }
                backoffMs = 50
            } catch {
                if error == .stopped { return }
                onEvent(.failed(error))
                usleep(UInt32(backoffMs) * 1000)
                backoffMs = min(2 * backoffMs, Self.backoffMaxMs)
            }
        }
    }

    func startAgainIfEnded(_ running: inout Running) throws(PrivateClusterProblem) {
        guard !isStopping.load(ordering: .acquiring) else { return }
        if let process = running.process {
            if isAlive(running) { return }
            running = Running()
            onEvent(.ended(process: process))
        }
        // /tmp may have been cleaned in the meantime.
        try prepareSocketFolder()
        try startOrAdopt(&running)
    }

    /// Stops PostgreSQL cleanly, within 30 seconds. This object cannot start the cluster again.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wake.signal()
        running.withLock { running in
            guard let process = running.process, isAlive(running) else { return }
            do throws(PrivateClusterProblem) {
                try end(process)
            } catch {
                onEvent(.failed(error))
            }
            running = Running()
        }
        if !location.socketFolder.hasPrefix(location.home + "/") { rmdir(location.socketFolder) }
    }

    /// Asks PostgreSQL to stop, without waiting. For a process that ends now.
    package func endUnattended() {
        isStopping.store(true, ordering: .releasing)
        guard let process = PostmasterFile.read(location.cluster)?.process, isServer(process) else { return }
        kill(process, SIGINT)
    }

    /// Fast shutdown: sessions end and all data is written. A server that takes too long is killed. That causes a
    /// recovery at the next start, but loses no committed data.
    func end(_ process: Int32) throws(PrivateClusterProblem) {
        for (signal, seconds) in [(SIGINT, 20.0), (SIGQUIT, 5.0), (SIGKILL, 5.0)] {
            kill(process, signal)
            if poll(seconds: seconds, { PostmasterFile.hasEnded(process) ? true : nil }) != nil { return }
        }
        throw .timeout(what: "stop", seconds: 30, log: location.log)
    }
}
