import Glibc

/// Starts threads of the library.
enum QuietThread {
    typealias Main = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    /// Runs `main` on a thread of its own. Returns false if there is no memory for one.
    ///
    /// The thread gets no signals. OpenSSL writes without MSG_NOSIGNAL: SIGPIPE would end the app, and a library must not
    /// change how a process handles it. Threads that libcurl starts for names inherit this.
    static func start(_ main: @escaping Main, _ context: UnsafeMutableRawPointer) -> Bool {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        guard pthread_create(&thread, nil, main, context) == 0 else { return false }
        pthread_detach(thread)
        return true
    }
}
