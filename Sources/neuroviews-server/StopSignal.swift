import Glibc

/// SIGTERM, SIGINT and SIGHUP, taken by the one thread that waits for them.
struct StopSignal {
    private var signals = sigset_t()

    /// Blocks the signals in this thread and in every thread it starts from now on.
    init() {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns when the server is to stop. SIGHUP makes it `reload`, unless it says that the terminal is gone.
    func wait(reload: () -> Void) {
        var signals = signals
        var received: Int32 = 0
        let hadTerminal = isatty(STDERR_FILENO) == 1
        while sigwait(&signals, &received) == 0, received == SIGHUP {
            if hadTerminal && isatty(STDERR_FILENO) == 0 { return }
            reload()
        }
    }

    /// From now on a further signal ends the process without waiting for anything.
    func endAtOnceNextTime() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
