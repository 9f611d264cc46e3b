import Glibc
import Synchronization

/// The three streams of the process.
enum Streams {
    private static let hasLost = Atomic(false)

    /// True if some output could not be written.
    static var hasLostOutput: Bool { hasLost.load(ordering: .relaxed) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Writes results.
    static func print(_ text: String) {
        if !write(text, to: STDOUT_FILENO) { hasLost.store(true, ordering: .relaxed) }
    }

    /// Writes errors, questions and bars.
    static func complain(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Returns false if not all of the text could be written.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                awaitRoom(descriptor)
                continue
            }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }

    /// Another program that has the same terminal or pipe may have made it non-blocking.
    private static func awaitRoom(_ descriptor: Int32) {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
    }
}
