import Foundation

extension PrivateCluster {
    /// Makes the socket's folder, which must be PostgreSQL's or root's: in a folder of somebody else, that one could
    /// put a socket of their own in the place of ours.
    func prepareSocketFolder() throws(PrivateClusterProblem) {
        let folder = location.socketFolder
        do throws(FileError) {
            let isNew = mkdir(folder, 0o755) == 0
            guard isNew || errno == EEXIST else { throw FileError("create", folder) }
            guard !isNew || chmod(folder, 0o755) == 0 else { throw FileError("change", folder) }
        } catch {
            throw .system(error)
        }
        var status = stat()
        let isFolder = lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let isOurs = status.st_uid == account.user || status.st_uid == geteuid()
        guard isFolder, isOurs, status.st_mode & 0o022 == 0 else { throw .unsafeSocketFolder(folder) }
        guard !account.isOther || lchown(folder, account.user, account.group) == 0 else {
            throw .system(FileError("give away", folder))
        }
    }
}
