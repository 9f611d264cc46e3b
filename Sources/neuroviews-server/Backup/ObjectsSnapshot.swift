import FoundationEssentials
import Glibc

/// Recordings' files as they are when a backup begins, by hard links: they never change, but some may be deleted meanwhile. Uploads under
/// way are no part of it.
struct ObjectsSnapshot {
    /// Has the folder `objects`, if there are any files.
    let folder: String
    private static let prefix = ".backup-"

    private let objects: String

    /// Taken in the folder of the files, since hard links don't leave their volume. What an interrupted backup has left is removed.
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

    /// Adds what has come since. Files that a dump of the database names are there before it, or come before its end.
    func add() throws {
        let manager = FileManager.default
        guard access("\(objects)/\(BackupArchive.objects)", F_OK) == 0 else { return }
        let copy = "\(folder)/\(BackupArchive.objects)"
        do {
            try manager.createDirectory(atPath: copy, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("Recordings' files can't be collected: \(error).", status: .cannotCreate)
        }
        // A file that is deleted while cp walks is none of the backup's.
        let result = try ChildProcess.run(
            ["/bin/cp", "--archive", "--link", "--no-clobber", "--", "\(objects)/\(BackupArchive.objects)", copy],
            log: folder + "/log",
            seconds: BackupArchive.maxSeconds
        )
        let failure = result.output.split(separator: "\n").first { !$0.contains("No such file or directory") }
        guard result.status == 0 || failure == nil else {
            remove()
            throw CommandFailure("Recordings' files can't be collected: \(failure ?? "").", status: .cannotCreate)
        }
    }

    /// Removes the links.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private static func isRunning(_ name: String) -> Bool {
        guard let process = pid_t(name.dropFirst(prefix.count)), process != getpid() else { return false }
        return kill(process, 0) == 0
    }
}
