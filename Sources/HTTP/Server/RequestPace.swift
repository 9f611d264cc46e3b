/// The credit of a client whose request is limited by a rate, in both directions. Used on its connection's loop only.
final class RequestPace {
    /// The progress of a response since the last look.
    enum Progress {
        /// The client reads, or more was sent.
        case advancing
        /// The client has everything, and nothing more was sent.
        case idle
        /// The client's credit is spent.
        case tooSlow
    }

    private struct Look {
        let timeMs: UInt64
        let sentBytes: Int
        let takenBytes: Int
    }

    private var receiving: RateCredit
    private var sending: RateCredit
    private var last: Look?

    init(_ rate: MinimumRate) {
        receiving = RateCredit(rate)
        sending = RateCredit(rate)
    }

    /// The deadline of the next read of the body.
    func receiveDeadlineMs(nowMs: UInt64) -> UInt64 { nowMs + receiving.remainingMs }

    /// Counts bytes of the body and the wait for them. Time in which the handler
    /// does not read costs the client nothing.
    func received(_ count: Int, waitedMs: UInt64) { receiving.spend(waitedMs: waitedMs, earning: count) }

    /// Compares with the last look. A client is behind when it has not acknowledged the bytes sent by then. Writability
    /// shows too little: a large send buffer becomes writable only when a third of it is free.
    func look(nowMs: UInt64, sentBytes: Int, takenBytes: Int) -> Progress {
        defer { last = Look(timeMs: nowMs, sentBytes: sentBytes, takenBytes: takenBytes) }
        guard let last else { return .advancing }
        if takenBytes >= last.sentBytes {
            sending.refill()
            return sentBytes > last.sentBytes ? .advancing : .idle
        }
        sending.spend(waitedMs: nowMs - last.timeMs, earning: takenBytes - last.takenBytes)
        return sending.isSpent ? .tooSlow : .advancing
    }
}
