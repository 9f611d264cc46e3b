import Glibc

/// SIGTERM and SIGINT, taken by the one thread that waits for them.
struct StopSignal {
    private var signals = sigset_t()

    /// Blocks the signals in this thread and in every thread it starts from now on.
    init() {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns when one of them comes.
    func wait() {
        var signals = signals
        var received: Int32 = 0
        sigwait(&signals, &received)
    }

    /// From now on a further signal ends the process without waiting for anything.
    func endAtOnceNextTime() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
