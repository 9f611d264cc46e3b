import Foundation
import Postgres
import TestSupport

/// What the tests do to PostgreSQL, and how they find out that it is back.
extension ServerProcess {
    /// Kills PostgreSQL: its first process alone, as the kernel would when memory runs out, or all of them at once.
    func killPostgres(allProcesses: Bool) throws {
        let first = try postmaster()
        let targets = allProcesses ? "\(first) $(ps -o pid= --ppid \(first))" : "\(first)"
        _ = try Program.run(["sh", "-c", "kill -KILL \(targets)"])
        try Deadline.wait("the end of PostgreSQL", seconds: 10) { Glibc.kill(first, 0) != 0 }
    }

    /// Stops all of PostgreSQL's processes for so long. The shell lets them go on even if this process dies meanwhile.
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

    /// Returns when PostgreSQL takes connections.
    func awaitPostgres() throws {
        let address = connectionString
        try Deadline.wait("PostgreSQL", seconds: 60) {
            (try? BlockingSession(address).execute("SELECT 1").count) == 1
        }
    }

    /// The statement as the administrator, past the server.
    @discardableResult
    func administer(_ sql: String) throws -> Rows {
        try BlockingSession("host=\(data)/socket port=5432 user=postgres dbname=neuroviews").execute(sql)
    }
}

/// How many rounds a test makes: more when asked for the long run.
enum Rounds {
    static func count(_ usual: Int, full: Int) -> Int {
        ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_FULL"] == "1" ? full : usual
    }
}

/// Figures for the log of the test run.
func report(_ line: String) { print("faults: \(line)") }
