#if canImport(FoundationEssentials)
    import FoundationEssentials
    import Glibc
#else
    import Foundation
#endif

/// The folder of an account: lock files, the folder with the database, and databases that were set aside.
struct StoreFolder: Sendable {
    private static let asideMax = 8
    let path: String

    /// The database. It has a folder of its own, so that one rename moves it with SQLite's files beside it.
    var database: String { "\(store)/items.sqlite" }

    private var store: String { "\(path)/store" }

    /// Makes the folder, with those above it, if it is missing. Throws `.notPrivate` if others can enter it.
    static func make(_ path: String) throws(ClientError) -> StoreFolder {
        do throws(PrivateFolder.Failure) {
            _ = try PrivateFolder.make(path)
            SystemDefaults.keepHere(path)
            return StoreFolder(path: path)
        } catch {
            switch error {
            case .notPrivate(let path): throw .store(.notPrivate(path))
            case .system(let failure): throw Self.error(failure)
            }
        }
    }

    /// True unless somebody removed the folder.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Waits for others that open, make or set aside the database, which takes milliseconds, and holds them off.
    func whileAlone<T>(_ body: () throws(ClientError) -> T) throws(ClientError) -> T {
        let file = try opened("\(path)/open.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.error("\(path)/open.lock") }
        }
        return try body()
    }

    /// Makes an empty database, unless there is one, so that SQLite gives its other files the same rights. It never opens
    /// one that is there: the close would drop the locks of this process.
    func makeDatabase() throws(ClientError) {
        guard mkdir(store, 0o700) == 0 || errno == EEXIST else { throw Self.error(store) }
        if access(database, F_OK) == 0 { return }
        close(try opened(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW))
        for folder in [store, path, path + "/..", path + "/../.."] { try synchronize(folder) }
    }

    /// Gives the folder another name beside the present one, in one step. A missing one is left out.
    func move(to other: StoreFolder) throws(ClientError) {
        try move(path, to: other.path)
        try synchronize(parent)
    }

    /// Moves the database away. Returns its new folder. Eight are kept.
    func setAside() throws(ClientError) -> String {
        if access(aside(Self.asideMax), F_OK) == 0 {
            try remove(aside(1))
            for number in 2...Self.asideMax { try move(aside(number), to: aside(number - 1)) }
        }
        let number = (1...Self.asideMax).first { access(aside($0), F_OK) != 0 } ?? Self.asideMax
        try move(store, to: aside(number))
        return aside(number)
    }

    /// Removes everything, also what others have open.
    func remove() throws(ClientError) { try remove(path) }

    private func aside(_ number: Int) -> String { "\(path)/set-aside-\(number)" }

    /// The folder of the server, which has those of its accounts.
    var parent: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private func synchronize(_ folder: String) throws(ClientError) {
        let descriptor = try opened(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        guard SystemCall.synchronize(descriptor) == 0 else { throw Self.error(folder) }
    }

    private func move(_ from: String, to target: String) throws(ClientError) {
        guard rename(from, target) == 0 || errno == ENOENT else { throw Self.error(from) }
    }

    private func remove(_ folder: String) throws(ClientError) {
        do { try FileManager.default.removeItem(atPath: folder) } catch {
            if access(folder, F_OK) == 0 { throw .store(.other("\(folder) can't be removed")) }
        }
    }

    private func opened(_ path: String, _ flags: Int32) throws(ClientError) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(path) }
        return descriptor
    }

    /// Uses the current errno.
    private static func error(_ path: String) -> ClientError { error(FileFailure(path)) }

    private static func error(_ failure: FileFailure) -> ClientError {
        switch failure.code {
        case ENOSPC, EDQUOT: .store(.full)
        case EACCES, EPERM, EROFS: .store(.readOnly(failure.path))
        case ELOOP: .store(.notPrivate(failure.path))
        default: .store(.other(failure.description))
        }
    }
}
