import Foundation
import Net

/// Writes log lines to standard error from a thread of its own: a slow terminal or a full pipe never holds a request.
final class LogWriter: Sendable {
    private struct Pending {
        var lines = LogLine()
        var dropped = 0
    }

    /// What waits to be written at most; beyond that lines are counted, and the count is logged.
    private static let pendingMaxBytes = 1 << 20
    /// How long lines are gathered before they are written in one go.
    private static let gatherUs: UInt32 = 10_000

    let level: Settings.LogLevel
    private let pending = Locked(Pending())
    private let wake = DispatchSemaphore(value: 0)

    init(level: Settings.LogLevel) {
        self.level = level
        Thread.detachNewThread { [weak self, wake] in
            while true {
                wake.wait()
                usleep(Self.gatherUs)
                guard let self else { return }
                flush()
            }
        }
    }

    deinit { wake.signal() }

    /// Whether lines of that level are written at all.
    func isWanted(_ level: Settings.LogLevel) -> Bool { level.rank <= self.level.rank }

    /// Adds a line that `body` completes: what happened and its values, none of them a secret.
    func write(_ level: Settings.LogLevel, _ body: (inout LogLine) -> Void) {
        guard isWanted(level) else { return }
        let isFirst = pending.withLock { pending in
            guard pending.lines.bytes.count < Self.pendingMaxBytes else {
                pending.dropped += 1
                return false
            }
            let isFirst = pending.lines.isEmpty
            pending.lines.begin(level)
            body(&pending.lines)
            pending.lines.end()
            return isFirst
        }
        if isFirst { wake.signal() }
    }

    /// Adds a line.
    func write(_ level: Settings.LogLevel, _ message: String) {
        write(level) { $0.append(message) }
    }

    /// Writes what waits now.
    func flush() {
        let (lines, dropped) = pending.withLock { pending in
            defer { pending.dropped = 0 }
            return (pending.lines.take(), pending.dropped)
        }
        // A reader that has gone away or a full disk takes the log, not the server: the variant that can't throw traps.
        if !lines.isEmpty { try? FileHandle.standardError.write(contentsOf: Data(lines)) }
        if dropped > 0 { write(.error, "log dropped=\(dropped)") }
    }
}

extension Settings.LogLevel {
    /// 0 is the most important.
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .info: 1
        case .debug: 2
        }
    }
}
