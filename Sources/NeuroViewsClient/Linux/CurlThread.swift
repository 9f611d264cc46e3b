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
        guard QuietThread.start(curlThreadMain, loop.toOpaque()) else {
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
}

private func curlThreadMain(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let loop { Unmanaged<CurlLoop>.fromOpaque(loop).takeRetainedValue().run() }
    return nil
}
