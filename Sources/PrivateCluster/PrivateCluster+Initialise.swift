import FoundationEssentials
import Glibc
import Machine

extension PrivateCluster {
    /// A slow or nearly full disk may take long, but a program that hangs must end too.
    private static let initialiseMaxSeconds = 300

    /// Makes the cluster with its database. The folder is renamed to its place when all its content is on disk. So a
    /// kill leaves only a folder that the next start removes. Each attempt has its own folder, because an initdb goes
    /// on writing after its server was killed.
    func initialise() throws(PrivateClusterProblem) {
        let begin = ContinuousClock.now
        let prefix = "postgres.new-"
        let folder = "\(location.home)/\(prefix)\(String(UInt32.random(in: 0...(.max)), radix: 36))"
        removeLeftovers(prefix)
        do throws(FileError) {
            try makeEmpty(folder)
        } catch {
            throw .system(error)
        }
        try run(
            "initdb",
            "--pgdata=\(folder)",
            "--username=\(ClusterConfiguration.administrator)",
            "--auth=peer",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--data-checksums",
            "--no-instructions",
            "--no-sync"
        )
        try configure(folder)
        try run(
            "postgres",
            "--single",
            "-D",
            folder,
            "-c",
            "exit_on_error=on",
            "postgres",
            input: ClusterConfiguration.preparation
        )
        try run("initdb", "--sync-only", "--pgdata=\(folder)")
        try giveName(folder)
        onEvent(.initialised(folder: location.cluster, milliseconds: begin.elapsedMs))
    }

    /// A folder that is still being written is removed at a later start.
    private func removeLeftovers(_ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: location.home)) ?? []
        for name in names where name.hasPrefix(prefix) {
            try? FolderRights(of: location.home).useForFiles { () throws(FileError) in
                try? FileManager.default.removeItem(atPath: "\(location.home)/\(name)")
            }
        }
    }

    /// Uses a descriptor, because the parent folder's owner may have put a link there.
    private func makeEmpty(_ folder: String) throws(FileError) {
        guard mkdir(folder, 0o700) == 0 else { throw FileError("create", folder) }
        let made = try FileDescriptor(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard !account.isOther || fchown(made.number, account.user, account.group) == 0 else {
            throw FileError("give away", folder)
        }
    }

    private func configure(_ folder: String) throws(PrivateClusterProblem) {
        try inCluster { () throws(FileError) in try configuration.write(to: folder) }
    }

    private func giveName(_ folder: String) throws(PrivateClusterProblem) {
        do throws(FileError) {
            guard rename(folder, location.cluster) == 0 else { throw FileError("create", location.cluster) }
            try FileDescriptor.synchronize(folder: location.home)
        } catch {
            throw .system(error)
        }
    }

    private func run(_ program: String, _ arguments: String..., input: String = "") throws(PrivateClusterProblem) {
        let command = account.command(programs.path(program), arguments)
        let result: ChildProcess.Result
        do {
            result = try ChildProcess.run(
                command,
                log: location.log,
                input: input,
                seconds: Self.initialiseMaxSeconds
            )
        } catch {
            throw .program(name: program, reason: "\(error)")
        }
        guard result.status == 0 else {
            let output = ProgramOutput.explained(result.output, writingTo: location.home)
            throw .program(name: program, reason: ProgramOutput.firstUsefulLine(output))
        }
    }
}
