import Glibc
import Machine
import Net
import Settings

/// Keeps a second server out of a data folder. The kernel releases the lock when the process ends in any way.
package final class DataDirectoryLock: Sendable {
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// `process` is nil if the holder has not written its number yet.
        case inUse(folder: String, process: Int32?)
        case system(FileError)

        package var description: String {
            switch self {
            case .inUse(let folder, let process):
                "The data folder \(folder) is in use by \(process.map { "process \($0)" } ?? "another process"): "
                    + "stop that one, or choose another folder with NEUROVIEWS_DATA."
            case .system(let error):
                "The data folder can't be locked: \(error); \(DataDirectory.remedy(for: error))."
            }
        }
    }

    private let file: FileDescriptor
    private static let leftMaxMs: UInt64 = 10_000

    /// Takes the lock of `folder`. Waits only for a lock whose process has ended: a program that a killed process was just
    /// starting has the descriptor until it runs.
    init(folder: String) throws(Problem) {
        let path = Self.path(folder)
        do throws(FileError) {
            file = try FileDescriptor.own(path, O_RDWR | O_CREAT)
            try file.giveToFolderOwner()
        } catch {
            throw .system(error)
        }
        let deadlineMs = Monotonic.nowMs() + Self.leftMaxMs
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw .system(FileError("lock", path)) }
            let holder = Self.holder(path)
            guard holder.map(PostmasterFile.hasEnded) ?? true, Monotonic.nowMs() < deadlineMs else {
                throw .inUse(folder: folder, process: holder)
            }
            usleep(5000)
        }
        do throws(FileError) {
            guard ftruncate(file.number, 0) == 0 else { throw FileError("write", path) }
            try file.write(Array("\(getpid())\n".utf8))
        } catch {
            throw .system(error)
        }
    }

    /// Closing is not enough: a program that is just being started has the descriptor until it runs.
    deinit { flock(file.number, LOCK_UN) }

    /// Adds the addresses to the process number, for commands beside this server.
    func note(_ addresses: ServedAddresses) throws(FileError) { try file.write(Array(addresses.lines.utf8)) }

    /// The lock's file.
    package static func path(_ folder: String) -> String { folder + "/lock" }

    private static func holder(_ path: String) -> Int32? {
        guard let bytes = try? FileDescriptor.own(path, O_RDONLY).read(maxBytes: 32) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Int32(text.prefix { $0.isNumber })
    }
}
