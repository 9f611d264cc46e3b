import FoundationEssentials
import Glibc
import Machine

/// The folder of all data of the server.
package enum DataDirectory {
    package struct Problem: Error, Equatable, CustomStringConvertible {
        let path: String
        let reason: FileError

        package var description: String {
            "The data folder \(path) can't be used: \(reason); \(DataDirectory.remedy(for: reason))."
        }
    }

    /// The words that complete a refusal. Another folder would begin an empty server, so it is no remedy for a disk that
    /// is full or read-only.
    package static func remedy(for reason: FileError) -> String {
        switch reason.code {
        case ENOSPC, EDQUOT: "free some space"
        case EROFS: "mount it writable"
        default: "choose another with NEUROVIEWS_DATA"
        }
    }

    /// Makes the folder if it is missing. Returns its absolute path without symbolic links.
    package static func prepare(_ path: String) throws(Problem) -> String {
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        do throws(FileError) {
            try make(absolute)
            let resolved = URL(fileURLWithPath: absolute).resolvingSymlinksInPath().path
            guard access(resolved, R_OK | W_OK | X_OK) == 0 else { throw FileError("write", resolved) }
            return resolved
        } catch {
            throw Problem(path: path, reason: error)
        }
    }

    /// A folder made by root can be entered by others, because PostgreSQL's account must enter it. Private content (the
    /// key, the cluster) has its own mode.
    private static func make(_ path: String) throws(FileError) {
        let parts = path.split(separator: "/")
        for count in parts.indices.map({ $0 + 1 }) {
            let folder = "/" + parts[..<count].joined(separator: "/")
            let mode: mode_t = count < parts.count ? 0o755 : (geteuid() == 0 ? 0o711 : 0o700)
            if mkdir(folder, mode) == 0 {
                // The umask of root's shell does not count.
                guard geteuid() != 0 || chmod(folder, mode) == 0 else { throw FileError("change", folder) }
                continue
            }
            // mkdir of an existing folder fails with EROFS on a read-only file system, and with EACCES in a closed
            // folder.
            let error = FileError("create", folder)
            guard error.code == EEXIST || access(folder, F_OK) == 0 else { throw error }
        }
        try FileDescriptor(path, O_RDONLY | O_DIRECTORY).synchronize()
    }
}
