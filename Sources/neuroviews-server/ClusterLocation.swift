import FoundationEssentials
import Glibc

/// Where a private cluster's files and its socket are.
///
/// Both are in the data folder when they can be. Root's PostgreSQL runs as `postgres`, who can't enter a folder such as
/// `/root` (0700), and opening such a folder to others is not ours to do: then the cluster lives under `/var/lib`, and
/// the file `postgres.location` in the data folder says where. That name is random instead of made from the path,
/// so that a data folder that was removed and made again never finds the old data.
struct ClusterLocation: Equatable, Sendable {
    /// The roots for what can't stay in the data folder.
    struct Roots: Sendable {
        var clusters = "/var/lib/neuroviews"
        /// Only root may write to /run.
        var sockets = geteuid() == 0 ? "/run" : "/tmp"
    }

    /// The data folder, absolute.
    let data: String
    /// The folder around the cluster; the data folder itself, or the one that `postgres.location` names.
    let home: String
    /// The folder of the Unix socket.
    let socketFolder: String

    /// With a Unix socket alone, the port is nothing but a part of the socket's file name.
    static let port = 5432
    /// `sun_path` has 108 bytes, the last one zero.
    static let socketPathMaxBytes = 107

    var cluster: String { home + "/postgres" }
    /// What PostgreSQL's programs say before the server's own log is open.
    var log: String { home + "/postgres.log" }
    var isRelocated: Bool { home != data }
    var isInitialised: Bool { access(cluster + "/PG_VERSION", F_OK) == 0 }

    /// `data` must exist, and its lock be held: the file that says where the cluster is may be written.
    static func find(
        data: String,
        account: ClusterAccount,
        roots: Roots = Roots()
    ) throws(PrivateClusterProblem) -> ClusterLocation {
        let home = try home(data, account, roots)
        return ClusterLocation(data: data, home: home, socketFolder: try socketFolder(home, account, roots))
    }

    /// The place that was chosen before; nil when none was.
    static func known(data: String) throws(PrivateClusterProblem) -> String? {
        do throws(FileError) {
            // Root would make files wherever that account has it go.
            if ClusterAccount.isForeign(data), access(marker(data), F_OK) == 0 || errno != ENOENT {
                throw FileError("use", marker(data), "the data folder belongs to another account: remove it")
            }
            let bytes = try FileDescriptor.own(marker(data), O_RDONLY).read(maxBytes: 4096)
            let text = String(decoding: bytes, as: UTF8.self)
            let path = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") }
            guard let path, path.hasPrefix("/") else { throw FileError("read", marker(data), code: EINVAL) }
            return String(path)
        } catch {
            guard error.code == ENOENT else { throw .system(error) }
            return access(data + "/postgres", F_OK) == 0 ? data : nil
        }
    }

    private static func marker(_ data: String) -> String { data + "/postgres.location" }

    private static func home(
        _ data: String,
        _ account: ClusterAccount,
        _ roots: Roots
    ) throws(PrivateClusterProblem) -> String {
        if let known = try known(data: data) { return known }
        if account.reaches(data) { return data }
        guard !ClusterAccount.isForeign(data) else {
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
        return URL(fileURLWithPath: home).resolvingSymlinksInPath().path
    }

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
        "\(folder)/.s.PGSQL.\(port)".utf8.count <= socketPathMaxBytes
    }

    /// FNV-1a, 64 bits: only a name, whose folder is checked before it is used.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }
}
