import HTTP
import Net
import TestSupport

/// Sends bytes of the pattern as fast as its client takes them, and closes.
final class PatternOwner {
    private let connection: HandedConnection
    private let byteCount: Int
    private var sent = 0
    /// Called at each wait.
    private let atWait: () -> Void

    init(_ connection: HandedConnection, byteCount: Int, atWait: @escaping () -> Void) {
        self.connection = connection
        self.byteCount = byteCount
        self.atWait = atWait
    }

    /// The wait keeps the owner alive.
    func run() {
        do {
            while sent < byteCount {
                let count = try connection.writeNow(BytePattern.bytes(from: sent, byteCount - sent))
                sent += count
                guard count > 0 else {
                    atWait()
                    return connection.whenWritable { self.run() }
                }
            }
            connection.close()
        } catch {
            connection.reset()
        }
    }
}
