import Glibc
import Synchronization

/// SIGINT and SIGTERM. The first one asks the command to stop at a safe point, the second one ends the process at once.
enum Interruption {
    private static let first = Atomic<Int32>(0)
    private static let hasEditor = Atomic(false)
    private static let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    /// Readable once the first signal has come, so that a wait for input ends.
    private static let wake = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }()

    /// The exit status of a stopped command, 128 and the signal's number; nil if no signal has come.
    static var status: Int32? {
        let number = first.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }

    /// A descriptor to poll beside the input.
    static var descriptor: Int32 { wake[0] }

    /// Blocks the signals in this thread and those that it starts. Called first of all.
    static func begin() {
        _ = wake
        var signals = handled
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Takes the signals until the process ends, in the main thread.
    static func serve() -> Never {
        var signals = handled
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            receive(number)
        }
    }

    /// `stop` is called at the first signal, at once if it has come.
    static func whenStopped(_ stop: @escaping @Sendable () -> Void) {
        cancel.withLock { $0 = stop }
        if status != nil { stop() }
    }

    /// While an editor has the terminal, Ctrl-C is for the editor.
    static func setEditor(_ isOpen: Bool) { hasEditor.store(isOpen, ordering: .relaxed) }

    private static var handled: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    private static func receive(_ number: Int32) {
        if number == SIGINT && hasEditor.load(ordering: .relaxed) { return }
        guard first.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged else {
            _exit(128 + number)
        }
        var byte: UInt8 = 0
        _ = write(wake[1], &byte, 1)
        cancel.withLock { $0 }?()
    }
}
