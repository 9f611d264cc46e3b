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

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
