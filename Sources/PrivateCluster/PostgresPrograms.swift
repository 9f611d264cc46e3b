import FoundationEssentials
import Glibc
import Machine

/// The folder of PostgreSQL's programs of one major version.
package struct PostgresPrograms: Equatable, Sendable {
    package let folder: String
    package let major: Int

    package static let oldestMajor = 15

    /// Where every version's packages are; Debian has one version alone.
    package static func installing(_ package: String) -> String {
        "run apt-get install postgresql-common, then /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh, then apt-get install \(package)"
    }

    func path(_ program: String) -> String { "\(folder)/\(program)" }

    /// The places for the search.
    package struct Search: Sendable {
        /// Debian's folder, which has one folder for each major version.
        package let versionsFolder: String
        /// The value of the environment's PATH.
        package let path: String

        package init(
            versionsFolder: String = "/usr/lib/postgresql",
            path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        ) {
            self.versionsFolder = versionsFolder
            self.path = path
        }
    }

    /// Finds the newest version, or exactly `major` if the cluster in `cluster` has that version.
    package static func find(
        major: Int? = nil,
        cluster: String = "",
        in search: Search = Search()
    ) throws(PrivateClusterProblem) -> PostgresPrograms {
        let packaged = packaged(in: search.versionsFolder)
        if let found = packaged.first(where: { $0.major == major ?? $0.major }) { return found }
        let others = (search.path.split(separator: ":").map(String.init) + configured(search.path)).compactMap(version)
        if let found = others.first(where: { $0.major == major ?? $0.major }) { return found }
        let installed = Set((packaged + others).map(\.major)).sorted()
        guard let major, !installed.isEmpty else { throw .noPrograms }
        throw .otherVersion(cluster: major, installed: installed, folder: cluster)
    }

    /// Packaged versions, the newest first.
    private static func packaged(in folder: String) -> [PostgresPrograms] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(Int.init).filter { $0 >= oldestMajor }.sorted(by: >)
            .map { PostgresPrograms(folder: "\(folder)/\($0)/bin", major: $0) }
            .filter { isComplete($0.folder) }
    }

    /// Runs the server program in `folder` for its version. Returns nil if it is missing or too old.
    private static func version(in folder: String) -> PostgresPrograms? {
        guard isComplete(folder), let text = output("\(folder)/postgres", "--version") else { return nil }
        // "postgres (PostgreSQL) 15.13 (Debian …)", "postgres (PostgreSQL) 18beta1"
        guard let number = text.split(separator: ") ").dropFirst().first, let major = Int(number.prefix { $0.isNumber })
        else { return nil }
        return major >= oldestMajor ? PostgresPrograms(folder: folder, major: major) : nil
    }

    /// The folder that the first `pg_config` in PATH reports.
    private static func configured(_ path: String) -> [String] {
        let programs = path.split(separator: ":").map { "\($0)/pg_config" }
        guard let program = programs.first(where: FileManager.default.isExecutableFile),
            let text = output(program, "--bindir")
        else { return [] }
        return [text.trimmed]
    }

    private static func isComplete(_ folder: String) -> Bool {
        ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }

    private static func output(_ program: String, _ argument: String) -> String? {
        let result = try? ChildProcess.run([program, argument], log: nil, seconds: 5)
        return result?.status == 0 ? result?.output : nil
    }
}
