import Glibc

/// The thread that drives libcurl, and the mailbox through which others reach it.
final class CurlThread: Sendable {
    enum Message {
        case submit(Exchange)
        case cancel(Exchange)
        case end
    }

    private let multi: CurlMulti
    private let mailbox = Guarded<[Message]>([])

    /// Throws `.other` if there is no memory for a thread.
    init(_ trust: Trust, _ limits: TransportLimits) throws(TransportError) {
        multi = try CurlMulti(connectionsMax: limits.connectionsMax)
        let loop = Unmanaged.passRetained(CurlLoop(multi, mailbox, trust, limits))
        guard Self.start(loop.toOpaque()) else {
            loop.release()
            throw .other("no thread can be started")
        }
    }

    func submit(_ exchange: Exchange) { post(.submit(exchange)) }
    func cancel(_ exchange: Exchange) { post(.cancel(exchange)) }

    /// Cancels what still runs and ends the thread, without waiting for it.
    func end() { post(.end) }

    private func post(_ message: Message) {
        mailbox.withLock { $0.append(message) }
        multi.wakeUp()
    }

    /// The thread gets no signals. OpenSSL writes without MSG_NOSIGNAL: SIGPIPE would end the app, and a library must not
    /// change how a process handles it. Threads that libcurl starts for names inherit this.
    private static func start(_ loop: UnsafeMutableRawPointer) -> Bool {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        guard pthread_create(&thread, nil, curlThreadMain, loop) == 0 else { return false }
        pthread_detach(thread)
        return true
    }
}

private func curlThreadMain(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let loop { Unmanaged<CurlLoop>.fromOpaque(loop).takeRetainedValue().run() }
    return nil
}
