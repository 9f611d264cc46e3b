import FoundationEssentials
import Glibc
import Machine

/// Hard links to the recording files at the start of a backup. Files never change, but some may be deleted meanwhile.
/// Uploads in progress are not included.
struct ObjectsSnapshot {
    /// The folder of the links. It has a folder `objects` if there are any files.
    let folder: String
    private static let prefix = ".backup-"

    private let objects: String

    /// Makes the links in the folder of the files, since hard links cannot leave a volume. Removes the links of
    /// interrupted backups.
    init(_ objects: String) throws {
        self.objects = objects
        folder = "\(objects)/\(Self.prefix)\(getpid())"
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: objects)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && !Self.isRunning(name) {
            try? manager.removeItem(atPath: "\(objects)/\(name)")
        }
        try add()
    }

    /// Adds newer files. Every file that a dump names exists before the dump, or by its end.
    func add() throws {
        let manager = FileManager.default
        guard access("\(objects)/\(BackupArchive.objects)", F_OK) == 0 else { return }
        let copy = "\(folder)/\(BackupArchive.objects)"
        do {
            try manager.createDirectory(atPath: copy, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("Recordings' files can't be collected: \(error).", status: .cannotCreate)
        }
        // A file that is deleted while cp runs is not in the backup.
        let result = try ChildProcess.run(
            ["/bin/cp", "--archive", "--link", "--no-clobber", "--", "\(objects)/\(BackupArchive.objects)", copy],
            log: folder + "/log",
            seconds: BackupArchive.maxSeconds
        )
        let lines = result.output.split(separator: "\n")
        let failures = lines.filter { !$0.contains("No such file or directory") }
        guard result.status != 0, lines.isEmpty || !failures.isEmpty else { return }
        let output = failures.joined(separator: "\n")
        let failure = CommandFailure("Recordings' files can't be collected", because: output, writingTo: folder)
        remove()
        throw failure
    }

    /// Removes the links.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private static func isRunning(_ name: String) -> Bool {
        guard let process = pid_t(name.dropFirst(prefix.count)), process != getpid() else { return false }
        return kill(process, 0) == 0
    }
}
