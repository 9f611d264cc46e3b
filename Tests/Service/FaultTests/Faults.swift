import Foundation
import Postgres
import TestSupport

/// Faults of PostgreSQL, and waiting for its recovery.
extension ServerProcess {
    /// Kills PostgreSQL's postmaster alone, like the kernel's out-of-memory killer, or all its processes at once.
    func killPostgres(allProcesses: Bool) throws {
        let first = try postmaster()
        let targets = allProcesses ? "\(first) $(ps -o pid= --ppid \(first))" : "\(first)"
        _ = try Program.run(["sh", "-c", "kill -KILL \(targets)"])
        try Deadline.wait("the end of PostgreSQL", seconds: 10) { Glibc.kill(first, 0) != 0 }
    }

    /// Stops all processes of PostgreSQL for `seconds`. The shell resumes them even if this process dies.
    func pausePostgres(seconds: Int) throws {
        let first = try postmaster()
        let script = """
            kill -STOP \(first)
            others=$(ps -o pid= --ppid \(first))
            kill -STOP $others
            sleep \(seconds)
            kill -CONT $others \(first)
            """
        _ = try Program.run(["sh", "-c", script], seconds: Double(seconds) + 30)
    }

    /// Returns when PostgreSQL accepts connections.
    func awaitPostgres() throws {
        let address = connectionString
        try Deadline.wait("PostgreSQL", seconds: 60) {
            (try? BlockingSession(address).execute("SELECT 1").count) == 1
        }
    }

    /// Runs a statement as the administrator, without the server.
    @discardableResult
    func administer(_ sql: String) throws -> Rows {
        try BlockingSession("host=\(data)/socket port=5432 user=postgres dbname=neuroviews").execute(sql)
    }
}

/// The number of rounds of a test; more with `NEUROVIEWS_TEST_FULL=1`.
enum Rounds {
    static func count(_ usual: Int, full: Int) -> Int {
        ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_FULL"] == "1" ? full : usual
    }
}

/// Prints figures to the log of the test run.
func report(_ line: String) { print("faults: \(line)") }
