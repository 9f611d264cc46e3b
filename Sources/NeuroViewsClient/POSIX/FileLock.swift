#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// A lock between processes, and between objects of one process. It ends with the object, and with the process however it
/// ends. Its file stays: whoever removed it would let two have the lock.
package final class FileLock: Sendable {
    /// The reason why there is no lock.
    package enum Failure: Error, Equatable {
        /// Somebody else had it for the whole time.
        case busy
        case cancelled
        /// The file can't be used, for the reason given.
        case unusable(String)
    }

    private static let pauseMs: Int64 = 20
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// A program that is just being started may have the descriptor until it runs.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the lock of the file, which is made if it is missing. Returns nil if somebody has it.
    package static func attempt(_ path: String) throws(Failure) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(FileFailure(path).description) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK || code == EINTR { return nil }
            throw .unusable(FileFailure(path, code: code).description)
        }
        return FileLock(descriptor: descriptor)
    }

    /// Waits for the lock, at most for `limit`. Throws `.busy` then, and `.cancelled` in a cancelled task.
    package static func wait(_ path: String, atMost limit: Duration) async throws(Failure) -> FileLock {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try attempt(path) { return lock }
            guard ContinuousClock.now < deadline else { throw .busy }
            do { try await Task.sleep(for: .milliseconds(pauseMs)) } catch { throw .cancelled }
        }
    }

    /// Waits for a lock that is held for milliseconds. It blocks the thread, for callers that can't be asynchronous.
    static func waitBlocking(_ path: String, atMost limit: Duration) throws(Failure) -> FileLock {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try attempt(path) { return lock }
            guard ContinuousClock.now < deadline else { throw .busy }
            usleep(UInt32(pauseMs) * 1000)
        }
    }
}
