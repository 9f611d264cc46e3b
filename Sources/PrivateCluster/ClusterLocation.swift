import FoundationEssentials
import Glibc
import Machine
import Net

/// The folders of a private cluster and of its socket.
///
/// Both are in the data folder if possible. Root's PostgreSQL runs as `postgres`, which cannot enter a folder such as
/// `/root` (0700), and the server does not open such folders to others. Then the cluster is under `/var/lib`, and the
/// file `postgres.location` in the data folder names it. Its name is random, not made from the path: a data folder that
/// is removed and made again must not find old data.
package struct ClusterLocation: Equatable, Sendable {
    /// The parent folders for files that cannot be in the data folder.
    package struct Roots: Sendable {
        var clusters = "/var/lib/neuroviews"
        /// Only root may write in /run.
        var sockets = geteuid() == 0 ? "/run" : "/tmp"
    }

    /// The data folder, absolute.
    let data: String
    /// The parent folder of the cluster: the data folder or the one in `postgres.location`.
    let home: String
    /// The folder of the Unix socket.
    let socketFolder: String

    /// PostgreSQL has only a Unix socket, so the port is just a part of the socket's file name.
    static let port = 5432

    var cluster: String { Self.cluster(in: home) }
    /// The output of PostgreSQL's programs before the server's own log is open.
    var log: String { home + "/postgres.log" }
    var isRelocated: Bool { home != data }
    var isInitialised: Bool { Self.isInitialised(cluster) }

    /// `data` must exist and be locked, because the file `postgres.location` may be written.
    static func find(
        data: String,
        account: ClusterAccount,
        roots: Roots = Roots()
    ) throws(PrivateClusterProblem) -> ClusterLocation {
        let home = try home(data, account, roots)
        return ClusterLocation(data: data, home: home, socketFolder: try socketFolder(home, account, roots))
    }

    private static func cluster(in home: String) -> String { home + "/postgres" }

    /// The cluster's folder in the location chosen before, even if it does not exist; nil without a location.
    package static func knownCluster(data: String) throws(PrivateClusterProblem) -> String? {
        guard let home = try known(data: data) else { return nil }
        return cluster(in: home)
    }

    /// True if PostgreSQL's initdb made the folder.
    package static func isInitialised(_ cluster: String) -> Bool { access(version(cluster), F_OK) == 0 }

    /// The major version of PostgreSQL that made the cluster; nil if it can't be read.
    package static func major(of cluster: String) -> Int? {
        guard let text = try? FileDescriptor.readOwnText(version(cluster), maxBytes: 32) else { return nil }
        return Int(text.prefix { $0.isNumber })
    }

    private static func version(_ cluster: String) -> String { cluster + "/PG_VERSION" }

    /// The location chosen before; nil if there is none.
    private static func known(data: String) throws(PrivateClusterProblem) -> String? {
        do throws(FileError) {
            // Otherwise the folder's owner could choose the place where root makes files.
            if FolderRights.isForeign(data), access(marker(data), F_OK) == 0 || errno != ENOENT {
                throw FileError("use", marker(data), "the data folder belongs to another account: remove it")
            }
            let bytes = try FileDescriptor.own(marker(data), O_RDONLY).read(maxBytes: 4096)
            let text = String(decoding: bytes, as: UTF8.self)
            let path = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") }
            guard let path, path.hasPrefix("/") else { throw FileError("read", marker(data), code: EINVAL) }
            // PostgreSQL names its folders without links.
            return resolved(String(path))
        } catch {
            guard error.code == ENOENT else { throw .system(error) }
            return access(cluster(in: data), F_OK) == 0 ? data : nil
        }
    }

    private static func marker(_ data: String) -> String { data + "/postgres.location" }

    private static func home(
        _ data: String,
        _ account: ClusterAccount,
        _ roots: Roots
    ) throws(PrivateClusterProblem) -> String {
        if let known = try known(data: data) {
            try letIn(known, roots)
            return known
        }
        if account.reaches(data) { return data }
        guard !FolderRights.isForeign(data) else {
            throw .system(
                FileError("use", data, "its owner can't reach it: let that account enter the folders above it")
            )
        }
        let home = "\(roots.clusters)/\(String(UInt64.random(in: 0...(.max)), radix: 36))"
        do throws(FileError) {
            for folder in [roots.clusters, home] {
                guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw FileError("create", folder) }
            }
            let note = "# PostgreSQL's account can't enter this folder, so the cluster is in:\n\(home)\n"
            try FileReplacement.write(note, to: marker(data))
            try FileReplacement.write("\(data)\n", to: home + "/belongs-to")
        } catch {
            throw .system(error)
        }
        let place = resolved(home)
        try letIn(place, roots)
        return place
    }

    /// Lets PostgreSQL's account enter the folders that this server made under `roots.clusters`. A umask may have closed them, also at an
    /// earlier start that failed. Folders at other places are the operator's. `home` has no links.
    private static func letIn(_ home: String, _ roots: Roots) throws(PrivateClusterProblem) {
        let parent = resolved(roots.clusters)
        guard FilePath.folder(of: home) == parent else { return }
        for folder in [parent, home] {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_uid == geteuid() else { continue }
            let mode = status.st_mode & 0o7777
            guard mode & 0o011 != 0o011, chmod(folder, mode | 0o011) != 0 else { continue }
            throw .system(FileError("change", folder))
        }
    }

    private static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    private static func socketFolder(
        _ home: String,
        _ account: ClusterAccount,
        _ roots: Roots
    ) throws(PrivateClusterProblem) -> String {
        let near = home + "/socket"
        if fits(near) && account.reaches(home) { return near }
        let short = "\(roots.sockets)/neuroviews-\(hash(home))"
        guard fits(short) else { throw .noSocketFolder(short) }
        return short
    }

    private static func fits(_ folder: String) -> Bool {
        "\(folder)/.s.PGSQL.\(port)".utf8.count <= UnixAddress.pathMaxBytes
    }

    /// FNV-1a, 64 bits. It only makes a name; the folder is checked before use.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }
}
