import Dispatch
import Glibc
import Net

/// Writes log lines to standard error from a thread of its own: a slow terminal or a full pipe never holds a request.
final class LogWriter: Sendable {
    private struct Pending {
        var lines: LogLines
        var dropped = 0
        var droppedInAll = 0
    }

    /// What waits to be written at most; beyond that lines are counted, and the count is logged.
    private static let pendingMaxBytes = 1 << 20
    /// How long lines are gathered before they are written in one go.
    private static let gatherUs: UInt32 = 10_000

    let level: Settings.LogLevel
    private let pending: Locked<Pending>
    private let refusals = Locked(RefusalShares())
    private let wake = DispatchSemaphore(value: 0)

    init(level: Settings.LogLevel, format: Settings.LogFormat = .auto) {
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

    /// Lines that were not written because too many waited.
    var droppedLines: Int { pending.withLock { $0.droppedInAll } }

    /// Whether lines of that level are written at all.
    func isWanted(_ level: Settings.LogLevel) -> Bool { level.rank <= self.level.rank }

    /// Adds a line with what happened and its values, none of them a secret; `fields` writes `fieldsMaxBytes` at most.
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

    /// Whether the refusal of a stranger at that address gets a line.
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

    /// Writes what waits now.
    func flush() {
        let (lines, dropped) = pending.withLock { pending in
            defer { pending.dropped = 0 }
            return (pending.lines.take(), pending.dropped)
        }
        // A reader that has gone away or a full disk takes the log, not the server: the variant that can't throw traps.
        if !lines.isEmpty { StandardStreams.write(Array(lines), to: STDERR_FILENO) }
        if dropped > 0 { write(.error, "log lines dropped", [("count", .number(dropped))]) }
    }
}

extension LogWriter {
    /// A field's value.
    enum Value {
        case text(String)
        case number(Int)
    }

    /// Adds a line of a kind that is rare.
    func write(_ level: Settings.LogLevel, _ message: String, _ fields: [(name: String, value: Value)] = []) {
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
    /// Whether lines are JSON: what is no terminal is read by a program.
    fileprivate var isJSON: Bool {
        switch self {
        case .json: true
        case .text: false
        case .auto: isatty(STDERR_FILENO) == 0
        }
    }
}
