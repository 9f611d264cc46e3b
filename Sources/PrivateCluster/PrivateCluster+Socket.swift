import Glibc
import Machine

extension PrivateCluster {
    /// Makes the socket's folder, closed to others. PostgreSQL's account or root must own it: any other owner could
    /// replace the socket.
    func prepareSocketFolder() throws(PrivateClusterProblem) {
        let folder = location.socketFolder
        do throws(FileError) {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError("create", folder) }
        } catch {
            throw .system(error)
        }
        // All checks use one descriptor, because the path may later name another folder or a link.
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unsafeSocketFolder(folder) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(FileError("look at", folder)) }
        let isOurs = status.st_uid == account.user || status.st_uid == geteuid()
        guard isOurs, status.st_mode & 0o022 == 0 else { throw .unsafeSocketFolder(folder) }
        // Older servers made the folder open to others.
        guard status.st_mode & 0o777 == 0o700 || fchmod(descriptor, 0o700) == 0 else {
            throw .system(FileError("change", folder))
        }
        guard !account.isOther || fchown(descriptor, account.user, account.group) == 0 else {
            throw .system(FileError("give away", folder))
        }
    }
}
