import Foundation
import Postgres

extension ServerProcess {
    /// The conninfo of the private cluster, with the server's login role.
    package var connectionString: String { connectionString("neuroviews") }

    private func connectionString(_ user: String) -> String {
        "host=\(data)/socket port=5432 user=\(user) dbname=neuroviews"
    }

    /// Runs SQL on the server's database, as one transaction. Returns the lines that psql would print of the last
    /// statement: the columns are separated by `|`, and empty lines are left out. Throws `Program.Failure` with
    /// PostgreSQL's message.
    @discardableResult
    package func sql(_ text: String, role: String = "neuroviews_owner", user: String = "neuroviews") throws -> [String]
    {
        do {
            let preparation = "SET ROLE \(role); SET search_path TO neuroviews"
            let rows = try sessions.execute(text, after: preparation, at: connectionString(user))
            let lines = (0..<rows.count).map { index in
                (0..<rows[index].columnCount).map { rows[index].text($0) ?? "" }.joined(separator: "|")
            }
            return lines.joined(separator: "\n").split(separator: "\n").map(String.init)
        } catch {
            throw Program.Failure("\(error)")
        }
    }

    /// Runs the statements through psql, one after the other in one session.
    package func psql(_ text: String, user: String = "neuroviews") throws -> Program {
        try Program.run(
            [
                "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1",
                connectionString(user),
            ],
            input: text + "\n"
        )
    }

    /// Kills PostgreSQL and waits for its end; the server starts it again.
    package func killPostgres() throws {
        let process = try postmaster()
        Glibc.kill(process, SIGKILL)
        try Deadline.wait("the end of PostgreSQL", seconds: 10) { !Self.runs(process) }
    }

    /// The process ID of PostgreSQL's postmaster.
    package func postmaster() throws -> Int32 {
        let text = try String(contentsOfFile: data + "/postgres/postmaster.pid", encoding: .utf8)
        guard let number = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw Program.Failure("postmaster.pid has no number")
        }
        return number
    }

    /// True if a process runs. A zombie does not run.
    package static func runs(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        let state = text.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    /// Waits until the admin listener reports readiness.
    package func awaitReady() throws {
        let admin = adminClient
        try Deadline.wait("readiness", seconds: 30) { (try? admin.send("GET", "/readyz").status) == 200 }
    }
}
