import API
import Foundation
import Postgres
import Synchronization

/// Writes log lines to standard error from a thread of its own: a slow terminal or a full pipe never holds a request.
final class LogWriter: Sendable {
    private struct Pending {
        var lines: [UInt8] = []
        var dropped = 0
    }

    /// What waits to be written at most; beyond that lines are counted, and the count is logged.
    private static let pendingMaxBytes = 1 << 20
    /// How long lines are gathered before they are written in one go.
    private static let gatherUs: UInt32 = 10_000

    let level: Settings.LogLevel
    private let pending = Mutex(Pending())
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

    /// Adds a line: what happened and its values, none of them a secret.
    func write(_ level: Settings.LogLevel, _ message: String) {
        guard level.rank <= self.level.rank else { return }
        let line = "\(Self.timestamp()) \(level.rawValue) \(message)\n"
        let isFirst = pending.withLock { pending in
            guard pending.lines.count + line.utf8.count <= Self.pendingMaxBytes else {
                pending.dropped += 1
                return false
            }
            pending.lines.append(contentsOf: line.utf8)
            return pending.lines.count == line.utf8.count
        }
        if isFirst { wake.signal() }
    }

    /// Writes what waits now.
    func flush() {
        let (lines, dropped) = pending.withLock { pending in
            defer { pending = Pending() }
            return (pending.lines, pending.dropped)
        }
        // A reader that has gone away or a full disk takes the log, not the server: the variant that can't throw traps.
        if !lines.isEmpty { try? FileHandle.standardError.write(contentsOf: Data(lines)) }
        if dropped > 0 { write(.error, "log dropped=\(dropped)") }
    }

    private static func timestamp() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let date = "\(Int(parts.tm_year) + 1900)-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
        let clock = "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):\(padded(Int(parts.tm_sec), 2))"
        return "\(date)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
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

// MARK: What is logged

extension LogWriter {
    /// One line a request.
    func write(_ event: RequestEvent) {
        let level: Settings.LogLevel = event.status >= 500 ? .error : .info
        guard level.rank <= self.level.rank else { return }
        var line = "request id=\(event.id) method=\(event.method) path=\(event.path) status=\(event.status)"
        if let bytes = event.bytes { line += " bytes=\(bytes)" }
        line += " us=\(event.durationUs)"
        if let peer = event.peer { line += " peer=\(peer)" }
        if let problem = event.problem { line += " problem=\(problem)" }
        if let failure = event.failure { line += " failure=\"\(Self.oneLine(failure))\"" }
        write(level, line)
    }

    /// What happened to a database connection.
    func write(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(let reason): write(.error, "database connect failed=\"\(Self.oneLine(reason))\"")
        case .connectionLost(let reason): write(.error, "database connection lost=\"\(Self.oneLine(reason))\"")
        }
    }

    /// What happened to the private cluster.
    func write(_ event: PrivateCluster.Event) {
        switch event {
        case .initialised(let folder, let milliseconds):
            write(.info, "postgresql initialised=\(folder) ms=\(milliseconds)")
        case .started(let process, let milliseconds): write(.info, "postgresql started=\(process) ms=\(milliseconds)")
        case .adopted(let process): write(.info, "postgresql adopted=\(process)")
        case .ended(let process): write(.error, "postgresql ended=\(process)")
        case .failed(let problem): write(.error, "postgresql failed=\"\(Self.oneLine("\(problem)"))\"")
        }
    }

    /// A value must not look like the next line.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 == "\"" ? "'" : $0 })
    }
}
