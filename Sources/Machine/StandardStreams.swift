import Glibc
import Synchronization

/// Output of a command to the user.
package enum StandardStreams {
    private static let hasLost = Atomic(false)
    /// True if some printed output could not be written.
    package static var hasLostOutput: Bool { hasLost.load(ordering: .relaxed) }

    package static func print(_ text: String) {
        if !write(Array(text.utf8), to: STDOUT_FILENO) { hasLost.store(true, ordering: .relaxed) }
    }

    package static func complain(_ sentence: String) {
        write(Array("neuroviews-server: \(sentence)\n".utf8), to: STDERR_FILENO)
    }

    /// Returns false if not all bytes could be written.
    @discardableResult package static func write(_ bytes: [UInt8], to stream: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(stream, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
