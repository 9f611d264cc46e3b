import Dispatch
import Glibc
import Machine
import Net
import Settings

/// Writes log lines to standard error on its own thread, so that a slow terminal or a full pipe never delays a request.
package final class LogWriter: Sendable {
    private struct Pending {
        var lines: LogLines
        var dropped = 0
        var droppedInAll = 0
    }

    /// The limit of pending bytes. Further lines are dropped and counted, and the count is logged.
    private static let pendingMaxBytes = 1 << 20
    /// The time for which lines are collected before they are written together.
    private static let gatherUs: UInt32 = 10_000

    package let level: Settings.LogLevel
    private let pending: Locked<Pending>
    private let refusals = Locked(RefusalShares())
    private let wake = DispatchSemaphore(value: 0)

    package init(level: Settings.LogLevel, format: Settings.LogFormat = .auto) {
        self.level = level
        pending = Locked(Pending(lines: LogLines(LogForm(isJSON: format.isJSON))))
        BackgroundThread.start("log") { [weak self, wake] in
            while true {
                wake.wait()
                usleep(Self.gatherUs)
                guard let self else { return }
                flush()
            }
        }
    }

    deinit { wake.signal() }

    /// The number of lines that were not written: too many were pending, or `admits` rejected them.
    var droppedLines: Int { pending.withLock { $0.droppedInAll } }

    /// True if lines of that level are written.
    func isWanted(_ level: Settings.LogLevel) -> Bool { level.rank <= self.level.rank }

    /// Adds a line with a message and its values. No value may be a secret. `fields` writes at most `fieldsMaxBytes`.
    func write(
        _ level: Settings.LogLevel,
        _ message: LogMessage,
        fieldsMaxBytes: Int,
        _ fields: (LogForm, inout OutputSpan<UInt8>) -> Void
    ) {
        guard isWanted(level) else { return }
        let isFirst = pending.withLock { pending in
            guard pending.lines.bytes.count < Self.pendingMaxBytes else {
                pending.dropped += 1
                pending.droppedInAll += 1
                return false
            }
            let isFirst = pending.lines.isEmpty
            pending.lines.append(level, message, fieldsMaxBytes: fieldsMaxBytes, fields)
            return isFirst
        }
        if isFirst { wake.signal() }
    }

    /// Returns true if this rejection of an unauthenticated client gets a log line.
    func admits(refusalOf peer: SocketAddress?) -> Bool {
        let address = (peer?.host).flatMap { IPAddress($0) }
        let second = Int(Monotonic.nowMs() / 1000)
        let (isAdmitted, passed) = refusals.withLock { $0.admit(address, second: second) }
        if passed > 0 {
            pending.withLock { $0.droppedInAll += passed }
            write(.warning, "refusals not logged", [("count", .number(passed))])
        }
        return isAdmitted
    }

    /// Writes the pending lines now.
    package func flush() {
        let (lines, dropped) = pending.withLock { pending in
            defer { pending.dropped = 0 }
            return (pending.lines.take(), pending.dropped)
        }
        // A closed pipe or a full disk may lose log lines but must not stop the server. So errors of this write are
        // ignored.
        if !lines.isEmpty { StandardStreams.write(Array(lines), to: STDERR_FILENO) }
        if dropped > 0 { write(.error, "log lines dropped", [("count", .number(dropped))]) }
    }
}

extension LogWriter {
    /// A field's value.
    package enum Value {
        case text(String)
        case number(Int)
    }

    /// Adds a line of a rare kind.
    package func write(_ level: Settings.LogLevel, _ message: String, _ fields: [(name: String, value: Value)] = []) {
        guard isWanted(level) else { return }
        var maxBytes = 0
        for field in fields {
            maxBytes += field.name.utf8.count + LogForm.fieldMaxBytes
            if case .text(let text) = field.value { maxBytes += text.utf8.count * LogForm.escapedMaxBytes }
        }
        write(level, LogMessage(message), fieldsMaxBytes: maxBytes) { form, output in
            for (name, value) in fields {
                switch value {
                case .text(let text): form.field(LogKey(name), text, to: &output)
                case .number(let number): form.field(LogKey(name), number, to: &output)
                }
            }
        }
    }
}

extension Settings.LogLevel {
    /// 0 is the most important.
    var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}

extension Settings.LogFormat {
    /// True if lines are JSON. With `auto`, they are JSON unless standard error is a terminal.
    fileprivate var isJSON: Bool {
        switch self {
        case .json: true
        case .text: false
        case .auto: isatty(STDERR_FILENO) == 0
        }
    }
}
