import Foundation

extension ServerProcess {
    /// The conninfo of the private cluster, for the role that the server logs in as.
    public var connectionString: String { "host=\(data)/socket port=5432 user=neuroviews dbname=neuroviews" }

    /// Says SQL to the server's database through psql, and returns the rows: columns separated by `|`.
    /// Throws `Program.Failure` with what PostgreSQL complained about.
    @discardableResult
    public func sql(_ text: String, role: String = "neuroviews_owner", user: String = "neuroviews") throws -> [String] {
        let program = try psql("SET ROLE \(role); SET search_path TO neuroviews; \(text)", user: user)
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return program.output.split(separator: "\n").map(String.init)
    }

    /// Runs psql; the statements are said one after the other in one session.
    public func psql(_ text: String, user: String = "neuroviews") throws -> Program {
        let database = "host=\(data)/socket port=5432 user=\(user) dbname=neuroviews"
        return try Program.run(
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1", database],
            input: text + "\n"
        )
    }

    /// Kills PostgreSQL and waits until it is gone; the server starts it again.
    public func killPostgres() throws {
        let process = try postmaster()
        Glibc.kill(process, SIGKILL)
        try Deadline.wait("the end of PostgreSQL", seconds: 10) { Glibc.kill(process, 0) != 0 }
    }

    /// The number of PostgreSQL's first process.
    public func postmaster() throws -> Int32 {
        let text = try String(contentsOfFile: data + "/postgres/postmaster.pid", encoding: .utf8)
        guard let number = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw Program.Failure("postmaster.pid has no number")
        }
        return number
    }

    /// Waits until the admin listener says that requests can be served.
    public func awaitReady() throws {
        let admin = adminClient
        try Deadline.wait("readiness", seconds: 30) { (try? admin.send("GET", "/readyz").status) == 200 }
    }
}
