import Dispatch
import Glibc
import Machine
import Net

/// Handles SIGTERM, SIGINT and SIGHUP on a thread of its own.
final class ProcessSignals: Sendable {
    /// A request to the process.
    enum Request: Equatable { case stop, reload }

    private struct State {
        var requests: [Request] = []
        var isStopping = false
        var beforeAbort: @Sendable () -> Void = {}
    }

    private let state = Locked(State())
    private let arrived = DispatchSemaphore(value: 0)
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    /// Blocks the signals in this thread and in all threads that it starts from now on. Must be called before any other
    /// thread exists, because such a thread would receive the signals.
    init() {
        var signals = Self.set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let hadTerminal = Self.hasTerminal
        BackgroundThread.start("signals") { [self] in
            while true { take(Self.wait(), hadTerminal: hadTerminal) }
        }
    }

    /// Blocks until there is a request. None follows after `stop`.
    func next() -> Request {
        arrived.wait()
        return state.withLock { $0.requests.removeFirst() }
    }

    /// The same, for a limited time: nil when nothing was asked.
    func next(withinMs timeoutMs: Int) -> Request? {
        guard arrived.wait(timeout: .now() + .milliseconds(timeoutMs)) == .success else { return nil }
        return state.withLock { $0.requests.removeFirst() }
    }

    /// Sets `body` to run before a second SIGTERM or SIGINT ends the process. `body` must not block.
    func beforeAbort(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeAbort = body }
    }

    private func take(_ number: Int32, hadTerminal: Bool) {
        // SIGHUP of a closed terminal does not mean a reload.
        if number == SIGHUP, !hadTerminal || Self.hasTerminal { return add(.reload) }
        let isSecond = state.withLock { state in
            defer { state.isStopping = true }
            return state.isStopping
        }
        guard isSecond else { return add(.stop) }
        // A closed terminal sends SIGHUP to its whole session, to some processes twice.
        if number != SIGHUP { abort(number) }
    }

    private func add(_ request: Request) {
        let isNew = state.withLock { state in
            guard !state.requests.contains(request) else { return false }
            state.requests.append(request)
            return true
        }
        if isNew { arrived.signal() }
    }

    /// Ends the process by the signal itself, so that its parent sees the cause.
    private func abort(_ number: Int32) {
        state.withLock { $0.beforeAbort }()
        var signals = Self.set
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        // A shell lets its background jobs ignore SIGINT.
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        return signals
    }

    private static func wait() -> Int32 {
        var signals = set
        var number: Int32 = 0
        sigwait(&signals, &number)
        return number
    }

    /// True if the process has a terminal that can still be opened.
    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
