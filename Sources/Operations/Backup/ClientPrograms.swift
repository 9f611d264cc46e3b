import FoundationEssentials
import Glibc
import Machine
import PrivateCluster

/// PostgreSQL's client programs: pg_dump and pg_restore.
struct ClientPrograms: Equatable {
    let folder: String

    private static let names = ["pg_dump", "pg_restore"]

    /// Finds the programs of the database's version, or of the next newer one. Older programs may not know the
    /// database's features.
    static func find(
        serverMajor: Int,
        in search: PostgresPrograms.Search = PostgresPrograms.Search()
    ) throws(CommandFailure) -> ClientPrograms {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: search.versionsFolder)) ?? []
        let packaged = versions.compactMap(Int.init).filter { $0 >= serverMajor }.sorted()
            .map { "\(search.versionsFolder)/\($0)/bin" }
        if let folder = packaged.first(where: isComplete) { return ClientPrograms(folder: folder) }
        let others = search.path.split(separator: ":").map(String.init)
        if let folder = others.first(where: { isComplete($0) && major(in: $0) >= serverMajor }) {
            return ClientPrograms(folder: folder)
        }
        throw CommandFailure(
            "PostgreSQL's pg_dump and pg_restore of version \(serverMajor) or later are missing: "
                + "\(PostgresPrograms.installing("postgresql-client-\(serverMajor)"))."
        )
    }

    /// Returns a command that is killed when this process ends: an orphaned dump would keep its locks.
    func command(_ program: String, _ arguments: [String]) -> [String] {
        ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", "\(folder)/\(program)"] + arguments
    }

    private static func isComplete(_ folder: String) -> Bool {
        names.allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }

    private static func major(in folder: String) -> Int {
        let output = try? ChildProcess.run(["\(folder)/pg_dump", "--version"], log: nil, seconds: 5).output
        // "pg_dump (PostgreSQL) 15.13 (Debian …)"
        return output?.split(separator: ") ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
}
