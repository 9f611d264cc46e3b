import FoundationEssentials
import Glibc

/// A path that no other account can lead elsewhere: only this account and root may change the folders, links and files on
/// the way. Otherwise the other account could read a file while it is written, or put one of its own in its place.
package struct GuardedPath {
    /// The absolute path without symbolic links.
    package let path: String

    /// Throws unless the path exists and is guarded. `others` are further accounts that may change it.
    package init(_ path: String, trusting others: Set<uid_t> = []) throws(Problem) {
        var walk = PathWalk(trusted: others.union([0, geteuid()]))
        try walk.go(path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)")
        self.path = walk.place
    }

    package enum Problem: Error, Equatable, CustomStringConvertible {
        case system(FileError)
        /// Another account owns a folder, a link or a file on the way.
        case foreign(path: String, owner: String, isLink: Bool)
        /// Other accounts than the owner may change it.
        case open(path: String, owner: String, mode: UInt32)

        package var detail: String {
            switch self {
            case .system(let error): "\(error)"
            case .foreign(let path, let owner, _):
                "\(path) belongs to \(owner), who can put something else in its place"
            case .open(let path, let owner, let mode):
                "\(path), which belongs to \(owner), can be changed by others (mode \(String(mode, radix: 8)))"
            }
        }

        package var remedy: String? {
            switch self {
            case .system: nil
            case .foreign(let path, _, let isLink):
                "choose a place that belongs to \(GuardedPath.ownName) alone, or run chown \(isLink ? "-h " : "")\(GuardedPath.ownName) \(path)"
            case .open(let path, _, _): "run chmod go-w \(path)"
            }
        }

        package var description: String { remedy.map { "\(detail): \($0)" } ?? detail }
    }

    private static var ownName: String { name(of: geteuid()) }

    fileprivate static func name(of user: uid_t) -> String {
        SystemAccount(user)?.name ?? "the account number \(user)"
    }
}

/// Enters one folder after the other, from the root on. A folder is entered only if no other account can change its names,
/// so nothing behind the walk changes.
private struct PathWalk {
    let trusted: Set<uid_t>
    private(set) var place = "/"
    private var linksLeft = 40

    init(trusted: Set<uid_t>) { self.trusted = trusted }

    /// Follows an absolute path.
    mutating func go(_ path: String) throws(GuardedPath.Problem) {
        _ = try judged("/")
        // The next name is the last.
        var names = Self.reversedNames(path)
        while let name = names.popLast() {
            if name == ".." {
                place = FilePath.folder(of: place)
                continue
            }
            let next = place == "/" ? "/\(name)" : "\(place)/\(name)"
            let kind = try judged(next).st_mode & S_IFMT
            if kind == S_IFLNK {
                names += Self.reversedNames(try target(of: next))
            } else if kind == S_IFDIR || names.isEmpty {
                place = next
            } else {
                throw .system(FileError("open", next, code: ENOTDIR))
            }
        }
    }

    /// The link's target. An absolute one begins at the root again.
    private mutating func target(of link: String) throws(GuardedPath.Problem) -> String {
        linksLeft -= 1
        guard linksLeft >= 0 else { throw .system(FileError("open", link, code: ELOOP)) }
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            throw .system(FileError("open", link))
        }
        if target.hasPrefix("/") { place = "/" }
        return target
    }

    /// In a folder with the sticky bit, such as /tmp, others can't replace what is not theirs.
    private func judged(_ path: String) throws(GuardedPath.Problem) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system(FileError("open", path)) }
        let kind = status.st_mode & S_IFMT
        let owner = GuardedPath.name(of: status.st_uid)
        guard trusted.contains(status.st_uid) else {
            throw .foreign(path: path, owner: owner, isLink: kind == S_IFLNK)
        }
        let isSticky = kind == S_IFDIR && status.st_mode & 0o1000 != 0
        guard kind == S_IFLNK || status.st_mode & 0o022 == 0 || isSticky else {
            throw .open(path: path, owner: owner, mode: status.st_mode & 0o7777)
        }
        return status
    }

    private static func reversedNames(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }
}
