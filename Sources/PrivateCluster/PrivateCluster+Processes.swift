import Machine

/// Looks at processes with the rights of the cluster's account. In most containers root lacks CAP_SYS_PTRACE, and may
/// not see the folder of another account's process.
extension PrivateCluster {
    func isServer(_ process: Int32) -> Bool { judge(process) == true }

    /// True also if the look failed.
    func mayBeServer(_ process: Int32) -> Bool { judge(process) != false }

    /// A child needs no look. An adopted server was looked at before, so it has ended only if a look proves that.
    func isAlive(_ running: Running) -> Bool {
        running.child?.isRunning ?? running.process.map(mayBeServer) ?? false
    }

    /// All PostgreSQL processes that work in the cluster; nil if the look failed.
    func servers() -> [Int32]? { look { PostmasterFile.servers(of: location.cluster) } }

    private func judge(_ process: Int32) -> Bool? {
        look { PostmasterFile.isServer(process, of: location.cluster) } ?? nil
    }

    private func look<Found>(_ body: () -> Found) -> Found? {
        var found: Found?
        try? FolderRights(of: account).useForFiles { () throws(FileError) in found = body() }
        return found
    }
}
